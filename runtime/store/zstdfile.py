"""Files of bytes that zstd compresses, without a step of the event loop."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdFile
else:
    from backports.zstd import ZstdFile

_PIECE = 1 << 20


async def compressed(chunks: AsyncIterator[bytes], path: Path) -> None:
    """Writes what comes to the file `path`."""
    file = ZstdFile(path, "wb")
    try:
        async for chunk in chunks:
            await asyncio.to_thread(file.write, chunk)
    finally:
        await asyncio.to_thread(file.close)


async def decompressed(path: Path) -> AsyncIterator[bytes]:
    """The bytes of the file `path`, in pieces."""
    with ZstdFile(path, "rb") as file:
        while chunk := await asyncio.to_thread(file.read, _PIECE):
            yield chunk
