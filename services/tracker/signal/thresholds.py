"""The numbers that the verdict turns on. Chosen on the even worlds of tests/bench/tracker_signal and reported on odd
ones.
"""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Shares and probabilities are in [0, 1]; counts are of runs unless they say otherwise."""

    min_runs: int = 10  # fewer runs with a result outside of storms: no verdict
    flaky_evidence: float = 1.0  # sum of weighted events from which on a test is flaky
    # Weight of one event, by how well the code under test is excluded as its cause.
    weight_same_check: float = 1.0  # failed and passed on one commit in one check on one runner
    weight_same_commit: float = 0.5  # failed in one check or on one runner, passed in others, on one commit of a branch
    weight_isolated: float = 0.5  # failed on one commit of a branch, passed on the commits around it
    weight_streak: float = 0.2  # failed on several commits running, then passed: may be land and revert
    weight_pull_same_commit: float = 0.25  # as weight_same_commit, on a pull request's head; once per pull request
    weight_pull: float = 0.15  # failed on a pull request's head while the branch passed; once per pull request
    pull_evidence: float = 0.75  # what failures that pull requests may have caused weigh together at most
    weight_crowded: float = 0.1  # factor for a failure in a job in which many tests failed
    regression_runs: int = 2  # solid failures on the newest commits at least
    regression_chance: float = 0.005  # probability of that streak at the test's earlier failure rate, at most
    regression_chance_flaky: float = 0.0005  # the same for a test that is flaky by the evidence before the streak
    tied_changes: int = 3  # changes that failed in the one check or on the one runner, at least
    tied_share: float = 0.9  # of the failing changes
    tied_chance: float = 0.01  # probability of that by chance, at most
    tied_elsewhere: int = 10  # passes elsewhere, at least
    crowd_tests: int = 3  # failing tests of a job that is more than single tests failing
    crowd_deviations: float = 3.0  # of a Poisson count, above what is usual
    storm_changes: int = 3
    storm_share: float = 0.34  # of the changes that ran
    storm_tests: int = 5  # failing in each of the changes
    storm_alike: float = 0.4  # of the most failures of a change, those of the others at least
    storm_hours: int = 12

    def to_dict(self) -> dict[str, float]:
        return asdict(self)


DEFAULT = Thresholds()
