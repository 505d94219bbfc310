"""Where a text could have been left behind: files as they are, and everything that the storage engine can tell."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from runtime.store import Store, StoreConfig


def in_files(secrets: Iterable[str], *folders: Path) -> list[tuple[str, str]]:
    """(secret, file) of each file that holds one, in UTF-8 or as UTF-16, which some formats use."""
    needles = [(secret, form) for secret in secrets for form in (secret.encode(), secret.encode("utf-16-le"))]
    found = []
    for path in (path for folder in folders for path in sorted([folder, *folder.rglob("*")]) if path.is_file()):
        data = path.read_bytes()
        found += [(secret, str(path)) for secret, form in needles if form in data or form in str(path).encode()]
    return found


async def everything_stored(data: Path) -> dict[str, str]:
    """Every row of every table that holds rows, as text by table: Loom's own, and whatever the engine logs.

    Column files are compressed, so that looking through their bytes proves little.
    """
    store = await Store.open(StoreConfig(data_dir=str(data)))
    try:
        tables = await store.query(
            "SELECT database, name FROM system.tables WHERE NOT is_temporary AND "
            "(database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') OR name LIKE '%log' "
            "OR name IN ('mutations', 'query_cache', 'processes', 'errors', 'warnings', 'asynchronous_inserts'))"
        )
        return {f"{t['database']}.{t['name']}": await _rows(store, f"{t['database']}.{t['name']}") for t in tables}
    finally:
        await store.close()


async def _rows(store: Store, table: str) -> str:
    rows: list[dict[str, Any]] = await store.query(f"SELECT * FROM {table}")
    return "\n".join(json.dumps(row, ensure_ascii=False, default=str) for row in rows)
