"""Records that are slow to handle for code that is careless with regular expressions, depth or length.

Each is a tool call that just fits into a body of 1 MiB, built around what the server looks for: tags, paths, URLs,
credentials, control characters, combining marks.
"""

import json
from collections.abc import Iterator
from typing import Any

SIZE = (1 << 20) - 4096
REPEATED = {
    "openers": "<private ",
    "openers of nothing": "<",
    "closers": "</private>",
    "openers with quotes": "<private a='",
    "openers with attributes": "<private a=\"b\" c='d' ",
    "escaped openers": r"\u003cprivate",
    "backslashes": "\\",
    "entities": "&lt;private &#60;",
    "half of a closer": "<pri</private>",
    "slashes": "/",
    "steps up": "../",
    "paths": "/a.b/c d",
    "drives": "C:\\a\\",
    "homes": "~/",
    "dots": "a.",
    "schemes": "http://",
    "users in URLs": "://a:b",
    "blanks": " ",
    "line ends": "\n",
    "one letter": "a",
    "digits": "1",
    "key headers": "-----BEGIN A ",
    "web tokens": "eyJaaaaaaaa.",
    "bearers": "Bearer Bearer ",
    "variables": "A_TOKEN=",
    "lines of variables": "A=\nB_KEY=\n",
    "JSON keys": '"api_key":"',
    "curls": "curl -u a:",
    "cookies": "cookie: sess",
    "accents": "e\u0301",
    "joiners": "\u200d",
    "families": "👩\u200d👧",
    "flags": "🇩",
    "syllables": "\u1100\u1160",
    "terminal codes": "\x1b[",
    "terminal titles": "\x1b]0;",
    "right to left": "\u202e",
}


def bombs() -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and call. Each call holds its text as input, as output and as error, which go different ways."""
    for name, piece in REPEATED.items():
        share = SIZE // 3
        text = piece * (share // len(json.dumps(piece, ensure_ascii=False).encode()))
        yield name, {"tool_name": "Bash", "tool_input": {"command": text}, "tool_output": text, "error": text}
    yield "many keys", {"tool_name": "Bash", "tool_input": {f"k{number}": number for number in range(SIZE // 18)}}
    yield "many paths", {"tool_name": "Bash", "tool_input": [{"path": f"/a/b{number}"} for number in range(SIZE // 28)]}
    yield "many texts", {"tool_name": "Bash", "tool_output": ["<private>"] * (SIZE // 15)}
    yield "many numbers", {"tool_name": "Bash", "tool_output": list(range(SIZE // 8))}
    yield (
        "equal keys once private",
        {"tool_input": {f"<private>{n}</private>": 1 for n in range(SIZE // 40)}, "tool_name": "x"},
    )
    deep: Any = "<private>"
    for _ in range(240):
        deep = {"path": deep}
    yield "deep", {"tool_name": "Bash", "tool_input": deep, "tool_output": [deep] * 300}
    yield "one long name", {"tool_name": "Bash", "tool_input": {"a" * (SIZE // 2): "b" * (SIZE // 2 - 100)}}
