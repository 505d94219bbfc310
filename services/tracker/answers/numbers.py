"""Numbers of items in a question: marked ones (`#42`, `issue 42`), and bare ones where only an item can be meant."""

import re

_NUMBER = re.compile(
    r"(?<![\w/.#])(?:[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)?[#!]([0-9]{1,16})\b"
    r"|\bGH-([0-9]{1,16})\b"
    r"|\b(?:issues?|prs?|mrs?|(?:pull|merge)[ -]requests?|bugs?|tickets?|defects?|items?)[: ]\s*"
    r"(?:(?:number|no\.?|nr\.?)\s*)?#?([0-9]{1,16})(?![\w.-]*[\w])",
    re.IGNORECASE,
)
_URL_NUMBER = re.compile(r"https?://[^\s]+/(?:issues|pull|pulls|merge_requests|browse)/(?:[A-Z]+-)?([0-9]{1,16})\b")

# A number by itself, or behind the key of a project, that ends where a word ends.
_BARE = re.compile(r"(?<![\w.#/+-])(?:[A-Z][A-Z0-9]{1,9}-)?([0-9]{1,9})(?![\w%°+*=]|[.,:/-][\w])")
_KEYS = re.compile(r"(?:UTF|SHA|ISO|CVE|AES|RFC|MD|RSA|CRC|CWE|IEEE|GHSA|HTTP|TLS|EC|CP)-[0-9]", re.IGNORECASE)
# What stands before the number of an item: the question's verb, or what is asked of the item.
_VERBS = re.compile(
    r"\b(?:is|are|was|were|isn't|wasn't|has|have|had|hasn't|does|did|didn't|will|can|about|"
    r"fix(?:es|ed|ing)?|clos(?:e|es|ed|ing)|resolv(?:e|es|ed|ing)|solv(?:e|es|ed)|address(?:es|ed)?|merg(?:e|es|ed)|"
    r"backport(?:s|ed|ing)?|cherry[ -]pick(?:s|ed)?|broke|breaks?|caus(?:e|es|ed)|introduc(?:e|es|ed)|"
    r"(?:fixed|closed|resolved|solved|addressed|caused|introduced|broken|reported) by|hits?|sees?|"
    r"contain(?:s|ed)?|includ(?:e|es|ed)|ship(?:s|ped)?|report(?:s|ed)?|wrote|duplicat(?:e|es|ed)|like|as|to blame for|"
    r"behind|against|with|blocks?|blocking|mentions?|happened to|going on with|got|get)"
    r"\s*[:\"'“(]?\s*$",
    re.IGNORECASE,
)
_OF = re.compile(
    r"\b(?:(?:fix(?:es)?|patch(?:es)?|solution|state|status|dup(?:e|es|licates?)?|backports?|(?:cherry[ -])?picks?|"
    r"causes?|culprit|authors?|cases?|tickets?|customers?|history|issues?|prs?|release|build|"
    r"version|what (?:happened|became)|rid)"
    r"\s+(?:of|for|to|about|behind))\s*[:\"'“(]?\s*$",
    re.IGNORECASE,
)
_LIST = re.compile(r"^\s*(?:,|,?\s*(?:and|or|&)\s)\s*$", re.IGNORECASE)
# What is counted or measured is no item.
_UNIT = re.compile(
    r"\s*(?:(?:more|other|new|old|open|closed|merged|different|failed|failing|flaky|severe|"
    r"critical|consecutive|last|unresolved)\s+)*"
    r"(?:[kmgt]?i?b|ms|[smhdwx]|secs?|seconds?|mins?|minutes?|hours?|days?|weeks?|months?|years?|times|percent|pct|"
    r"issues?|bugs?|prs?|mrs?|pulls?|pull requests?|commits?|tests?|runs?|fail(?:ures?)|errors?|crash(?:es)?|people|"
    r"users?|customers?|cases?|tickets?|builds?|releases?|branches|files?|lines?|reports?|things?|"
    r"out of|of (?:the|them|our|my))\b",
    re.IGNORECASE,
)
# What follows a number that a question begins with.
_ASKED = re.compile(
    r"\s*(?:[?:,.]|$|(?:is|was|has|did|and|or|status|state|in|open|closed|merged|still|fix\w*|backport\w*|dup\w*|"
    r"caus\w*|resolved|landed|released|shipped)\b)",
    re.IGNORECASE,
)
_YEAR = range(1970, 2100)
_VERB_OF_ITEM = re.compile(r"\b(?:is|are|was|has|did|does)\s*$", re.IGNORECASE)
# How far back the words are read that a bare number is named by.
_BACK = 60


def numbers_of(question: str) -> list[str]:
    """Digits of the items that the question names, in its order."""
    marked = [match for pattern in (_NUMBER, _URL_NUMBER) for match in pattern.finditer(question)]
    found, covered, end = list[str](), 0, None
    for match in sorted([*marked, *_BARE.finditer(question)], key=lambda match: (match.start(), -match.end())):
        if match.re is not _BARE:
            covered = max(covered, match.end())
        elif match.start() < covered or not _is_item(question, match, end):
            continue
        found.append(next(group for group in match.groups() if group))
        end = match.end()
    return found


def _is_item(question: str, match: re.Match[str], end: int | None) -> bool:
    """Named by the words before it, or next in a list of items; `end` is where the item before it ends."""
    start = match.start()
    if _UNIT.match(question, match.end()) or _KEYS.match(match[0]):
        return False
    if end is not None and start - end < _BACK and _LIST.match(question[end:start]):
        return True
    if not question[:start].strip():
        return bool(_ASKED.match(question, match.end()))
    before = question[:start] if start <= _BACK else f"…{question[start - _BACK : start]}"
    if _OF.search(before):
        return True
    is_year = match[0].isdigit() and int(match[0]) in _YEAR
    return bool((_VERB_OF_ITEM if is_year else _VERBS).search(before))
