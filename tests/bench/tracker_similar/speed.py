"""What one check costs: processor time of the rules alone, over hundreds of candidates."""

import time

import numpy as np

from services.tracker.similar.check import check
from services.tracker.similar.model import Draft
from services.tracker.similar.prepared import forget
from services.tracker.similar.walk import Record
from tests.bench.report import Table, verdict

CANDIDATES = (50, 100, 300)
_CHECKS = 40


def run(record: Record) -> list[Table]:
    """Asks the newest reports against the ones before them."""
    table = Table(
        "check",
        "one check, texts tokenised anew (processor time, ms)",
        ("candidates", "median", "p95", "largest"),
    )
    statistics = record.statistics.pruned()
    for count in CANDIDATES:
        times = []
        for place in range(len(record.reports) - _CHECKS, len(record.reports)):
            report = record.reports[place]
            draft = Draft(report.title, report.body, report.created_at, report.repo, report.number, report.component)
            forget()
            start = time.process_time()
            check(draft, record.reports[place - count : place], statistics, None, {"text": "ok"})
            times.append(1_000 * (time.process_time() - start))
        cells = (np.median(times), np.percentile(times, 95), max(times))
        table.rows.append((str(count), *(f"{value:.1f}" for value in cells)))
    table.notes.append(verdict("p95 over 300 candidates, ms", float(cells[1]), 100, at_least=False))
    return [table]
