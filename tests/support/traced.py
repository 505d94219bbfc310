"""Telemetry into memory, for tests of spans."""

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from runtime.telemetry import Telemetry

SECRET = "hunter2-s3cr3t"
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"


class Traced:
    """Telemetry into memory."""

    def __init__(self, sample_ratio: float = 1.0) -> None:
        self.memory = InMemorySpanExporter()
        self.telemetry = Telemetry.start("loom-test", sample_ratio=sample_ratio, exporter=self.memory)

    @property
    def spans(self) -> list[ReadableSpan]:
        return list(self.memory.get_finished_spans())

    @property
    def last(self) -> ReadableSpan:
        return self.spans[-1]
