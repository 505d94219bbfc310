"""Records that wait on disk until a server takes them.

<folder>/pending/   one file for each record, named so that the oldest sorts first
<folder>/refused/   records that no server will take, each with the reason; nothing sends them
<folder>/calls/     which calls were captured, and when (loom.capture.calls)
<folder>/lost       how many records found the spool full
<folder>/lock       held by the process that sends
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from loom.capture import jsontext
from loom.capture.calls import Calls
from loom.capture.folder import private_file, private_folder, write_new

MAX_PENDING_BYTES = 64 * 1024 * 1024
MAX_REFUSED_BYTES = 16 * 1024 * 1024


class Waiting(NamedTuple):
    """One record in the spool."""

    path: Path
    record: dict[str, Any]


class Counts(NamedTuple):
    """What is in the spool."""

    pending: int
    pending_bytes: int
    refused: int
    lost: int


class Spool:
    """The spool in one folder. Several processes may use it at once."""

    def __init__(self, folder: Path, max_bytes: int = MAX_PENDING_BYTES, max_refused: int = MAX_REFUSED_BYTES) -> None:
        self.folder = folder
        self.calls = Calls(folder / "calls")
        self._pending, self._refused = folder / "pending", folder / "refused"
        self._max_bytes, self._max_refused = max_bytes, max_refused

    def add(self, record: dict[str, Any]) -> bool:
        """Keeps a record until it can be sent. False when the spool is full: what waits longest is kept, and the loss
        is counted. OSError when the disk does not take it."""
        return self._keep(self._pending, {"record": record}, self._max_bytes)

    def refuse(self, reason: str, **content: Any) -> bool:
        """Keeps what no server will take, with the reason, for a person to look at. False when there is no room."""
        return self._keep(self._refused, {"reason": reason, **content}, self._max_refused)

    def _keep(self, folder: Path, content: dict[str, Any], most: int) -> bool:
        data = jsontext.dumps(content)
        if sum(entry.stat().st_size for entry in _files(private_folder(folder))) + len(data) > most:
            self._count_lost()
            return False
        write_new(folder / f"{time.time_ns():020d}-{os.urandom(4).hex()}.json", data)
        return True

    def paths(self, limit: int | None = None) -> list[Path]:
        """The files of waiting records, the oldest first, at most `limit`."""
        return [Path(entry.path) for entry in sorted(_files(self._pending), key=lambda entry: entry.name)[:limit]]

    def load(self, paths: list[Path]) -> list[Waiting]:
        """The records in `paths`. A file that holds none is set aside; one that is gone was sent by someone else."""
        found = []
        for path in paths:
            with contextlib.suppress(FileNotFoundError):
                try:
                    found.append(Waiting(path, dict(jsontext.loads(path.read_bytes())["record"])))
                except (ValueError, TypeError, KeyError):
                    path.rename(private_folder(self._refused) / path.name)
        return found

    def remove(self, waiting: Waiting) -> None:
        """Forgets a record that the server has."""
        waiting.path.unlink(missing_ok=True)

    def set_aside(self, waiting: Waiting, reason: str) -> None:
        """Moves a record that the server refuses out of the way of the others."""
        self.refuse(reason, record=waiting.record)
        self.remove(waiting)

    @contextlib.contextmanager
    def sending(self) -> Iterator[bool]:
        """Whether this process is the one that sends, for as long as the context lasts. Never waits."""
        if not self.folder.exists():
            yield False
            return
        with private_file(self.folder / "lock", "w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True

    def counts(self) -> Counts:
        """How much waits, was refused, and was lost."""
        sizes = [entry.stat().st_size for entry in _files(self._pending)]
        return Counts(len(sizes), sum(sizes), len(_files(self._refused)), self._lost())

    def _lost(self) -> int:
        try:
            return int((self.folder / "lost").read_text("ascii") or 0)
        except (FileNotFoundError, ValueError):
            return 0

    def _count_lost(self) -> None:
        with private_file(self.folder / "lost", "a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            number = self._lost() + 1
            file.truncate(0)
            file.write(f"{number}\n")


def _files(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if entry.name.endswith(".json") and not entry.name.startswith(".")]
    except FileNotFoundError:
        return []
