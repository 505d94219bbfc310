"""The alternative to observe.record_batch: a plain loop, one SQLite transaction per record, without any HTTP.

Prints the records a second over so many seconds, and exits: `python -m tests.bench.servers.sqlite_loop FILE SECONDS`.
"""

import sys
import time
from itertools import count
from pathlib import Path

from tests.bench.payloads import MARK, single
from tests.bench.servers.sqlite_http import add, database


def main(path: str, seconds: float) -> float:
    db, bodies = database(Path(path)), single()
    began = time.perf_counter()
    for number in count(1):
        add(db, bodies[number % len(bodies)].replace(MARK, f"{number:012d}"))
        spent = time.perf_counter() - began
        if spent >= seconds:
            return number / spent
    raise AssertionError


if __name__ == "__main__":
    print(main(sys.argv[1], float(sys.argv[2])))
