"""From a tool call, as an agent told it, to the record that observe.record takes."""

import re
from typing import Any, NamedTuple

from loom.capture.fit import fit
from loom.private import strip_value

NO_SESSION = "-"
UNKNOWN_TOOL = "unknown"

# The server's limits, in characters: a longer name would cost the whole record.
NAME_CHARS, TAG_CHARS, PATH_CHARS, MAX_PATHS = 256, 256, 4096, 64

# The client's share of "the server never records itself": a call of Loom's own tools leaves no content here either.
OWN_TOOL = re.compile(r"(?:mcp__)?loom", re.IGNORECASE)
PATH_KEYS = ("file_path", "filePath", "path", "notebook_path", "absolute_path")
PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.MULTILINE)


class Call(NamedTuple):
    """One tool call, in an agent's own words.

    `call_id` is the agent's id of the call and `run` that of the task it belongs to, empty where there is none; `at` is
    RFC 3339, empty where the agent did not say when. `error` is the text of the failure, None after a success.
    """

    agent: str
    session: str
    run: str
    call_id: str
    tool: str
    given: Any
    output: Any
    error: str | None
    cwd: str
    at: str
    tags: tuple[str, ...]


def build(call: Call, identity: dict[str, str]) -> dict[str, Any]:
    """The record of `call`: private text removed, over-long names cut, empty fields left out, small enough to send."""
    own = OWN_TOOL.match(call.tool) is not None
    record: dict[str, Any] = {
        **identity,
        "agent": call.agent[:128],
        "session_id": call.session[:NAME_CHARS] or NO_SESSION,
        "run_id": call.run[:NAME_CHARS],
        "tool_name": call.tool[:NAME_CHARS] or UNKNOWN_TOOL,
        "tool_input": None if own else call.given,
        "tool_output": None if own else call.output,
        "error": None if own else call.error,
        "file_paths": [] if own else paths_of(call.given),
        "tags": tags_of(call),
        "observed_at": call.at[:64],
    }
    # Field by field, as the server does: an opener without a closer ends with the field that it stands in.
    stripped = {name: strip_value(value) for name, value in record.items()}
    return fit({name: value for name, value in stripped.items() if value not in (None, "", [])})


def paths_of(given: Any) -> list[str]:
    """Paths that the call's input names outright; the server finds the others in the text."""
    found: list[str] = []
    if isinstance(given, dict):
        found += [given[key] for key in PATH_KEYS if isinstance(given.get(key), str)]
    texts = given.values() if isinstance(given, dict) else [given]
    for text in texts:
        if isinstance(text, str) and "*** " in text:
            found += [(match[1] or match[2]).strip() for match in PATCHED.finditer(text)]
    return [path for path in dict.fromkeys(found) if 0 < len(path) <= PATH_CHARS][:MAX_PATHS]


def tags_of(call: Call) -> list[str]:
    """The call's tags, with the name of the project folder that the agent worked in."""
    project = re.split(r"[\\/]", call.cwd.rstrip("\\/"))[-1]
    return [tag[:TAG_CHARS] for tag in (*call.tags, *([f"project:{project}"] if project else []))]
