"""Asking the directory: what is kept, what is shared, what silence means; and the deny list."""

import asyncio
import logging
from pathlib import Path

import pytest

from loom.directory.v1 import access_pb2 as pb
from runtime.call import AUTHORIZATION, ELSEWHERE
from runtime.directory import DenyList
from runtime.errors import LoomError
from runtime.roles import Known
from tests.support.access import ORG, AccessBench

SILENCE = LoomError("UPSTREAM_UNAVAILABLE", "the plane does not answer")


@pytest.fixture
def bench(tmp_path: Path) -> AccessBench:
    return AccessBench(tmp_path / "keys")


async def test_every_question_shows_the_internal_key(bench: AccessBench) -> None:
    await bench.client.known(ORG, "notes", "bot")
    await bench.client.revoked()
    assert bench.directory.metadata == [{AUTHORIZATION: bench.key.header}] * 2


async def test_a_directory_that_does_not_answer_is_asked_once_more_and_at_another_replica(bench: AccessBench) -> None:
    bench.directory.down = SILENCE
    with pytest.raises(LoomError):
        await bench.client.revoked()
    first, second = bench.directory.metadata
    assert second == {**first, **ELSEWHERE}
    assert not set(ELSEWHERE) & set(first)


async def test_a_directory_that_refuses_is_asked_once(bench: AccessBench) -> None:
    bench.directory.down = LoomError("TOKEN_INVALID", "no")
    with pytest.raises(LoomError):
        await bench.client.revoked()
    assert len(bench.directory.metadata) == 1


async def test_an_open_namespace_is_kept_for_five_seconds_and_no_longer(bench: AccessBench) -> None:
    bench.directory.row("notes")
    bench.directory.grant("notes", "bot", "viewer")
    first = await bench.client.known(ORG, "notes", "bot")
    bench.directory.grant("notes", "bot", "admin")
    bench.clock.advance(4.9)
    assert await bench.client.known(ORG, "notes", "bot") == first
    bench.clock.advance(0.2)
    assert (await bench.client.known(ORG, "notes", "bot")).role == "admin"


async def test_the_life_of_what_is_kept_begins_with_the_question(bench: AccessBench) -> None:
    bench.directory.row("notes")

    async def slowly(_: pb.CheckRequest) -> None:
        bench.clock.advance(4)

    bench.directory.before_answer = slowly
    await bench.client.known(ORG, "notes", "bot")
    assert bench.client.kept(ORG, "notes", "bot") is not None
    bench.clock.advance(1)
    assert bench.client.kept(ORG, "notes", "bot") is None


async def test_each_subject_namespace_and_org_is_kept_apart(bench: AccessBench) -> None:
    bench.directory.row("notes")
    bench.directory.row("plans")
    bench.directory.grant("notes", "bot", "admin")
    assert (await bench.client.known(ORG, "notes", "bot")).role == "admin"
    assert (await bench.client.known(ORG, "plans", "bot")).role == ""
    assert (await bench.client.known(ORG, "notes", "ann")).role == ""
    assert not (await bench.client.known("other", "notes", "bot")).exists


@pytest.mark.parametrize("restricted", [True, None])
async def test_a_restricted_or_missing_namespace_is_asked_about_each_time(
    bench: AccessBench, restricted: bool | None
) -> None:
    if restricted:
        bench.directory.row("notes", restricted=True)
    for _ in range(3):
        await bench.client.known(ORG, "notes", "bot")
    assert len(bench.directory.asked) == 3


async def test_the_standing_in_the_org_is_kept(bench: AccessBench) -> None:
    bench.directory.admins.add((ORG, "ann"))
    for _ in range(3):
        assert (await bench.client.known(ORG, "", "ann")).org_admin
    assert len(bench.directory.asked) == 1


async def test_those_who_ask_the_same_at_once_share_one_question(bench: AccessBench) -> None:
    bench.directory.row("notes")
    gate = asyncio.Event()

    async def wait(_: pb.CheckRequest) -> None:
        await gate.wait()

    bench.directory.before_answer = wait
    asking = [asyncio.create_task(bench.client.known(ORG, "notes", "bot")) for _ in range(20)]
    await asyncio.sleep(0)
    gate.set()
    assert len(set(await asyncio.gather(*asking))) == 1
    assert len(bench.directory.asked) == 1


async def test_an_answer_from_before_a_revocation_is_not_shared_in_a_restricted_namespace(bench: AccessBench) -> None:
    bench.directory.row("notes", restricted=True)
    bench.directory.grant("notes", "bot", "writer")
    gate = asyncio.Event()

    async def wait(_: pb.CheckRequest) -> None:
        await gate.wait()

    bench.directory.before_answer = wait
    early = asyncio.create_task(bench.client.known(ORG, "notes", "bot"))
    await asyncio.wait_for(bench.directory.heard.wait(), 5)
    bench.directory.grant("notes", "bot", "")
    late = asyncio.create_task(bench.client.known(ORG, "notes", "bot"))
    await asyncio.sleep(0)
    gate.set()
    assert ((await early).role, (await late).role) == ("writer", "")


@pytest.mark.parametrize("quitter", [0, 1])
async def test_one_who_gives_up_does_not_end_the_question_of_the_other(bench: AccessBench, quitter: int) -> None:
    bench.directory.row("notes")
    gate = asyncio.Event()

    async def wait(_: pb.CheckRequest) -> None:
        await gate.wait()

    bench.directory.before_answer = wait
    asking = [asyncio.create_task(bench.client.known(ORG, "notes", "bot")) for _ in range(2)]
    await asyncio.wait_for(bench.directory.heard.wait(), 5)
    asking[quitter].cancel()
    await asyncio.gather(asking[quitter], return_exceptions=True)
    gate.set()
    assert (await asking[1 - quitter]).exists
    assert len(bench.directory.asked) == 1


@pytest.mark.parametrize(
    "code", ["UPSTREAM_UNAVAILABLE", "DEADLINE_EXCEEDED", "STORAGE_UNAVAILABLE", "TOKEN_INVALID", "INTERNAL"]
)
async def test_whatever_keeps_the_directory_from_answering_is_unavailable(
    bench: AccessBench, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    bench.directory.down = LoomError(code, "secret words")
    with caplog.at_level(logging.WARNING), pytest.raises(LoomError) as refusal:
        await bench.client.known(ORG, "notes", "bot")
    detail = refusal.value.detail("r")
    assert (detail["code"], detail["metadata"]) == ("UPSTREAM_UNAVAILABLE", {"origin": "directory"})
    assert detail["retry_after_s"] > 0
    assert "secret words" not in caplog.text


@pytest.mark.parametrize("code", ["NAMESPACE_FORBIDDEN", "INVALID_FIELD", "FIELD_TOO_LONG"])
async def test_a_name_that_nobody_can_have_is_forbidden(bench: AccessBench, code: str) -> None:
    bench.directory.down = LoomError(code, "no such name")
    with pytest.raises(LoomError) as refusal:
        await bench.client.known(ORG, "notes", "bot")
    assert refusal.value.code.name == "NAMESPACE_FORBIDDEN"


async def test_a_failed_question_is_asked_again(bench: AccessBench) -> None:
    bench.directory.row("notes")
    bench.directory.down = SILENCE
    with pytest.raises(LoomError):
        await bench.client.known(ORG, "notes", "bot")
    bench.directory.down = None
    assert (await bench.client.known(ORG, "notes", "bot")).exists


async def test_a_row_that_was_made_is_kept(bench: AccessBench) -> None:
    made = await bench.client.ensure(ORG, "notes", "bot", "writer")
    assert made == Known(exists=True, storage_name="notes") == bench.client.kept(ORG, "notes", "bot")
    (request,) = bench.directory.asked
    assert (request.ensure, request.claimed_role) == (True, "writer")


async def test_the_deny_list_is_silent_until_the_first_answer(bench: AccessBench) -> None:
    assert (bench.deny.silent, bench.deny.age_s()) == (True, float("inf"))
    bench.directory.revoked = ["acme/j1"]
    await bench.deny.refresh()
    assert (bench.deny.silent, bench.deny.age_s()) == (False, 0)
    assert bench.deny.has("acme", "j1")
    assert not bench.deny.has("other", "j1") and not bench.deny.has("acme", "j2")


async def test_a_silent_directory_leaves_the_list_as_it_was_and_lets_it_age(bench: AccessBench) -> None:
    bench.directory.revoked = ["acme/j1"]
    await bench.deny.refresh()
    bench.directory.down = SILENCE
    bench.clock.advance(2)
    await bench.deny.refresh()
    assert (bench.deny.silent, bench.deny.age_s(), bench.deny.has("acme", "j1")) == (True, 2, True)
    bench.directory.down = None
    await bench.deny.refresh()
    assert (bench.deny.silent, bench.deny.age_s()) == (False, 0)


async def test_silence_is_logged_once_and_its_end_too(bench: AccessBench, caplog: pytest.LogCaptureFixture) -> None:
    await bench.deny.refresh()
    with caplog.at_level(logging.INFO, "loom.directory"):
        bench.directory.down = SILENCE
        for _ in range(3):
            await bench.deny.refresh()
        bench.directory.down = None
        for _ in range(3):
            await bench.deny.refresh()
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


async def test_the_deny_list_is_asked_for_every_two_seconds_even_after_a_defect(bench: AccessBench) -> None:
    waits: list[float] = []
    asked = 0

    async def ask() -> frozenset[str]:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise RuntimeError("defect")
        return frozenset()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 4:
            raise asyncio.CancelledError

    deny = DenyList(ask, bench.clock, sleep=sleep)
    with pytest.raises(asyncio.CancelledError):
        await deny.run()
    assert (waits, asked, deny.silent) == ([2.0] * 4, 3, False)
