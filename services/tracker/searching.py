"""Rules of `search`: which queries look like a defect, and how the ranks of several legs become one order."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

# Reciprocal rank fusion, Cormack et al. 2009.
RANK_CONSTANT = 60
MEMORY, TRACKER = "memory", "tracker"
_SAYS = re.compile(
    r"\b(?:crash(?:e[sd]|ing)?|hang(?:s|ing)?|hung|fail(?:s|ed|ing|ure|ures)?|panic(?:s|ked|king)?|segfaults?|"
    r"segmentation fault|deadlocks?|(?:memory )?leaks?|corrupt(?:s|ed|ion)?|broken|regression|stack ?trace|traceback|"
    r"exception|assertion|core dump|out of memory|oom|time[sd]? ?out|unresponsive|does(?: not|n't) work|stuck|"
    r"data loss|race condition|aborted|killed|throws?|thrown)\b",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"\b[A-Za-z]\w*(?:Error|Exception|Panic)\b|\b(?:error|fatal|errno)\b\s*[:=]|\b[A-Z]{2,8}-\d{3,6}\b|\bSIG[A-Z]{3,5}\b"
)
_FRAME = re.compile(
    r"^\s*(?:at\s+\S+|#\d+\s+\S+|File \"[^\"]+\", line \d+|goroutine \d+|\d+:\s+0x[0-9a-f]+|\S+\.\w{1,4}:\d+)",
    re.MULTILINE,
)


def looks_like_defect(query: str) -> bool:
    """Whether it has an error's text, stack frames, or words that reports of defects have."""
    return any(pattern.search(query) for pattern in (_SAYS, _ERROR, _FRAME))


def frames_of(query: str) -> tuple[str, ...]:
    """The lines of the query that are stack frames."""
    return tuple(line.strip() for line in query.splitlines() if _FRAME.match(line))


@dataclass(slots=True)
class Hit:
    """One thing that a leg found; `own_score` is its leg's. Names are those of the contract."""

    origin: str
    namespace: str
    kind: str
    title: str
    snippet: str = ""
    memory_id: int | None = None
    source_id: str = ""
    number: int | None = None
    state: str = ""
    url: str = ""
    at: datetime | str | None = None
    own_score: float | None = None
    why: list[str] = field(default_factory=list)
    legs: list[str] = field(default_factory=list)
    score: float = 0.0

    @property
    def key(self) -> tuple[str, str, str]:
        """The same for what several legs found."""
        return self.origin, self.namespace, self.source_id or str(self.memory_id)


def fuse(legs: Mapping[str, Sequence[Hit]], most: int) -> list[Hit]:
    """One order out of the legs' own, best first: the sum of 1 / (60 + rank). What several legs found is one hit."""
    found: dict[tuple[str, str, str], Hit] = {}
    ranks: dict[tuple[str, str, str], list[tuple[int, str]]] = {}
    # In a fixed order: what is said of a hit must not depend on which leg was the faster one.
    for leg, hits in sorted(legs.items()):
        seen: set[tuple[str, str, str]] = set()
        for hit in hits:
            if hit.key in seen:
                continue
            seen.add(hit.key)
            known = found.setdefault(hit.key, hit)
            if known is not hit:
                known.why = list(dict.fromkeys([*known.why, *hit.why]))
            ranks.setdefault(hit.key, []).append((len(seen), leg))
    for key, places in ranks.items():
        places.sort()
        found[key].legs = [leg for _, leg in places]
        found[key].score = round(sum(1 / (RANK_CONSTANT + rank) for rank, _ in places), 6)
    best = {key: min(places)[0] for key, places in ranks.items()}
    return sorted(found.values(), key=lambda hit: (-hit.score, best[hit.key], hit.key))[:most]
