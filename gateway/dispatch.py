"""From an op's name and JSON arguments to its JSON answer: the one path that HTTP and MCP share."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gateway.codec import Decoded, codec_for
from gateway.ratelimit import RateLimiter
from gateway.upstreams.upstream import Upstream
from loom.options.v1 import options_pb2
from runtime.call import REQUEST_ID, SESSION_HINT, TRACEPARENT, TRACESTATE
from runtime.errors import LoomError, internal, invalid_field
from runtime.logs import access
from runtime.metrics import Metrics
from runtime.optable import Op, OpTable
from runtime.telemetry import Telemetry, extract, inject

IGNORED = "ignored_args"


@dataclass(slots=True)
class Caller:
    """Who asks, through which door (`http` or `mcp`). `metadata` travels to the plane, with lower-case keys."""

    door: str
    request_id: str
    metadata: dict[str, str] = field(default_factory=dict)


class Dispatcher:
    """Calls ops by name. `upstreams` maps each plane to the way there."""

    def __init__(
        self,
        table: OpTable,
        upstreams: Mapping[str, Upstream],
        *,
        telemetry: Telemetry,
        metrics: Metrics,
        limiter: RateLimiter | None = None,
    ) -> None:
        self.table, self._limiter = table, limiter
        self._upstreams, self._telemetry, self._metrics = upstreams, telemetry, metrics

    async def dispatch(self, name: str, args: Mapping[str, Any], caller: Caller) -> dict[str, Any]:
        """The op's output fields, plus `ignored_args` where there were any. Raises LoomError."""
        op = self.find(name)
        started, code = time.perf_counter(), "CANCELLED"
        try:
            answer = await self._traced(op, args, caller)
            code = "OK"
            return answer
        except LoomError as error:
            code = error.code.name
            raise
        except Exception:
            code = "INTERNAL"
            raise
        finally:
            seconds = time.perf_counter() - started
            self._metrics.request(op.name, caller.door, code, seconds)
            access(op.name, code, seconds * 1000, caller.door, caller.request_id)

    def refused(self, error: LoomError, door: str, request_id: str) -> None:
        """Counts and logs a call that was refused before it reached an op; nothing else would show its request id."""
        self._metrics.refused("gateway", error.code.name)
        access("-", error.code.name, 0.0, door, request_id)

    def find(self, name: str) -> Op:
        """The op of that name, or of that path behind /v1/. Raises UNKNOWN_OP with the nearest names."""
        op = self.table.get(name) or self.table.by_http_path.get(name)
        if op is None:
            nearest = self.table.nearest(name)
            advice = f"; did you mean {' or '.join(nearest)}?" if nearest else "; `ops.capabilities` lists them"
            raise LoomError("UNKNOWN_OP", "there is no op of that name" + advice, nearest=",".join(nearest))
        return op

    async def _traced(self, op: Op, args: Mapping[str, Any], caller: Caller) -> dict[str, Any]:
        metadata = {**carried(caller.metadata), REQUEST_ID: caller.request_id}
        if self._telemetry.tracer is None:
            return await self._call(op, args, caller, metadata)
        parent = extract(metadata.get(TRACEPARENT), metadata.get(TRACESTATE))
        attributes = {"loom.op": op.name, "loom.door": caller.door, "loom.request_id": caller.request_id}
        with self._telemetry.span(
            f"{caller.door} {op.name}", parent=parent, kind="server", attributes=attributes
        ) as span:
            metadata[TRACEPARENT] = inject(span)
            return await self._call(op, args, caller, metadata)

    async def _call(self, op: Op, args: Mapping[str, Any], caller: Caller, metadata: dict[str, str]) -> dict[str, Any]:
        if self._limiter is not None and op.role != "public":
            self._limiter.admit(metadata)
        decoded = codec_for(op.request).decode(args)
        upstream = self._upstreams.get(op.plane)
        if upstream is None:
            raise LoomError("FEATURE_DISABLED", f"this installation does not serve the {op.plane} plane")
        message = await upstream.call(op, decoded.message, metadata, op.deadline_s)
        answer = codec_for(op.response).encode(message)
        if decoded.refused:
            answer_refused(op, decoded, answer, caller.request_id)
        if decoded.ignored:
            answer[IGNORED] = decoded.ignored
        return answer


def carried(metadata: Mapping[str, str]) -> Mapping[str, str]:
    """The metadata that gRPC can carry: printable ASCII. The same in one process, so that no installation differs.

    A token or trace context beyond that is none. A session must not get lost in silence: INVALID_FIELD.
    """
    wrong = {key for key, value in metadata.items() if not (value.isascii() and value.isprintable())}
    if SESSION_HINT in wrong:
        raise invalid_field(SESSION_HINT, "printable ASCII; send other session ids as session_id")
    return {key: value for key, value in metadata.items() if key not in wrong} if wrong else metadata


def answer_refused(op: Op, decoded: Decoded, answer: dict[str, Any], request_id: str) -> None:
    """Puts the errors of entries that could not be read where the contract says that entries are answered.

    The plane saw an empty entry in the place of each, so its answer has one to replace.
    """
    for name, errors in decoded.refused.items():
        results = answer[_answered_by(op, name)]
        if len(results) != len(getattr(decoded.message, name)):
            raise internal()
        for index, error in errors.items():
            results[index]["detail"] = error.detail(request_id)


def _answered_by(op: Op, field_name: str) -> str:
    field = op.request.DESCRIPTOR.fields_by_name[field_name]
    return field.GetOptions().Extensions[options_pb2.field].answered_by
