"""`loom serve`, as a user starts it."""

import sys
from contextlib import AbstractContextManager
from pathlib import Path

from tests.bench.proc import Process, running


def loom(data: Path, log: Path) -> AbstractContextManager[Process]:
    """A server on its own data folder, with its default settings, log lines included."""
    program = Path(sys.executable).parent / "loom"
    return running([program, "serve", "--port", "0", "--data", data], log, says="Loom serves on http://")
