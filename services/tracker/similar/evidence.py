"""What draft and candidate have in common, in short names for `why`."""

import re
from collections.abc import Mapping, Sequence

from services.tracker.similar.caps import Context
from services.tracker.similar.model import Candidate, Scored
from services.tracker.similar.prepared import Prepared

SAME_TITLE = "same_title"
# A tag in brackets, or one word and a colon or a dash, in front; brackets behind.
_AROUND = re.compile(r"^\s*(?:\[[^\[\]]{1,40}\]:?|[\w./+-]{1,30}(?::| -(?= )))\s+|\s*\([^()]{1,40}\)\s*$")
_WORD = re.compile(r"\w+")
# Below so many words a title without what is around it names nothing of its own.
_BARE_WORDS = 3
_LEAST = {
    "mentioned": 0.5,
    "frames": 0.1,
    "codes_same": 0.5,
    "touched": 0.5,
    "title": 0.4,
    "tfidf": 0.25,
    "cosine": 0.55,
    "component_same": 0.5,
    "version_same": 0.5,
}
_NAMES = {
    "mentioned": "named_in_draft",
    "frames": "stack_frames",
    "codes_same": "error_code",
    "touched": "fix_in_flight",
    "title": "title",
    "tfidf": "text",
    "cosine": "meaning",
    "component_same": "component",
    "version_same": "version",
}


def why(context: Context, candidate: Prepared, values: Mapping[str, float]) -> tuple[str, ...]:
    """Strongest kind of evidence first."""
    found = [_NAMES[name] for name, least in _LEAST.items() if values[name] >= least]
    if _same_title(context.draft.report.title, candidate.report.title):
        found.insert(0, SAME_TITLE)
    return tuple(found)


def _same_title(one: str, other: str) -> bool:
    """Whether they are equal, or differ by what stands around a title alone: a tag, a component, a version."""
    plain, also = one.strip().casefold(), other.strip().casefold()
    if plain == also:
        return True
    bare = _bare(plain)
    return len(_WORD.findall(bare)) >= _BARE_WORDS and bare == _bare(also)


def _bare(title: str) -> str:
    """`[wal] 3.0.2: replay hangs (arm64)` without its tag, its version and what is in brackets at its end."""
    while (less := _AROUND.sub("", title, count=1)) != title:
        title = less
    return title.rstrip(" .!?")


def sentence(verdict: str, trust: str, items: Sequence[Scored], reasons: Sequence[str]) -> str:
    """One sentence for people. It quotes no text of a report."""
    silent = {"degraded": " Part of the record did not answer, so this clears nothing.", "unavailable": ""}
    if trust == "unavailable":
        return "The record did not answer, so nothing is known."
    if verdict == "none":
        said_too_little = " The draft says too little to be compared." if reasons else ""
        return f"No report was found that is likely the same.{said_too_little}{silent.get(trust, '')}"
    first = items[0].candidate
    what = f"{first.source_id} ({_state(first)})"
    if verdict == "duplicate_of":
        lead = "Possible regression of" if is_fixed(first) else "Duplicate of"
        return f"{lead} {what}.{silent.get(trust, '')}"
    more = f" and {len(items) - 1} more" if len(items) > 1 else ""
    lead = "Possibly a regression of, or related to," if is_fixed(first) else "Related to"
    return f"{lead} {what}{more}; whether it is the same defect is for a reader to judge.{silent.get(trust, '')}"


def is_fixed(candidate: Candidate) -> bool:
    """Closed with a fix that the record knows of: the same defect seen now may be a regression."""
    return candidate.state == "closed" and bool(candidate.fixed_by or candidate.fix_release)


def _state(candidate: Candidate) -> str:
    state = candidate.state or "state unknown"
    return f"{state}, fixed in {candidate.fix_release}" if candidate.fix_release else state
