"""What a tool call did, told from the tool's name.

The name is lower-cased and the kinds are tried in a fixed order; the first whose word occurs in it wins, `tool_use` if
none does. Four refinements keep "occurs in" close to what a reader of the name expects:

- `EXACT` names tools whose words mislead (`write_stdin` feeds a running command, `list` lists files).
- `FALSE_FRIENDS` are ordinary words that hold a table word by accident (`prune`, `thread`, `review`); they are not read.
- Words in `WHOLE` count only as a whole word of the name, those in `EDGE` at the start or end of one; the words of a name
  are told apart by separators, digits and camelCase.
- Of an MCP tool `mcp__<server>__<tool>` the tool's own name is read first, and the server's only if that tells nothing.
"""

import re
from functools import lru_cache

ERROR, FILE_EDIT, COMMAND_RUN, WEB_FETCH, FILE_READ, TOOL_USE = KINDS = (
    "error",
    "file_edit",
    "command_run",
    "web_fetch",
    "file_read",
    "tool_use",
)

WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        FILE_EDIT,
        (
            *("edit", "write", "patch", "str_replace", "search_replace", "replace_in", "insert_text"),
            *("create_file", "delete_file", "remove_file", "move_file", "rename_file", "copy_file", "append_file"),
        ),
    ),
    (COMMAND_RUN, ("bash", "shell", "exec", "run", "terminal", "command")),
    (WEB_FETCH, ("web", "fetch", "http", "url", "browser")),
    (
        FILE_READ,
        (
            *("read", "view", "cat", "grep", "glob", "ls", "search", "open"),
            *("list_dir", "list_file", "listdir", "listfile", "get_file", "file_info", "directory_tree"),
        ),
    ),
)

EXACT: dict[str, str] = {
    "write_stdin": COMMAND_RUN,
    "repl": COMMAND_RUN,
    "js_repl": COMMAND_RUN,
    "replace": FILE_EDIT,
    "create": FILE_EDIT,
    "delete": FILE_EDIT,
    "list": FILE_READ,
    "find": FILE_READ,
    "diagnostics": FILE_READ,
    "fetch_rules": FILE_READ,
    "list_code_definition_names": FILE_READ,
    "todowrite": TOOL_USE,
    "todoread": TOOL_USE,
    "todo_write": TOOL_USE,
    "todo_read": TOOL_USE,
    "write_todos": TOOL_USE,
    "toolsearch": TOOL_USE,
    "tool_search": TOOL_USE,
    "runsubagent": TOOL_USE,
}

WHOLE = frozenset({"ls", "cat"})
EDGE = frozenset({"run"})

FALSE_FRIENDS: tuple[str, ...] = (
    *("credit", "reddit", "dispatch", "despatch", "typewriter", "underwrit"),
    *("executive", "nutshell", "run_?time", "web_?hook", "cobweb", "hourly"),
    *("thread", "spread", "bread", "ready(?![a-z])", "readiness", "review", "preview", "interview", "overview"),
    *("research", "global", "reopen", "opened(?![a-z])", "open_?ai", "open_?api", "open_?telemetry", "open_?shift"),
    *("open_?search", "elastic_?search", "open_?code", "open_?router", "open_?fga", "open_?id(?![a-z])"),
)

_FRIENDS = re.compile("|".join(FALSE_FRIENDS))
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BREAKS = re.compile(r"[\W_\d]+")


def kind_of(tool_name: str, has_error: bool) -> str:
    """One of `KINDS`: `error` for a failed call, else by the tool's name."""
    return ERROR if has_error else _by_name(tool_name)


@lru_cache(maxsize=4096)
def _by_name(tool_name: str) -> str:
    if not tool_name.lower().startswith("mcp__"):
        return _first(tool_name)
    server, _, own = tool_name[5:].rpartition("__")
    kind = _first(own)
    return _first(server) if kind == TOOL_USE and own.lower() not in EXACT else kind


def _first(name: str) -> str:
    lowered = name.lower()
    if lowered in EXACT:
        return EXACT[lowered]
    parted = _CAMEL.sub("_", name).lower()
    return next((kind for text in (parted, lowered) if (kind := _in_table(text)) != TOOL_USE), TOOL_USE)


def _in_table(text: str) -> str:
    readable = _FRIENDS.sub(" ", text)
    words = _BREAKS.split(readable)
    for kind, table in WORDS:
        if any(_occurs(word, readable, words) for word in table):
            return kind
    return TOOL_USE


def _occurs(word: str, readable: str, words: list[str]) -> bool:
    if word in WHOLE:
        return word in words
    if word in EDGE:
        return any(part.startswith(word) or part.endswith(word) for part in words)
    return word in readable
