"""Rounds: the alternatives take turns, several times, so that whatever else the machine does hits all of them."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.bench.load import Load, run_load
from tests.bench.proc import Process


@dataclass(frozen=True, slots=True)
class Sample:
    """One turn of one subject. `cpu_us` is CPU microseconds per request, by process."""

    rate: float
    p50_ms: float = 0.0
    p95_ms: float = 0.0
    cpu_us: Mapping[str, float] = field(default_factory=dict)


class Subject:
    """A load on one server; CPU is read of the `watched` processes."""

    def __init__(
        self,
        port: int,
        path: str,
        bodies: list[str],
        *,
        watched: Mapping[str, Process],
        callers: int,
        seconds: float,
        per_request: int = 1,
    ) -> None:
        self._port, self._path, self._bodies, self._watched = port, path, bodies, watched
        self._callers, self._seconds, self._per_request = callers, seconds, per_request
        self._next = 0

    def __call__(self) -> Sample:
        before = {name: process.cpu_s() for name, process in self._watched.items()}
        load = Load(
            self._port, self._path, self._bodies, callers=self._callers, seconds=self._seconds, first=self._next
        )
        done = run_load(load)
        self._next = done.next_number
        spent = {
            name: (process.cpu_s() - before[name]) / done.requests * 1e6 for name, process in self._watched.items()
        }
        return Sample(done.rate * self._per_request, done.p50_ms, done.p95_ms, spent)


def interleaved(subjects: Mapping[str, Callable[[], Sample]], rounds: int) -> dict[str, list[Sample]]:
    """The samples of each subject. Every second round goes backwards, and a round before the first is thrown away."""
    for turn in subjects.values():
        turn()
    found: dict[str, list[Sample]] = {name: [] for name in subjects}
    for number in range(rounds):
        names = list(subjects)
        for name in names if number % 2 == 0 else reversed(names):
            found[name].append(subjects[name]())
    return found


def median(samples: Sequence[Sample], value: Callable[[Sample], float]) -> float:
    return statistics.median(value(sample) for sample in samples)


def rate(sample: Sample) -> float:
    return sample.rate


def cpu(*processes: str) -> Callable[[Sample], float]:
    """CPU microseconds of these processes together; of all without a name."""
    return lambda sample: sum(sample.cpu_us[name] for name in processes or sample.cpu_us)


def ratio(above: Sequence[Sample], below: Sequence[Sample], value: Callable[[Sample], float]) -> float:
    """The median over the rounds of the two values' ratio in a round: neighbours in time met the same machine."""
    return statistics.median(value(a) / value(b) for a, b in zip(above, below, strict=True))


def spread(samples: Sequence[Sample], value: Callable[[Sample], float]) -> str:
    """Least and greatest, for the eye."""
    values = [value(sample) for sample in samples]
    return f"{min(values):,.0f}-{max(values):,.0f}"
