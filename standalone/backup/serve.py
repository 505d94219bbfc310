"""The running server's side of `loom backup`: it alone can read its data folder."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from runtime.clock import Clock
from runtime.store import Store
from standalone.backup import schema
from standalone.backup.errors import BackupError
from standalone.backup.manifest import TableInfo
from standalone.backup.write import Source, drop_stale, write
from standalone.control import Say


class Backups:
    """Answers the control socket. `live` is the store that the planes write through.

    `settled` are waited for before a copy is made: what a plane acknowledged and has not put into its tables yet.
    """

    def __init__(self, live: Store, clock: Clock, settled: Sequence[Callable[[], Awaitable[None]]] = ()) -> None:
        self._live, self._clock, self._settled = live, clock, settled
        self._one = asyncio.Lock()

    async def __call__(self, asked: Mapping[str, Any], say: Say) -> Mapping[str, Any]:
        folder = Path(str(asked.get("folder", "")))
        if asked.get("do") != "backup" or not folder.is_absolute():
            raise BackupError("this server does not understand that command: it may be of another version of Loom")
        if not os.access(folder, os.W_OK):
            raise BackupError("the server's user may not write to the target: run the command as that user")
        if self._one.locked():
            raise BackupError("another backup is running: wait for its end")
        async with self._one:
            return await self._write(folder, say)

    async def _write(self, folder: Path, say: Say) -> Mapping[str, Any]:
        async def report(name: str, table: TableInfo) -> None:
            await say({"table": name, "info": asdict(table)})

        for settled in self._settled:
            await settled()
        # With threads of its own: the planes' readers are not kept waiting.
        store = await Store.open(replace(self._live.config, readers=1))
        try:
            await drop_stale(self._live, hours=0)
            manifest = await write(Source(self._live, store, schema.planes(), self._clock), folder, report)
        finally:
            await store.close()
        return {"manifest": manifest.to_json()}
