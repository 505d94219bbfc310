"""Rows that were acknowledged and are not in their tables yet, in files of a data folder.

One append and one sync make rows durable, where an insert writes and syncs ten files. A file is a list of records; when
all of them are in their tables, it goes. What a crash left behind is read at the next start. A record that is torn off
was never acknowledged: its file ends there.
"""

import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from runtime.store.faults import logger

_HEAD = b"%08x %d\n"
_SUFFIX, _ASIDE = ".rows", "refused-"


class Record(NamedTuple):
    """Rows for one table, as `rows.encode` makes them."""

    table: str
    columns: Sequence[str]
    body: bytes


class Journal:
    """The files in `folder`. Not for several threads at once; every method blocks, and raises OSError."""

    def __init__(self, folder: Path, *, fsync: bool) -> None:
        self._folder, self._fsync = folder, fsync
        self._file: int | None = None
        folder.mkdir(mode=0o700, exist_ok=True)
        self.left = sorted(int(path.stem) for path in folder.glob(f"*{_SUFFIX}") if path.stem.isdigit())
        self._number = max(self.left, default=0) + 1

    def append(self, record: Record) -> None:
        """Returns when the record is on disk. After a failure it may be there or not."""
        try:
            if self._file is None:
                self._file = self._create()
            _write(self._file, _framed(record))
            if self._fsync:
                os.fdatasync(self._file) if hasattr(os, "fdatasync") else os.fsync(self._file)
        except OSError:
            # What is torn ends its file, so the next record needs another one.
            self.turn()
            raise

    def turn(self) -> int:
        """Number of the last file that was written to; what comes goes to another one."""
        if self._file is not None:
            file, self._file = self._file, None
            self._number += 1
            os.close(file)
        return self._number - 1

    def read(self, number: int) -> Iterator[Record]:
        """The whole records of a file that an earlier process left."""
        return _records(self._path(number).read_bytes())

    def drop(self, last: int) -> None:
        """The files up to this one: gone from disk when it returns."""
        gone = [path for path in self._folder.glob(f"*{_SUFFIX}") if path.stem.isdigit() and int(path.stem) <= last]
        for path in gone:
            path.unlink()
        if gone:
            self._sync_folder()

    def set_aside(self, record: Record) -> None:
        """Keeps a record that its table refuses, where no start reads it."""
        file = os.open(self._folder / f"{_ASIDE}{self._number}", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            _write(file, _framed(record))
            os.fsync(file)
        finally:
            os.close(file)

    def weed(self, unwanted: Callable[[Mapping[str, Any]], bool]) -> None:
        """Removes rows, given by column, from what was set aside: gone from disk when it returns."""
        for path in self._folder.glob(f"{_ASIDE}*"):
            if path.suffix:  # of a weeding that was cut off
                path.unlink()
                continue
            before = list(_records(path.read_bytes()))
            after = [record for record in (_weeded(record, unwanted) for record in before) if record.body]
            if after == before:
                continue
            new = path.with_suffix(".new")
            if after:
                new.write_bytes(b"".join(map(_framed, after)))
                new.chmod(0o600)
                with new.open("rb") as file:
                    os.fsync(file.fileno())
                new.replace(path)
            else:
                path.unlink()
            self._sync_folder()

    def _create(self) -> int:
        file = os.open(self._path(self._number), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        self._sync_folder()
        return file

    def _sync_folder(self) -> None:
        if self._fsync:
            folder = os.open(self._folder, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:012d}{_SUFFIX}"


def _framed(record: Record) -> bytes:
    payload = json.dumps([record.table, [*record.columns]]).encode() + b"\n" + record.body
    return _HEAD % (zlib.crc32(payload), len(payload)) + payload + b"\n"


def _records(data: bytes) -> Iterator[Record]:
    while data:
        head, found, data = data.partition(b"\n")
        checksum, _, size = head.partition(b" ")
        payload = data[: int(size)] if found and size.isdigit() else b""
        if not payload or b"%08x" % zlib.crc32(payload) != checksum:
            logger.warning("the end of a journal's file is torn off and is left out")
            return
        into, _, body = payload.partition(b"\n")
        yield Record(*json.loads(into), body)
        data = data[len(payload) + 1 :]


def _weeded(record: Record, unwanted: Callable[[Mapping[str, Any]], bool]) -> Record:
    lines = record.body.split(b"\n")  # rows.encode writes one line for a row
    kept = [line for line in lines if not unwanted(dict(zip(record.columns, json.loads(line), strict=True)))]
    return record if len(kept) == len(lines) else record._replace(body=b"\n".join(kept))


def _write(file: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]
