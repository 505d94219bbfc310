"""What a pull request says it closes, and what it only says.

The forms are those on which GitHub acts: close, fix and resolve, in the present and the past, before a reference. What
looks like one and is none stays as evidence with its reason.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from services.tracker.similar.mentions import Mention, mentions

CLOSES = "closes"
# Reasons why a mention is no link, in the order in which they are looked for.
COMMENT, OTHER_TRACKER, OUT_OF_RANGE, NEGATED, REVERT, ELSEWHERE, MENTION = (
    "link_to_comment",
    "other_tracker",
    "out_of_range",
    "negated",
    "revert",
    "merged_elsewhere",
    "mention",
)

_KEYWORD = re.compile(
    r"\b(?:clos(?:e|es|ed)|fix(?:es|ed)?|resolv(?:e|es|ed))(?:\s*:)?\s+(?:issue\s+|bug\s+)?[\[(<]*\s*$", re.I
)
_NEGATION = re.compile(
    r"(?:\b(?:not|never|cannot|without|partial(?:ly)?|partly)|n['’]t"
    r"|\b(?:need|have|try|tries|trying|attempt(?:s|ing)?|fail(?:s|ed)?|unable) to)\s+(?:\w+\s+)?$",
    re.I,
)
_BRANCH = re.compile(
    r"(?:^|(?<!\d)[/_\-])(?P<keyword>clos(?:e|es|ed)|(?:bug|hot)?fix(?:es|ed)?|resolv(?:e|es|ed))?"
    r"[/_\-]*(?:issues?|bug|gh)?[/_\-]*#?(?P<number>\d{1,9})(?=$|[/_\-])(?![_\-.]\d)",
    re.I,
)
_REVERT = re.compile(r"\s*revert\b", re.I)
_BEFORE = 60


@dataclass(frozen=True, slots=True)
class Claim:
    """What one place of a PR says about one item. `reason` is `closes` or why it is evidence alone; `place` is title,
    body, commit or branch."""

    repo: str
    number: int
    key: str
    reason: str
    place: str


@dataclass(frozen=True, slots=True)
class Bounds:
    """What numbers can be: `highest` number by repository (as `Org/repo`); `merged_elsewhere` tells a PR that did not
    reach the trunk of its own repository."""

    highest: Mapping[str, int]
    merged_elsewhere: bool = False


def claims(
    title: str, body: str, repo: str, bounds: Bounds, *, commits: Sequence[str] = (), branch: str = ""
) -> list[Claim]:
    """Every claim in order, each (item, reason, place) once."""
    is_revert = bool(_REVERT.match(title))
    found: dict[Claim, None] = {}
    for place, text in (("title", title), ("body", body), *(("commit", commit) for commit in commits)):
        for mention in mentions(text, repo):
            reason = _reason(mention, text, bounds, is_revert)
            found[Claim(mention.repo, mention.number, mention.key, reason, place)] = None
    for claim in _branch_claims(branch, repo, bounds):
        found[claim] = None
    return list(found)


def closed_numbers(found: Sequence[Claim], repo: str) -> set[int]:
    """Numbers of `repo` that claims close."""
    return {claim.number for claim in found if claim.reason == CLOSES and claim.repo.casefold() == repo.casefold()}


def _reason(mention: Mention, text: str, bounds: Bounds, is_revert: bool) -> str:
    before = text[max(0, mention.start - _BEFORE) : mention.start]
    keyword = _KEYWORD.search(before)
    if out := _outside(mention, bounds):
        return out
    if keyword is None:
        return mention.aside or MENTION
    if mention.is_comment:
        return COMMENT
    if mention.aside:
        return mention.aside
    if _NEGATION.search(before[: keyword.start()]):
        return NEGATED
    return REVERT if is_revert else _closes(bounds)


def _outside(mention: Mention, bounds: Bounds) -> str:
    known = {repo.casefold(): highest for repo, highest in bounds.highest.items()}
    if mention.key or mention.repo.casefold() not in known:
        return OTHER_TRACKER
    return "" if 0 < mention.number <= known[mention.repo.casefold()] else OUT_OF_RANGE


def _closes(bounds: Bounds) -> str:
    return ELSEWHERE if bounds.merged_elsewhere else CLOSES


def _branch_claims(branch: str, repo: str, bounds: Bounds) -> Iterator[Claim]:
    for match in _BRANCH.finditer(branch[:300]):
        mention = Mention(repo, int(match["number"]))
        reason = _outside(mention, bounds) or (_closes(bounds) if match["keyword"] else MENTION)
        yield Claim(repo, mention.number, "", reason, "branch")


def mentioned(found: Collection[Claim], repo: str, number: int) -> list[Claim]:
    """The claims about one item."""
    return [claim for claim in found if claim.number == number and claim.repo.casefold() == repo.casefold()]
