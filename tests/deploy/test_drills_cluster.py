"""Failure drills: two replicas of everything behind Envoy under constant load.

Whatever happens to one replica, no call fails. Where all of a kind are gone, calls fail in the right words, and it ends
by itself. Nothing that was acknowledged is ever lost. `make drills` prints the table and takes its time; `make test` runs
each drill once.
"""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.drill import CALLERS, NO_PLANE, NO_STORAGE, ROUNDS, Drills, costs_no_call, drills
from tests.support.drill_load import SILENT
from tests.support.drill_source import Asking, source_of
from tests.support.processes import Program


@pytest.fixture(scope="module")
def drilled(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Drills]:
    folder = tmp_path_factory.mktemp("drills")
    with drills(folder, request) as made, source_of(made, folder / "well", "well"):
        made.tracker = "well"
        yield made


async def test_a_killed_replica_of_each_costs_no_call(drilled: Drills) -> None:
    report = await drilled.run("SIGKILL", lambda: drilled.restart(drilled.each(0), Program.kill))
    costs_no_call(report)


async def test_a_rolling_restart_of_everything_costs_no_call(drilled: Drills) -> None:
    codes: list[int] = []

    def roll() -> None:
        for place in (0, 1):
            drilled.restart(drilled.each(place), lambda program: codes.append(program.stop()))

    report = await drilled.run("rolling restart (SIGTERM)", roll)
    assert set(codes) == {0}
    costs_no_call(report)


async def test_a_frozen_replica_of_each_plane_costs_no_call(drilled: Drills) -> None:
    replicas = drilled.each(1)[:-1]
    report = await drilled.run(
        "SIGSTOP, planes", lambda: drilled.freeze(replicas), lasting=lambda: drilled.thaw(replicas)
    )
    costs_no_call(report)


async def test_a_frozen_gateway_costs_at_most_the_calls_that_it_had(drilled: Drills) -> None:
    replicas = drilled.each(1)[-1:]

    def freeze() -> None:
        drilled.freeze(replicas)
        drilled.thaw(replicas)

    report = await drilled.run("SIGSTOP, gateway", freeze)
    # It answers them when it thaws; then their time may be over.
    costs_no_call(report, "DEADLINE_EXCEEDED")
    assert report.failures <= CALLERS * ROUNDS


async def test_replicas_that_fail_every_other_call_cost_no_call(drilled: Drills) -> None:
    def fail(every: int) -> None:
        for name in drilled.cluster.planes:
            drilled.switch(name, fail_every=every)

    try:
        report = await drilled.run("every 2nd call fails", lambda: fail(2), lasting=lambda: fail(0))
    finally:
        fail(0)
    costs_no_call(report)


async def test_a_replica_whose_clock_jumps_costs_no_call(drilled: Drills) -> None:
    def jump(seconds: int) -> None:
        for name in drilled.cluster.planes:
            drilled.switch(name, clock_s=seconds)

    try:
        report = await drilled.run("clock + 1 h, then - 1 h", lambda: jump(3600), lasting=lambda: jump(-3600))
    finally:
        jump(0)
    costs_no_call(report)


async def test_without_the_directory_writes_are_refused_until_it_is_back(drilled: Drills) -> None:
    replicas = [("directory", program) for program in drilled.cluster.planes["directory"]]

    def kill() -> None:
        for _, program in replicas:
            program.kill()

    def start() -> None:
        for _, program in replicas:
            program.launch()
        for name, program in replicas:
            program.await_ready()
            drilled.cluster.until_in_use(name, program)

    report = await drilled.run("directory down and back", kill, lasting=start)
    assert set(report.errors) <= NO_PLANE
    assert report.errors


async def test_without_clickhouse_calls_say_so_until_it_is_back(drilled: Drills) -> None:
    cluster = drilled.cluster
    report = await drilled.run("ClickHouse down and back", cluster.kill_clickhouse, lasting=cluster.restart_clickhouse)
    assert set(report.errors) <= NO_STORAGE
    assert "STORAGE_UNAVAILABLE" in report.errors


async def test_a_frozen_source_is_a_state_of_its_own_tracker_and_costs_no_call(drilled: Drills, tmp_path: Path) -> None:
    with source_of(drilled, tmp_path, "freezes") as source:
        async with Asking(drilled, "freezes") as asking:
            await asyncio.to_thread(asking.until_answered)
            thawed: list[float] = []

            def freeze() -> None:
                source.freeze()
                asking.until_left_alone()

            def thaw() -> None:
                thawed.append(time.monotonic())
                source.thaw()
                asking.until_answered()

            report = await drilled.run("SIGSTOP, a tracker's source", freeze, lasting=thaw)
    costs_no_call(report)
    assert asking.errors == []
    assert {"timeout", "circuit_open"} <= set(asking.states) <= {"", "timeout", "circuit_open"}
    drilled.note(recovered_s=max(0.0, asking.silent_at - thawed[-1]), said=f"{asking.silences} {SILENT}")


async def test_calls_of_one_user_meet_in_one_replica_of_the_memory_plane(drilled: Drills) -> None:
    cluster = drilled.cluster
    token = cluster.keys.token({"met": "admin"}, sub="owner")
    met: set[int] = set()
    async with httpx.AsyncClient(base_url=cluster.base_url, timeout=30, trust_env=False) as http:
        for user in range(16):
            for number in range(3):
                headers = {"authorization": f"Bearer {token}", "x-request-id": f"met-{user}-{number}"}
                args = {"namespace": "met", "user_id": f"u{user}"}
                assert (await http.post("/v1/memory.stats", json=args, headers=headers)).status_code == 200
            logs = [program.log.read_text() for program in cluster.planes["memory"]]
            served = {place for place, log in enumerate(logs) if f'"request_id":"met-{user}-' in log}
            assert len(served) == 1
            met |= served
    assert met == {0, 1}
