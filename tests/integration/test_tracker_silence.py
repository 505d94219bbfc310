"""Two sources through the doors, one of which stops answering: what its callers are told, and what the other notices."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runtime.clock import ManualClock
from tests.support import team_record
from tests.support.clickhouse_http import Server, clickhouse_server
from tests.support.team_record import FLAKY_TEST, PLAIN
from tests.support.tracker_plane import TrackerPlane, tracker_plane

# Each op, and how many statements its first wave has.
OPS: list[tuple[str, dict[str, Any], int]] = [
    ("tracker.item", {"numbers": [1, 100]}, 2),
    ("tracker.links", {"issue_number": 1}, 1),
    ("tracker.flaky", {"test_name": FLAKY_TEST}, 1),
    ("tracker.release", {"version": "2.4.0"}, 2),
    ("tracker.component", {"component": "storage"}, 3),
    ("tracker.similar", {"text": "The order of rows is lost"}, 1),
    ("tracker.similar", {"issue_number": 1}, 1),
    ("tracker.duplicate_check", {"title": "The order of rows is lost", "paths": ["merge.rs"], "mentions": ["#1"]}, 1),
    ("tracker.duplicate_check", {"issue_number": 1}, 1),
    ("tracker.answer", {"question": "Who fixed #1?"}, 2),
    ("tracker.test_signal", {"test_name": FLAKY_TEST}, 4),
    ("tracker.similar", {"text": "compaction loses the order of rows"}, 4),
    ("tracker.duplicate_check", {"title": "Order of rows is lost"}, 4),
    ("tracker.answer", {"question": "How is storage doing?"}, 1),
]
BUDGET_S = 0.1


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with clickhouse_server(tmp_path_factory.mktemp("silent"), user="team", password="word") as server:
        team_record.put(server, "silent", PLAIN)
        yield server


@pytest.fixture
def silent(other: Server) -> Iterator[Server]:
    other.reset()
    yield other
    other.reset()


@pytest.fixture
def well(source_server: Server) -> Server:
    team_record.put(source_server, "well", PLAIN)
    return source_server


async def judged(plane: TrackerPlane, server: Server) -> None:
    """The source is known, and from now on it has little time."""
    assert (await plane.call("tracker.item", namespace="silent", numbers=[1]))["items"]
    plane.hurry(server.port, BUDGET_S)


async def test_an_op_ends_with_the_first_wave_that_is_silent(silent: Server, tmp_path: Path) -> None:
    async with tracker_plane(tmp_path, LOOM_TRACKER_CIRCUIT_FAILURE_THRESHOLD="100") as plane:
        await plane.add(silent, "silent", "silent")
        await judged(plane, silent)
        silent.set(silent=True)
        for op, args, wave in OPS:
            before = len(selects(silent))
            answer = await plane.call(op, namespace="silent", **args)
            assert (answer["tracker_unavailable"], answer["unavailable_reason"]) == (True, "timeout"), op
            assert set(answer["leg_status"].values()) <= {"timeout", "skipped", "refused", "not_asked"}, op
            assert answer.get("epistemic", "unavailable") == "unavailable"
            assert answer.get("missing") in ([], None)
            assert len(selects(silent)) - before <= wave, op


async def test_what_was_read_before_a_leg_failed_stands(silent: Server, tmp_path: Path) -> None:
    async with tracker_plane(tmp_path) as plane:
        await plane.add(silent, "silent", "silent")
        assert (await plane.call("tracker.item", namespace="silent", numbers=[1]))["leg_status"]["ci"] == "ok"
        silent.execute("DROP TABLE silent.checks")
        answer = await plane.call("tracker.item", namespace="silent", numbers=[1])
        again = await plane.call("tracker.item", namespace="silent", numbers=[1])
        team_record.put(silent, "silent", PLAIN)
    assert [item["number"] for item in answer["items"]] == [1]
    assert (answer["tracker_unavailable"], answer["leg_status"]["items"]) == (False, "ok")
    assert answer["leg_status"]["ci"] == "contract"
    # Judged anew, the record has no such table: that is no fault of it.
    assert ("checks" in again["not_provided"], again["leg_status"]["ci"]) == (True, "ok")


@pytest.mark.parametrize("frozen", [True, False], ids=["stopped", "never answers"])
async def test_a_frozen_source_times_out_then_is_left_alone_and_another_one_notices_nothing(
    well: Server, silent: Server, tmp_path: Path, frozen: bool
) -> None:
    clock = ManualClock()
    async with tracker_plane(tmp_path, clock=clock) as plane:
        await plane.add(silent, "silent", "silent")
        await plane.add(well, "well", "well", repos=["Org/repo"])
        await judged(plane, silent)
        if frozen:
            silent.freeze()
        else:
            silent.set(silent=True)
        said = []
        for _ in range(4):
            answer = await plane.call("tracker.links", namespace="silent", issue_number=1)
            said.append(answer["unavailable_reason"])
            other = await plane.call("tracker.links", namespace="well", issue_number=1)
            assert not other["tracker_unavailable"] and other["items"]
        assert said == ["timeout", "timeout", "timeout", "circuit_open"]
        listed = (await plane.call("tracker.source.list"))["sources"]
        assert {each["name"]: each["state"] for each in listed}["silent"] == "circuit_open"
        silent.reset()
        plane.hurry(silent.port, 20.0)
        clock.advance(119.0)
        assert (await plane.call("tracker.links", namespace="silent", issue_number=1))["tracker_unavailable"]
        clock.advance(2.0)
        assert (await plane.call("tracker.links", namespace="silent", issue_number=1))["items"]


async def test_a_check_that_succeeds_closes_the_breaker_and_one_that_fails_does_not(
    silent: Server, tmp_path: Path
) -> None:
    async with tracker_plane(tmp_path, clock=ManualClock()) as plane:
        await plane.add(silent, "silent", "silent")
        await judged(plane, silent)
        silent.set(answer={"status": 503, "headers": {}, "body": ""})

        async def asked() -> str:
            return (await plane.call("tracker.links", namespace="silent", issue_number=1))["unavailable_reason"]

        assert [await asked() for _ in range(4)][2:] == ["unreachable", "circuit_open"]
        assert (await plane.call("tracker.source.check", name="silent"))["verdict"]["reachable"] != "ok"
        assert await asked() == "circuit_open"
        silent.reset()
        plane.hurry(silent.port, 20.0)
        assert await asked() == "circuit_open"
        assert (await plane.call("tracker.source.check", name="silent"))["verdict"]["reachable"] == "ok"
        assert await asked() == ""
        listed = (await plane.call("tracker.source.list"))["sources"]
        assert [each["state"] for each in listed] == ["serving"]


async def test_questions_that_come_while_a_source_is_judged_wait_for_one_judgement(
    silent: Server, tmp_path: Path
) -> None:
    import asyncio

    async with tracker_plane(tmp_path) as plane:
        await plane.add(silent, "silent", "silent")
    silent.reset()
    async with tracker_plane(tmp_path) as plane:
        answers = await asyncio.gather(
            *(plane.call("tracker.links", namespace="silent", issue_number=1) for _ in range(5))
        )
        assert all(answer["items"] for answer in answers)
    assert len([entry for entry in silent.recorded() if "system.columns" in entry["sql"]]) == 1


def selects(server: Server) -> list[dict[str, Any]]:
    """What came that an op sent."""
    return [entry for entry in server.recorded() if "KILL" not in entry["sql"]]
