"""A ClickHouse server over HTTP, through clickhouse_connect's async client."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from clickhouse_connect.driver import AsyncClient, create_async_client
from clickhouse_connect.driver.exceptions import DatabaseError

from runtime.clock import Clock
from runtime.store.config import HttpTarget
from runtime.store.engine import Row, time_limit
from runtime.store.faults import logger
from runtime.store.rows import ROW_FORMAT
from runtime.store.zstdfile import compressed, decompressed

_ACCESS_DENIED = 497
_KEEPALIVE_S = 5.0  # below the server's, so that no statement meets a connection that is being closed


class HttpEngine:
    """Statements over the async client's connections."""

    process_lock = None
    folder = None

    def __init__(self, client: AsyncClient, clock: Clock) -> None:
        self._client, self._clock = client, clock

    @classmethod
    async def open(cls, target: HttpTarget, cluster: str, clock: Clock) -> "HttpEngine":
        # The library takes https from its argument, not from the DSN's scheme.
        client = await create_async_client(
            dsn=target.dsn,
            interface=target.scheme,
            tz_mode="aware",
            query_retries=0,
            keepalive_timeout=_KEEPALIVE_S,
            # In the body: what callers said has no place in URLs, which proxies and servers write into their logs.
            # The library does so for queries, not for commands, which are given names and numbers alone.
            form_encode_query_params=True,
        )
        on_cluster = f" ON CLUSTER `{cluster}`" if cluster else ""
        try:
            await client.command(f"CREATE DATABASE IF NOT EXISTS `{target.database}`{on_cluster}", use_database=False)
        except DatabaseError as error:
            if error.code != _ACCESS_DENIED:
                await client.close()
                raise
            logger.info("no right to create the database; it must exist")
        client.database = target.database
        return cls(client, clock)

    async def query(self, sql: str, params: Mapping[str, Any], deadline: float) -> list[Row]:
        result = await self._client.query(sql, parameters=dict(params), settings=self._settings(deadline))
        return list(result.named_results())

    async def command(self, sql: str, params: Mapping[str, Any], deadline: float) -> None:
        await self._client.command(sql, parameters=dict(params), settings=self._settings(deadline))

    async def insert(self, table: str, columns: Sequence[str], body: bytes, deadline: float) -> None:
        settings = {
            **self._settings(deadline),
            "date_time_input_format": "best_effort",
            # A server may be set to answer before the rows are in.
            "async_insert": 0,
            # Replicated tables would drop an insert that equals an earlier one.
            "insert_deduplicate": 0,
        }
        # A file, not bytes: the client sends bytes again when the connection breaks, though the rows may be in.
        await self._client.raw_insert(table, columns, BytesIO(body), settings=settings, fmt=ROW_FORMAT)

    async def commands(self, statements: Sequence[str], deadline: float) -> None:
        for sql in statements:
            await self.command(sql, {}, deadline)

    async def unload(self, sql: str, path: Path, deadline: float) -> None:
        # The server keeps the answer back until it is whole: a failure half way would else stand in the rows.
        settings = {**self._settings(deadline), "wait_end_of_query": 1, "enable_http_compression": 0}
        async with await self._client.raw_stream(sql, settings=settings, fmt="Native") as chunks:
            await compressed(chunks, path)

    async def load(self, table: str, columns: Sequence[str], path: Path, deadline: float) -> None:
        settings = {**self._settings(deadline), "async_insert": 0, "insert_deduplicate": 0}
        await self._client.raw_insert(table, columns, decompressed(path), settings=settings, fmt="Native")

    async def close(self) -> None:
        await self._client.close()

    def _settings(self, deadline: float) -> dict[str, Any]:
        return {"max_execution_time": time_limit(deadline, self._clock.monotonic())}
