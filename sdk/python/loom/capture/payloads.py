"""What the hooks of coding agents say on standard input, as calls. docs/capture.md has the table of shapes."""

from typing import Any

from loom.capture import jsontext
from loom.capture.outcomes import INTERRUPTED, error_of, failure
from loom.capture.records import Call
from loom.capture.times import rfc3339

CLAUDE_CODE, CODEX, GEMINI_CLI, CURSOR = "claude-code", "codex", "gemini-cli", "cursor"
ANY_AGENT = "-"

DONE = {"PostToolUse", "AfterTool", "postToolUse"}
FAILED = {"PostToolUseFailure", "postToolUseFailure"}
CURSOR_TOOLS = {"afterShellExecution": "shell", "afterFileEdit": "edit_file", "afterMCPExecution": ""}

# The names that agents give to one thing, the most common first.
SESSION = ("session_id", "conversation_id", "sessionId")
RUN = ("agent_id", "turn_id", "prompt_id", "generation_id")
CALL_ID = ("tool_use_id", "tool_call_id", "call_id")
TOOL = ("tool_name", "toolName")
INPUT = ("tool_input", "toolInput", "toolArgs")
OUTPUT = ("tool_response", "tool_output", "tool_result", "result_json")


def call_of(payload: Any, agent: str = "") -> Call | None:
    """The tool call that a hook payload reports; None when it reports something else, such as the end of a turn.

    `agent` names the agent where the caller knows it; else the shape tells. A payload that is no object (a bare string,
    number, list or null) is kept as the output of a tool that is not known.
    """
    if not isinstance(payload, dict):
        return _call(agent or ANY_AGENT, {}, "", given=None, output=payload, error=None)
    event = _text(payload.get("hook_event_name"))
    agent = agent or agent_of(payload)
    if event in CURSOR_TOOLS:
        return _cursor(agent, payload, event)
    if event in DONE or event in FAILED or (not event and _first(payload, TOOL) is not None):
        return _tool(agent, payload, failed=event in FAILED)
    return None


def agent_of(payload: dict[str, Any]) -> str:
    """The agent whose hook speaks like this."""
    event, transcript = _text(payload.get("hook_event_name")), _text(payload.get("transcript_path"))
    if "cursor_version" in payload or "conversation_id" in payload:
        return CURSOR
    if event == "AfterTool":
        return GEMINI_CLI
    if "turn_id" in payload or "/.codex/" in transcript:
        return CODEX
    return CLAUDE_CODE if event in DONE or event in FAILED or transcript else ANY_AGENT


def _tool(agent: str, payload: dict[str, Any], *, failed: bool) -> Call:
    output = _first(payload, OUTPUT)
    interrupted = INTERRUPTED if payload.get("is_interrupt") is True else None
    if failed:
        error = failure(payload.get("error"), payload.get("error_message"), output, interrupted)
    else:
        error = failure(payload["error"]) if payload.get("error") else error_of(output)
    return _call(agent, payload, _text(_first(payload, TOOL)), _first(payload, INPUT), output, error)


def _cursor(agent: str, payload: dict[str, Any], event: str) -> Call:
    tool = CURSOR_TOOLS[event] or _text(_first(payload, TOOL))
    if event == "afterShellExecution":
        given, output = {"command": payload.get("command")}, payload.get("output")
    elif event == "afterFileEdit":
        given, output = {"file_path": payload.get("file_path"), "edits": payload.get("edits")}, None
    else:
        given, output = _parsed(_first(payload, INPUT)), _parsed(_first(payload, OUTPUT))
    return _call(agent, payload, tool, given, output, error_of(output))


def _call(agent: str, payload: dict[str, Any], tool: str, given: Any, output: Any, error: str | None) -> Call:
    kind = _text(payload.get("agent_type"))
    return Call(
        agent=agent,
        session=_text(_first(payload, SESSION)),
        run=_text(_first(payload, RUN)),
        call_id=_text(_first(payload, CALL_ID)),
        tool=tool,
        given=given,
        output=output,
        error=error,
        cwd=_text(payload.get("cwd")) or _root(payload.get("workspace_roots")),
        at=rfc3339(payload.get("timestamp")),
        tags=("capture:hook", *([f"subagent:{kind}"] if kind else [])),
    )


def _first(payload: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((payload[name] for name in names if payload.get(name) is not None), None)


def _text(value: Any) -> str:
    """Names and ids as text; a number is one too, anything else is none."""
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _root(roots: Any) -> str:
    return roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""


def _parsed(value: Any) -> Any:
    """Cursor hands JSON over as text."""
    try:
        return jsontext.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value
