"""Verdicts of tracker.test_signal on a made CI, next to rules of one signal.

    python -m tests.bench.tracker_signal [--seeds 12] [--healthy 1000]

Settings were chosen on the even seeds; the table reports odd ones from 101 on. Failure rates of flaky tests are
measured ones, from the labelled data in LOOM_BENCH_DATA (default ../shared/data); without it nothing runs.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np

from services.tracker.signal.cells import cells_of
from services.tracker.signal.storms import jobs_of, weather
from services.tracker.signal.verdict import judge
from tests.bench.facts import facts
from tests.bench.report import Table, show, verdict
from tests.bench.tracker_signal.baselines import BASELINES, Rows
from tests.bench.tracker_signal.faults import build
from tests.bench.tracker_signal.rates import FILE, Rates, folder, load
from tests.bench.tracker_signal.rows import aggregate, bases, runs_of
from tests.bench.tracker_signal.scoring import FLAKY, INFRA, NONE, REGRESSION, Score
from tests.bench.tracker_signal.world import Shape, World

FIRST_REPORTED = 101  # odd worlds below were looked at while the rules were made
OURS, BLIND = "ours", "ours, without the storm aggregate"


class Times(NamedTuple):
    """Milliseconds per test (rows to verdict) and per source (jobs to storms), and runs per test."""

    tests: list[float]
    sources: list[float]
    runs: list[int]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.tracker_signal", description=__doc__)
    parser.add_argument("--seeds", type=int, default=12, help="worlds to report, of odd numbers")
    parser.add_argument("--healthy", type=int, default=1000, help="healthy tests per world")
    parser.add_argument("--chosen", action="store_true", help="the worlds that settings were chosen on instead")
    arguments = parser.parse_args()
    rates = load()
    if rates is None:
        print(f"skipped: {FILE} is not in {folder()}; set LOOM_BENCH_DATA to the folder of the labelled data")
        return
    scores, times = {name: Score() for name in (OURS, BLIND, *BASELINES)}, Times([], [], [])
    first = 0 if arguments.chosen else FIRST_REPORTED
    for seed in range(first, first + 2 * arguments.seeds, 2):
        play(seed, rates, Shape(healthy=arguments.healthy), scores, times)
    show([quality(scores, arguments.seeds), by_kind(scores[OURS]), speed(times)], facts())


def play(seed: int, rates: Rates, shape: Shape, scores: Mapping[str, Score], times: Times) -> None:
    world = build(seed, rates, shape)
    before = perf_counter()
    sky = weather(jobs_of(aggregate(world)))
    times.sources.append(1000 * (perf_counter() - before))
    for test, rows in tests_of(world):
        before = perf_counter()
        said = judge(cells_of(rows), sky).verdict
        times.tests.append(1000 * (perf_counter() - before))
        times.runs.append(len(rows))
        scores[OURS].add(world, test, said)
        scores[BLIND].add(world, test, judge(cells_of(rows)).verdict)
        for name, rule in BASELINES.items():
            scores[name].add(world, test, rule(rows))


def tests_of(world: World) -> Iterator[tuple[int, Rows]]:
    base = bases(world)
    for test in range(len(world.kinds)):
        yield test, runs_of(world, base, test)


def quality(scores: Mapping[str, Score], seeds: int) -> Table:
    columns = ["rule"] + [f"{name} {what}" for name in ("flaky", "regression", "infra") for what in ("P", "R")]
    table = Table("quality", f"Verdicts, {seeds} worlds", [*columns, "healthy called flaky", "one-PR called infra"])
    for name, score in scores.items():
        cells = [f"{value:.3f}" for word in (FLAKY, REGRESSION, INFRA) for value in _both(score, word)]
        if name in BASELINES:
            cells[2:] = ["-"] * 4
        mass = "-" if name in BASELINES else f"{score.mass_infra} of {score.mass}"
        table.rows.append([name, *cells, f"{score.healthy_flaky} of {score.healthy}", mass])
    ours = scores[OURS]
    table.notes += _targets(ours)
    table.numbers = {name: {"pairs": [[*pair, n] for pair, n in score.pairs.items()]} for name, score in scores.items()}
    return table


def _both(score: Score, word: str) -> tuple[float, float]:
    return score.precision(word), score.recall(word)


def _targets(ours: Score) -> list[str]:
    return [
        verdict("flaky precision", ours.precision(FLAKY), 0.8, at_least=True),
        verdict("flaky recall", ours.recall(FLAKY), 0.85, at_least=True),
        verdict("regression precision", ours.precision(REGRESSION), 0.95, at_least=True),
        verdict("regression recall", ours.recall(REGRESSION), 0.85, at_least=True),
        verdict("infra recall", ours.recall(INFRA), 0.95, at_least=True),
        verdict("tests broken by one pull request called infra", ours.mass_infra, 0, at_least=False),
        verdict("healthy tests called flaky", ours.healthy_flaky, 0, at_least=False),
    ]


def by_kind(score: Score) -> Table:
    words: Sequence[str] = (FLAKY, REGRESSION, INFRA, NONE)
    table = Table("kinds", "What was done to the tests, and what we said", ["kind", *words])
    for kind in sorted({kind for kind, _ in score.kinds}):
        table.rows.append([kind, *(str(score.kinds[kind, word] or "") for word in words)])
    return table


def speed(times: Times) -> Table:
    table = Table("speed", "Time", ["what", "p50 ms", "p95 ms", "max ms"])
    for name, values in (("rows of one test to verdict", times.tests), ("jobs of a source to storms", times.sources)):
        table.rows.append([name, *(f"{value:.1f}" for value in np.percentile(values, (50, 95, 100)))])
    table.notes.append(f"{int(np.median(times.runs))} runs of a test, median; {max(times.runs)} at most")
    return table


if __name__ == "__main__":
    main()
