"""Wires the mode of an installation: single-user until there are keys, tokens from then on."""

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from runtime.access import TokenAuthenticator
from runtime.call import AUTHORIZATION
from runtime.clock import Clock
from runtime.directory import DenyList, Directory
from runtime.identity import Authenticator, SingleUser
from runtime.jwks import Jwks, KeysError
from runtime.keys import InternalKey, Signer
from runtime.settings import SettingsError
from runtime.tokens import Minter, Verifier
from runtime.transport import GrpcTransport, Late, Transport

if TYPE_CHECKING:  # runtime/process.py needs a guard
    from runtime.process import ProcessSettings


class Guard:
    """The authenticator of a process and what it needs to live. `start` once the directory can be reached."""

    def __init__(
        self, authenticator: Authenticator, directory: Late | None = None, deny: DenyList | None = None
    ) -> None:
        self.authenticator = authenticator
        self._directory, self._deny = directory, deny
        self._polling: asyncio.Task[None] | None = None

    async def bind(self, directory: Transport) -> None:
        """Takes the directory plane of this process, unless another one was named; asks it for revoked tokens."""
        if self._directory is not None and not self._directory.bound:
            self._directory.bind(directory)
            await self.start()

    async def start(self) -> None:
        """Asks for revoked tokens from now on. Returns after the first answer, or its absence."""
        if self._deny is not None and self._directory is not None and self._directory.bound and not self._polling:
            # In a task of its own: the request id of that call shall not stand in every later line of this one's log.
            await asyncio.create_task(self._deny.refresh())
            self._polling = asyncio.create_task(self._deny.run())

    async def close(self) -> None:
        if self._polling is not None:
            self._polling.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._polling
        if self._directory is not None:
            await self._directory.close()


def guard_of(settings: "ProcessSettings", clock: Clock) -> Guard:
    """The guard of the mode that the settings ask for. Raises SettingsError for a key folder that cannot be used.

    A key folder that is named and cannot be used is a mistake: to fall back would open what it was to close.
    """
    if not settings.keys_dir:
        return Guard(SingleUser(settings.org, settings.namespace, settings.tracker_org))
    folder = Path(settings.keys_dir)
    try:
        verifier, key = Verifier(Jwks(folder, clock), clock), InternalKey.read(folder)
    except KeysError as error:
        raise SettingsError([f"LOOM_KEYS_DIR: {error}"]) from None
    transport = Late()
    if settings.directory:
        transport.bind(GrpcTransport(settings.directory))
    directory = Directory(transport, key, clock, cache_s=settings.access_cache_s)
    deny = DenyList(directory.revoked, clock)
    authenticator = TokenAuthenticator(verifier, directory, deny, key)
    return Guard(authenticator, transport, deny)


def minter_of(settings: "ProcessSettings", clock: Clock) -> Minter | None:
    """What signs new tokens; None in single-user mode, where there is no key."""
    return Minter(Signer(Path(settings.keys_dir)), clock) if settings.keys_dir else None


def internal_metadata(settings: "ProcessSettings") -> dict[str, str]:
    """Metadata of calls to internal rpcs of other planes. Raises SettingsError as `guard_of`."""
    if not settings.keys_dir:
        return {}
    try:
        return {AUTHORIZATION: InternalKey.read(Path(settings.keys_dir)).header}
    except KeysError as error:
        raise SettingsError([f"LOOM_KEYS_DIR: {error}"]) from None
