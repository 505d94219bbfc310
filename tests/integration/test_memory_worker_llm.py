"""Extraction with a language model: a stand-in that drafts, fails, hangs and lies."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from runtime.clock import ManualClock
from runtime.llm import Llm, LlmError
from runtime.peers import Peers
from runtime.settings import SettingsError, load
from services.memory.workers.settings import ExtractionSettings
from tests.integration.test_memory_worker import DECISION, DISCOVERY, SESSION, SUMMARY, dying
from tests.support.extraction import LEASE_S, Planes, planes
from tests.support.llm import HANG, Answering, Asked, reply, stand_in
from tests.support.stores import chdb_store

SHORT_S, LONG_S = 0.2, 30.0


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
async def both(tmp_path: Path) -> AsyncIterator[Planes]:
    async with chdb_store(tmp_path) as store, planes(store) as running:
        yield running


def drafting(*titles: str, **changed: Any) -> Answering:
    """A model that drafts decisions of the first observation that it is shown."""

    def answer(asked: Asked) -> tuple[int, bytes]:
        first = asked.observations[0]["id"]
        memory = {"type": "decision", "content": "What it says.", "evidence": [first], **changed}
        return reply({"memories": [{**memory, "title": title} for title in titles]})

    return answer


async def extract(both: Planes, answering: Answering, *, timeout_s: float = LONG_S, peers: Peers | None = None) -> Any:
    """One round of a worker with that model; the stand-in."""
    async with stand_in(answering) as endpoint:
        llm = Llm(endpoint.base_url, "a-model", "a-key", timeout_s, ManualClock())
        worker = both.worker(llm=llm, peers=peers)
        try:
            await worker.round()
        finally:
            await worker.close()
        return endpoint


async def test_the_model_writes_the_drafts_and_the_rules_the_summary(both: Planes) -> None:
    keys = await both.record("s", SESSION)
    endpoint = await extract(both, drafting("Money is cents"))
    found = {memory["title"]: memory for memory in await both.memories()}
    assert set(found) == {"Money is cents", SUMMARY}
    assert found["Money is cents"]["source"] == "extracted"
    assert found["Money is cents"]["evidence"] == [keys[0]]
    [asked] = endpoint.asked
    assert (asked.path, asked.headers["authorization"], asked.body["model"]) == (
        "/v1/chat/completions",
        "Bearer a-key",
        "a-model",
    )
    for name in ("ada", '"s"', "obs:", "claude-code", "local"):
        assert name not in asked.body["messages"][1]["content"]


async def test_the_summary_of_the_model_is_the_sessions_summary(both: Planes) -> None:
    await both.record("s", SESSION)
    await extract(both, drafting("All about the cart", type="summary"))
    assert [memory["title"] for memory in await both.memories()] == ["All about the cart"]


@pytest.mark.parametrize(
    "answering",
    [
        lambda _: (500, b"no"),
        lambda _: (401, b"{}"),
        lambda _: (200, b"not json"),
        lambda _: (200, b'{"choices": []}'),
        lambda _: (200, b'{"choices": [{"message": {"content": null}}]}'),
        lambda _: (200, b'"' + b"x" * (2 << 20) + b'"'),
        lambda _: reply("I think that"),
        lambda _: reply({"memories": "none"}),
        drafting("lie", evidence=["o99"]),
        drafting("lie", evidence=[]),
        drafting("lie", type="rumour"),
        drafting("lie", content=""),
    ],
)
async def test_where_the_model_fails_or_lies_the_rules_draft(
    both: Planes, answering: Callable[[Asked], tuple[int, bytes]]
) -> None:
    await both.record("s", SESSION)
    await extract(both, answering)
    assert {memory["title"] for memory in await both.memories()} == {DISCOVERY, DECISION, SUMMARY}
    assert both.counts["llm_failed"] == 1
    assert await both.states() == {"extracted": 4, "empty": 1}


async def test_where_the_model_hangs_the_rules_draft(both: Planes) -> None:
    await both.record("s", SESSION)
    await extract(both, lambda _: (200, HANG), timeout_s=SHORT_S)
    assert {memory["title"] for memory in await both.memories()} == {DISCOVERY, DECISION, SUMMARY}


async def test_where_nobody_listens_the_rules_draft(both: Planes) -> None:
    await both.record("s", SESSION)
    async with stand_in(lambda _: (200, b"")) as endpoint:
        url = endpoint.base_url
    worker = both.worker(llm=Llm(url, "m", "", LONG_S, ManualClock()))
    await worker.round()
    await worker.close()
    assert len(await both.memories()) == 3


async def test_of_a_true_and_a_lying_draft_the_true_one_is_kept(both: Planes) -> None:
    await both.record("s", SESSION)

    def half(asked: Asked) -> tuple[int, bytes]:
        first = asked.observations[0]["id"]
        memories = [
            {"type": "decision", "title": "true", "content": "It is.", "evidence": [first]},
            {"type": "decision", "title": "false", "content": "It is not.", "evidence": [first, "o99"]},
        ]
        return reply({"memories": memories})

    await extract(both, half)
    assert [memory["title"] for memory in await both.memories()] == [SUMMARY, "true"]
    assert both.counts["llm_dropped"] == 1


async def test_private_text_that_a_model_makes_up_is_taken_out(both: Planes) -> None:
    await both.record("s", SESSION)
    await extract(both, drafting("A title", content="It is <private>hunter2</private>."))
    found = {memory["title"]: memory["content"] for memory in await both.memories()}
    assert found["A title"] == "It is [REDACTED]."


async def test_a_session_that_a_killed_worker_had_drafted_is_not_drafted_again(both: Planes) -> None:
    await both.record("s", [SESSION[0]])
    with pytest.raises(BaseException):  # noqa: B017 - the process of the worker dies
        await extract(both, drafting("first wording"), peers=dying(both, "Complete"))
    both.clock.advance(LEASE_S + 1)
    endpoint = await extract(both, drafting("other wording"))
    assert endpoint.asked == []
    assert [memory["title"] for memory in await both.memories() if memory["type"] == "decision"] == ["first wording"]
    assert await both.states() == {"extracted": 1}


async def test_rows_without_content_are_not_sent(both: Planes) -> None:
    await both.record("s", [{"tool_name": "mcp__loom__memory_save", "tool_input": {"content": "secret"}}])
    endpoint = await extract(both, drafting("x"))
    assert endpoint.asked == []
    assert await both.memories() == []


async def test_an_endpoint_that_fails_again_and_again_is_left_alone_for_a_while() -> None:
    clock = ManualClock()
    async with stand_in(lambda _: (503, b"")) as endpoint:
        llm = Llm(endpoint.base_url, "m", "", LONG_S, clock)
        for _ in range(5):
            with pytest.raises(LlmError):
                await llm.answer("system", "user")
        assert len(endpoint.asked) == 3
        assert "authorization" not in endpoint.asked[0].headers
        clock.advance(61)
        with pytest.raises(LlmError, match="503"):
            await llm.answer("system", "user")
        assert len(endpoint.asked) == 4
        await llm.close()


@pytest.mark.parametrize(
    "environ",
    [
        {"LOOM_LLM_BASE_URL": "http://127.0.0.1:1/v1"},
        {"LOOM_LLM_MODEL": "m"},
        {"LOOM_LLM_BASE_URL": "ftp://x", "LOOM_LLM_MODEL": "m"},
    ],
)
def test_an_endpoint_that_is_half_described_is_a_wrong_setting(environ: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match="LOOM_LLM_BASE_URL"):
        _ = load(ExtractionSettings, environ).has_llm


def test_no_text_leaves_an_installation_by_default() -> None:
    assert not load(ExtractionSettings, {}).has_llm


def test_the_key_is_not_shown() -> None:
    settings = load(ExtractionSettings, {"LOOM_LLM_API_KEY": "sk-secret"})
    assert "sk-secret" not in repr(settings)
