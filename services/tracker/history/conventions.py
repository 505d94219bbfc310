"""How teams write that a pull request carries another one to a release branch, or takes it back."""

import re
from typing import NamedTuple

from services.tracker.history.rows import Row, number, same_sha, text
from services.tracker.history.versions import MOST_DIGITS, release_line, version

# What a name may stand in front of is bounded, and looked for where a word begins: else a long text takes for ever.
_REF = r"(?:(?<![\w.-])[\w.-]{1,100}/[\w.-]{1,100})?(?:#|GH-|PR ?#?|pull/)(\d+)"
_CARRIES = (
    re.compile(rf"\b(?:back-?port(?:s|ed|ing)?|cherry[- ]?pick(?:s|ed)?|uplift)\b[^#\n]{{0,40}}?{_REF}", re.IGNORECASE),
    re.compile(rf"\[(?:back-?port|cherry[- ]?pick)\b[^\]]*\].*?\(?{_REF}\)?\s*$", re.IGNORECASE | re.DOTALL),
    re.compile(rf"^\[[vV]?\d[\w.]*\].*\({_REF}\)\s*$"),
)
_BODY = re.compile(
    rf"\b(?:back-?port(?:s|ed)?(?: of)?|cherry[- ]?pick(?:s|ed)?(?: of| from)?)\W{{0,3}}(?:PR )?{_REF}", re.IGNORECASE
)
_PICKED = re.compile(r"cherry[- ]picked from commit ([0-9a-f]{7,40})", re.IGNORECASE)
_HEADS = (
    re.compile(r"(?:back-?port|bp|cherry-?pick)[/_-](?:pr[-_])?(\d+)[/_-](?:to[/_-])?(.+)$", re.IGNORECASE),
    re.compile(r"(?:back-?port|bp|cherry-?pick)[/_-](?:to[/_-])?(.+?)[/_-](?:pr[-_]?)?(\d+)$", re.IGNORECASE),
)
_TARGET = re.compile(r"\b(?:to|into|onto|for)\s+[`'\"]?([\w./-]*\d[\w./-]*)", re.IGNORECASE)
_TAGGED = re.compile(r"^\[(?:back-?port(?:\s+to)?|cherry[- ]?pick(?:\s+to)?)?\s*([\w./-]*\d[\w./-]*)\]", re.IGNORECASE)
_REVERTS = re.compile(rf"\brevert(?:s|ed|ing)?\b[^#\n]{{0,120}}?{_REF}", re.IGNORECASE)

_REVERTS_LINE = re.compile(rf"^reverts:? {_REF}", re.IGNORECASE | re.MULTILINE)


class Carried(NamedTuple):
    """`branch` is where it goes; None where neither base, title nor head name a release branch. `how` is the
    evidence.
    """

    branch: str | None
    how: str
    last_step: bool  # False: a preparatory pull request, whose merging alone brings nothing to the release branch


class Spoken:
    """What one pull request says of others, read once: a board asks the same of it for every fix."""

    def __init__(self, row: Row) -> None:
        title, body, head = text(row, "title"), text(row, "body"), text(row, "head_ref")
        self.row = row
        self.reverted = reverted(row)
        self._quoted = _reverted_anywhere(row)
        self._titled = {found for pattern in _CARRIES for found in _numbers(pattern, title)}
        self._headed = {found for pattern in _HEADS for found in _heads(head, pattern)}
        self._texted = _numbers(_BODY, body)
        self._picked: list[str] = _PICKED.findall(body)

    def carries(self, original: int, merge_sha: str = "") -> Carried | None:
        """Whether it carries `original` elsewhere, by the record, its title, its head or its body."""
        how = None if number(self.row) == original else self._how(original, merge_sha)
        if how is None:
            return None
        base = text(self.row, "base_ref")
        if release_line(base) is not None:
            return Carried(base, how, True)
        named = _named_target(self.row)
        return Carried(named or (base or None), how, named is None)

    def _how(self, original: int, merge_sha: str) -> str | None:
        if number(self.row, "backport_of") == original:
            return "backport_of names it"
        if original in self._quoted:
            return None
        for named, how in (
            (self._titled, "title names it"),
            (self._headed, "branch name names it"),
            (self._texted, "text names it"),
        ):
            if original in named:
                return how
        if merge_sha and any(same_sha(found, merge_sha) for found in self._picked):
            return "text names its commit"
        return None


def carries(row: Row, original: int, merge_sha: str = "") -> Carried | None:
    """Whether the pull request carries `original` elsewhere."""
    return Spoken(row).carries(original, merge_sha)


def reverted(row: Row) -> set[int]:
    """Numbers that the pull request takes back, by title or text.

    A line of its text that begins with it tells alone: forges write that, and quote the title of what is taken back,
    which may itself name another one.
    """
    if written := _numbers(_REVERTS_LINE, text(row, "body")):
        return written
    return _reverted_anywhere(row)


def _reverted_anywhere(row: Row) -> set[int]:
    return {found for name in ("title", "body") for found in _numbers(_REVERTS, text(row, name))}


def _numbers(pattern: re.Pattern[str], said: str) -> set[int]:
    return {int(found) for found in pattern.findall(said) if len(found) <= MOST_DIGITS}


def _heads(head: str, pattern: re.Pattern[str]) -> set[int]:
    found = pattern.search(head)
    return {int(part) for part in found.groups() if part.isdecimal() and len(part) <= MOST_DIGITS} if found else set()


def _named_target(row: Row) -> str | None:
    """A release branch that the title or the head names."""
    title = text(row, "title")
    named = [found[1] for pattern in (_TARGET, _TAGGED) if (found := pattern.search(title))]
    for pattern in _HEADS:
        found = pattern.search(text(row, "head_ref")) or pattern.search(text(row, "base_ref"))
        named += [part for part in found.groups() if not part.isdigit()] if found else []
    return next((name for name in named if release_line(name) is not None and version(name) is not None), None)
