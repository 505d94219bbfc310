"""Which of many pull requests may have fixed an issue: few enough for link.link to weigh each.

What is looked up: pull requests that share the issue's rarest words, that name its number, or whose diff has its frames'
functions or its identifiers. The rest could only score by chance.
"""

import re
from array import array
from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np

from services.tracker.similar.closing import Claim
from services.tracker.similar.corpus import Corpus
from services.tracker.similar.link import IDENTIFIER, Link, Pull, claims_of, document_of, function_of, link
from services.tracker.similar.model import Candidate
from services.tracker.similar.needles import needles
from services.tracker.similar.prepared import Prepared
from services.tracker.similar.statistics import Statistics

BY_WORDS, BY_DIFF = 120, 60
# A word that so many diffs have tells nothing.
_COMMON_SHARE, _COMMON = 0.02, 20
MOST_DIFF_CHARS = 20_000
_WORD = re.compile(r"\w{3,}")


def condensed(diff: str) -> str:
    """The words of a diff, each once: all that links look for in one, in a tenth of its size."""
    return " ".join(dict.fromkeys(_WORD.findall(diff)))[:MOST_DIFF_CHARS]


class Recovery:
    """Pull requests, added one by one, and then asked for the fixes of issues."""

    def __init__(self, highest: Mapping[str, int]) -> None:
        """`highest` is the largest number of each repository."""
        self._highest = dict(highest)
        self.pulls: list[Pull] = []
        self.statistics, self._corpus = Statistics(), Corpus()
        self._claimed: dict[str, list[Claim]] = {}
        self._named: dict[tuple[str, int], array[int]] = {}
        self._in_diff: dict[str, array[int]] = {}

    def add(self, pull: Pull) -> None:
        """`pull.diff` is condensed."""
        place = len(self.pulls)
        self.pulls.append(pull)
        document = document_of(pull.title, pull.body, pull.paths)
        self.statistics.add_document(document)
        self._corpus.add(document)
        said = self._claimed[pull.source_id] = claims_of(pull, self._highest)
        named = {(claim.repo.casefold(), claim.number) for claim in said}
        for key in named | {(pull.repo.casefold(), number) for number in pull.closes}:
            self._named.setdefault(key, array("I")).append(place)
        for word in pull.diff.split():
            self._in_diff.setdefault(word, array("I")).append(place)

    def links(self, issue: Candidate, *, most: int, since: datetime | None = None) -> list[Link]:
        """As link.link; of pull requests merged from `since` on, where it is given."""
        chosen = [self.pulls[place] for place in self._chosen(issue)]
        if since is not None:
            chosen = [pull for pull in chosen if pull.merged_at is None or pull.merged_at >= since]
        return link(issue, chosen, self.statistics, self._highest, most=most, claimed=self._claimed)

    def _chosen(self, issue: Candidate) -> list[int]:
        found = self._corpus.pool(needles(issue.title, issue.body, self.statistics), BY_WORDS).tolist()
        found += self._by_diff(issue)
        found += self._named.get((issue.repo.casefold(), issue.number), ())
        return sorted(set(found))

    def _by_diff(self, issue: Candidate) -> list[int]:
        names = [function_of(key) for key in Prepared.of(issue, self.statistics).own_frames]
        names += IDENTIFIER.findall(f"{issue.title}\n{issue.body[:8_000]}")
        weights = np.zeros(len(self.pulls))
        common = max(_COMMON, int(_COMMON_SHARE * len(self.pulls)))
        for name in dict.fromkeys(name.rpartition(".")[2] for name in names):
            places = self._in_diff.get(name, ())
            if 0 < len(places) <= common:
                weights[np.frombuffer(places, dtype=np.uint32)] += 1.0 / len(places)
        best: Sequence[int] = np.argsort(-weights, kind="stable")[:BY_DIFF].tolist()
        return [place for place in best if weights[place] > 0]
