"""No op ever returns or reveals another's row, whatever is done by whom in which order."""

import itertools
import json
import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtime.errors import LoomError
from runtime.optable import load_ops
from tests.support.memory import memory_plane
from tests.support.stores import chdb_store

SCOPES = list(itertools.product("ab", "cd", ["e", "f", "-"]))
MISSING = 1234567
BY_ID = ("get_observation", "timeline", "revisions", "update", "delete")
OPS = (
    "save",
    "save_topic",
    "save_batch",
    "session_start",
    "session_summary",
    "session_end",
    "list",
    "search",
    "context",
    "stats",
    "export",
    "import_batch",
    *BY_ID,
)
STEPS = st.lists(st.tuples(st.sampled_from(SCOPES), st.sampled_from(OPS), st.integers(0, 9)), min_size=8, max_size=40)


@pytest.fixture
async def memory(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store) as plane:
        yield plane


def test_every_op_is_among_the_steps():
    ops = {name.removeprefix("memory.") for name in load_ops().by_name if name.startswith("memory.")}
    assert ops - {"suggest_topic_key"} == set(OPS) - {"save_topic"}  # it reads nothing that is stored


def mark(scope):
    """A word that only texts of the scope have."""
    return "zq" + "".join(scope).replace("-", "shared") + "qz"


class World:
    """Does steps, and keeps who has which ids."""

    def __init__(self, memory):
        self.memory, self.run, self.ids, self.exported = memory, uuid.uuid4().hex, {}, []
        self.texts = dict.fromkeys(SCOPES, 0)

    async def call(self, scope, op, **args):
        org, namespace, user = scope
        answer = await self.memory(op, org=org + self.run, namespace=namespace, user_id=user, **args)
        self.check(scope, answer)
        return answer

    def check(self, scope, answer):
        text = json.dumps(answer)
        for other in SCOPES:
            assert other == scope or mark(other) not in text
        for id_ in ids_in(answer):
            assert self.ids.setdefault(id_, scope) == scope

    async def step(self, scope, op, number):
        item = {"content": f"text {number} of {mark(scope)}", "type": "decision", "title": f"title {mark(scope)}"}
        if op == "save":
            await self.call(scope, "save", **item)
        elif op == "save_topic":
            await self.call(scope, "save", **item, topic_key="same topic of all")
        elif op == "save_batch":
            await self.call(scope, op, items=[item, {**item, "topic_key": f"k{number}"}])
        elif op == "session_start":
            await self.call(scope, op)
        elif op in ("session_summary", "session_end"):
            await self.quietly(scope, op, summary=f"summary of {mark(scope)}")
        elif op == "search":
            await self.quietly(scope, op, query=f"text title {mark(SCOPES[number % len(SCOPES)])}")
        elif op == "export":
            await self.call(scope, op)
        elif op == "import_batch":
            own = (await self.call(scope, "export"))["records"]
            await self.call(scope, op, records=own or [one_record(item)])
        elif op in BY_ID:
            await self.by_id(scope, op, number)
        else:
            await self.call(scope, op)

    async def quietly(self, scope, op, **args):
        try:
            await self.call(scope, op, **args)
        except LoomError as error:
            assert error.code.name == "SESSION_NOT_FOUND"
            assert "zq" not in error.message

    async def by_id(self, scope, op, number):
        """An id of another's, where there is one, answers as a missing one does."""
        args = {"title": f"changed {mark(scope)}"} if op == "update" else {}
        others = [id_ for id_, owner in self.ids.items() if owner != scope]
        own = [id_ for id_, owner in self.ids.items() if owner == scope]
        if others:
            foreign = await self.outcome(scope, op, observation_id=others[number % len(others)], **args)
            assert foreign == await self.outcome(scope, op, observation_id=MISSING, **args)
        if own:
            await self.outcome(scope, op, observation_id=own[number % len(own)], **args)

    async def outcome(self, scope, op, **args):
        try:
            return await self.call(scope, op, **args)
        except LoomError as error:
            return error.code.name, error.message, error.metadata


def one_record(item):
    return {"revisions": [{**item, "said_at": "2025-01-01T00:00:00Z"}]}


def ids_in(answer):
    if isinstance(answer, dict):
        if answer.get("id"):
            yield answer["id"]
        for value in answer.values():
            yield from ids_in(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from ids_in(value)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
async def test_nobody_ever_sees_or_changes_anothers_memories(memory, steps):
    world = World(memory)
    for scope, op, number in steps:
        await world.step(scope, op, number)
    before = {scope: await world.call(scope, "export") for scope in SCOPES}
    for scope in SCOPES:
        for id_, owner in world.ids.items():
            if owner != scope:
                await world.outcome(scope, "update", observation_id=id_, title="taken")
                await world.outcome(scope, "delete", observation_id=id_)
    assert {scope: await world.call(scope, "export") for scope in SCOPES} == before


async def test_the_shared_memory_is_nobodys_own(memory):
    shared = await memory.save("for all", user_id="-")
    assert (await memory.save("for all", user_id=""))["id"] == shared["id"]
    assert (await memory("list", user_id="ada"))["observations"] == []
    assert len((await memory("list", user_id=""))["observations"]) == 1
    assert (await memory("get_observation", observation_id=shared["id"]))["found"] is False
