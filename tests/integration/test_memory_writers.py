"""Many writers at once: in one process, and in two server processes on one ClickHouse."""

import asyncio
import secrets

import pytest

from tests.support.clickhouse_http import clickhouse_server
from tests.support.doors import door
from tests.support.memory import memory_plane
from tests.support.server import Server
from tests.support.stores import chdb_store

WRITERS = 32
LIMIT_S = 120.0
TEXTS = [f"text {number}" for number in range(WRITERS)]


async def test_many_writers_of_one_topic_in_one_process_lose_nothing(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store) as memory:
        saves = await asyncio.gather(*(memory.save(text, topic_key="a") for text in TEXTS))
        assert sorted(save["outcome"] for save in saves) == ["created", *["updated"] * (WRITERS - 1)]
        [id_] = {save["id"] for save in saves}
        found = (await memory("get_observation", observation_id=id_))["observation"]
        assert found["revision_count"] == WRITERS
        revisions = (await memory("revisions", observation_id=id_))["revisions"]
        assert sorted(row["content"] for row in revisions) == sorted(TEXTS)
        assert revisions[0]["content"] == found["content"]
        assert (await memory("stats")) == {"observations": 1, "sessions": 1, "by_type": {"decision": 1}}


async def test_the_same_save_by_many_at_once_is_stored_once(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store) as memory:
        for args in ({}, {"topic_key": "a"}):
            saves = await asyncio.gather(*(memory.save("same", **args) for _ in range(WRITERS)))
            assert sorted(save["outcome"] for save in saves) == ["created", *["deduped"] * (WRITERS - 1)]
            [id_] = {save["id"] for save in saves}
            found = (await memory("get_observation", observation_id=id_))["observation"]
            assert found["revision_count"] == 1


@pytest.fixture(scope="module")
def two_servers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("two")
    with clickhouse_server(folder / "clickhouse", user="loom", password="secret") as clickhouse:
        env = {"LOOM_CLICKHOUSE_DSN": clickhouse.dsn(f"loom_{secrets.token_hex(4)}")}
        servers = [Server(folder / f"data{n}", folder / f"log{n}", env) for n in range(2)]
        with servers[0], servers[1]:
            yield servers


def caller(server, namespace):
    http = door("http", server)

    async def call(op, **args):
        return await http.call(f"memory.{op}", {"namespace": namespace, "user_id": "ada", **args})

    return call


async def test_many_writers_of_one_topic_in_two_processes_lose_nothing(two_servers, namespace):
    calls = [caller(server, namespace) for server in two_servers]
    async with asyncio.timeout(LIMIT_S):
        saves = await asyncio.gather(
            *(
                calls[number % 2]("save", content=text, type="decision", title=f"t{number}", topic_key="a")
                for number, text in enumerate(TEXTS)
            )
        )
        assert {save["outcome"] for save in saves} <= {"created", "updated"}
        [id_] = {save["id"] for save in saves}
        assert len({save["session_id"] for save in saves}) == 1
        for call in calls:
            found = (await call("get_observation", observation_id=id_))["observation"]
            assert found["revision_count"] == WRITERS
            revisions = (await call("revisions", observation_id=id_))["revisions"]
            assert sorted(row["content"] for row in revisions) == sorted(TEXTS)
            assert revisions[0]["content"] == found["content"]
            [row] = (await call("list"))["observations"]
            assert (row["id"], row["title"]) == (id_, found["title"])
            assert await call("stats") == {"observations": 1, "sessions": 1, "by_type": {"decision": 1}}
        last = await calls[0]("save", content="the last word", type="decision", title="t", topic_key="a")
        assert last["outcome"] == "updated"
        again = await calls[1]("save", content="the last word", type="decision", title="t", topic_key="a")
        assert again["outcome"] == "deduped"
        found = (await calls[1]("get_observation", observation_id=id_))["observation"]
        assert (found["content"], found["revision_count"]) == ("the last word", WRITERS + 1)


async def test_the_same_texts_from_two_processes_are_stored_once(two_servers, namespace):
    calls = [caller(server, namespace) for server in two_servers]
    items = [{"content": f"c{i}", "type": "decision", "title": "t"} for i in range(20)]
    async with asyncio.timeout(LIMIT_S):
        answers = await asyncio.gather(*(call("save_batch", items=items) for call in (*calls, *calls)))
        ids = [[result["id"] for result in answer["results"]] for answer in answers]
        assert ids.count(ids[0]) == 4
        assert (await calls[0]("stats"))["observations"] == 20
        for id_ in ids[0][:3]:
            assert (await calls[1]("get_observation", observation_id=id_))["observation"]["revision_count"] == 1


async def test_two_processes_go_on_with_one_session_and_end_it_for_both(two_servers, namespace):
    calls = [caller(server, namespace) for server in two_servers]
    async with asyncio.timeout(LIMIT_S):
        started = await asyncio.gather(*(call("session_start") for call in (*calls, *calls)))
        [session_id] = {answer["session_id"] for answer in started}
        ended = await calls[0]("session_end", summary="done")
        assert ended["session_id"] == session_id
        following = await calls[1]("session_start")
        assert following["is_new"]
        assert [past["summary"] for past in following["sessions_context"]] == ["done"]
