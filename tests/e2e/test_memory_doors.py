"""What memory ops answer, and every way in which they refuse, is the same through every door."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runtime.optable import load_ops
from tests.support.doors import DOORS, Door, DoorError, door
from tests.support.server import Server


@pytest.fixture(params=DOORS)
def any_door(request: pytest.FixtureRequest, server: Server) -> Iterator[Door]:
    yield door(request.param, server)


class Caller:
    """Memory ops of one user through one door."""

    def __init__(self, door: Door, namespace: str) -> None:
        self._door, self._scope = door, {"namespace": namespace, "user_id": "ada"}

    async def __call__(self, op: str, **args: Any) -> dict[str, Any]:
        return await self._door.call(f"memory.{op}", {**self._scope, **args})

    async def save(self, content: str, **args: Any) -> dict[str, Any]:
        return await self("save", content=content, **{"type": "decision", "title": "A title", **args})


@pytest.fixture
def memory(any_door: Door, namespace: str) -> Caller:
    return Caller(any_door, namespace)


# --- the table of outcomes: what was saved before, what is saved now, what becomes of it

TOPIC = {"topic_key": "user/ada/greeting"}
OUTCOMES = [
    ("nothing is there", [], {"content": "one"}, "created", ""),
    ("a topic that nothing is under", [{"content": "one"}], {"content": "one", **TOPIC}, "created", ""),
    ("another text of a topic", [{"content": "one", **TOPIC}], {"content": "two", **TOPIC}, "updated", ""),
    ("the text of a topic", [{"content": "one", **TOPIC}], {"content": "one", **TOPIC}, "deduped", ""),
    ("a text without a topic again", [{"content": "one"}], {"content": "one"}, "deduped", ""),
    (
        "a text without a topic as another kind",
        [{"content": "one"}],
        {"content": "one", "type": "pattern"},
        "created",
        "",
    ),
    (
        "a text that was current before",
        [{"content": "one", **TOPIC}, {"content": "two", **TOPIC}],
        {"content": "one", **TOPIC},
        "updated",
        "",
    ),
    (
        "another title",
        [{"content": "one", **TOPIC}],
        {"content": "one", "title": "Another", **TOPIC},
        "deduped",
        "title was kept",
    ),
    (
        "another title and type",
        [{"content": "one", **TOPIC}],
        {"content": "one", "title": "Another", "type": "pattern", **TOPIC},
        "deduped",
        "title and type were kept",
    ),
    (
        "a difference in private text alone",
        [{"content": "one <private>x</private>"}],
        {"content": "one <private>y</private>"},
        "deduped",
        "",
    ),
    (
        "a text of an earlier day",
        [{"content": "new", **TOPIC}],
        {"content": "old", "observed_at": "2024-01-01T00:00:00+01:00", **TOPIC},
        "updated",
        "earlier revision",
    ),
]


@pytest.mark.parametrize(
    ("before", "now", "outcome", "notice"), [row[1:] for row in OUTCOMES], ids=[r[0] for r in OUTCOMES]
)
async def test_a_save_is_created_updated_or_deduped(
    memory: Caller, before: list[dict[str, Any]], now: dict[str, Any], outcome: str, notice: str
) -> None:
    earlier = [await memory.save(**args) for args in before]
    saved = await memory.save(**now)
    assert saved["outcome"] == outcome
    assert notice in saved["notice"]
    assert bool(saved["notice"]) == bool(notice)
    assert saved["topic_key"] == now.get("topic_key")
    assert (saved["id"] in {row["id"] for row in earlier}) == (outcome != "created")
    assert 1 <= saved["id"] < 2**53
    assert len({row["session_id"] for row in (*earlier, saved)}) == 1
    found = (await memory("get_observation", observation_id=saved["id"]))["observation"]
    assert found["revision_count"] == 1 + sum(row["outcome"] == "updated" for row in (*earlier, saved))


async def test_a_batch_answers_each_item_as_a_single_save_does(memory: Caller) -> None:
    rows = [{"content": "one", **TOPIC}, {"content": "two", **TOPIC}, {"content": "two", **TOPIC}, {"content": ""}]
    answer = await memory("save_batch", items=[{"type": "decision", "title": "t", **row} for row in rows])
    assert [row["outcome"] for row in answer["results"]] == ["created", "updated", "deduped", ""]
    assert [row["detail"] and row["detail"]["code"] for row in answer["results"]] == [None, None, None, "MISSING_FIELD"]
    assert answer["results"][3]["detail"]["metadata"] == {"field": "items[3].content"}


# --- every error

GOOD = {"content": "c", "type": "decision", "title": "t"}
ERRORS = [
    ("save", {**GOOD, "content": " \n"}, "INVALID_FIELD", "content"),
    ("save", {**GOOD, "title": "\u3000"}, "INVALID_FIELD", "title"),
    ("save", {**GOOD, "type": "fact"}, "INVALID_FIELD", "type"),
    ("save", {**GOOD, "type": "summary"}, "INVALID_FIELD", "type"),
    ("save", {**GOOD, "topic_key": ""}, "INVALID_FIELD", "topic_key"),
    ("save", {**GOOD, "topic_key": " "}, "INVALID_FIELD", "topic_key"),
    ("save", {**GOOD, "observed_at": "2026-01-01"}, "INVALID_FIELD", "observed_at"),
    ("save", {"type": "decision", "title": "t"}, "MISSING_FIELD", "content"),
    ("save", {"content": "c", "title": "t"}, "MISSING_FIELD", "type"),
    ("save", {"content": "c", "type": "decision"}, "MISSING_FIELD", "title"),
    ("save", {**GOOD, "content": "x" * 50_001}, "FIELD_TOO_LONG", "content"),
    ("save", {**GOOD, "title": "x" * 501}, "FIELD_TOO_LONG", "title"),
    ("save", {**GOOD, "topic_key": "x" * 513}, "FIELD_TOO_LONG", "topic_key"),
    ("save_batch", {"items": [GOOD] * 501}, "FIELD_TOO_LONG", "items"),
    ("save_batch", {}, "MISSING_FIELD", "items"),
    ("session_end", {"summary": "x"}, "SESSION_NOT_FOUND", None),
    ("session_end", {"summary": "  "}, "INVALID_FIELD", "summary"),
    ("session_end", {}, "MISSING_FIELD", "summary"),
    ("session_summary", {"summary": "  "}, "INVALID_FIELD", "summary"),
    ("session_summary", {"summary": "x" * 20_001}, "FIELD_TOO_LONG", "summary"),
    ("search", {"query": "  "}, "INVALID_FIELD", "query"),
    ("search", {"query": "x", "limit": 0}, "INVALID_FIELD", "limit"),
    ("search", {"query": "x", "limit": 101}, "INVALID_FIELD", "limit"),
    ("search", {"query": "x", "types": ["decision"], "types_exclude": ["pattern"]}, "INVALID_FIELD", "types_exclude"),
    ("search", {"query": "x", "types": ["fact"]}, "INVALID_FIELD", "types[0]"),
    ("search", {"query": "x", "as_of": "then"}, "INVALID_FIELD", "as_of"),
    ("search", {"query": "x", "min_score": 1.5}, "INVALID_FIELD", "min_score"),
    ("search", {"query": "x", "min_score": -0.1}, "INVALID_FIELD", "min_score"),
    ("search", {"query": "x", "types_exclude": ["fact"]}, "INVALID_FIELD", "types_exclude[0]"),
    ("search", {"query": "x", "since": "2026-13-01T00:00:00Z"}, "INVALID_FIELD", "since"),
    ("search", {"query": "x", "until": "then"}, "INVALID_FIELD", "until"),
    ("search", {}, "MISSING_FIELD", "query"),
    ("list", {"page_size": 0}, "INVALID_FIELD", "page_size"),
    ("list", {"types": ["fact"]}, "INVALID_FIELD", "types[0]"),
    ("list", {"until": "never"}, "INVALID_FIELD", "until"),
    ("list", {"page_token": "x"}, "INVALID_FIELD", "page_token"),
    ("list", {"since": "never"}, "INVALID_FIELD", "since"),
    ("list", {"page_size": 501}, "INVALID_FIELD", "page_size"),
    ("export", {"page_token": "x"}, "INVALID_FIELD", "page_token"),
    ("export", {"page_size": 0}, "INVALID_FIELD", "page_size"),
    ("get_observation", {"observation_id": 0}, "INVALID_FIELD", "observation_id"),
    ("get_observation", {"observation_id": -5}, "INVALID_FIELD", "observation_id"),
    ("get_observation", {}, "MISSING_FIELD", "observation_id"),
    ("timeline", {"observation_id": 0}, "INVALID_FIELD", "observation_id"),
    ("timeline", {"observation_id": 1, "before": -1}, "INVALID_FIELD", "before"),
    ("timeline", {"observation_id": 1, "after": -1}, "INVALID_FIELD", "after"),
    ("revisions", {"observation_id": 0}, "INVALID_FIELD", "observation_id"),
    ("revisions", {}, "MISSING_FIELD", "observation_id"),
    ("update", {"observation_id": 0, "title": "t"}, "INVALID_FIELD", "observation_id"),
    ("update", {"observation_id": 1}, "INVALID_FIELD", "content"),
    ("update", {"observation_id": 1, "title": " "}, "INVALID_FIELD", "title"),
    ("update", {"observation_id": 1, "type": "summary"}, "INVALID_FIELD", "type"),
    ("update", {"observation_id": 1, "title": "t"}, "OBSERVATION_NOT_FOUND", None),
    ("update", {"observation_id": 1, "content": "x" * 50_001}, "FIELD_TOO_LONG", "content"),
    ("delete", {"observation_id": 0}, "INVALID_FIELD", "observation_id"),
    ("delete", {}, "MISSING_FIELD", "observation_id"),
    ("context", {"budget_chars": 0}, "INVALID_FIELD", "budget_chars"),
    ("suggest_topic_key", {"type": "fact", "title": "t"}, "INVALID_FIELD", "type"),
    ("suggest_topic_key", {"type": "decision", "title": " "}, "INVALID_FIELD", "title"),
    ("import_batch", {}, "MISSING_FIELD", "records"),
    ("session_start", {"user_id": "x" * 257}, "FIELD_TOO_LONG", "user_id"),
    ("stats", {"user_id": "x" * 257}, "FIELD_TOO_LONG", "user_id"),
]


def test_every_op_has_a_row_in_the_table_of_errors() -> None:
    ops = {name.removeprefix("memory.") for name in load_ops().by_name if name.startswith("memory.")}
    assert {row[0] for row in ERRORS} == ops
    assert {
        *READS,
        *BY_ID,
        "save",
        "save_batch",
        "session_end",
        "session_summary",
        "suggest_topic_key",
        "import_batch",
    } == ops


@pytest.mark.parametrize(
    ("op", "args", "code", "field"), ERRORS, ids=[f"{e[0]}-{e[3]}-{i}" for i, e in enumerate(ERRORS)]
)
async def test_what_cannot_be_served_is_refused_by_code_and_field(
    server: Server, namespace: str, op: str, args: dict[str, Any], code: str, field: str | None
) -> None:
    messages = set()
    for name in DOORS:
        with pytest.raises(DoorError) as caught:
            await Caller(door(name, server), namespace)(op, **args)
        assert (caught.value.code, caught.value.detail["metadata"].get("field")) == (code, field)
        messages.add(caught.value.detail["message"])
    assert len(messages) == 1


# --- the life of a memory and of a session


async def test_sessions_and_what_is_worth_knowing_first(memory: Caller) -> None:
    first = await memory("session_start")
    assert first == {"session_id": first["session_id"], "is_new": True, "sessions_context": [], "memories": []}
    saved = await memory.save("We use Postgres", title="Database")
    summary = await memory("session_summary", summary="Chose a database")
    assert saved["session_id"] == summary["session_id"] == first["session_id"]
    ended = await memory("session_end", summary="All done")
    assert (ended["session_id"], ended["summary"], ended["is_auto_generated"]) == (
        first["session_id"],
        "All done",
        False,
    )
    second = await memory("session_start")
    assert second["is_new"]
    assert [past["summary"] for past in second["sessions_context"]] == ["All done"]
    assert {row["title"] for row in second["memories"]} == {"Database", "Chose a database"}
    context = await memory("context")
    assert "All done" in context["text"]
    assert "We use Postgres" in context["text"]
    assert await memory("stats") == {"observations": 2, "sessions": 2, "by_type": {"decision": 1, "summary": 1}}


async def test_a_memory_from_its_first_text_to_its_end(memory: Caller) -> None:
    saved = await memory.save("tabs", **TOPIC)
    id_ = saved["id"]
    await memory("update", observation_id=id_, content="spaces")
    revisions = (await memory("revisions", observation_id=id_))["revisions"]
    assert [(row["revision"], row["content"]) for row in revisions] == [(2, "spaces"), (1, "tabs")]
    for op in ("list", "timeline"):
        args = {"observation_id": id_} if op == "timeline" else {}
        [row] = (await memory(op, **args))["observations"]
        assert (row["id"], row["snippet"], row["topic_key"]) == (id_, "spaces", TOPIC["topic_key"])
    records = (await memory("export"))["records"]
    assert [text["content"] for text in records[0]["revisions"]] == ["tabs", "spaces"]
    imported = (await memory("import_batch", records=records, user_id="bob"))["results"]
    assert [(result["added"], result["detail"]) for result in imported] == [(2, None)]
    assert await memory("delete", observation_id=id_) == {"deleted": True, "evidence": []}
    assert await memory("delete", observation_id=id_) == {"deleted": False, "evidence": []}
    assert await memory("get_observation", observation_id=id_) == {"found": False, "observation": None}
    assert (await memory("get_observation", observation_id=imported[0]["id"], user_id="bob"))["found"]
    key = await memory("suggest_topic_key", type="preference", title="Tabs or spaces")
    assert key == {"topic_key": "preferences/tabs-spaces"}


READS = {
    "list": {},
    "search": {"query": "what is mine"},
    "context": {},
    "stats": {},
    "export": {},
    "session_start": {},
}
BY_ID = {"get_observation": {}, "timeline": {}, "revisions": {}, "update": {"title": "taken"}, "delete": {"hard": True}}
OTHERS = ({"user_id": "bob"}, {"user_id": "-"}, {"namespace": "elsewhere"}, {"org": "other"})


async def outcome(memory: Caller, op: str, **args: Any) -> dict[str, Any]:
    """The answer or the error, without what differs from call to call."""
    try:
        answer = await memory(op, **args)
    except DoorError as error:
        answer = error.detail
    return {name: value for name, value in answer.items() if name not in ("request_id", "session_id")}


@pytest.mark.parametrize("other", OTHERS, ids=[next(iter(other.values())) for other in OTHERS])
async def test_a_filter_by_user_or_namespace_holds(memory: Caller, namespace: str, other: dict[str, str]) -> None:
    other = {name: f"{namespace}-{value}" if name == "namespace" else value for name, value in other.items()}
    nobody = {**other, "user_id": "nobody"}
    id_ = (await memory.save("What is mine.", title="Mine", **TOPIC))["id"]
    before = [await memory("revisions", observation_id=id_), await memory("export")]
    for op, args in READS.items():
        assert await outcome(memory, op, **args, **other) == await outcome(memory, op, **args, **nobody), op
        assert "mine" not in str(await outcome(memory, op, **args, **other)).lower(), op
    for op, args in BY_ID.items():
        foreign = await outcome(memory, op, observation_id=id_, **args, **other)
        assert foreign == await outcome(memory, op, observation_id=id_ ^ 1, **args, **other), op
        assert str(id_) not in str(foreign), op
    saved = await memory.save("What is theirs.", title="Theirs", **TOPIC, **other)
    assert (saved["outcome"], saved["id"] == id_, saved["similar"]) == ("created", False, [])
    assert [await memory("revisions", observation_id=id_), await memory("export")] == before
    assert [hit["id"] for hit in (await memory("search", query="what is mine or theirs"))["hits"]] == [id_]


async def test_no_door_tells_or_logs_a_private_text(server: Server, memory: Caller) -> None:
    secret = "zebra-4711-quagga"
    hidden = f"<private>{secret}</private>"
    saved = await memory.save(f"a {hidden}", title=f"t {hidden}", topic_key="k")
    await memory("session_summary", summary=f"s {hidden}")
    await memory("update", observation_id=saved["id"], content=f"b {hidden}")
    await memory("session_end", summary=f"e {hidden}")
    with pytest.raises(DoorError) as caught:
        await memory.save("x", type=secret)
    assert secret not in str(caught.value.detail)
    with pytest.raises(DoorError) as caught:
        await memory.save("x", topic_key=f"k {hidden}")
    assert caught.value.detail["metadata"]["field"] == "topic_key"
    assert secret not in str(caught.value.detail)
    found = (await memory("get_observation", observation_id=saved["id"]))["observation"]
    assert (found["content"], found["topic_key"]) == ("b [REDACTED]", "k")
    assert secret not in server.log.read_text()
    for folder, _, names in os.walk(server.data):
        for path in (Path(folder) / name for name in names):
            with contextlib.suppress(FileNotFoundError):  # the engine merges its files as it likes
                assert not path.is_file() or secret.encode() not in path.read_bytes()  # the socket is not a file
