"""`python -m tests.bench [name …]`: measures, prints tables, and writes them as JSON where asked."""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests.bench.cases import (
    auth,
    gateway,
    load,
    memory,
    memory_speed,
    record,
    tracing,
    tracker_check,
    tracker_code,
    tracker_live,
    tracker_ops,
)
from tests.bench.facts import facts
from tests.bench.options import Options
from tests.bench.report import Table, as_json, show

CASES = {
    "gateway": gateway.run,
    "tracing": tracing.run,
    "record": record.run,
    "memory": memory.run,
    "auth": auth.run,
    "memory_speed": memory_speed.run,
    "tracker_check": tracker_check.run,
    "tracker_code": tracker_code.run,
    "tracker_live": tracker_live.run,
    "tracker_ops": tracker_ops.run,
    "load": load.run,
}


def main() -> int:
    given = _arguments()
    machine, tables = facts(), []
    # Within the checkout: a temporary folder is often memory, where a sync costs nothing.
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=Path.cwd()) as folder:
        options = Options(Path(folder), given.rounds, given.seconds, given.records, given.soak)
        for name in given.names or CASES:
            tables += _run(name, options)
    machine["load average after"] = facts()["load average"]
    show(tables, machine)
    if given.json:
        given.json.write_text(json.dumps(as_json(tables, machine), indent=1), encoding="utf-8")
    return 0


def _run(name: str, options: Options) -> list[Table]:
    print(f"measuring {name}", file=sys.stderr, flush=True)
    return CASES[name](options)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", choices=[*CASES, []], help=f"{', '.join(CASES)}; none: all")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each alternative (7)")
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds of one turn (3)")
    parser.add_argument("--records", type=int, default=10_000, help="records before memory is read (10,000)")
    parser.add_argument("--soak", type=float, default=0.0, help="seconds of `load` in a row, to see memory (0: none)")
    parser.add_argument("--json", type=Path, help="write the tables to this file too")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
