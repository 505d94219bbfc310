"""`python -m tests.bench.tracker_similar`: duplicates and links beside plain methods, on labelled public records.

The records are not in the repository: LOOM_BENCH_DATA (default ../shared/data) holds them; what is absent is skipped.
Vectors are computed once and kept under LOOM_BENCH_CACHE (default ~/.cache/loom-bench). Settings are chosen on the
older half of each record and reported on the newer.
"""

import argparse
import json
import sys
from pathlib import Path

from tests.bench.facts import facts
from tests.bench.report import Table, as_json, show
from tests.bench.tracker_similar import data, duplicates, links, speed

RECORDS = ("hadoop_issues", "titanium_issues")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.tracker_similar", description=__doc__)
    parser.add_argument("--json", type=Path, help="write the tables to this file too")
    parser.add_argument("names", nargs="*", choices=[*RECORDS, "links", []], help="parts; none: all")
    given = parser.parse_args()
    tables = [table for name in given.names or (*RECORDS, "links") for table in _run(name)]
    machine = facts()
    show(tables, machine)
    if given.json:
        given.json.write_text(json.dumps(as_json(tables, machine), indent=1), encoding="utf-8")
    return 0


def _run(name: str) -> list[Table]:
    print(f"measuring {name}", file=sys.stderr, flush=True)
    if name == "links":
        tables = links.run()
    else:
        found = data.duplicates(name)
        tables = [*duplicates.run(found), *speed.run(found.record)] if found else []
    if not tables:
        print(f"skipped {name}: {data.folder()} does not have it (set LOOM_BENCH_DATA)", file=sys.stderr)
    return tables


if __name__ == "__main__":
    sys.exit(main())
