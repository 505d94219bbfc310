"""The data: room for them, whether the engine answers, and whether the tables are this program's."""

import os
import shutil
from pathlib import Path

from runtime.clock import SystemClock
from runtime.errors import LoomError
from runtime.process import StoreSettings
from runtime.settings import Loaded
from runtime.store import DataFolderBusy, MigrationError, Store
from runtime.store.config import chdb_folder
from runtime.store.installation import read_installation
from runtime.store.migrations import pending
from standalone.backup import schema
from standalone.checks.finding import Finding

LEAST_FREE_BYTES = 1 << 30
MOST_SKEW_S = 5.0


def disk(loaded: Loaded) -> Finding:
    """Room in the data folder."""
    folder = Path(loaded[StoreSettings].data_dir)
    existing = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    free = shutil.disk_usage(existing).free
    fact = f"{free / (1 << 30):.1f} GiB free for {folder}"
    if not os.access(existing, os.W_OK):
        return Finding("data folder", fact, f"{existing} is not writable for this user")
    return Finding("data folder", fact, "" if free >= LEAST_FREE_BYTES else "make room: less than 1 GiB is left")


async def storage(loaded: Loaded) -> list[Finding]:
    """The engine answers, and its tables fit; a folder that a server holds is that server's to speak for."""
    config = loaded[StoreSettings].config()
    kind = config.dsn.partition(":")[0]
    if kind == "chdb":
        try:
            folder = chdb_folder(config)
        except ValueError as error:
            return [Finding("storage", "the DSN is wrong", f"LOOM_CLICKHOUSE_DSN: {error}")]
        if folder and not folder.exists():  # opening the engine would make it
            return [Finding("storage", f"no data yet in {folder}")]
    try:
        store = await Store.open(config)
    except DataFolderBusy as busy:
        return [Finding("storage", f"held by a running process ({busy})")]
    except (LoomError, MigrationError, ValueError) as error:
        return [Finding("storage", f"{kind} does not open", f"{error}; check LOOM_CLICKHOUSE_DSN and the server")]
    try:
        await store.ping()
        return [Finding("storage", f"{kind} answers"), await tables(store), *await clock(store, kind)]
    except LoomError as error:
        return [Finding("storage", f"{kind} does not answer", error.message)]
    finally:
        await store.close()


async def tables(store: Store) -> Finding:
    """Whether the schema is the one that this program serves on."""
    found = await read_installation(store)
    if found and found.unfinished:
        return Finding("tables", "a restore has not finished", "run `loom restore` again with the same backup")
    missing = 0
    for plane in schema.planes():
        try:
            missing += len(await pending(store, schema.package(plane), plane=plane))
        except MigrationError as error:
            return Finding("tables", "of another version of Loom", str(error))
    if missing and store.config.await_schema_s:
        return Finding("tables", f"{missing} migrations are missing", "run `loom migrate`: planes wait for it")
    return Finding("tables", f"{missing} migrations to come at the next start" if missing else "up to date")


async def clock(store: Store, kind: str) -> list[Finding]:
    """Whether a server's clock agrees with this machine's: locks and leases count by both."""
    if kind == "chdb":
        return []
    asked = SystemClock()
    before = asked.now()
    rows = await store.query("SELECT now64(6, 'UTC') AS now", name="clock")
    ahead = (rows[0]["now"] - (before + (asked.now() - before) / 2)).total_seconds()
    fact = f"the storage's is {abs(ahead):.1f} s {'ahead' if ahead > 0 else 'behind'}"
    return [Finding("clock", fact, "" if abs(ahead) <= MOST_SKEW_S else "set the clocks of both machines (NTP)")]
