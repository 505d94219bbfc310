"""ClickHouse's HTTP interface to one source, over aiohttp.

Not clickhouse_connect's own client, of which only the binding of parameters is used: that client follows redirects (to
wherever a hostile source points), takes no resolver, unpacks without bound, asks again by itself, parks a thread for
each result, and sends statements of its own when it starts.
"""

import ssl
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC
from functools import cache
from typing import Any
from urllib.parse import urlencode

import aiohttp
from clickhouse_connect.driver.binding import bind_query

from services.tracker.sources.body import Full, LineReader
from services.tracker.sources.connecting import of_connection
from services.tracker.sources.decode import FORMAT, RowReader, zone
from services.tracker.sources.faults import Kind, SourceFault, of_status
from services.tracker.sources.hosts import HostRefused, HostRules
from services.tracker.sources.model import Answer, Limits, Target
from services.tracker.sources.resolver import CheckedResolver, guarded_socket

_KEEPALIVE_S = 2.5  # below the server's, three seconds in older ones
_URL_CHARS = 4096  # beyond, parameters travel in the body: proxies refuse long URLs
_ZONE_CHARS = 64
_CONNECT_S = 10.0


@dataclass(slots=True)
class Trip:
    """How far a statement got: `sent` once its request is out, so that it may be running at the source."""

    query_id: str
    sent: bool = False
    reused: bool = False


class _Disconnected(SourceFault):
    """The server closed the connection instead of answering."""


class Wire:
    """Connections to one source. Every call raises SourceFault, and nothing else, where there is no answer."""

    def __init__(self, target: Target, rules: HostRules, *, connections: int) -> None:
        self._target, self._rules = target, rules
        self._connections = connections
        self._resolver = CheckedResolver(rules)
        self._session: aiohttp.ClientSession | None = None
        self._closed = False

    async def ask(
        self, sql: str, params: Mapping[str, Any], settings: Mapping[str, str], limits: Limits, trip: Trip
    ) -> Answer:
        """Send one statement and read its answer, up to the limits of rows and bytes. Cancelled, it hangs up."""
        try:
            return await self._ask(sql, params, settings, limits, trip)
        except _Disconnected:
            if not trip.reused:
                raise
        # The server had closed the connection while it was idle: nothing was run.
        return await self._ask(sql, params, settings, limits, trip)

    async def _ask(
        self, sql: str, params: Mapping[str, Any], settings: Mapping[str, str], limits: Limits, trip: Trip
    ) -> Answer:
        async with self._request("POST", trip, **self._statement(sql, params, settings, trip)) as response:
            return await _read(response, limits)

    async def tell(self, sql: str, params: Mapping[str, Any], trip: Trip) -> None:
        """Send one statement whose answer is only whether it was taken."""
        async with self._request("POST", trip, **self._statement(sql, params, {}, trip)) as response:
            _check(response)

    def _statement(
        self, sql: str, params: Mapping[str, Any], settings: Mapping[str, str], trip: Trip
    ) -> dict[str, Any]:
        text, bound = bind_query(sql, dict(params), UTC)
        query = {"query_id": trip.query_id, "default_format": FORMAT, **settings}
        if self._target.database:
            query["database"] = self._target.database
        if len(urlencode(bound)) <= _URL_CHARS:
            return {"params": query | bound, "data": _encoded(text)}
        form = aiohttp.FormData()
        for name, value in {"query": text, **bound}.items():
            form.add_field(name, value, content_type="text/plain")
        return {"params": query, "data": form}

    async def ping(self) -> None:
        """Ask for a sign of life that is no statement; any answer is one."""
        async with self._request("GET", Trip(""), path="/ping"):
            return

    async def close(self) -> None:
        """Hang up, whatever runs. What is asked after this is not answered."""
        self._closed = True
        if self._session is not None:
            await self._session.close()
        await self._resolver.close()

    @asynccontextmanager
    async def _request(
        self, method: str, trip: Trip, *, path: str = "/", **more: Any
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        try:
            async with self._connected().request(
                method, path, allow_redirects=False, trace_request_ctx=trip, **more
            ) as response:
                try:
                    yield response
                except BaseException:
                    response.close()  # what is left of the answer is not waited for
                    raise
        except aiohttp.ServerDisconnectedError:
            raise _Disconnected(Kind.NO_CONNECTION) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise of_connection(error) from None

    def _connected(self) -> aiohttp.ClientSession:
        if self._closed:
            raise SourceFault(Kind.NO_CONNECTION)
        if self._session is None:
            self._session = self._new_session()
        return self._session

    def _new_session(self) -> aiohttp.ClientSession:
        target = self._target
        try:
            host = self._rules.host(target.host)
        except HostRefused:
            raise SourceFault(Kind.HOST_REFUSED) from None
        connector = aiohttp.TCPConnector(
            resolver=self._resolver,
            use_dns_cache=False,
            socket_factory=guarded_socket(self._rules, target.host),
            ssl=_tls() if target.secure else True,
            limit=self._connections,
            keepalive_timeout=_KEEPALIVE_S,
        )
        shown = f"[{host.name}]" if ":" in host.name else host.name
        return aiohttp.ClientSession(
            f"{'https' if target.secure else 'http'}://{shown}:{target.port}",
            connector=connector,
            headers={"Accept-Encoding": "gzip", "User-Agent": "loom", **_login(target)},
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_S),
            auto_decompress=False,
            trust_env=False,
            trace_configs=[_trace()],
        )


def _check(response: aiohttp.ClientResponse) -> None:
    code = response.headers.get("X-ClickHouse-Exception-Code")
    if response.status != 200 or code:
        raise of_status(response.status, code)


async def _read(response: aiohttp.ClientResponse, limits: Limits) -> Answer:
    _check(response)
    headers = response.headers
    lines = LineReader(headers.get("Content-Encoding", "").lower(), limits.max_bytes)
    reader = RowReader(zone(headers.get("X-ClickHouse-Timezone", "")[:_ZONE_CHARS]))
    try:
        async for chunk in response.content.iter_any():
            for line in lines.feed(chunk):
                reader.line(line)
                if reader.count > limits.max_rows:
                    raise Full
        reader.line(lines.rest())
    except Full:
        response.close()
        return Answer(reader.rows()[: limits.max_rows], clipped=True)
    return Answer(reader.rows())


def _login(target: Target) -> dict[str, str]:
    # Basic, not ClickHouse's own headers: those cannot carry every password.
    login = b64encode(f"{target.user}:{target.password}".encode()).decode()
    return {"Authorization": f"Basic {login}"} if target.user else {}


def _encoded(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _trace() -> aiohttp.TraceConfig:
    async def sent(session: aiohttp.ClientSession, context: Any, params: Any) -> None:
        context.trace_request_ctx.sent = True

    async def reused(session: aiohttp.ClientSession, context: Any, params: Any) -> None:
        context.trace_request_ctx.reused = True

    trace = aiohttp.TraceConfig()
    trace.on_request_headers_sent.append(sent)
    trace.on_connection_reuseconn.append(reused)
    return trace
