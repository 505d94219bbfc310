"""Truth of a test, and what a verdict is worth against it."""

from collections import Counter
from dataclasses import dataclass, field

from tests.bench.tracker_signal.world import World

FLAKY, REGRESSION, INFRA, NONE = "flaky", "regression_candidate", "infra_candidate", "no_signal"
ENOUGH_RUNS = 10
_OWN = {"flaky": FLAKY, "drift": FLAKY, "regression": REGRESSION, "platform": INFRA, "machine": INFRA}


def truth(world: World, test: int) -> str:
    """What was done to the test, where it showed at least once; storms count where nothing else did."""
    kind = world.kinds[test]
    if kind == "few" and (world.outcomes[test] >= 0).sum() >= ENOUGH_RUNS:
        kind = "flaky"  # run again so often that it is a flaky test like others
    if kind in _OWN and world.own_fails[test] > 0:
        return _OWN[kind]
    if kind != "few" and world.storm_fails[test] > 0:
        return INFRA
    return NONE


@dataclass
class Score:
    """(truth, said) -> tests, and the same by kind of test."""

    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    healthy: int = 0
    healthy_flaky: int = 0
    mass: int = 0
    mass_infra: int = 0

    def add(self, world: World, test: int, said: str) -> None:
        true, kind = truth(world, test), world.kinds[test]
        self.pairs[true, said] += 1
        self.kinds[_label(world, test, true), said] += 1
        if kind == "healthy":
            self.healthy += 1
            self.healthy_flaky += said == FLAKY
        if test in world.broken_by_one and not world.storm_fails[test]:
            self.mass += 1
            self.mass_infra += said == INFRA

    def precision(self, verdict: str) -> float:
        said = sum(count for (_, word), count in self.pairs.items() if word == verdict)
        return self.pairs[verdict, verdict] / said if said else 1.0

    def recall(self, verdict: str) -> float:
        true = sum(count for (word, _), count in self.pairs.items() if word == verdict)
        return self.pairs[verdict, verdict] / true if true else 1.0


def _label(world: World, test: int, true: str) -> str:
    kind = world.kinds[test]
    if kind == "healthy":
        return "healthy, in a storm" if true == INFRA else "healthy"
    if true == FLAKY and world.own_fails[test] < 3:
        return f"{kind}, failed {world.own_fails[test]}x"
    return kind if true != NONE or kind in ("few", "reverted") else f"{kind}, unseen"
