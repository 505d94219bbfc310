"""The directory as the other planes see it: what it knows of a caller, and which tokens were revoked."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from loom.directory.v1 import access_pb2 as pb
from runtime.call import AUTHORIZATION, ELSEWHERE
from runtime.clock import Clock
from runtime.errors import LoomError, forbidden
from runtime.keys import InternalKey
from runtime.lru import Lru
from runtime.optable import Method, method_of
from runtime.roles import Known
from runtime.transport import Transport

log = logging.getLogger("loom.directory")

CACHED = 10_000
# The first attempt is short, for a replica that says nothing; the second has the time that a slow one may need.
FIRST_S, SECOND_S = 1.0, 2.0
TIMEOUT_S = FIRST_S + SECOND_S
EVERY_S = 2.0
RETRY_AFTER_S = 2.0

Key = tuple[str, ...]


def _method(rpc: str) -> Method:
    return method_of(pb.DESCRIPTOR.services_by_name["AccessService"].methods_by_name[rpc])


CHECK, LIST_REVOKED = _method("Check"), _method("ListRevoked")


def unavailable() -> LoomError:
    """The directory does not answer, and what was asked may not be decided without it."""
    message = "the directory does not answer, so nobody's rights can be checked"
    return LoomError("UPSTREAM_UNAVAILABLE", message, retry_after_s=RETRY_AFTER_S, origin="directory")


class Directory:
    """Asks AccessService. What it says of namespaces that exist and are not restricted is kept for `cache_s` seconds.

    Callers who ask the same at once share one call; what may not be kept is not shared either, since it may have been
    read before the asker came.
    """

    def __init__(self, transport: Transport, key: InternalKey, clock: Clock, *, cache_s: float) -> None:
        self._transport, self._clock, self._cache_s = transport, clock, cache_s
        self._metadata = {AUTHORIZATION: key.header}
        self._kept: Lru[Key, tuple[float, Known]] = Lru(CACHED)
        self._flights: dict[Key, asyncio.Task[Known]] = {}

    def kept(self, org: str, namespace: str, subject: str) -> Known | None:
        """What is known without asking."""
        entry = self._kept.get((org, namespace, subject))
        return entry[1] if entry is not None and entry[0] > self._clock.monotonic() else None

    async def known(self, org: str, namespace: str, subject: str, *, fresh: bool = False) -> Known:
        """What the directory knows; an empty namespace asks about the organisation. `fresh` asks, whatever is kept.

        Raises `unavailable()`, and NAMESPACE_FORBIDDEN for a name that no namespace can have.
        """
        known = None if fresh else self.kept(org, namespace, subject)
        if known is not None:
            return known
        key = (org, namespace, subject)
        flight = None if fresh else self._flights.get(key)
        if flight is not None:
            known = await asyncio.shield(flight)
            if _may_be_kept(namespace, known):
                return known
        request = pb.CheckRequest(org=org, namespace=namespace, subject=subject)
        return await asyncio.shield(self._fly(key, request))

    async def ensure(self, org: str, namespace: str, subject: str, claimed_role: str) -> Known:
        """Makes the namespace's row where there is none, and says what is known then. Raises `unavailable()`."""
        key = (org, namespace, subject, claimed_role)
        request = pb.CheckRequest(org=org, namespace=namespace, subject=subject, ensure=True, claimed_role=claimed_role)
        return await asyncio.shield(self._flights.get(key) or self._fly(key, request))

    async def revoked(self) -> frozenset[str]:
        """Revoked tokens, each `<org>/<jti>`. Raises `unavailable()`."""
        response = await self._call(LIST_REVOKED, pb.ListRevokedRequest())
        return frozenset(response.tokens)

    def _fly(self, key: Key, request: pb.CheckRequest) -> asyncio.Task[Known]:
        """A task of its own: it outlives an asker that gives up, and its request id stays out of the asker's log."""
        flight = asyncio.create_task(self._check(request))
        self._flights[key] = flight

        def landed(task: asyncio.Task[Known]) -> None:
            if self._flights.get(key) is task:
                del self._flights[key]
            if not task.cancelled():
                task.exception()

        flight.add_done_callback(landed)
        return flight

    async def _check(self, request: pb.CheckRequest) -> Known:
        asked = self._clock.monotonic()
        answer = await self._call(CHECK, request)
        known = Known(answer.exists, answer.restricted, answer.role, answer.org_admin, answer.storage_name)
        key = (request.org, request.namespace, request.subject)
        if _may_be_kept(request.namespace, known):
            self._kept.put(key, (asked + self._cache_s, known))
        else:
            self._kept.drop(key)
        return known

    async def _call(self, method: Method, request: Any) -> Any:
        try:
            return await self._ask(method, request)
        except LoomError as error:
            if error.code.name == "NAMESPACE_FORBIDDEN" or error.code.category == "invalid":
                # A name that no namespace can have.
                raise forbidden() from None
            # Whatever the reason is, rights stay unknown; a wrong key or setting must be seen by the operator.
            if not error.code.retryable:
                log.warning("the directory refused %s: %s", method.rpc, error.code.name)
            raise unavailable() from None

    async def _ask(self, method: Method, request: Any) -> Any:
        """Asks a second time, and another replica where there is one: no write may fail because one of several died."""
        try:
            return await self._transport.call(method, request, self._metadata, FIRST_S)
        except LoomError as error:
            if not error.code.retryable:
                raise
        return await self._transport.call(method, request, {**self._metadata, **ELSEWHERE}, SECOND_S)


def _may_be_kept(namespace: str, known: Known) -> bool:
    # A namespace without a row is asked about each time: the next one of that name may be restricted.
    return not known.restricted and (known.exists or not namespace)


class DenyList:
    """Revoked tokens, asked for every `every_s` seconds."""

    def __init__(
        self,
        ask: Callable[[], Awaitable[frozenset[str]]],
        clock: Clock,
        *,
        every_s: float = EVERY_S,
        sleep: Callable[[float], Coroutine[Any, Any, None]] = asyncio.sleep,
    ) -> None:
        self._ask, self._clock, self._every_s, self._sleep = ask, clock, every_s, sleep
        self._tokens: frozenset[str] = frozenset()
        self._asked: float | None = None
        self.silent = True

    def has(self, org: str, jti: str) -> bool:
        return bool(self._tokens) and f"{org}/{jti}" in self._tokens

    def age_s(self) -> float:
        """Seconds since the list was asked for that is known; infinite before the first answer."""
        return float("inf") if self._asked is None else self._clock.monotonic() - self._asked

    async def refresh(self) -> None:
        """Asks once. `silent` says whether the directory failed to answer."""
        asked = self._clock.monotonic()
        try:
            self._tokens = await self._ask()
        except LoomError:
            self._note(silent=True)
            return
        self._asked = asked
        self._note(silent=False)

    async def run(self) -> None:
        """Asks for ever."""
        while True:
            await self._sleep(self._every_s)
            try:
                await self.refresh()
            except Exception:
                log.exception("defect in asking for revoked tokens")
                self._note(silent=True)

    def _note(self, *, silent: bool) -> None:
        if silent and (not self.silent or self._asked is None):
            log.warning("the directory does not answer: writes are refused")
        elif self.silent and not silent:
            log.info("the directory answers")
        self.silent = silent
