"""W3C trace context: the caller's span out of `traceparent` and `tracestate`, and our span into `traceparent`.

Written by hand because the library's propagator logs what it cannot read, and what a caller sent stays out of the log;
it also takes texts only, while MCP's `_meta` holds anything. https://www.w3.org/TR/trace-context/
"""

import re

from opentelemetry.context import Context
from opentelemetry.trace import NonRecordingSpan, Span, SpanContext, TraceFlags, TraceState, set_span_in_context

_PARENT = re.compile(r"([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_KEY = r"[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}"
_VALUE = r"[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]"
_MEMBER = re.compile(f"({_KEY})=({_VALUE})")
_BLANKS = " \t"
_MAX_PARENT = 512
_MAX_STATE = 8192
_MAX_MEMBERS = 32
_NOTHING = Context()


def extract(traceparent: object, tracestate: object = None) -> Context | None:
    """The context that holds the caller's span, or None where there is none or it is malformed.

    Takes any value. A malformed `tracestate` is dropped alone.
    """
    match = _parent(traceparent)
    if match is None:
        return None
    state = _state(tracestate) if tracestate else None
    context = SpanContext(int(match[2], 16), int(match[3], 16), True, TraceFlags(int(match[4], 16)), state)
    return set_span_in_context(NonRecordingSpan(context), _NOTHING)


def carried(traceparent: object, tracestate: object = None) -> dict[str, str]:
    """The part of a caller's trace context that is well-formed, as metadata; empty where `traceparent` is not.

    gRPC fails a call whose metadata is not printable ASCII, and what MCP's `_meta` holds may be anything.
    """
    match = _parent(traceparent)
    if match is None:
        return {}
    state = _state(tracestate) if tracestate else None
    # As version 00, whatever came: what a later version adds is not ours to vouch for.
    parent = f"00-{match[2]}-{match[3]}-{match[4]}"
    return {"traceparent": parent} | ({"tracestate": state.to_header()} if state else {})


def _parent(traceparent: object) -> re.Match[str] | None:
    if not isinstance(traceparent, str) or len(traceparent) > _MAX_PARENT:
        return None
    match = _PARENT.fullmatch(traceparent.strip(_BLANKS))
    if match is None or match[1] == "ff" or (match[1] == "00" and match[5]):
        return None
    return match


def _state(tracestate: object) -> TraceState | None:
    if not isinstance(tracestate, str) or len(tracestate) > _MAX_STATE:
        return None
    pairs: dict[str, str] = {}
    for member in tracestate.split(","):
        member = member.strip(_BLANKS)
        if not member:
            continue
        match = _MEMBER.fullmatch(member)
        if match is None or match[1] in pairs:
            return None
        pairs[match[1]] = match[2]
    return TraceState(list(pairs.items())) if len(pairs) <= _MAX_MEMBERS else None


def inject(span: Span) -> str:
    """The `traceparent` that makes the receiver a child of the span; empty for a span that is none."""
    context = span.get_span_context()
    if not context.is_valid:
        return ""
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"
