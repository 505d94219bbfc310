"""The verdicts over a small made CI with made-up rates; tests/bench/tracker_signal measures large ones with measured rates."""

from services.tracker.signal.cells import cells_of
from services.tracker.signal.storms import jobs_of, weather
from services.tracker.signal.verdict import judge
from tests.bench.tracker_signal.faults import build
from tests.bench.tracker_signal.rates import Rates
from tests.bench.tracker_signal.rows import aggregate, bases, runs_of
from tests.bench.tracker_signal.scoring import FLAKY, INFRA, REGRESSION, Score
from tests.bench.tracker_signal.world import Shape

SHAPE = Shape(healthy=60, flaky=10, drift=3, regression=6, reverted=4, platform=4, machine=2, few=4)


def test_flaky_broken_and_struck_tests_of_a_made_ci_are_told_apart() -> None:
    score = Score()
    world = build(7, Rates((0.01, 0.03, 0.2, 0.55), 4), SHAPE)
    sky, base = weather(jobs_of(aggregate(world))), bases(world)
    for test in range(len(world.kinds)):
        score.add(world, test, judge(cells_of(runs_of(world, base, test)), sky).verdict)
    assert score.healthy_flaky == 0
    assert score.mass_infra == 0
    assert min(score.precision(FLAKY), score.recall(FLAKY)) >= 0.9
    assert min(score.precision(REGRESSION), score.recall(REGRESSION)) == 1.0
    assert score.recall(INFRA) >= 0.9
