"""An answer's body as it arrives: unpacked piece by piece and cut into lines, never more in memory than its limit."""

import zlib
from collections.abc import Iterator

from services.tracker.sources.faults import Kind, SourceFault

_PIECE = 256 * 1024


class Full(Exception):
    """The limit is reached; lines that were complete are out already."""


class LineReader:
    """Bytes in, lines out. Packed or not: `encoding` is the answer's Content-Encoding, gzip or nothing.

    `max_bytes` counts what is unpacked, so that a small answer that unpacks into a huge one ends here.
    """

    def __init__(self, encoding: str, max_bytes: int) -> None:
        if encoding not in ("", "identity", "gzip"):
            raise SourceFault(Kind.NOT_CLICKHOUSE)
        self._unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS) if encoding == "gzip" else None
        self._left = max_bytes
        self._tail: list[bytes] = []

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """The lines that the chunk completes. Full past the limit, SourceFault for a body that does not unpack."""
        for piece in self._pieces(chunk):
            self._left -= len(piece)
            if self._left < 0:
                raise Full
            *lines, rest = piece.split(b"\n")
            if lines:
                lines[0] = b"".join((*self._tail, lines[0]))
                self._tail = []
            self._tail.append(rest)
            yield from lines

    def rest(self) -> bytes:
        """What came after the last line's end."""
        return b"".join(self._tail)

    def _pieces(self, chunk: bytes) -> Iterator[bytes]:
        if self._unpacker is None:
            yield chunk
            return
        while chunk:
            try:
                piece = self._unpacker.decompress(chunk, _PIECE)
            except zlib.error:
                raise SourceFault(Kind.NOT_CLICKHOUSE) from None
            chunk = self._unpacker.unconsumed_tail
            if piece:
                yield piece
            elif not chunk or self._unpacker.eof:
                return
