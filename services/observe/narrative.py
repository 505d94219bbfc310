"""The readable text of a tool call.

    Bash: pytest -q
    timeout: 60000
    Output: 3 passed
    Error: …

The first line names the tool and what its input is chiefly about, the next ones hold the rest of the input; the output
follows, cut to 800 characters, and the error. Output and error take their room first, so that a long input does not
push out what came of it. Values are walked only as far as there is room, so a long body costs no more than a short one.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from services.observe.cutting import cut, excerpt, scalar

LIMIT = 2000
OUTPUT_LIMIT = 800
ERROR_LIMIT = 800
NAME_LIMIT = 256
FIELD_LIMIT = 400
DEPTH = 6

# What a call is chiefly about, best first, as the inputs of the common agents name it.
CHIEF = (
    *("command", "cmd", "file_path", "filePath", "notebook_path", "absolute_path", "target_file", "pattern", "query"),
    *("url", "path", "description", "prompt", "patch", "input", "name"),
)
# Keys of an output whose value is the text itself; it is shown first and without the key.
TEXTS = (
    *("stdout", "output", "aggregated_output", "content", "text", "llmContent", "result", "message", "file"),
    *("filenames", "matches"),
)
# Keys that tell a reader nothing, or repeat what stands elsewhere at length.
MUTE = frozenset({"type", "originalFile", "structuredPatch", "returnDisplay", "signature"})


def narrative(tool_name: str, tool_input: Any, tool_output: Any, error: str) -> str:
    """The text, at most 2,000 characters. `tool_input` and `tool_output` are any JSON values."""
    output = text_of(tool_output, OUTPUT_LIMIT)
    failure = excerpt(error, ERROR_LIMIT).strip() if error else ""
    tail = [f"Output: {output}"] if output and output != failure else []
    if failure:
        tail.append(f"Error: {failure}")
    room = LIMIT - sum(map(len, tail)) - len(tail)
    return "\n".join([_head(tool_name, tool_input, room), *tail])


def text_of(value: Any, limit: int) -> str:
    """An output as text of at most `limit` characters: its texts bare, its other fields as `key: value` lines."""
    if value is None or value == [] or value == {}:
        return ""
    return excerpt(_gathered(_lines(value, 0), "\n", 2 * limit + 65), limit).strip()


def _head(tool_name: str, tool_input: Any, room: int) -> str:
    name = excerpt(tool_name, NAME_LIMIT)
    if not isinstance(tool_input, dict):
        about = text_of(tool_input, room)
        return cut(f"{name}: {about}" if about else name, room)
    chief = next((key for key in CHIEF if not _nothing(tool_input.get(key))), None)
    first = name if chief is None else f"{name}: {_inline(tool_input[chief], room)}"
    rest = (f"{excerpt(key, 64)}: {_inline(v, FIELD_LIMIT)}" for key, v in tool_input.items() if _tells(key, v, chief))
    return cut(_gathered(chain((first,), rest), "\n", room + 1), room)


def _gathered(pieces: Iterator[str], separator: str, room: int) -> str:
    """The pieces joined, taken only until there are `room` characters."""
    taken: list[str] = []
    for piece in pieces:
        taken.append(piece[:room])
        room -= len(piece) + len(separator)
        if room <= 0:
            break
    return separator.join(taken)


def _nothing(value: Any) -> bool:
    """Whether a field tells nothing: null, false or empty, but not zero."""
    return not value and (type(value) is bool or not isinstance(value, int | float))


def _tells(key: str, value: Any, shown: str | None) -> bool:
    return key != shown and key not in MUTE and not _nothing(value)


def _lines(value: Any, depth: int) -> Iterator[str]:
    if depth >= DEPTH or not isinstance(value, dict | list):
        yield _inline(value, LIMIT)
    elif isinstance(value, list):
        for item in value:
            yield from _lines(item, depth + 1)
    elif value.get("type") == "image":
        yield "[image]"
    else:
        for key in TEXTS:
            if not _nothing(value.get(key)):
                yield from _lines(value[key], depth + 1)
        for key, item in value.items():
            if key not in TEXTS and _tells(key, item, None):
                yield f"{excerpt(key, 64)}: {_inline(item, FIELD_LIMIT)}"


def _inline(value: Any, limit: int) -> str:
    """A value on one line of its own, unless it is a text of many; at most `limit` characters."""
    if isinstance(value, str):
        return excerpt(value, limit).strip()
    if isinstance(value, list) and all(isinstance(item, str) and item for item in value[:limit]):
        return excerpt(_gathered(iter(value), " ", 2 * limit + 65), limit)
    return excerpt(_gathered(_compact(value, 0), "", 2 * limit + 65), limit)


def _compact(value: Any, depth: int) -> Iterator[str]:
    """A value in the manner of JSON, without quotes."""
    if not isinstance(value, dict | list):
        yield scalar(value)
        return
    opener, closer = "{}" if isinstance(value, dict) else "[]"
    yield opener
    if depth >= DEPTH:
        yield "…"
    elif isinstance(value, dict):
        for number, (key, item) in enumerate(value.items()):
            yield f"{', ' if number else ''}{key}: "
            yield from _compact(item, depth + 1)
    else:
        for number, item in enumerate(value):
            if number:
                yield ", "
            yield from _compact(item, depth + 1)
    yield closer
