"""Explicit statements in what people and agents wrote: a preference or a decision in so many words.

Only prose counts. Commands, code, file contents and outputs hold "always" and "we use" too, where nobody stated
anything; of a command only its quoted texts are looked at, of an edited file only one that is prose.
"""

import re
from collections.abc import Iterator, Sequence

from services.memory.extract.calls import COMMAND, ELLIPSIS, FETCH, READ, Observed, base_name
from services.memory.extract.found import DECISION, PREFERENCE, Found, line, topic

LEAST_WORDS, MOST_WORDS, MOST_CHARS = 3, 60, 400
TITLE_CHARS = 80
PROSE_FILES = (".md", ".mdx", ".txt", ".rst", ".adoc", ".org")
# Inputs that are no prose, whatever the tool.
NO_PROSE = frozenset(
    {
        *("command", "cmd", "code", "script", "sql", "patch", "diff", "old_string", "old_str", "file_path", "path"),
        *("url", "pattern", "glob", "regex", "timeout", "cwd", "workdir", "language", "id", "schema", "html", "source"),
    }
)

_WHO = (
    r"(?<!if )(?<!when )\b(?:we|i|you|they|everyone|users?|team|my team|the (?:user|team|project)|"
    r"our (?:team|project|company))"
)
_US = (
    r"\b(?:we|our \w+|this (?:project|repo(?:sitory)?|codebase)|"
    r"the (?:team|project|backend|frontend|codebase|repo(?:sitory)?|service|company))"
)
_HOW = r"(?:\w+ly |also |now |just |all |both |still |have |has )*"
# `always` and `never` that begin something else than an instruction.
_NO_ORDER = r"(?!(?:mind|again|before|been|true|false|null|none|was|is|are|had|has|returns|gets|does)\b)"
_PREFERENCE = (
    rf"{_WHO} {_HOW}(?:prefers?|favou?rs?|likes? to|would rather|would like to always)\b",
    rf"{_WHO} {_HOW}(?:want|wants) (?:\w+ ){{0,3}}to (?:always|never)\b",
    r"^(?:please )?prefer (?!ence)\w+",
    rf"^(?:and |but |so |then )?(?:please )?(?:always|never)(?: ever)? {_NO_ORDER}\w+(?<!\ws)\b",
    rf"{_WHO} (?:should |must |will |shall |need to |have to |want to |may |can )?(?:always|never) "
    r"(?!(?:been|had|saw|seen|knew|got)\b)\w+",
    r"\b(?:please|make sure to|be sure to|remember to|take care to|must|should) (?:always|never)\b",
    r"\b(?:don't|do not|dont) ever \w+",
    r"^(?:as a rule|from now on|by default|in (?:the )?future|going forward)\b,? ",
    r"\b(?:my|our|the user's|the team's) (?:preferred|favou?rite|default|usual) \w+",
    r"^(?:please )?use [\w`'\"./-]+(?: \w+){0,4} (?:instead of|rather than|and not|not|over) ",
    r"^(?:please )?(?:don't|do not|avoid) (?:use|using) \w+",
    r"^i (?:\w+ly |always )*use (?!it\b|this\b|that\b|them\b)\w+",
)
_DECISION = (
    rf"{_WHO}(?: have| has)? (?:\w+ly |now |finally |just )*(?:decided|agreed|chose|chosen|settled|opted|concluded)\b",
    r"\b(?:was|were|is|been|have|has) (?:\w+ly )?(?:decided|agreed) (?:to|on|upon|that|against|for|in)\b",
    r"^(?:so )?(?:decided|agreed|chose|settled|opted) (?:to|on|upon|that|against|for|in)\b",
    r"^(?:the |our |final |my )*decision(?: is| was|:)",
    rf"{_US} {_HOW}(?:(?:are |is )?using|(?:will |do not |does not |don't |doesn't |no longer )?uses?|rely on|relies on)"
    r" (?!(?:it|this|that|them|these|those)\b)\w*",
    rf"{_US} {_HOW}(?:are |is |will |will be )?"
    r"(?:switch(?:ed|ing)?|mov(?:e|ed|ing)|migrat(?:e|ed|ing)|standardi[sz](?:e|ed|ing)) (?:to|on|away)\b(?! the next)",
    rf"{_US} {_HOW}(?:are |is |will )?"
    r"(?:go(?:ing)? with|stick(?:ing)? (?:to|with)|went with|deploy (?:to|with|on)|settle on)\b",
    r"^(?:ok,? |okay,? |so,? )*let(?:'s|s| us) (?:use|go with|stick (?:to|with)|switch to|standardi[sz]e on|move to)\b",
)
_RULES = (
    (DECISION, re.compile("|".join(_DECISION), re.IGNORECASE)),
    (PREFERENCE, re.compile("|".join(_PREFERENCE), re.IGNORECASE)),
)
# A word without which nothing here can match: most text is passed over at the cost of one scan.
_HINT = re.compile(
    r"always|never|prefer|favou?r|rather|rule|default|from now|future|forward|use|using|decid|decision|agreed|chose|"
    r"settle|opted|conclud|usual|let's|lets |let us|switch|mov|migrat|standardi|ever |avoid|\bwe\b|our |like",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"^(?:should|do|does|did|can|could|would|shall|may|what|why|how|which|when|where|who|is|are|was|were|will|have|has)\b",
    re.IGNORECASE,
)
_WHOLE = {"re": " are", "ve": " have", "ll": " will", "d": " would"}
_CONTRACTED = re.compile(r"(?<=\w)'(re|ve|ll|d)\b", re.IGNORECASE)
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_SENTENCES = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)[.!?]+(?=\s|$)|;\s|\n|[。！？]")
_MARKUP = re.compile(r"^(?:[-*+•>]+|\d+[.)])\s+|^(?:note|user|human|rule|reminder|important):\s+", re.IGNORECASE)
_CODE = re.compile(
    r"[{}<>\\$]|=>|->|==|!=|&&|\|\||\(\)|\);|::|//|/\*|--\w|^\s*(?:def|class|import|from|return|const|let|var|func|public|"
    r"private|if|for|while|else|elif|try|except|SELECT|INSERT)\s+\S+.*[:;{(]\s*$|^\s*[@#/]|\w=\w|\w\(\w*"
)
_INLINE_CODE = re.compile(r"`[^`]*`")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.){12,})"|\'([^\']{12,})\'')


def statements(rows: Sequence[Observed], project: str) -> list[Found]:
    """What was stated, each once, by whoever said it first."""
    found: dict[str, Found] = {}
    for row in rows:
        for text in _prose(row):
            for said in _sentences(text):
                kind = _kind(said)
                if kind:
                    key = topic("said", project, said.casefold().rstrip(".!"))
                    found.setdefault(
                        key, Found(kind, line(said, TITLE_CHARS), said, key, (row.memory_key,), row.observed_at)
                    )
    return list(found.values())


def _prose(row: Observed) -> Iterator[str]:
    given = row.given
    if row.kind == READ:
        return
    if row.kind == FETCH:
        yield given.fields.get("prompt", "")
    elif row.runs_command or row.kind == COMMAND:
        yield given.fields.get("description", "")
        yield from ((match[1] or match[2]).replace("\\n", "\n") for match in _QUOTED.finditer(given.chief))
    elif row.edits_files:
        if row.files and all(base_name(path).lower().endswith(PROSE_FILES) for path in row.files):
            yield from (
                given.fields.get(name, "") for name in ("content", "new_string", "new_str", "file_text", "text")
            )
    else:
        yield given.chief
        yield from (text for name, text in given.fields.items() if name.lower() not in NO_PROSE)


def _sentences(text: str) -> Iterator[str]:
    if not _HINT.search(text):
        return
    plain = _FENCE.sub("\n", text)
    start = 0
    for end in [*_SENTENCES.finditer(plain), None]:
        piece = plain[start : end.start() if end else len(plain)]
        mark = end[0] if end else ""
        start = end.end() if end else len(plain)
        said = " ".join(_MARKUP.sub("", piece.strip()).split()).strip("\"'*_ ")
        if not mark.startswith(("?", "？")) and _is_prose(said):
            yield said + ("." if mark.startswith((".", "!")) else "")


def _is_prose(said: str) -> bool:
    words = said.split()
    if not (LEAST_WORDS <= len(words) <= MOST_WORDS and len(said) <= MOST_CHARS) or said.endswith((ELLIPSIS, "?", ":")):
        return False
    return not _CODE.search(_INLINE_CODE.sub("x", said))


def _kind(said: str) -> str:
    if _QUESTION.match(said) or not _HINT.search(said):
        return ""
    plain = _CONTRACTED.sub(lambda match: _WHOLE[match[1].lower()], said.replace("’", "'"))
    return next((kind for kind, rule in _RULES if rule.search(plain)), "")
