"""Versions and release branches in their own order: by numbers and dates, never as text."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

# Of one part: a commit that is all digits has more, and is no version.
MOST_DIGITS = 18
_NUMBERS = re.compile(r"(?<![0-9A-Za-z])[vV]?(\d+(?:[._]\d+)*)")
_DATE = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_STAGE = re.compile(
    r"(?<![a-z])(dev|snapshot|nightly|alpha|a|beta|b|pre|preview|m|rc|cr|post|hotfix|patch|p)[-._]?(\d*)(?![a-z])"
)
_STAGES = {
    **dict.fromkeys(("dev", "snapshot", "nightly"), -5),
    **dict.fromkeys(("alpha", "a"), -4),
    **dict.fromkeys(("beta", "b", "m", "pre", "preview"), -3),
    **dict.fromkeys(("rc", "cr"), -2),
    **dict.fromkeys(("post", "hotfix", "patch", "p"), 1),
}


class Version(NamedTuple):
    """Numbers without trailing zeros, then the stage: 0 for a release, below it before, above it after."""

    numbers: tuple[int, ...]
    stage: int
    stage_number: int

    @property
    def line(self) -> tuple[int, ...]:
        """Major and minor: what a release branch is named after."""
        return (*self.numbers, 0, 0)[:2]


# A board asks these two of the same few texts for every build and every fix.
@lru_cache(maxsize=1 << 14)
def version(text: str | None) -> Version | None:
    """Semantic and calendar versions with any prefix or suffix (`v1.2.3-rc.1`, `26.1.3.44-lts`, `release/2.10`,
    `2026-03-01`).

    None without a number. `1.2` equals `1.2.0`; words that name no stage (`lts`, `stable`, `final`) change nothing,
    and what follows a `+` is a build's name and orders nothing.
    """
    plain = (text or "").partition("+")[0]
    plain = _DATE.sub(r"\1.\2.\3", plain)
    found = _NUMBERS.search(plain)
    if found is None:
        return None
    parts = re.split(r"[._]", found[1])
    if any(len(part) > MOST_DIGITS for part in parts):
        return None
    numbers = [int(part) for part in parts]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    stage = _STAGE.search(plain[found.end() :].casefold())
    if stage is None:
        return Version(tuple(numbers), 0, 0)
    return Version(tuple(numbers), _STAGES[stage[1]], int(stage[2][:MOST_DIGITS] or 0))


def in_order(texts: Iterable[str]) -> list[str]:
    """Oldest version first; texts without a number come before all others."""
    return sorted(texts, key=lambda text: (version(text) or Version((), 0, 0), text))


def same_branch(left: str | None, right: str | None) -> bool:
    """Whether two names mean one branch: equal, or both release branches of one line (`release/26.1`, `26.1`,
    `v26.1.x`).
    """
    if not left or not right:
        return False
    if left == right:
        return True
    lines = release_line(left), release_line(right)
    return lines[0] is not None and lines[0] == lines[1]


@lru_cache(maxsize=1 << 13)
def release_line(branch: str | None) -> tuple[int, ...] | None:
    """Major and minor of a release branch's name; None for other branches (`main`, `feature/2fa`,
    `backport/26.1/123`).
    """
    found = _RELEASE.fullmatch((branch or "").strip())
    if found is None:
        return None
    named = version(found[1])
    return None if named is None else named.line


_RELEASE = re.compile(
    r"(?:refs/heads/)?(?:(?:release|releases|rel|branch|stable|maint|maintenance|support|hotfix)[-/_]?)?"
    r"([vV]?\d+(?:[._]\d+){0,3})(?:[._-]?(?:x|lts|stable|maint|release|branch))*",
    re.IGNORECASE,
)
