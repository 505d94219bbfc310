"""Traces: the one module that knows the OpenTelemetry SDK, and the cheap helpers that the hot path uses.

Spans are written by our own chain, not by instrumentation packages (docs/adr/0003-own-spans.md). They carry names and
numbers; attributes with a private name are left out, and a failure shows its code and nothing else.

Without an endpoint nothing of the SDK is imported, `tracer` is None and `span` costs a comparison. With one, spans go
out over OTLP/gRPC in batches, from a thread of their own. `OTEL_BSP_*` (batching), `OTEL_EXPORTER_OTLP_*` (headers,
certificates, timeout) and `OTEL_RESOURCE_ATTRIBUTES` mean what they mean everywhere. No global provider is set:
libraries that write spans through the global API stay silent.
"""

import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Literal

from opentelemetry.context import Context, attach, detach
from opentelemetry.trace import (
    INVALID_SPAN,
    Link,
    Span,
    SpanKind,
    StatusCode,
    Tracer,
    format_trace_id,
    set_span_in_context,
)

from runtime.errors import LoomError
from runtime.logs import TRACE_ID
from runtime.redaction import is_private
from runtime.tracecontext import extract, inject

__all__ = ["CODE", "Telemetry", "extract", "inject", "mark_failed", "span"]

Kind = Literal["server", "client", "internal"]
Attributes = Mapping[str, str | bool | int | float]

CODE = "loom.code"
_KINDS = {"server": SpanKind.SERVER, "client": SpanKind.CLIENT, "internal": SpanKind.INTERNAL}
_MAX_ATTRIBUTE_CHARS = 256


class Telemetry:
    """The traces of one process; `tracer` is None where tracing is off."""

    def __init__(self, provider: Any = None, exporter: Any = None) -> None:
        self._provider, self._exporter = provider, exporter
        self.tracer: Tracer | None = provider.get_tracer("loom") if provider else None

    @classmethod
    def start(cls, service: str, *, endpoint: str = "", sample_ratio: float = 1.0, exporter: Any = None) -> "Telemetry":
        """Traces of `service` to `endpoint` (`http://host:port`, or `https://` for TLS); off where it is empty.

        `sample_ratio` of the traces that begin here are kept; a trace that began elsewhere is kept where its caller
        keeps it. `exporter` stands in for the endpoint in tests: an SDK exporter, handed each span as it ends.
        """
        if not endpoint and exporter is None:
            return cls()
        # Imported here: a process that does not trace does not pay for the SDK, its time or its memory.
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import SpanLimits, TracerProvider
        from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

        processor, exporter = _to_exporter(exporter) if exporter else _to_endpoint(endpoint)
        provider = TracerProvider(
            sampler=ParentBased(TraceIdRatioBased(sample_ratio)),
            resource=Resource.create({SERVICE_NAME: service}),
            span_limits=SpanLimits(max_attribute_length=_MAX_ATTRIBUTE_CHARS),
            shutdown_on_exit=False,
        )
        provider.add_span_processor(processor)
        return cls(provider, exporter)

    def span(
        self, name: str, *, parent: Context | None = None, kind: Kind = "internal", attributes: Attributes | None = None
    ) -> AbstractContextManager[Span]:
        """`span` with this process's tracer."""
        return span(self.tracer, name, parent=parent, kind=kind, attributes=attributes)

    def shutdown(self, timeout_s: float = 2.0) -> bool:
        """Sends what is waiting, for at most about `timeout_s` seconds; False when spans were given up.

        Blocks: nothing else may be going on in the event loop that it is called from.
        """
        provider, self._provider, self.tracer = self._provider, None, None
        if provider is None:
            return True
        # The SDK waits 30 s whatever it is told, so it waits on a thread that this process may leave behind.
        flush = threading.Thread(target=provider.shutdown, name="telemetry-flush", daemon=True)
        flush.start()
        flush.join(timeout_s)
        if not flush.is_alive():
            return True
        self._exporter.shutdown()  # ends the call that is under way and its retries, which frees the thread
        flush.join(0.5)
        return False


def _to_exporter(exporter: Any) -> tuple[Any, Any]:
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    return SimpleSpanProcessor(exporter), exporter


def _to_endpoint(endpoint: str) -> tuple[Any, Any]:
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    exporter = OTLPSpanExporter(endpoint=endpoint, insecure=not endpoint.startswith("https://"))
    return BatchSpanProcessor(exporter), exporter


def span(
    tracer: Tracer | None,
    name: str,
    *,
    parent: Context | None = None,
    kind: Kind = "internal",
    attributes: Attributes | None = None,
    links: Sequence[Link] = (),
) -> AbstractContextManager[Span]:
    """A span around the block, current inside it; its parent is `parent` or else the current span.

    Give attributes here rather than later: it is cheaper, and private names are dropped here only. An exception that
    leaves the block marks the span with its code. A span of kind `server` puts its trace id on the task's log lines.
    Without a tracer the block gets a span that ignores everything.
    """
    if tracer is None:
        return _OFF
    return _Active(tracer, name, parent, _KINDS[kind], attributes, links)


def mark_failed(span: Span, code: str) -> None:
    """Marks the span as failed with a code of the registry; for failures that are answered rather than raised."""
    span.set_attribute(CODE, code)
    span.set_status(StatusCode.ERROR, code)


class _Off:
    def __enter__(self) -> Span:
        return INVALID_SPAN

    def __exit__(self, *_: object) -> None:
        return None


_OFF = _Off()


class _Active:
    """What `start_as_current_span` does, without its generators and without recording the exception.

    The SDK's own way puts the exception's text and traceback into the span, which is 80 µs and a leak.
    """

    __slots__ = ("_attributes", "_kind", "_links", "_name", "_parent", "_span", "_token", "_tracer")

    def __init__(
        self,
        tracer: Tracer,
        name: str,
        parent: Context | None,
        kind: SpanKind,
        attributes: Attributes | None,
        links: Sequence[Link],
    ) -> None:
        if attributes and any(map(is_private, attributes)):
            attributes = {key: value for key, value in attributes.items() if not is_private(key)}
        self._tracer, self._name, self._parent, self._kind = tracer, name, parent, kind
        self._attributes, self._links = attributes, links

    def __enter__(self) -> Span:
        begun = self._tracer.start_span(self._name, self._parent, self._kind, self._attributes, self._links)
        if self._kind is SpanKind.SERVER:
            TRACE_ID.set(format_trace_id(begun.get_span_context().trace_id))
        self._span = begun
        self._token = attach(set_span_in_context(begun, self._parent))
        return begun

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        detach(self._token)
        if isinstance(error, LoomError):
            mark_failed(self._span, error.code.name)
        elif isinstance(error, Exception):
            mark_failed(self._span, "INTERNAL")
        elif error is not None:  # cancelled: the caller went away, which is no failure of ours
            self._span.set_attribute(CODE, "CANCELLED")
        self._span.end()
