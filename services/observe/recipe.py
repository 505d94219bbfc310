"""From a tool call to what is stored of it.

Two steps, both pure: `strip_call` replaces private text in everything a call brings, then `compose` makes the row's
content. Nothing else may look at a call before it was stripped.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from loom.private import MARK, contains_private, strip_text, strip_value
from services.observe.cutting import excerpt
from services.observe.keys import content_sha256, memory_key
from services.observe.kinds import kind_of
from services.observe.narrative import ERROR_LIMIT, narrative
from services.observe.paths import find_paths
from services.observe.skips import BLACKLISTED, SELF_REFERENTIAL, Blacklist, self_referential
from services.observe.tags import server_tags

Canonical = Callable[[Any], bytes]

IDENTITY = ("org", "namespace", "agent", "user_id", "session_id", "run_id")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as it was sent, defaults filled in.

    `tool_input` and `tool_output` are any JSON values; their canonical forms are filled in by `strip_call`.
    `observed_at` is the text that was sent, checked before. `error` is empty for a call that did not fail.
    """

    org: str
    namespace: str
    agent: str
    user_id: str
    session_id: str
    run_id: str
    tool_name: str
    tool_input: Any = None
    tool_output: Any = None
    file_paths: Sequence[str] = ()
    error: str = ""
    tags: Sequence[str] = ()
    action_type: str = ""
    observed_at: str = ""
    canonical_input: bytes = field(default=b"", repr=False)
    canonical_output: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Composed:
    """What is stored of a call. `skipped_reason` is empty for a row with content."""

    memory_key: str
    kind: str
    tool_name: str
    narrative: str
    error: str
    has_error: bool
    tags: list[str]
    file_paths: list[str]
    content_sha256: str
    skipped_reason: str


def tagged_identity(call: ToolCall) -> str:
    """The first identity field that holds a private tag, or `""`.

    Such a call is to be refused: identity is compared as it is, so it can be neither stored nor stripped.
    """
    return next((name for name in IDENTITY if contains_private(getattr(call, name))), "")


def strip_call(call: ToolCall, canonical: Canonical) -> ToolCall:
    """The call without its private text, and with the canonical JSON (bytes) of what is left of input and output."""
    tool_input, tool_output = strip_value(call.tool_input), strip_value(call.tool_output)
    return replace(
        call,
        tool_name=strip_text(call.tool_name),
        tool_input=tool_input,
        tool_output=tool_output,
        file_paths=[strip_text(path) for path in call.file_paths],
        error=strip_text(call.error),
        tags=[strip_text(tag) for tag in call.tags],
        action_type=strip_text(call.action_type),
        canonical_input=canonical(tool_input),
        canonical_output=canonical(tool_output),
    )


def compose(call: ToolCall, blacklist: Blacklist) -> Composed:
    """What is stored of a call that `strip_call` has passed over.

    A self-referential call is not looked into any further, whether it failed or carries credentials; a blacklisted one
    keeps that it failed. Both keep their key, kind and tool name, and nothing else; a tool name that is what the
    blacklist found becomes `[REDACTED]`.
    """
    if self_referential(call.tool_name):
        return _empty(call, SELF_REFERENTIAL, call.tool_name, has_error=False)
    if _carries_secret(call, blacklist):
        name = MARK if blacklist.matches(call.tool_name) else call.tool_name
        return _empty(call, BLACKLISTED, name, has_error=call.error != "")
    return _full(call)


def _carries_secret(call: ToolCall, blacklist: Blacklist) -> bool:
    return blacklist.matches(
        call.tool_name, call.tool_input, call.tool_output, call.error, call.file_paths, call.tags, call.action_type
    )


def _empty(call: ToolCall, reason: str, tool_name: str, *, has_error: bool) -> Composed:
    kind = kind_of(call.tool_name, has_error)
    return Composed(
        memory_key=_key(call),
        kind=kind,
        tool_name=tool_name,
        narrative="",
        error="",
        has_error=has_error,
        tags=server_tags(kind, (), "", ()),
        file_paths=[],
        content_sha256=content_sha256(kind, tool_name, "", (), ""),
        skipped_reason=reason,
    )


def _full(call: ToolCall) -> Composed:
    has_error = call.error != ""
    kind = kind_of(call.tool_name, has_error)
    text = narrative(call.tool_name, call.tool_input, call.tool_output, call.error)
    error = excerpt(call.error, ERROR_LIMIT)
    paths = find_paths(call.file_paths, call.tool_input, text)
    return Composed(
        memory_key=_key(call),
        kind=kind,
        tool_name=call.tool_name,
        narrative=text,
        error=error,
        has_error=has_error,
        tags=server_tags(kind, paths, call.action_type, call.tags),
        file_paths=paths,
        content_sha256=content_sha256(kind, call.tool_name, text, paths, error),
        skipped_reason="",
    )


def _key(call: ToolCall) -> str:
    return memory_key(
        org=call.org,
        namespace=call.namespace,
        agent=call.agent,
        user_id=call.user_id,
        session_id=call.session_id,
        run_id=call.run_id,
        tool_name=call.tool_name,
        canonical_input=call.canonical_input,
        canonical_output=call.canonical_output,
        error=call.error,
        observed_at=call.observed_at,
    )
