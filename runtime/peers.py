"""Other planes, as a plane calls them: in this process or over gRPC, and a bell that says there is something to fetch.

Planes are built one after another, so a plane may be handed its peers before they are there. A call to a plane that
is nowhere is FEATURE_DISABLED, so a plane can live without its peers.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

from google.protobuf.message import Message

from runtime.call import AUTHORIZATION
from runtime.errors import LoomError
from runtime.optable import Method
from runtime.settings import SettingsError
from runtime.transport import GrpcTransport, Transport


class Bell:
    """Tells waiters in this process that there is something to do; it never says that there is not."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        self._rung.set()

    async def wait(self, seconds: float) -> None:
        """Returns when the bell rings or has rung since the last wait, at the latest after `seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        self._rung.clear()


class Peers:
    """The planes that a process reaches. `metadata` goes with every call: what makes it an internal one."""

    def __init__(self, metadata: Mapping[str, str] | None = None) -> None:
        self._metadata = dict(metadata or {})
        self._transports: dict[str, Transport] = {}
        self._bells: dict[str, Bell] = {}

    def bind(self, plane: str, transport: Transport) -> None:
        """From now on `plane` is reached this way; its bell rings, since there may be something to fetch now."""
        self._transports[plane] = transport
        self.bell(plane).ring()

    def bell(self, plane: str) -> Bell:
        """What a plane rings when it has something for others. Between processes nothing is heard: ask now and then."""
        return self._bells.setdefault(plane, Bell())

    async def call(self, plane: str, method: Method, request: Message, timeout_s: float) -> Message:
        """Calls an internal rpc and returns its response. Raises LoomError."""
        return await self._transport(plane).call(method, request, self._metadata, timeout_s)

    async def call_as(
        self, plane: str, op: Method, request: Message, metadata: Mapping[str, str], timeout_s: float
    ) -> Message:
        """Calls a public op for somebody, with what they showed us: the plane judges by that, and never by our own key.

        Raises LoomError, ValueError where `metadata` is the key of this process.
        """
        own = self._metadata.get(AUTHORIZATION)
        if own is not None and metadata.get(AUTHORIZATION) == own:
            raise ValueError("a public op is never called with the key that planes show each other")
        return await self._transport(plane).call(op, request, metadata, timeout_s)

    def _transport(self, plane: str) -> Transport:
        transport = self._transports.get(plane)
        if transport is None:
            raise LoomError("FEATURE_DISABLED", "this process does not reach the plane of that call")
        return transport

    async def close(self) -> None:
        await asyncio.gather(*(transport.close() for transport in self._transports.values()))


def targets_of(entries: Sequence[str], variable: str) -> dict[str, str]:
    """Plane -> gRPC address out of `<plane>=<host:port>` texts. Raises SettingsError for an entry that is none."""
    targets: dict[str, str] = {}
    for entry in entries:
        plane, _, address = (part.strip() for part in entry.partition("="))
        if not plane or not address:
            raise SettingsError([f"{variable} must be <plane>=<host:port>, separated by commas"])
        targets[plane] = address
    return targets


def connect(peers: Peers, targets: Mapping[str, str]) -> None:
    """Binds planes of other processes."""
    for plane, address in targets.items():
        peers.bind(plane, GrpcTransport(address))
