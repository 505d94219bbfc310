"""What a line of a transcript can say about tool calls, whichever agent wrote it."""

from typing import Any, NamedTuple


class Context:
    """What earlier lines said of the session, for the lines that do not repeat it."""

    def __init__(self) -> None:
        self.session = ""
        self.run = ""
        self.cwd = ""


class Started(NamedTuple):
    """A tool call. `at` is RFC 3339, empty when the line has no time."""

    agent: str
    session: str
    run: str
    call_id: str
    tool: str
    given: Any
    cwd: str
    at: str
    tags: tuple[str, ...] = ()


class Finished(NamedTuple):
    """The result of a call; `failed` when the transcript marks it as an error."""

    call_id: str
    output: Any
    failed: bool = False


def text(value: Any) -> str:
    """`value` where it is text, else nothing."""
    return value if isinstance(value, str) else ""


def flat(content: Any) -> Any:
    """A list of content blocks as plain text where blocks are text or pictures; anything else as it is.

    A picture is megabytes of letters that nobody reads: its place is kept, the letters are not.
    """
    if not isinstance(content, list):
        return content
    parts = [_block(block) for block in content]
    return "\n".join(part for part in parts if part is not None) if None not in parts else content


def _block(block: Any) -> str | None:
    if not isinstance(block, dict):
        return None
    if isinstance(block.get("text"), str):
        return block["text"]
    return "[image]" if "image" in text(block.get("type")) else None
