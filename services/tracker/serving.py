"""From a registered source to what readings are made of: a client, and the relations of a record that was judged.

A good verdict is renewed behind the questions and never older than some minutes; a bad one is kept for a minute. A read
that finds the record changed has it judged anew, once a minute at most. Questions that come while a source is judged wait
for the same judgement, so that a source which does not answer costs each of them one budget.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from runtime.clock import Clock
from services.tracker.judging import Judged, judged_by
from services.tracker.mapping.model import SourceTable
from services.tracker.reads import NamespaceBinding, Scope
from services.tracker.rows import LOCAL, Bound, SourceRow
from services.tracker.sources.clients import SourceClients
from services.tracker.sources.local import LocalClient
from services.tracker.sources.model import Answer, LiveClient, Target
from services.tracker.sources.secrets import SealError, Vault
from services.tracker.sources.silence import Reason, Silent

GOOD_S, RENEWED_S, BAD_S = 300.0, 150.0, 60.0
SERVING = "serving"
Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Kept:
    """A judgement, by our monotonic clock: when it was made, and whether because a read did not fit the one before."""

    judged: Judged
    at: float
    suspected: bool

    def age(self, now: float) -> float:
        return now - self.at


class Serving:
    """One for the plane. `serve` is the kill switch: off, nothing is sent to any source."""

    def __init__(
        self,
        clients: SourceClients,
        local: LocalClient,
        vault: Vault | None,
        clock: Clock,
        *,
        serve: bool = True,
        checks_from: SourceTable | None = None,
    ) -> None:
        self._clients, self._local, self._vault, self._clock, self._serve = clients, local, vault, clock, serve
        self._checks_from = checks_from
        self._kept: dict[Key, Kept] = {}
        self._suspected: set[Key] = set()
        self._running: dict[Key, asyncio.Task[Judged]] = {}

    async def binding(self, bound: Bound, *, ask: bool = True) -> NamespaceBinding:
        """Never raises for what is wrong with the source: it is silent then, with the reason.

        Without `ask` nothing is sent: of a source that was not judged yet the relations are empty.
        """
        scope = Scope(bound.repos, bound.restricted)
        if not ask:
            kept = self._kept.get(_key(bound.source))
            return NamespaceBinding(bound.namespace, _Nobody(Reason.OFF), scope, kept.judged.relations if kept else {})
        try:
            client = self._client(bound.source)
            judged = await self._judgement(bound.source, client)
        except Silent as silent:
            return NamespaceBinding(bound.namespace, _Nobody(silent.reason), scope, {}, silent.reason)
        watched = _Watched(client, lambda: self._suspect(_key(bound.source)))
        silent_for = None if judged.verdict.ok else Reason.CONTRACT
        return NamespaceBinding(bound.namespace, watched, scope, judged.relations, silent_for)

    async def state(self, bound: Bound) -> tuple[str, list[str], list[str]]:
        """`serving` or the reason of its silence; the features and the tables that it offers, as far as is known."""
        binding = await self.binding(bound)
        kept = self._kept.get(_key(bound.source))
        silent = binding.silent or self._clients.silence(bound.source.id)
        if kept is None:
            return str(silent or SERVING), [], []
        features = kept.judged.verdict.features
        offered = sorted(name for name, each in features.items() if each.provided)
        return str(silent or SERVING), offered, sorted(kept.judged.relations)

    def answered(self, source: SourceRow, *, fits: bool) -> None:
        """A check just had its answers from the source, and whether its record fits: what was held against it is over."""
        self._clients.answered(source.id)
        if fits:
            bad = [key for key, kept in self._kept.items() if key[0] == source.id and not kept.judged.verdict.ok]
            for key in bad:
                del self._kept[key]

    def forget(self, source: SourceRow) -> None:
        """Closes what is open of a source that is gone or changed, once what it runs is answered."""
        for key in [key for key in self._kept if key[0] == source.id]:
            del self._kept[key]
        self._suspected = {key for key in self._suspected if key[0] != source.id}
        self._clients.forget(source.id)

    async def close(self) -> None:
        for task in (running := list(self._running.values())):
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._clients.close()

    def _client(self, source: SourceRow) -> LiveClient:
        """Silent where sources are not read, and where its credentials do not open."""
        if not self._serve:
            raise Silent(Reason.OFF)
        if source.kind == LOCAL:
            return self._local
        if self._vault is None:
            raise Silent(Reason.UNREACHABLE)
        try:
            return self._clients.of(target_of(source, self._vault))
        except SealError:
            raise Silent(Reason.UNREACHABLE) from None

    async def _judgement(self, source: SourceRow, client: LiveClient) -> Judged:
        key = _key(source)
        kept = self._kept.get(key)
        if kept is None or key in self._suspected:
            return await self._judged_anew(source, client)
        age = kept.age(self._clock.monotonic())
        if age >= (GOOD_S if kept.judged.verdict.ok else BAD_S):
            return await self._judged_anew(source, client)
        if kept.judged.verdict.ok and age >= RENEWED_S:
            self._start(source, client)
        return kept.judged

    async def _judged_anew(self, source: SourceRow, client: LiveClient) -> Judged:
        # Shielded: others wait for it too, and go on when this caller gives up.
        return await asyncio.shield(self._start(source, client))

    def _start(self, source: SourceRow, client: LiveClient) -> "asyncio.Task[Judged]":
        key = _key(source)
        running = self._running.get(key)
        if running is None:
            running = self._running[key] = asyncio.create_task(self._judge(source, client))
            running.add_done_callback(lambda task: self._ended(key, task))
        return running

    async def _judge(self, source: SourceRow, client: LiveClient) -> Judged:
        judged = await judged_by(client, source, self._checks_from)
        key = _key(source)
        self._kept[key] = Kept(judged, self._clock.monotonic(), key in self._suspected)
        self._suspected.discard(key)
        return judged

    def _ended(self, key: Key, task: "asyncio.Task[Judged]") -> None:
        self._running.pop(key, None)
        if not task.cancelled():
            task.exception()  # seen: whoever waits has it, and a renewal that nobody waits for is tried again

    def _suspect(self, key: Key) -> None:
        """A read did not fit the record as it was judged. Just judged for that very reason, it is left as it is."""
        kept = self._kept.get(key)
        if kept is not None and not (kept.suspected and kept.age(self._clock.monotonic()) < BAD_S):
            self._suspected.add(key)


class _Watched:
    """Says so when a read finds that the record is not what it was judged to be."""

    def __init__(self, client: LiveClient, changed: Callable[[], None]) -> None:
        self._client, self._changed = client, changed

    async def rows(
        self, name: str, sql: str, params: Mapping[str, Any] | None = None, *, budget_s: float | None = None
    ) -> Answer:
        try:
            return await self._client.rows(name, sql, params, budget_s=budget_s)
        except Silent as silent:
            if silent.reason is Reason.CONTRACT:
                self._changed()
            raise

    async def close(self) -> None:
        """The client is its owner's."""


class _Nobody:
    """Stands for a client where there is none to ask."""

    def __init__(self, reason: Reason) -> None:
        self._reason = reason

    async def rows(
        self, name: str, sql: str, params: Mapping[str, Any] | None = None, *, budget_s: float | None = None
    ) -> Answer:
        raise Silent(self._reason)

    async def close(self) -> None:
        """Nothing to let go of."""


def target_of(source: SourceRow, vault: Vault) -> Target:
    """Raises SealError for credentials whose key is not here."""
    login = orjson.loads(vault.open(source.login, source.org, source.id))
    return Target(
        source_id=source.id,
        host=source.host,
        port=source.port,
        secure=source.secure,
        database=source.database,
        user=login["user"],
        password=login["password"],
    )


def _key(source: SourceRow) -> Key:
    return source.id, source.version
