"""Transcripts of Claude Code: `~/.claude/projects/<project>/<session>.jsonl`.

A line is a message; its content blocks hold calls (`tool_use`) and results (`tool_result`).
"""

from collections.abc import Iterator
from typing import Any

from loom.capture.payloads import CLAUDE_CODE
from loom.capture.steps import Context, Finished, Started, flat, text
from loom.capture.times import rfc3339


def speaks(line: dict[str, Any]) -> bool:
    """Whether the line is in this format."""
    return line.get("type") in ("user", "assistant") and isinstance(line.get("message"), dict)


def steps(line: dict[str, Any], context: Context, number: int) -> Iterator[Started | Finished]:
    """The calls and results in a line."""
    context.session = text(line.get("sessionId")) or context.session
    context.cwd = text(line.get("cwd")) or context.cwd
    context.run = text(line.get("agentId")) or text(line.get("promptId"))
    content = line["message"].get("content")
    for block in content if isinstance(content, list) else []:
        kind = text(block.get("type")) if isinstance(block, dict) else ""
        if kind.endswith("tool_use"):
            yield _started(block, line, context)
        elif kind.endswith("tool_result"):
            yield Finished(text(block.get("tool_use_id")), flat(block.get("content")), block.get("is_error") is True)


def _started(block: dict[str, Any], line: dict[str, Any], context: Context) -> Started:
    return Started(
        agent=CLAUDE_CODE,
        session=context.session,
        run=context.run,
        call_id=text(block.get("id")),
        tool=text(block.get("name")),
        given=block.get("input"),
        cwd=context.cwd,
        at=rfc3339(line.get("timestamp")),
        tags=("sidechain",) if line.get("isSidechain") is True else (),
    )
