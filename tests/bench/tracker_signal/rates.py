"""Measured failure rates of tests, from the labelled data outside of the repository."""

import csv
import lzma
import os
from pathlib import Path
from typing import NamedTuple

FILE = "flakeflagger_rates.csv.xz"


class Rates(NamedTuple):
    """`flaky`: failure rates of the tests that failed in some of their runs, sorted."""

    flaky: tuple[float, ...]
    tests: int


def folder() -> Path:
    return Path(os.environ.get("LOOM_BENCH_DATA", "../shared/data"))


def load() -> Rates | None:
    """None where the data is absent."""
    path = folder() / FILE
    if not path.is_file():
        return None
    with lzma.open(path, "rt", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    flaky = sorted(
        int(row["fails"]) / (int(row["fails"]) + int(row["passes"])) for row in rows if row["is_flaky"] == "1"
    )
    return Rates(tuple(flaky), len(rows))
