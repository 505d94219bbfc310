"""One error shape: every bad call of every op, on every door, gives the same envelope, and shows nothing that was sent."""

import re
from collections.abc import Iterator

import pytest

from runtime.optable import load_ops
from tests.support.bad_calls import UNKNOWN_OPS, all_bad, at_the_limit, in_entries
from tests.support.envelope import CALLERS, CANARY, Caller, Failure, Problems, check_detail, failure_of, opened
from tests.support.server import Server


@pytest.fixture(autouse=True)
def nothing_in_the_log(server: Server) -> Iterator[None]:
    yield
    assert CANARY not in server.log.read_text()


def fits(door: Caller, typed: bool) -> bool:
    """Whether the door's callers can send it: a protobuf message has no room for a value of another type."""
    return typed or door.name != "grpc"


@pytest.mark.provokes("INVALID_FIELD", "MISSING_FIELD", "FIELD_TOO_LONG")
@pytest.mark.parametrize("name", CALLERS)
async def test_a_bad_call_fails_alike_on_every_door_and_stores_nothing(
    server: Server, name: str, namespace: str
) -> None:
    problems = Problems()
    async with opened(name, server) as door, opened("http", server) as http:
        for bad in all_bad():
            args = {"namespace": namespace, **bad.args}
            if not fits(door, bad.typed):
                continue
            with problems.of(bad):
                failure = await failure_of(door, bad.op, args)
                assert failure.detail["code"] == bad.code
                assert failure.detail["metadata"]["field"] == bad.field
                assert failure.detail["message"].startswith(bad.field)
                assert failure.told == (await failure_of(http, bad.op, args)).told
        stats = await http.call("observe.stats", {"namespace": namespace})
    assert (problems.found, stats["observations"]) == ({}, 0)


@pytest.mark.provokes("FIELD_TOO_LONG")
@pytest.mark.parametrize("name", ["http", "grpc"])
async def test_the_longest_value_that_is_taken_is_the_limit(server: Server, name: str, namespace: str) -> None:
    problems = Problems()
    async with opened(name, server) as door:
        failure = await failure_of(door, "observe.record", {"tool_name": "x" * 257})
        assert failure.detail["metadata"] == {"field": "tool_name", "limit": "256", "size": "257"}
        for good in (good for op in load_ops() for good in at_the_limit(op)):
            with problems.of(good):
                try:
                    await door.call(good.op, {"namespace": namespace, **good.args})
                except Failure as failure:
                    # Not every text of that length is an instant, a page token or a namespace that there is.
                    assert failure.detail["code"] != "FIELD_TOO_LONG"
    assert problems.found == {}


@pytest.mark.provokes("INVALID_FIELD", "MISSING_FIELD", "FIELD_TOO_LONG")
@pytest.mark.parametrize("name", CALLERS)
async def test_a_bad_entry_is_answered_in_its_place_and_the_others_are_stored(
    server: Server, name: str, namespace: str
) -> None:
    message = load_ops().by_name["observe.record_batch"].request.DESCRIPTOR.fields_by_name["records"].message_type
    async with opened(name, server) as door:
        bad = [each for each in in_entries(message, "records", {"tool_name": "Bash"}) if fits(door, each[1].typed)]
        records = [{"tool_name": "Read", "tool_input": "first"}, *(entry for entry, _, _ in bad), {"tool_name": "Read"}]
        answer = await door.call("observe.record_batch", {"namespace": namespace, "records": records})
        stats = await door.call("observe.stats", {"namespace": namespace})
    problems, results = Problems(), answer["results"]
    assert len(results) == len(records)
    for place, (entry, value, field) in enumerate(bad, 1):
        with problems.of(f"{field} {value.code} {str(entry)[:60]}"):
            detail = check_detail(results[place]["detail"])
            path = f"records[{place}]" + ("" if field == "records" else f".{field}")
            assert (detail["code"], detail["metadata"]["field"]) == (value.code, path)
            assert results[place]["memory_key"] == ""
    assert problems.found == {}
    assert [results[place]["detail"] for place in (0, -1)] == [None, None]
    assert len({result["detail"]["request_id"] for result in results[1:-1]}) == 1
    assert CANARY not in str(answer)
    assert stats["observations"] == 2


@pytest.mark.provokes("UNKNOWN_OP")
@pytest.mark.parametrize("name", ["http", "loom_op", "sdk"])
async def test_an_unknown_op_names_the_nearest_ones_and_not_itself(server: Server, name: str) -> None:
    async with opened(name, server) as door:
        for op, nearest in UNKNOWN_OPS.items():
            detail = (await failure_of(door, op, {"tool_name": CANARY})).detail
            assert detail["code"] == "UNKNOWN_OP"
            assert nearest == detail["metadata"]["nearest"].split(",")[0]
            assert nearest in detail["message"]
            assert not re.search(rf"\b{op}\b", detail["message"])


@pytest.mark.provokes("MISSING_FIELD", "INVALID_FIELD")
async def test_the_generic_tool_names_its_own_arguments(server: Server) -> None:
    async with opened("loom_op", server) as door:
        client = door.client
        for args, code, field in [
            ({}, "MISSING_FIELD", "op"),
            ({"op": ""}, "MISSING_FIELD", "op"),
            ({"op": [CANARY]}, "MISSING_FIELD", "op"),
            ({"op": "observe.list", "arguments": [CANARY]}, "INVALID_FIELD", "arguments"),
            ({"op": "help", "arguments": {"query": {"a": CANARY}}}, "INVALID_FIELD", "arguments.query"),
        ]:
            result = await client.call_tool("loom_op", args)
            assert result.is_error
            detail = check_detail(result.structured_content["detail"])
            assert (detail["code"], detail["metadata"]) == (code, {"field": field})
