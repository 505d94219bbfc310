"""code.pr_check: features of how far a pull request already addresses a draft."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log
from typing import Any

from services.tracker.history.evidence import Report, last_part, path_matches, touch_of
from services.tracker.history.rows import Row, by_number, merged, number, numbers, text

CLOSES, PATHS, SYMBOLS, WORDS, COMPONENT = "closes", "paths", "symbols", "title_words", "component"
WEIGHTS: Mapping[str, float] = {CLOSES: 3.0, PATHS: 1.5, SYMBOLS: 1.0, WORDS: 1.5, COMPONENT: 0.25}
ADDRESSES, RELATED = 1.5, 0.6  # score from which on it may address the draft already, or is related
_STOP = frozenset(
    "with from that this when into after before should have been does not for and the fix fixes fixed add adds added".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Related:
    """`features` are in [0, 1]; `verdict` is "addresses" or "related"."""

    number: int
    source_id: str
    title: str
    state: str
    score: float
    verdict: str
    features: Mapping[str, float]
    why: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def related_pulls(
    draft: Report, pulls: Iterable[Row], *, issues: Sequence[int] = (), title: str = "", top: int = 10
) -> list[Related]:
    """Best first. `issues` are the numbers that the draft is about; `title` its title. Only open and merged pull
    requests: a closed one addresses nothing."""
    rows = [row for row in by_number(pulls).values() if merged(row) or text(row, "state").casefold() == "open"]
    touches = {number(row): touch_of(row) for row in rows}
    common = _common(touch.title_words for touch in touches.values())
    found = [_related(row, draft, issues, title, common, len(rows)) for row in rows]
    kept = [one for one in found if one.score >= RELATED]
    return sorted(kept, key=lambda one: (-one.score, one.state != "open", -one.number))[:top]


def _related(
    row: Row, draft: Report, issues: Sequence[int], title: str, common: Mapping[str, int], size: int
) -> Related:
    features = pull_features(row, draft, issues, title, common, size)
    score = sum(WEIGHTS[name] * value for name, value in features.items())
    why = tuple(
        _WORDING[name]
        for name, value in sorted(features.items(), key=lambda one: (-WEIGHTS[one[0]] * one[1], one[0]))
        if value
    )
    state = "merged" if merged(row) else "open"
    verdict = "addresses" if score >= ADDRESSES else "related"
    return Related(
        number(row), text(row, "source_id"), text(row, "title"), state, round(score, 4), verdict, features, why
    )


_WORDING = {
    CLOSES: "closes an issue that the draft is about",
    PATHS: "touches paths of the draft",
    SYMBOLS: "its changes name symbols of the draft",
    WORDS: "its title says the same",
    COMPONENT: "is of the same component",
}


def pull_features(
    row: Row, draft: Report, issues: Sequence[int], title: str, common: Mapping[str, int], size: int
) -> dict[str, float]:
    """Shares of what the draft names that the pull request has too; words count by rarity among the pull requests'
    titles.
    """
    touch = touch_of(row)
    paths = draft.all_paths
    symbols = {last_part(symbol) for symbol in (*draft.all_symbols, *draft.functions)}
    words = {word.casefold() for word in title.split() if len(word) > 3} - _STOP
    weight = {word: log(1 + size / (1 + common.get(word, 0))) for word in words}
    shared = sum(value for word, value in weight.items() if word in touch.title_words)
    hits = sum(any(path_matches(path, wanted) for path in touch.paths) for wanted in paths)
    return {
        CLOSES: float(bool(set(issues) & set(numbers(row, "closes")))),
        PATHS: hits / len(paths) if paths else 0.0,
        SYMBOLS: sum(symbol in touch.words for symbol in symbols) / len(symbols) if symbols else 0.0,
        WORDS: shared / sum(weight.values()) if weight else 0.0,
        COMPONENT: float(bool(draft.component) and draft.component.casefold() == touch.component.casefold()),
    }


def _common(titles: Iterable[Iterable[str]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for words in titles:
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return counts
