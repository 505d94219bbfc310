"""Metrics in Prometheus form. One `Metrics` per process, with a registry of its own, so that tests may have several.

Label values come from our own tables, never from a caller: an op that the op table does not know is `other`, and a
family that has grown to `MAX_SERIES` takes no more. An observation is a dictionary lookup and a few locked additions.
Counts of running calls and waiting rows are read when somebody asks, so that they cost the hot path nothing.
"""

from collections.abc import Callable, Collection
from typing import Any, Generic, TypeVar

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics import MetricWrapperBase

# One more series for each, of when it began, which this text form has no place for.
disable_created_metrics()

M = TypeVar("M", bound=MetricWrapperBase)

OTHER = "other"
MAX_SERIES = 2_000
BREAKER_STATES = {"closed": 0, "half_open": 1, "open": 2}
# Seconds. The fast end tells a cached read from a storage read, the slow end is the default deadline of ten.
REQUEST_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
STORE_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24)
ROW_BUCKETS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)


class _Family(Generic[M]):
    """The series of one metric by their label values; finding one costs a dictionary lookup."""

    __slots__ = ("_labels", "_metric", "_series")

    def __init__(self, metric: M, labels: int) -> None:
        self._metric, self._labels = metric, labels
        self._series: dict[Any, M] = {}

    def __getitem__(self, values: Any) -> M:
        """The series of a label value, or of a tuple of them."""
        found = self._series.get(values)
        return self._add(values) if found is None else found

    def _add(self, values: Any) -> M:
        texts = values if isinstance(values, tuple) else (values,)
        if len(self._series) >= MAX_SERIES:
            return self._metric.labels(*[OTHER] * self._labels)
        made = self._metric.labels(*texts)
        self._series[values] = made
        return made


class Metrics:
    """What a process counts. `ops` are the names that the label `op` may have; without it, any that the code gives."""

    def __init__(self, ops: Collection[str] | None = None) -> None:
        self.registry = CollectorRegistry()
        self._ops = None if ops is None else frozenset(ops)
        ProcessCollector(registry=self.registry)
        self._requests = self._counter("loom_requests", "Calls by op, door and outcome.", "op", "door", "code")
        self._seconds = self._histogram("loom_request_seconds", "How long calls took.", REQUEST_BUCKETS, "op", "door")
        self._in_flight = self._gauge("loom_in_flight", "Calls to a plane that are running.", "plane")
        self._breaker = self._gauge("loom_breaker_state", "Breaker: 0 closed, 1 half open, 2 open.", "plane")
        self._retries = self._counter("loom_upstream_retries", "Calls to a plane that were sent again.", "plane")
        self._refused = self._counter("loom_refused", "Calls that were refused unseen, by reason.", "plane", "reason")
        self._store = self._histogram("loom_store_seconds", "How long statements took.", STORE_BUCKETS, "statement")
        self._groups = self._histogram("loom_group_commit_rows", "Rows that went in together.", ROW_BUCKETS, "table")
        self._queue = self._gauge("loom_queue_rows", "Rows that wait for an insert.", "table")
        self._extraction = self._counter("loom_extraction", "What the extraction worker did.", "event")
        self._free = self._gauge("loom_data_free_bytes", "Bytes free where the data folder is.", "volume")

    def _counter(self, name: str, help: str, *labels: str) -> _Family[Counter]:
        return _Family(Counter(name, help, labels, registry=self.registry), len(labels))

    def _gauge(self, name: str, help: str, *labels: str) -> _Family[Gauge]:
        return _Family(Gauge(name, help, labels, registry=self.registry), len(labels))

    def _histogram(self, name: str, help: str, buckets: tuple[float, ...], *labels: str) -> _Family[Histogram]:
        return _Family(Histogram(name, help, labels, registry=self.registry, buckets=buckets), len(labels))

    def request(self, op: str, door: str, code: str, seconds: float) -> None:
        """A call ended: `OK` or the code of its error."""
        if self._ops is not None and op not in self._ops:
            op = OTHER
        self._requests[op, door, code].inc()
        self._seconds[op, door].observe(seconds)

    def upstream_retry(self, plane: str) -> None:
        """A call to a plane was sent again."""
        self._retries[plane].inc()

    def refused(self, plane: str, reason: str) -> None:
        """A call was refused without being tried."""
        self._refused[plane, reason].inc()

    def breaker_state(self, plane: str, state: str) -> None:
        """A breaker is `closed`, `half_open` or `open` from now on."""
        self._breaker[plane].set(BREAKER_STATES[state])

    def in_flight(self, plane: str, count: Callable[[], float]) -> None:
        """From now on, `count()` is how many calls to the plane are running."""
        self._in_flight[plane].set_function(count)

    def statement(self, name: str, seconds: float) -> None:
        """A statement of the store ended."""
        self._store[name].observe(seconds)

    def group_commit(self, table: str, rows: int) -> None:
        """A group of rows went in."""
        self._groups[table].observe(rows)

    def queue_rows(self, table: str, count: Callable[[], float]) -> None:
        """From now on, `count()` is how many rows wait for an insert into the table."""
        self._queue[table].set_function(count)

    def extraction(self, event: str, count: int = 1) -> None:
        """The extraction worker did something; `event` is one of its own words."""
        self._extraction[event].inc(count)

    def data_folder(self, free: Callable[[], float]) -> None:
        """From now on, `free()` is how many bytes the data folder may still take."""
        self._free["data"].set_function(free)

    def render(self) -> tuple[bytes, str]:
        """All metrics as text, and its content type."""
        return generate_latest(self.registry), CONTENT_TYPE_PLAIN_0_0_4
