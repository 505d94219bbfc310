"""Which calls leave a row without content: those about the agent itself, and those that carry credentials."""

from collections.abc import Sequence
from typing import Any

import re2

from services.observe.credentials import PATTERNS
from services.observe.cutting import scalar

SELF_REFERENTIAL, BLACKLISTED = "self_referential", "blacklisted"

# How agents prefix the names of an MCP server's tools.
OWN_PREFIXES = ("loom", "mcp__loom", "mcp_loom", "mcp-loom", "mcp.loom", "mcp:loom", "mcp__plugin_loom")

# Tools by which agents steer themselves, lower-cased and without separators, so that `ExitPlanMode` and
# `exit_plan_mode` are one entry.
META_TOOLS = frozenset(
    {
        # to-do lists
        *("todo", "todowrite", "todoread", "writetodos", "updatetodolist", "managetodolist", "updateplan"),
        *("taskcreate", "taskget", "tasklist", "taskupdate"),
        # launchers of sub-tasks and sub-agents
        *("task", "agent", "taskoutput", "agentoutput", "agentoutputtool", "taskstop", "newtask", "runsubagent"),
        *("spawnagent", "resumeagent", "closeagent", "waitagent", "delegatetoagent", "codebaseinvestigator"),
        *("teamcreate", "teamdelete"),
        # plan modes
        *("enterplanmode", "exitplanmode", "planenter", "planexit", "createplan", "switchmode", "switchagent"),
        *("planmoderespond", "actmoderespond"),
        # search among tools
        *("toolsearch", "searchtools", "searchtoolbm25", "toolsearchtoolbm25", "toolsearchtoolregex"),
    }
)
_SEPARATORS = str.maketrans("", "", "_-. ")

_MEMORY = 64 << 20


def self_referential(tool_name: str) -> bool:
    """Whether the tool is one of Loom's own, or one by which an agent steers itself."""
    name = tool_name.strip().lower()
    return name.startswith(OWN_PREFIXES) or name.translate(_SEPARATORS) in META_TOOLS


class Blacklist:
    """Patterns of what must not be stored: those of `PATTERNS`, and an org's own.

    They are one alternation of RE2, whose time is linear in the text whatever the pattern and the text. (RE2's sets
    would name the pattern that matched, but give up silently when their automaton outgrows its memory; a plain pattern
    then goes on, slower.)
    """

    __slots__ = ("_compiled",)

    def __init__(self, extra_patterns: Sequence[str] = ()) -> None:
        """`extra_patterns` are in RE2's syntax. Raises ValueError naming the index of one that is not usable."""
        for index, pattern in enumerate(extra_patterns):
            _check(index, pattern)
        self._compiled = _compiled("|".join(f"(?:{pattern})" for pattern in (*PATTERNS, *extra_patterns)))

    def matches(self, *values: Any) -> bool:
        """Whether a pattern occurs in a text, key or number of one of the JSON values."""
        return self._compiled.search("\n".join(_texts(values)).encode("utf-8", "replace")) is not None


def _texts(values: Sequence[Any]) -> list[str]:
    """All texts of the values in the order of the document; a key's value stands in the line after it.

    A stack, not recursion: depth is the caller's to choose. Counts and flags, which long lists are made of, hold nothing.
    """
    texts: list[str] = []
    todo = list(reversed(values))
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            texts.append(item)
        elif isinstance(item, dict):
            for key, value in reversed(item.items()):
                todo += (value, f"{key}:")
        elif isinstance(item, list):
            todo.extend(reversed(item))
        elif type(item) is float or (type(item) is int and not 0 <= item < 1000):
            texts.append(scalar(item))
    return texts


def _check(index: int, pattern: str) -> None:
    if not pattern.strip():
        raise ValueError(f"blacklist pattern {index} is empty")
    try:
        compiled = _compiled(pattern)
    except ValueError:
        raise ValueError(f"blacklist pattern {index} is not in RE2's syntax, or too large") from None
    if compiled.search(b""):
        raise ValueError(f"blacklist pattern {index} matches an empty text, and so every text")


def _compiled(pattern: str) -> "re2._Regexp":
    options = re2.Options()
    options.never_capture = True  # groups are not needed, and two patterns may use one name for theirs
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        return re2.compile(pattern.encode(), options)
    except re2.error:
        raise ValueError("not a pattern") from None
