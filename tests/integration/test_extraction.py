"""The hand-over to the extraction worker: claims under a lease, and their end, on the real engine."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from loom.observe.v1 import extraction_pb2 as xpb
from loom.observe.v1 import observe_pb2 as pb
from runtime.clock import ManualClock
from runtime.errors import LoomError
from runtime.identity import SingleUser
from runtime.links import server_chain
from runtime.metrics import Metrics
from runtime.optable import load_ops, methods_of
from runtime.plane import Parts
from runtime.settings import load_all
from runtime.store import Store
from runtime.telemetry import Telemetry
from runtime.transport import InProcess
from services.observe.build import build
from services.observe.ops.crystallize import NO_LEASE
from services.observe.settings import ObserveSettings
from services.observe.states import CLAIMED, EMPTY, EXTRACTED, READY, version
from services.observe.store import ObserveStore, StateRow
from tests.support.stores import chdb_store

RPCS = {method.rpc: method for method in methods_of(xpb.DESCRIPTOR.services_by_name["ExtractionService"])}
LEASE_S = 60
TIMEOUT_S = 30.0


class Observe:
    """The plane over its chain, as the gateway and the memory plane call it."""

    def __init__(self, plane: InProcess, clock: ManualClock, store: Store) -> None:
        self._plane, self.clock, self.store = plane, clock, store

    async def op(self, name: str, request: Any) -> Any:
        return await self._plane.call(load_ops().by_name[name], request, {}, TIMEOUT_S)

    async def record(self, *numbers: int, session: str = "s", org: str = "acme", namespace: str = "n") -> list[str]:
        """Records calls whose tools ran at these seconds; the keys."""
        records = [
            pb.BatchRecord(tool_name="Bash", tool_input=str(number), observed_at=f"2026-01-01T00:00:{number:02}Z")
            for number in numbers
        ]
        request = pb.RecordBatchRequest(org=org, namespace=namespace, session_id=session, records=records)
        return [result.memory_key for result in (await self.op("observe.record_batch", request)).results]

    async def crystallize(self, session: str = "s", most: int = 500, **scope: str) -> int:
        scope = {"org": "acme", "namespace": "n", **scope}
        request = pb.CrystallizeRequest(session_id=session, max_observations=most, **scope)
        return (await self.op("observe.crystallize", request)).enqueued

    async def ready(self, *numbers: int, session: str = "s", **scope: str) -> list[str]:
        """Records and queues; the keys."""
        keys = await self.record(*numbers, session=session, **scope)
        assert await self.crystallize(session, **scope) == len(numbers)
        return keys

    async def claim(self, limit: int = 100, lease_s: int = LEASE_S) -> xpb.ClaimReadyResponse:
        request = xpb.ClaimReadyRequest(limit=limit, lease_s=lease_s)
        return await self._plane.call(RPCS["ClaimReady"], request, {}, TIMEOUT_S)

    async def claimed_keys(self, limit: int = 100, lease_s: int = LEASE_S) -> list[str]:
        return keys_of(await self.claim(limit, lease_s))

    async def complete(self, *ends: tuple[str, Sequence[str]], namespace: str = "n") -> tuple[int, int]:
        """How many were completed and how many ignored."""
        completions = [
            xpb.Completion(org="acme", namespace=namespace, memory_key=key, memories=memories) for key, memories in ends
        ]
        request = xpb.CompleteRequest(completions=completions)
        answer = await self._plane.call(RPCS["Complete"], request, {}, TIMEOUT_S)
        return answer.completed, answer.ignored

    async def states(self) -> dict[str, str]:
        listed = await self.op("observe.list", pb.ListRequest(org="acme", namespace="n", page_size=500))
        return {row.memory_key: row.state for row in listed.observations}

    async def by_state(self) -> dict[str, int]:
        return dict((await self.op("observe.stats", pb.StatsRequest(org="acme", namespace="n"))).by_state)


def keys_of(claimed: xpb.ClaimReadyResponse) -> list[str]:
    return [item.observation.memory_key for item in claimed.observations]


@asynccontextmanager
async def observe_over(store: Store, clock: ManualClock) -> AsyncIterator[Observe]:
    chain = server_chain(
        "observe", telemetry=Telemetry(), metrics=Metrics(), authenticator=SingleUser("dev", "local"), clock=clock
    )
    plane = await build(Parts(load_all([ObserveSettings], {}), store, chain, clock))
    try:
        yield Observe(InProcess(plane.bound), clock, store)
    finally:
        await plane.close()


@pytest.fixture
async def observe(tmp_path: Path) -> AsyncIterator[Observe]:
    async with chdb_store(tmp_path, group_window_ms=0.0) as store, observe_over(store, ManualClock()) as built:
        yield built


async def test_from_recording_to_its_end_an_observation_goes_through_every_state(observe: Observe) -> None:
    keys = await observe.record(1, 2, 3, 4)
    assert await observe.by_state() == {"pending": 4}
    assert await observe.crystallize(most=3) == 3
    assert await observe.by_state() == {"pending": 1, "ready": 3}
    claimed = await observe.claim(limit=2)
    assert await observe.by_state() == {"pending": 1, "ready": 1, "claimed": 2}
    assert await observe.complete((keys[0], ["m1", "m2"]), (keys[1], [])) == (2, 0)
    assert claimed.claim_id
    assert await observe.by_state() == {"pending": 1, "ready": 1, "extracted": 1, "empty": 1}
    assert await observe.states() == dict(zip(keys, ["extracted", "empty", "ready", "pending"], strict=True))


async def test_a_claim_carries_the_observation_and_the_scope_of_its_memories(observe: Observe) -> None:
    [key] = await observe.ready(7, org="other", namespace="far")
    claimed = await observe.claim()
    [item] = claimed.observations
    assert (item.org, item.namespace, item.observation.memory_key) == ("other", "far", key)
    assert (item.observation.kind, item.observation.tool_name) == ("command_run", "Bash")
    assert item.observation.observed_at == "2026-01-01T00:00:07.000000Z"
    assert "7" in item.observation.narrative


async def test_nothing_ready_is_an_empty_claim(observe: Observe) -> None:
    await observe.record(1)
    claimed = await observe.claim()
    assert (claimed.claim_id, len(claimed.observations)) == ("", 0)


async def test_what_is_claimed_is_not_claimed_again_while_the_lease_holds(observe: Observe) -> None:
    keys = await observe.ready(1, 2)
    assert await observe.claimed_keys() == keys
    assert await observe.claimed_keys() == []
    observe.clock.advance(LEASE_S - 0.001)
    assert await observe.claimed_keys() == []
    assert set((await observe.states()).values()) == {"claimed"}


async def test_an_expired_lease_returns_its_rows_under_a_new_claim(observe: Observe) -> None:
    keys = await observe.ready(1, 2)
    first = await observe.claim()
    observe.clock.advance(LEASE_S)
    assert await observe.by_state() == {"ready": 2}
    again = await observe.claim()
    assert keys_of(again) == keys
    assert again.claim_id not in ("", first.claim_id)
    observe.clock.advance(LEASE_S)
    assert await observe.claimed_keys() == keys


async def test_a_worker_that_comes_late_may_still_end_its_claim_and_the_first_end_stands(observe: Observe) -> None:
    [key] = await observe.ready(1)
    await observe.claim()
    observe.clock.advance(LEASE_S)
    await observe.claim()
    assert await observe.complete((key, ["from the first worker"])) == (1, 0)
    observe.clock.advance(1)
    assert await observe.complete((key, [])) == (0, 1)
    assert await observe.states() == {key: "extracted"}
    observe.clock.advance(10 * LEASE_S)
    assert await observe.claimed_keys() == []


async def test_claimers_at_once_never_get_the_same_row(observe: Observe) -> None:
    keys = await observe.ready(*range(20)) + await observe.ready(*range(20), session="t")
    claims = await asyncio.gather(*(observe.claim(limit=7) for _ in range(8)))
    got = [key for claim in claims for key in keys_of(claim)]
    assert len(got) == len(set(got)) == len(keys)
    assert set(got) == set(keys)
    ids = [claim.claim_id for claim in claims if claim.claim_id]
    assert len(set(ids)) == len(ids) == 6


async def test_completing_twice_is_harmless(observe: Observe) -> None:
    [key] = await observe.ready(1)
    await observe.claim()
    assert await observe.complete((key, ["m"])) == (1, 0)
    assert await observe.complete((key, ["m"])) == (0, 1)
    assert await observe.complete((key, [])) == (0, 1)
    assert await observe.states() == {key: "extracted"}


async def test_of_two_ends_in_one_call_the_first_stands(observe: Observe) -> None:
    [key] = await observe.ready(1)
    await observe.claim()
    assert await observe.complete((key, []), (key, ["m"])) == (1, 1)
    assert await observe.states() == {key: "empty"}


async def test_completers_at_once_end_a_row_once(observe: Observe) -> None:
    keys = await observe.ready(*range(5))
    await observe.claim()
    done = await asyncio.gather(*(observe.complete(*((key, ["m"]) for key in keys)) for _ in range(4)))
    assert sorted(done) == [(0, 5), (0, 5), (0, 5), (5, 0)]


async def test_what_is_not_known_or_not_queued_is_ignored(observe: Observe) -> None:
    [pending] = await observe.record(1)
    [queued] = await observe.ready(2, session="t")
    assert await observe.complete((pending, ["m"]), ("obs:s:ffffffffffffffffffffffff", ["m"])) == (0, 2)
    assert await observe.complete((queued, ["m"]), namespace="another") == (0, 1)
    assert await observe.states() == {pending: "pending", queued: "ready"}


async def test_a_sessions_rows_are_claimed_oldest_first_whatever_the_order_of_recording(observe: Observe) -> None:
    keys = await observe.ready(5, 1, 4, 2, 3)
    in_time = [keys[1], keys[3], keys[4], keys[2], keys[0]]
    assert await observe.claimed_keys(limit=2) == in_time[:2]
    assert await observe.claimed_keys(limit=3) == in_time[2:]


async def test_rows_of_an_expired_lease_are_claimed_oldest_first_too(observe: Observe) -> None:
    keys = await observe.ready(5, 1, 4, 2, 3)
    in_time = [keys[1], keys[3], keys[4], keys[2], keys[0]]
    await observe.claim()
    observe.clock.advance(LEASE_S)
    assert await observe.claimed_keys(limit=2) == in_time[:2]
    assert await observe.claimed_keys(limit=3) == in_time[2:]


async def test_rows_that_were_queued_by_two_calls_are_given_oldest_first(observe: Observe) -> None:
    keys = await observe.record(*range(8))
    assert await observe.crystallize(most=4) == 4
    assert await observe.crystallize(most=4) == 4
    assert await observe.claimed_keys(limit=5) == keys[:5]
    assert await observe.claimed_keys() == keys[5:]


async def test_a_claim_goes_session_by_session(observe: Observe) -> None:
    first = await observe.record(1, 3, session="a")
    second = await observe.record(2, 4, session="b")
    await observe.crystallize("b")
    await observe.crystallize("a")
    assert await observe.claimed_keys() == first + second


async def test_queueing_again_leaves_claimed_and_ended_rows_alone(observe: Observe) -> None:
    keys = await observe.ready(1, 2)
    await observe.claim(limit=1)
    await observe.complete((keys[0], ["m"]))
    await observe.claim(limit=1)
    await observe.record(1, 2)
    assert await observe.crystallize() == 0
    assert await observe.states() == {keys[0]: "extracted", keys[1]: "claimed"}
    [late] = await observe.record(3)
    assert await observe.crystallize() == 1
    assert await observe.claimed_keys() == [late]


async def test_a_row_that_was_claimed_more_often_than_the_column_counts_stops_nobody(observe: Observe) -> None:
    worn, fresh = await observe.ready(1, 2)
    now = observe.clock.now()
    last = StateRow("acme", "n", "s", worn, CLAIMED, "c", 65535, now, [], version(CLAIMED, 65535, now))
    await ObserveStore(observe.store, observe.clock).set_states([last], None)
    observe.clock.advance(1)
    assert await observe.claimed_keys(limit=1) == [fresh]


@pytest.mark.parametrize(("field", "value"), [("limit", -1), ("limit", 1001), ("lease_s", -1), ("lease_s", 3601)])
async def test_a_claim_out_of_its_range_is_refused(observe: Observe, field: str, value: int) -> None:
    with pytest.raises(LoomError) as failed:
        await observe.claim(**{field: value})
    assert (failed.value.code.name, failed.value.metadata["field"]) == ("INVALID_FIELD", field)


async def test_the_engine_keeps_the_same_state_whatever_order_the_rows_come_in(observe: Observe) -> None:
    store, start = ObserveStore(observe.store, observe.clock), observe.clock.now()
    at = [start + timedelta(seconds=second) for second in range(4)]
    written = [
        (READY, 0, at[3], "", []),
        (CLAIMED, 1, at[1], "expired", []),
        (CLAIMED, 2, at[2], "second", []),
        (EXTRACTED, 0, at[2], "", ["m"]),
        (EMPTY, 0, at[3], "", []),
    ]
    orders = {f"obs:s:{number:024}": order for number, order in enumerate(itertools.permutations(written))}
    # Each wave is an insert of its own, so the engine itself puts the rows of one observation together.
    for wave in range(len(written)):
        rows = [state_row(key, *order[wave]) for key, order in orders.items()]
        await store.set_states(rows, None)
    kept = await store.states_of("acme", "n", list(orders), None)
    assert {(row["state"], row["attempt"]) for row in kept.values()} == {(EXTRACTED, 0)}
    assert len(kept) == len(orders)


def state_row(key: str, state: str, attempt: int, at: datetime, claim_id: str, memories: list[str]) -> StateRow:
    found = version(state, attempt, at)
    return StateRow("acme", "n", "s", key, state, claim_id, attempt, NO_LEASE, memories, found)
