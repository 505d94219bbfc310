"""What a person sees while rows go in: a bar on a terminal, else a line now and then. All of it on standard error."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from loom.cli.terminal import warn

STEP = 20  # percent between two plain lines


class Progress(Protocol):
    """`total` steps, of rows or of bytes, and rows sent."""

    def advance(self, steps: int) -> None: ...

    def told(self, table: str, rows: int) -> None:
        """Rows of a table were sent."""


class Silent:
    def advance(self, steps: int) -> None:
        pass

    def told(self, table: str, rows: int) -> None:
        pass


class Plain:
    """A line each fifth of the way."""

    def __init__(self, total: int) -> None:
        self._total, self._done, self._next, self._rows = max(total, 1), 0, STEP, 0

    def advance(self, steps: int) -> None:
        self._done += steps
        percent = min(100, 100 * self._done // self._total)
        if percent >= self._next:
            warn(f"loom tracker: {percent} % read, {self._rows:,} rows sent")
            self._next = percent - percent % STEP + STEP

    def told(self, table: str, rows: int) -> None:
        self._rows += rows


class Bar:
    """A bar with the counts beside it."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress

        columns = (
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TextColumn("{task.description}"),
        )
        self.shown = RichProgress(*columns, console=Console(stderr=True), transient=True)
        self._task = self.shown.add_task("", total=max(total, 1))
        self._rows: Counter[str] = Counter()

    def advance(self, steps: int) -> None:
        self.shown.update(self._task, advance=steps)

    def told(self, table: str, rows: int) -> None:
        self._rows[table] += rows
        self.shown.update(self._task, description=f"{self._rows.total():,} rows, {table}")


@contextmanager
def progress(total: int, *, quiet: bool) -> Iterator[Progress]:
    """`quiet` for a program that reads what the command prints."""
    if quiet:
        yield Silent()
    elif sys.stderr.isatty():
        bar = Bar(total)
        with bar.shown:
            yield bar
    else:
        yield Plain(total)
