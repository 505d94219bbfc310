"""How far an import is: a bar for a person at a terminal, lines for a log, nothing for a program."""

import sys
from types import TracebackType
from typing import Any, Self

from loom.cli.terminal import warn


class Quiet:
    """Shows nothing; also what the others have in common."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, at: TracebackType | None
    ) -> None:
        """Ends the display."""

    def advance(self, size: int) -> None:
        """`size` more bytes are read."""

    def file_done(self, name: str, calls: int) -> None:
        """A file is read to its end."""

    def tell(self, text: str) -> None:
        """A line that a person should see."""


class Lines(Quiet):
    """One line for each file."""

    def file_done(self, name: str, calls: int) -> None:
        warn(f"{name}: {calls} calls")

    def tell(self, text: str) -> None:
        warn(text)


class Bar(Quiet):
    """A bar over the bytes of all files."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("importing"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        self._progress: Any = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task("", total=total or None)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, at: TracebackType | None
    ) -> None:
        self._progress.stop()

    def advance(self, size: int) -> None:
        self._progress.advance(self._task, size)

    def tell(self, text: str) -> None:
        self._progress.console.print(text, markup=False, highlight=False)


def display(total: int, *, json: bool) -> Quiet:
    """The display that fits: `total` is the number of bytes to read, 0 when it is not known."""
    if json:
        return Quiet()
    try:
        return Bar(total) if sys.stderr.isatty() else Lines()
    except ImportError:  # rich comes with the extra `cli`
        return Lines()
