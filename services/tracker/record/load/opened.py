"""Files as streams of UTF-8, whatever they are compressed with or encoded in. Nothing is read whole."""

import bz2
import codecs
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from services.tracker.record.load.report import Broken

Progress = Callable[[int], None]
"""Is told how many bytes of the file on disk were read since it was told last."""

_CHUNK = 1 << 18
_COMPRESSED: tuple[tuple[bytes, Callable[[BinaryIO], BinaryIO]], ...] = (
    (b"\x1f\x8b", lambda raw: gzip.open(raw)),  # noqa: SIM115 - ends with `raw`
    (b"\xfd7zXZ\x00", lambda raw: lzma.LZMAFile(raw)),  # noqa: SIM115
    (b"BZh", lambda raw: bz2.BZ2File(raw)),
)
_DAMAGED = (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile)
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
PARQUET = b"PAR1"


def chunks(path: Path, progress: Progress) -> Iterator[bytes]:
    """The file's bytes as UTF-8, without a byte order mark. Other bytes pass through where the file is in UTF-8.

    Broken where the file cannot be read, or its compressed data is damaged; what was read before is given first.
    """
    try:
        with path.open("rb") as raw:
            yield from _transcoded(_reading(raw, progress))
    except OSError as error:
        if isinstance(error, gzip.BadGzipFile):
            raise Broken("the compressed data is damaged") from None
        raise Broken(f"cannot read the file: {error.strerror or type(error).__name__}") from None


def first_bytes(path: Path) -> bytes:
    """The first bytes after decompression: enough to tell a format. Empty for an empty file."""
    for chunk in chunks(path, lambda _: None):
        if chunk.strip():
            return chunk.lstrip()
    return b""


class ChunkReader(io.RawIOBase):
    """Chunks as a file that can be read once."""

    def __init__(self, source: Iterator[bytes]) -> None:
        self._source, self._left = source, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._left:
            following = next(self._source, None)
            if following is None:
                return 0
            self._left = following
        count = min(len(buffer), len(self._left))
        buffer[:count], self._left = self._left[:count], self._left[count:]
        return count


def _reading(raw: BinaryIO, progress: Progress) -> Iterator[bytes]:
    head = raw.read(8)
    raw.seek(0)
    stream = next((opened(raw) for magic, opened in _COMPRESSED if head.startswith(magic)), raw)
    told = 0
    while True:
        try:
            chunk = stream.read(_CHUNK)
        except _DAMAGED:
            raise Broken("the compressed data is damaged or cut off") from None
        progress(raw.tell() - told)
        told = raw.tell()
        if not chunk:
            return
        yield chunk


def _transcoded(source: Iterator[bytes]) -> Iterator[bytes]:
    first = next(source, b"")
    mark, encoding = next(((m, e) for m, e in _MARKS if first.startswith(m)), (b"", "utf-8"))
    first = first[len(mark) :]
    if encoding == "utf-8":
        yield first
        yield from source
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    yield decoder.decode(first).encode("utf-8", "replace")
    for chunk in source:
        yield decoder.decode(chunk).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")
