"""Token mode over several scopes, over first writes and storage names, and while the directory is silent."""

from pathlib import Path
from typing import Any

import pytest

from loom.directory.v1 import access_pb2
from loom.observe.v1 import observe_pb2
from runtime.call import Call
from runtime.errors import LoomError
from tests.support.access import ORG, AccessBench

SILENCE = LoomError("UPSTREAM_UNAVAILABLE", "the plane does not answer")
READ, WRITE, ADMINS = "observe.get", "observe.record", "namespace.members"


@pytest.fixture
def bench(tmp_path: Path) -> AccessBench:
    return AccessBench(tmp_path / "keys")


def get(bench: AccessBench, token: str | None, namespace: str = "notes", **fields: Any) -> Call:
    return bench.call(READ, token, namespace=namespace, memory_key="k", **fields)


def record(bench: AccessBench, token: str | None, namespace: str = "notes", **fields: Any) -> Call:
    return bench.call(WRITE, token, namespace=namespace, tool_name="Bash", **fields)


# --- batches


def batch(bench: AccessBench, token: str, *records: dict[str, str], **fields: Any) -> Call:
    items = [observe_pb2.BatchRecord(tool_name="Bash", **fields) for fields in records]
    return bench.call("observe.record_batch", token, records=items, **{"namespace": "notes"} | fields)


@pytest.mark.parametrize(
    ("item", "code"),
    [
        ({}, "OK"),
        ({"namespace": "notes", "org": ORG}, "OK"),
        ({"namespace": "plans"}, "OK"),
        ({"namespace": "other"}, "NAMESPACE_FORBIDDEN"),
        ({"namespace": "read"}, "ROLE_REQUIRED"),
        ({"org": "other"}, "NAMESPACE_FORBIDDEN"),
        ({"user_id": "bob"}, "NAMESPACE_FORBIDDEN"),
        ({"user_id": "-"}, "OK"),
    ],
)
async def test_every_scope_in_a_batch_is_judged(bench: AccessBench, item: dict[str, str], code: str) -> None:
    token = bench.token("notes:writer", "plans:writer", "read:viewer", sub="ann", kind="user")
    assert await bench.code(batch(bench, token, {}, item)) == code


async def test_a_refused_entry_refuses_the_batch_before_any_row_is_made(bench: AccessBench) -> None:
    token = bench.token("notes:writer")
    await bench.code(batch(bench, token, {}, {"namespace": "other"}))
    assert not bench.directory.rows


async def test_each_namespace_of_a_batch_is_asked_about_once(bench: AccessBench) -> None:
    bench.directory.row("notes")
    bench.directory.row("plans")
    token = bench.token("notes:writer", "plans:writer")
    await bench.enter(batch(bench, token, *({"namespace": name} for name in ("notes", "plans") * 20)))
    assert [request.namespace for request in bench.directory.asked] == ["notes", "plans"]


# --- first writes and storage names


async def test_the_first_write_makes_the_row_and_a_read_does_not(bench: AccessBench) -> None:
    token = bench.token("notes:writer")
    assert await bench.code(get(bench, token)) == "OK"
    assert not bench.directory.rows
    assert await bench.code(record(bench, token)) == "OK"
    assert (ORG, "notes") in bench.directory.rows
    made = [request for request in bench.directory.asked if request.ensure]
    assert [(request.subject, request.claimed_role) for request in made] == [("bot", "writer")]
    assert await bench.code(record(bench, token)) == "OK"
    assert len([request for request in bench.directory.asked if request.ensure]) == 1


async def test_a_write_that_is_no_good_makes_no_row(bench: AccessBench) -> None:
    call = bench.call(WRITE, bench.token("notes:writer"), namespace="notes")
    assert await bench.code(call) == "MISSING_FIELD"
    assert not bench.directory.rows


async def test_a_namespace_that_became_restricted_meanwhile_stays_shut(bench: AccessBench) -> None:
    bench.directory.ensured = {"restricted": True}
    assert await bench.code(record(bench, bench.token("notes:admin"))) == "NAMESPACE_FORBIDDEN"


async def test_the_plane_sees_the_storage_name_and_messages_the_public_one(bench: AccessBench) -> None:
    bench.directory.row("notes", storage_name="notes␟2")
    for call in (get(bench, bench.token("notes:writer")), record(bench, bench.token("notes:writer"))):
        await bench.enter(call)
        assert (call.request.namespace, call.namespace) == ("notes␟2", "notes")


async def test_entries_of_a_batch_are_renamed_too(bench: AccessBench) -> None:
    bench.directory.row("notes", storage_name="notes␟2")
    bench.directory.row("plans")
    token = bench.token("notes:writer", "plans:writer")
    call = await bench.enter(batch(bench, token, {}, {"namespace": "notes"}, {"namespace": "plans"}, namespace="plans"))
    assert [item.namespace for item in call.request.records] == ["", "notes␟2", "plans"]


async def test_a_name_that_was_removed_reads_its_next_life_before_the_first_write(bench: AccessBench) -> None:
    bench.directory._answer = lambda request: access_pb2.CheckResponse(storage_name="notes␟2")  # type: ignore[method-assign]
    call = await bench.enter(get(bench, bench.token("notes:viewer")))
    assert call.request.namespace == "notes␟2"


async def test_a_storage_name_from_outside_is_refused(bench: AccessBench) -> None:
    bench.directory.row("notes", storage_name="notes␟2")
    for token in (bench.token("notes:admin"), bench.token("*:admin")):
        assert await bench.code(get(bench, token, "notes␟2")) == "NAMESPACE_FORBIDDEN"


async def test_the_directory_itself_sees_public_names(bench: AccessBench) -> None:
    bench.directory.row("notes", storage_name="notes␟2")
    call = await bench.enter(bench.call(ADMINS, bench.token("notes:admin"), namespace="notes"))
    assert call.request.namespace == "notes"


# --- silence


async def warm(bench: AccessBench, *, restricted: bool = False) -> str:
    """A token that has been used, and a directory that answers no more."""
    bench.directory.row("notes", restricted=restricted)
    bench.directory.grant("notes", "bot", "admin")
    token = bench.token("notes:admin")
    assert await bench.code(record(bench, token)) == "OK"
    bench.directory.down = SILENCE
    return token


async def test_before_the_first_answer_nothing_is_served(bench: AccessBench) -> None:
    bench.directory.row("notes")
    assert await bench.code(get(bench, bench.token("notes:viewer")), fresh=False) == "UPSTREAM_UNAVAILABLE"


async def test_writes_fail_closed_while_the_directory_is_silent(bench: AccessBench) -> None:
    token = await warm(bench)
    with pytest.raises(LoomError) as caught:
        await bench.enter(record(bench, token))
    assert (caught.value.code.name, caught.value.metadata) == ("UPSTREAM_UNAVAILABLE", {"origin": "directory"})
    assert caught.value.retry_after_s


async def test_reads_of_a_restricted_namespace_fail_closed(bench: AccessBench) -> None:
    token = await warm(bench, restricted=True)
    assert await bench.code(get(bench, token)) == "UPSTREAM_UNAVAILABLE"
    assert await bench.code(get(bench, token), fresh=False) == "UPSTREAM_UNAVAILABLE"


async def test_reads_of_a_restricted_namespace_need_a_fresh_deny_list_too(bench: AccessBench) -> None:
    token = await warm(bench, restricted=True)
    bench.directory.down = None
    await bench.deny.refresh()
    bench.deny.silent = True
    assert await bench.code(get(bench, token), fresh=False) == "UPSTREAM_UNAVAILABLE"


async def test_reads_of_an_open_namespace_go_on_for_the_caches_life(bench: AccessBench) -> None:
    token = await warm(bench)
    bench.clock.advance(4.9)
    assert await bench.code(get(bench, token)) == "OK"
    bench.clock.advance(0.2)
    assert await bench.code(get(bench, token)) == "UPSTREAM_UNAVAILABLE"


async def test_a_deny_list_that_is_too_old_protects_nobody(bench: AccessBench) -> None:
    bench.directory.row("notes")
    token = bench.token("notes:viewer")
    assert await bench.code(get(bench, token)) == "OK"
    bench.clock.advance(5.1)
    assert await bench.code(get(bench, token), fresh=False) == "UPSTREAM_UNAVAILABLE"


async def test_all_goes_on_when_the_directory_is_back(bench: AccessBench) -> None:
    token = await warm(bench)
    assert await bench.code(record(bench, token)) == "UPSTREAM_UNAVAILABLE"
    bench.directory.down = None
    assert await bench.code(record(bench, token)) == "OK"
