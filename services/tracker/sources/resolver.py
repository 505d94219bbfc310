"""Names become addresses here, and every connection goes to an address that was checked.

The resolver runs for each new connection (nothing is cached), so a name that moves is followed, and one that moves to a
place that is not allowed is refused. `guarded_socket` sees the very address of each connection, whatever led to it.
"""

import asyncio
import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from services.tracker.sources.hosts import Address, HostRefused, HostRules, read_host


class CheckedResolver(AbstractResolver):
    """Resolves one source's name, on a thread of its own: a slow name server holds up no other source."""

    def __init__(self, rules: HostRules) -> None:
        self._rules = rules
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="loom-resolver")
        self._running: asyncio.Future[list[Any]] | None = None

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The name's addresses. HostRefused, an OSError, where one of them may not be reached."""
        found = await self._look_up(host, port, family)
        self._rules.check(read_host(host), [_address(sockaddr) for *_, sockaddr in found])
        flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        return [
            ResolveResult(hostname=host, host=sockaddr[0], port=sockaddr[1], family=family, proto=proto, flags=flags)
            for family, _, proto, _, sockaddr in found
        ]

    async def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _look_up(self, host: str, port: int, family: socket.AddressFamily) -> list[Any]:
        # A look-up cannot be cancelled: those who come while one runs wait for the same one.
        if self._running is None or self._running.done():
            loop = asyncio.get_running_loop()
            self._running = loop.run_in_executor(self._thread, _getaddrinfo, host, port, family)
            self._running.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(self._running)


def guarded_socket(rules: HostRules, host: str) -> Any:
    """A socket factory for a connector: HostRefused for an address that may not be reached."""
    named = read_host(host)

    def make(info: tuple[Any, ...]) -> socket.socket:
        family, kind, proto, _, sockaddr = info
        rules.check(named, [_address(sockaddr)])
        return socket.socket(family, kind, proto)

    return make


def _getaddrinfo(host: str, port: int, family: socket.AddressFamily) -> list[Any]:
    return socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)


def _address(sockaddr: tuple[Any, ...]) -> Address:
    try:
        return ipaddress.ip_address(sockaddr[0])  # a zone stays part of the address and of what it is compared with
    except ValueError:
        raise HostRefused("that host has an address of an unknown kind") from None
