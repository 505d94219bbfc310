"""How severe a word is: trackers use many words for few degrees."""

from collections.abc import Mapping

_WORDS = {
    0: "blocker critical crit p0 s0 sev0 sev-0 urgent fatal showstopper catastrophic",
    1: "high major p1 s1 sev1 sev-1 severe important serious",
    2: "medium moderate normal p2 s2 sev2 sev-2 average",
    3: "low minor p3 s3 sev3 sev-3",
    4: "trivial lowest cosmetic p4 s4 sev4 sev-4 none p5 s5",
}
RANKS: Mapping[str, int] = {word: rank for rank, words in _WORDS.items() for word in words.split()}
UNKNOWN = 5
# A degree that stops a release by itself.
SEVERE = 1

# Ranks in a statement, over a column `severity`: `Sev 1`, `P1 - High` and `severity: high` count as their first known word.
_KNOWN = ", ".join(f"'{word}'" for word in RANKS)
_RANKED = ", ".join(str(rank) for rank in RANKS.values())
RANK_SQL = (
    f"arrayMin(arrayConcat([{UNKNOWN}], arrayMap(w -> transform(w, [{_KNOWN}], [{_RANKED}], {UNKNOWN}), "
    "arrayConcat([lower(severity)], extractAll(lower(severity), '[a-z0-9-]+')))))"
)


def rank(severity: str) -> int:
    """0 is the most severe, 4 the least, 5 what nobody knows."""
    text = severity.lower()
    words = [text, *_parts(text)]
    return min((RANKS.get(word, UNKNOWN) for word in words), default=UNKNOWN)


def _parts(text: str) -> list[str]:
    cleaned = "".join(c if c.isascii() and (c.isalnum() or c == "-") else " " for c in text)
    return cleaned.split()
