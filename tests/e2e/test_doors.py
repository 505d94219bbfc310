"""The same op through HTTP, MCP, gRPC and the SDK is the same op."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.doors import DOORS, Door, door
from tests.support.server import Server

CALL: dict[str, Any] = {
    "agent": "claude-code",
    "user_id": "ada",
    "session_id": "s-1",
    "run_id": "run-7",
    "tool_name": "Edit",
    "tool_input": {"file_path": "/src/app.py", "z": 1, "a": [1, 2.5, None, True], "big": 12345678901234567890123},
    "tool_output": "ok",
    "file_paths": ["/src/app.py", "docs/é.md"],
    "tags": ["mine", "observation"],
    "observation_date": "2026-03-04",
    "action_type": "fix",
    "metadata": {"anything": [1]},
    "observed_at": "2026-03-04T10:00:00.5+02:00",
}


@pytest.fixture(params=DOORS)
def any_door(request: pytest.FixtureRequest, server: Server) -> Iterator[Door]:
    yield door(request.param, server)


async def test_a_record_gives_the_same_answer_and_the_same_row_on_every_door(server: Server, namespace: str) -> None:
    answers, rows = [], []
    for place, name in enumerate(DOORS):
        this = door(name, server)
        own = f"{namespace}-{place}"
        answers.append(await this.call("observe.record", {**CALL, "namespace": own}))
        listed = await this.call("observe.list", {"namespace": own})
        rows.append(listed["observations"])
    # The namespace is in the key's hash, and the server's clock in recorded_at: all the rest must agree.
    for answer in answers:
        assert answer.pop("memory_key").startswith("obs:s-1:")
    for [row] in rows:
        assert row.pop("memory_key").startswith("obs:s-1:")
        assert row.pop("recorded_at")
    assert all(answer == answers[0] for answer in answers)
    assert all(page == rows[0] for page in rows)
    assert answers[0]["tags"] == ["observation", "file_edit", "app.py", "é.md", "action:fix", "mine"]
    assert rows[0][0]["observed_at"] == "2026-03-04T08:00:00.500000Z"
    assert rows[0][0]["valid_at"] == "2026-03-04"


async def test_one_call_through_every_door_is_one_row(server: Server, namespace: str) -> None:
    answers = [await door(name, server).call("observe.record", {**CALL, "namespace": namespace}) for name in DOORS]
    keys = {answer["memory_key"] for answer in answers}
    assert len(keys) == 1
    listed = await door("http", server).call("observe.list", {"namespace": namespace})
    assert [row["memory_key"] for row in listed["observations"]] == list(keys)


async def test_the_same_query_by_any_door_gives_the_same_rows(server: Server, namespace: str) -> None:
    records = [{"tool_name": f"tool{i}", "tool_input": i, "observed_at": f"2026-01-01T00:00:{i:02}Z"} for i in range(7)]
    await door("http", server).call("observe.record_batch", {"namespace": namespace, "records": records})
    query = {"namespace": namespace, "since": "2026-01-01T00:00:02Z", "page_size": 3}
    pages = [await door(name, server).call("observe.list", query) for name in DOORS]
    assert all(page == pages[0] for page in pages)
    assert [row["tool_name"] for row in pages[0]["observations"]] == ["tool2", "tool3", "tool4"]
    token = pages[0]["next_page_token"]
    seconds = [await door(name, server).call("observe.list", {**query, "page_token": token}) for name in DOORS]
    assert all(page == seconds[0] for page in seconds)
    assert [row["tool_name"] for row in seconds[0]["observations"]] == ["tool5", "tool6"]
    assert seconds[0]["next_page_token"] == ""


async def test_many_ids_are_fetched_at_once(any_door: Door, namespace: str) -> None:
    records = [{"tool_name": "Read", "tool_input": i} for i in range(5)]
    stored = await any_door.call("observe.record_batch", {"namespace": namespace, "records": records})
    keys = [result["memory_key"] for result in stored["results"]]
    asked = [keys[3], "obs:-:ffffffffffffffffffffffff", keys[0], keys[3]]
    found = await any_door.call("observe.get", {"namespace": namespace, "memory_keys": asked})
    assert [row["memory_key"] for row in found["observations"]] == [keys[3], keys[0]]
    assert (found["found"], found["missing"]) == (False, ["obs:-:ffffffffffffffffffffffff"])
    assert found["observation"] is None


async def test_a_key_fetches_its_row_and_another_namespace_has_none(any_door: Door, namespace: str) -> None:
    key = (await any_door.call("observe.record", {"namespace": namespace, "tool_name": "Bash"}))["memory_key"]
    mine = await any_door.call("observe.get", {"namespace": namespace, "memory_key": key})
    assert (mine["found"], mine["observation"]["memory_key"]) == (True, key)
    other = await any_door.call("observe.get", {"namespace": namespace + "x", "memory_key": key})
    missing = await any_door.call("observe.get", {"namespace": namespace + "x", "memory_key": "obs:-:00"})
    assert (other["found"], other["observation"]) == (False, None)
    assert {**other, "missing": []} == {**missing, "missing": []}


# An MCP client of the handshake era always has a session.
@pytest.mark.parametrize("name", [name for name in DOORS if name != "mcp-legacy"])
async def test_an_observation_before_its_session_is_known_is_kept(server: Server, namespace: str, name: str) -> None:
    any_door = door(name, server)
    stored = await any_door.call(
        "observe.record", {"namespace": namespace, "tool_name": "Bash", "tool_input": {"command": "ls"}}
    )
    assert stored["memory_key"].startswith("obs:-:")
    listed = await any_door.call("observe.list", {"namespace": namespace, "session_id": "-"})
    assert [row["session_id"] for row in listed["observations"]] == ["-"]


@pytest.mark.parametrize("payload", ["bare text", 42, 0, 1.5, True, False, None, "", [], {}, 2**70])
async def test_a_bare_json_payload_is_stored(any_door: Door, namespace: str, payload: Any) -> None:
    args = {"namespace": namespace, "tool_name": "Custom", "tool_input": payload, "tool_output": payload}
    stored = await any_door.call("observe.record", args)
    found = await any_door.call("observe.get", {"namespace": namespace, "memory_key": stored["memory_key"]})
    narrative = found["observation"]["narrative"]
    assert found["found"]
    if payload in ("bare text", 42, 2**70):
        assert str(payload) in narrative


async def test_unknown_arguments_are_served_and_named(server: Server, namespace: str) -> None:
    for name in ("http", "mcp", "sdk"):
        args = {
            "namespace": namespace,
            "colour": 1,
            "records": [{"tool_name": "A"}, {"tool_name": "B", "shade": {"x": 1}}],
        }
        answer = await door(name, server).call("observe.record_batch", args)
        assert answer["ignored_args"] == ["colour", "records[1].shade"]
        assert [result["detail"] for result in answer["results"]] == [None, None]


async def test_good_items_are_stored_though_others_fail(any_door: Door, namespace: str) -> None:
    records: list[Any] = [
        {"tool_name": "Read", "tool_input": 1},
        {"tool_name": ""},
        {"tool_name": "Read", "observed_at": "yesterday"},
        {"tool_name": "Read", "session_id": "other"},
        {"tool_name": "Read", "tags": ["x" * 300]},
    ]
    answer = await any_door.call(
        "observe.record_batch", {"namespace": namespace, "session_id": "top", "records": records}
    )
    codes = [result["detail"] and result["detail"]["code"] for result in answer["results"]]
    assert codes == [None, "MISSING_FIELD", "INVALID_FIELD", None, "FIELD_TOO_LONG"]
    fields = [result["detail"]["metadata"]["field"] for result in answer["results"] if result["detail"]]
    assert fields == ["records[1].tool_name", "records[2].observed_at", "records[4].tags[0]"]
    listed = await any_door.call("observe.list", {"namespace": namespace})
    assert {row["session_id"] for row in listed["observations"]} == {"top", "other"}


async def test_crystallize_queues_the_oldest_pending_ones_once(any_door: Door, namespace: str) -> None:
    records = [{"tool_name": "Read", "tool_input": i, "observed_at": f"2026-01-01T00:00:0{9 - i}Z"} for i in range(4)]
    scope = {"namespace": namespace, "session_id": "s"}
    await any_door.call("observe.record_batch", {**scope, "records": records})
    first = await any_door.call("observe.crystallize", {**scope, "max_observations": 3})
    assert first == {"enqueued": 3, "session_id": "s"}
    pending = await any_door.call("observe.list", {**scope, "state": "pending"})
    assert [row["observed_at"] for row in pending["observations"]] == ["2026-01-01T00:00:09.000000Z"]
    assert (await any_door.call("observe.crystallize", scope))["enqueued"] == 1
    assert (await any_door.call("observe.crystallize", scope))["enqueued"] == 0
    assert (await any_door.call("observe.stats", {"namespace": namespace}))["by_state"] == {"ready": 4}
    # A hook that fires again now must not put the row back in line.
    await any_door.call("observe.record_batch", {**scope, "records": records})
    assert (await any_door.call("observe.stats", {"namespace": namespace}))["by_state"] == {"ready": 4}


async def test_stats_count_by_kind_session_and_state(any_door: Door, namespace: str) -> None:
    records = [
        {"tool_name": "Bash", "session_id": "a", "observed_at": "2026-01-01T00:00:00Z"},
        {"tool_name": "Bash", "session_id": "a", "error": "exit 1", "observed_at": "2026-01-01T00:00:09Z"},
        {"tool_name": "Read", "session_id": "b", "observed_at": "2026-01-02T00:00:00Z"},
    ]
    await any_door.call("observe.record_batch", {"namespace": namespace, "records": records})
    stats = await any_door.call("observe.stats", {"namespace": namespace})
    assert stats == {
        "observations": 3,
        "sessions": 2,
        "by_kind": {"command_run": 1, "error": 1, "file_read": 1},
        "by_state": {"pending": 3},
        "by_session": [
            {
                "session_id": "b",
                "observations": 1,
                "pending": 1,
                "errors": 0,
                "first_at": "2026-01-02T00:00:00.000000Z",
                "last_at": "2026-01-02T00:00:00.000000Z",
            },
            {
                "session_id": "a",
                "observations": 2,
                "pending": 2,
                "errors": 1,
                "first_at": "2026-01-01T00:00:00.000000Z",
                "last_at": "2026-01-01T00:00:09.000000Z",
            },
        ],
    }
