"""Items that a text names: `#12`, `Org/repo#12`, `GH-12`, links to issues and pull requests, keys such as `ABC-12`.

Text in code spans, code blocks, quotes and HTML comments is kept apart, since nobody says there what the text is about.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

EXAMINED = 64_000

_FORMS = re.compile(
    r"https?://(?P<host>[\w.\-]+(?::\d+)?)/(?P<path>[\w.\-]+(?:/[\w.\-]+)+?)/(?:-/)?"
    r"(?:issues|pull|pulls|merge_requests|pull-requests)/(?P<linked>\d{1,12})(?P<rest>[/#?][^\s)\]>]*)?"
    r"|https?://(?P<keyhost>[\w.\-]+(?::\d+)?)/(?:[\w\-]+/)*?(?:browse|issue|issues)/(?P<keylinked>[A-Z][A-Z0-9_]{1,15}-\d{1,9})"
    r"|https?://(?P<bughost>[\w.\-]+)/(?:[\w\-]+/)*show_bug\.cgi\?id=(?P<bug>\d{1,12})"
    r"|(?<![\w/.\-])(?P<repo>[\w.\-]{1,100}/[\w.\-]{1,100})[#!](?P<qualified>\d{1,12})(?!\w|\.\d)"
    r"|(?<![\w&/#.\-])GH-(?P<gh>\d{1,12})(?!\w|\.\d)"
    r"|(?<![\w/.\-])(?P<key>[A-Z][A-Z0-9_]{1,15}-\d{1,9})(?![\w\-]|\.\d)"
    r"|(?<![\w&/#.\-])#(?P<plain>\d{1,12})(?!\w|\.\d)"
)
_ASIDE = re.compile(
    r"(?P<html_comment><!--.*?(?:-->|\Z))|(?P<code_block>^[ ]{0,3}(?P<fence>```+|~~~+).*?(?:^[ ]{0,3}(?P=fence)|\Z))"
    r"|(?P<code_span>(?P<ticks>`+)(?!`)[^\n]*?(?<!`)(?P=ticks)(?!`))|(?P<quote>^[ ]{0,3}>[^\n]*)",
    re.DOTALL | re.MULTILINE,
)
# Standards and encodings that look like a tracker's keys.
_STANDARDS = "UTF ISO SHA RFC CVE CWE PEP GH AES RSA MD IEEE ES PKCS X TLS"
_NO_KEYS = frozenset(_STANDARDS.split())


@dataclass(frozen=True, slots=True)
class Mention:
    """`repo` is `Org/repo`, or the given one for a bare number; empty for a key or a tracker of another kind.

    `key` is set for keys alone (number 0). `host` is a link's. `aside` is empty or where the text stands that is not the
    author's own statement: code_span, code_block, quote, html_comment. `start` is its place in the text.
    """

    repo: str
    number: int
    key: str = ""
    host: str = ""
    is_comment: bool = False
    aside: str = ""
    start: int = 0


def mentions(text: str, repo: str = "") -> list[Mention]:
    """Every mention in the first 64,000 characters, in order; the same item may come more than once."""
    text = text[:EXAMINED]
    asides = [(found.start(), found.end(), _kind(found)) for found in _ASIDE.finditer(text)]
    return [mention for match in _FORMS.finditer(text) for mention in _mention(match, repo, asides)]


def _mention(match: re.Match[str], repo: str, asides: list[tuple[int, int, str]]) -> Iterator[Mention]:
    place = match.start()
    aside = next((kind for start, end, kind in asides if start <= place < end), "")
    found = match.groupdict()
    if found["linked"]:
        rest = found["rest"] or ""
        is_comment = "#" in rest and bool(
            re.search(r"#(?:issuecomment|discussion|note|comment|pullrequestreview)", rest)
        )
        yield Mention(found["path"], int(found["linked"]), "", found["host"], is_comment, aside, place)
    elif key := found["keylinked"] or found["key"]:
        if key.partition("-")[0] not in _NO_KEYS:
            yield Mention("", 0, key, found["keyhost"] or "", False, aside, place)
    elif found["bug"]:
        yield Mention("", int(found["bug"]), "", found["bughost"], False, aside, place)
    elif found["qualified"]:
        yield Mention(found["repo"], int(found["qualified"]), "", "", False, aside, place)
    else:
        yield Mention(repo, int(found["gh"] or found["plain"]), "", "", False, aside, place)


def _kind(match: re.Match[str]) -> str:
    groups = match.groupdict()
    return next(kind for kind in ("html_comment", "code_block", "code_span", "quote") if groups[kind] is not None)


def names(mention: Mention, source_id: str, url: str = "") -> bool:
    """Whether a mention is of the item with this source_id (`Org/repo#12`) or link. Cases of repositories are one."""
    if mention.key:
        return bool(url) and url.rstrip("/").rpartition("/")[2] == mention.key
    return bool(mention.repo) and f"{mention.repo}#{mention.number}".casefold() == source_id.casefold()
