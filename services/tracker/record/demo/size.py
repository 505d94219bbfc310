"""How big a record is."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Size:
    """How many issues and pull requests there are, how many check rows at least, over how many days until now."""

    issues: int = 1800
    changes: int = 1250
    check_rows: int = 64_000
    tests: int = 120
    days: float = 540.0
    ci_days: float = 60.0

    def __post_init__(self) -> None:
        if min(self.issues, self.changes) < 200 or self.check_rows < 5_000 or self.tests < 60:
            raise ValueError("a record has 200 issues, 200 changes, 5,000 check rows and 60 tests at least")


DEMO = Size()


def bench(issues: int = 100_000, changes: int = 50_000, check_rows: int = 2_000_000) -> Size:
    """A record for measuring: as many as asked for, and a thousand tests."""
    return replace(DEMO, issues=issues, changes=changes, check_rows=check_rows, tests=1000)
