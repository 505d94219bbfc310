"""A ClickHouse in memory that holds a team's tables, for tests of what is read out of them.

async with record_engine() as store:
    await store.command("CREATE TABLE …")
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from runtime.store import Store, StoreConfig
from tests.support.stores import opened


@asynccontextmanager
async def record_engine(*statements: str) -> AsyncIterator[Store]:
    """An empty engine, after these statements. Tables are in its database `loom`."""
    async with opened(StoreConfig(dsn="chdb://:memory:", fsync=False, readers=1)) as store:
        for statement in statements:
            await store.command(statement)
        yield store


async def described(store: Store, *tables: str) -> Mapping[str, Mapping[str, str]]:
    """The tables as a judged record has them: by name, the types of their columns."""
    found = {}
    for table in tables:
        rows = await store.query(f"DESCRIBE TABLE {table}")
        found[table.replace("`", "")] = {row["name"]: row["type"] for row in rows}
    return found
