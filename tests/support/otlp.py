"""An OTLP/gRPC trace receiver in the test's own process: what an exporter sent, as plain data, without polling."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span as SpanProto
from opentelemetry.proto.trace.v1.trace_pb2 import Status

_KINDS = {
    SpanProto.SPAN_KIND_SERVER: "server",
    SpanProto.SPAN_KIND_CLIENT: "client",
    SpanProto.SPAN_KIND_INTERNAL: "internal",
}
_STATUSES = {Status.STATUS_CODE_UNSET: "unset", Status.STATUS_CODE_OK: "ok", Status.STATUS_CODE_ERROR: "error"}


@dataclass(frozen=True, slots=True)
class Span:
    """One span. Ids are hexadecimal, `parent_id` is empty for a root; times are nanoseconds since 1970."""

    service: str
    name: str
    kind: str
    trace_id: str
    span_id: str
    parent_id: str
    start_ns: int
    end_ns: int
    status: str
    status_message: str
    attributes: dict[str, Any] = field(default_factory=dict)
    events: tuple[str, ...] = ()


class OtlpReceiver(trace_service_pb2_grpc.TraceServiceServicer):
    """Listens on a free port of 127.0.0.1 while it is entered.

    `endpoint` goes to the exporter. `fail_with`, where set, is the status that exports are answered with.
    An exporter's blocking `shutdown` must run off the event loop that this runs on: `await asyncio.to_thread(…)`.
    """

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.exports = 0
        self.fail_with: grpc.StatusCode | None = None
        self.endpoint = ""
        self._server: grpc.aio.Server | None = None
        self._arrived = asyncio.Condition()

    async def __aenter__(self) -> "OtlpReceiver":
        # One port, one listener: a second receiver on it would silently take a share of the spans.
        self._server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        trace_service_pb2_grpc.add_TraceServiceServicer_to_server(self, self._server)
        self.endpoint = f"http://127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        await self._server.start()
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        await self._server.stop(None)

    async def Export(
        self, request: trace_service_pb2.ExportTraceServiceRequest, context: grpc.aio.ServicerContext
    ) -> trace_service_pb2.ExportTraceServiceResponse:
        """Takes one batch."""
        async with self._arrived:
            self.exports += 1
            if self.fail_with is None:
                self.spans.extend(_spans(request))
            self._arrived.notify_all()
        if self.fail_with is not None:
            await context.abort(self.fail_with)
        return trace_service_pb2.ExportTraceServiceResponse()

    async def wait_for(self, predicate: Callable[[Sequence[Span]], object], timeout: float = 10.0) -> list[Span]:
        """All spans so far, once the predicate is true of them. AssertionError names what came instead."""
        async with self._arrived:
            try:
                await asyncio.wait_for(self._arrived.wait_for(lambda: predicate(self.spans)), timeout)
            except TimeoutError:
                seen = sorted({f"{span.service}: {span.name}" for span in self.spans})
                raise AssertionError(f"the awaited spans did not come within {timeout:g} s; seen: {seen}") from None
            return list(self.spans)

    async def wait_for_names(self, *names: str, timeout: float = 10.0) -> dict[str, Span]:
        """The newest span of each name, once there is one of each."""
        spans = await self.wait_for(lambda spans: {span.name for span in spans} >= set(names), timeout)
        return {span.name: span for span in spans if span.name in names}

    def of_trace(self, trace_id: str) -> list[Span]:
        """The spans of one trace, in order of their beginning."""
        return sorted((span for span in self.spans if span.trace_id == trace_id), key=lambda span: span.start_ns)


def _spans(request: trace_service_pb2.ExportTraceServiceRequest) -> list[Span]:
    return [
        _span(str(_attributes(group.resource.attributes).get("service.name", "")), span)
        for group in request.resource_spans
        for scope in group.scope_spans
        for span in scope.spans
    ]


def _span(service: str, span: SpanProto) -> Span:
    return Span(
        service=service,
        name=span.name,
        kind=_KINDS.get(span.kind, "other"),
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=span.parent_span_id.hex(),
        start_ns=span.start_time_unix_nano,
        end_ns=span.end_time_unix_nano,
        status=_STATUSES[span.status.code],
        status_message=span.status.message,
        attributes=_attributes(span.attributes),
        events=tuple(event.name for event in span.events),
    )


def _attributes(pairs: Sequence[KeyValue]) -> dict[str, Any]:
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: AnyValue) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(member) for member in value.array_value.values]
    if kind == "kvlist_value":
        return _attributes(value.kvlist_value.values)
    return getattr(value, kind) if kind else None
