"""`search` in token mode, each plane in a process of its own: memories by the caller's own token, trackers by theirs."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support import team_record
from tests.support.clickhouse_http import Server as ClickHouse
from tests.support.clickhouse_http import clickhouse_server
from tests.support.guarded import DOORS, OK, ORG, Answer, Http, Keys, Mcp, token_door
from tests.support.processes import Program, gateway, plane
from tests.support.team_record import PLAIN
from tests.support.tracker_plane import source

NOTES, TRACKER = "notes", "trk"
QUERY = "Compaction loses the order of rows and fails"
SECRET = "pelican"
MEMORIES = (
    "Compaction keeps the order of rows",
    "Billing moves to the new ledger",
    "Retries use full jitter",
    "Deploys wait for the canary",
)
BOTH = {NOTES: "writer", TRACKER: "viewer"}
ENV = {
    "LOOM_RATE_LIMIT_PER_S": "0",
    "LOOM_BREAKER_OPEN_S": "0.2",
    "LOOM_TRACKER_ORG": ORG,
    "LOOM_TRACKER_WORKERS": "off",
    "LOOM_TRACKER_SOURCE_HOSTS": "loopback",
    "LOOM_SECRET_KEY": "5a" * 32,
    "LOOM_EMBEDDER_KIND": "none",
    # Longer than a leg of search has: what is silent is given up by its leg.
    "LOOM_TRACKER_LIVE_BUDGET_MS": "20000",
    "LOOM_TRACKER_LIVE_TIMEOUT_S": "20",
}


@dataclass
class Loom:
    """The programs, and who may call what."""

    keys: Keys
    memory: Program
    tracker: Program
    front: Program
    team: ClickHouse
    is_filled: bool = False

    @property
    def base_url(self) -> str:
        return self.front.base_url

    @property
    def grpc(self) -> str:
        """The gateway has no such door; the plane has its own."""
        return self.tracker.grpc

    def token(self, roles: dict[str, str], who: str = "owner") -> str:
        return self.keys.token(roles, sub=who)


@pytest.fixture(scope="module")
def loom(tmp_path_factory: pytest.TempPathFactory, _source_server: ClickHouse) -> Iterator[Loom]:
    folder = tmp_path_factory.mktemp("search")
    keys = Keys(folder / "keys")
    _source_server.reset()
    team_record.put(_source_server, "search_everywhere", PLAIN)
    with ExitStack() as stack:
        store = stack.enter_context(clickhouse_server(folder / "data", user="loom", password="p@ss/word"))
        env = {**ENV, "LOOM_KEYS_DIR": str(keys.folder)}

        def started(program: Program) -> Program:
            stack.callback(program.stop)
            return program.start()

        directory = started(plane("directory", folder / "directory.log", store.dsn("loom"), **env))
        env["LOOM_DIRECTORY"] = directory.address
        memory = started(plane("memory", folder / "memory.log", store.dsn("loom"), **env))
        env["LOOM_PEERS"] = f"memory={memory.address},directory={directory.address}"
        tracker = started(plane("tracker", folder / "tracker.log", store.dsn("loom"), **env))
        planes = {"directory": directory, "memory": memory, "tracker": tracker}
        upstreams = ",".join(f"{name}={program.address}" for name, program in planes.items())
        front = started(gateway(folder / "gateway.log", upstreams, **env))
        yield Loom(keys, memory, tracker, front, _source_server)


@pytest.fixture
async def http(loom: Loom) -> AsyncIterator[Http]:
    """A door, with memories and the tracker behind it."""
    loom.team.reset()
    door = Http(loom.base_url)
    if not loom.is_filled:
        await fill(loom, door)
    await until_all_answer(loom, door)
    yield door
    await door.aclose()


async def fill(loom: Loom, door: Http) -> None:
    """Some memories, one of which says what the query does, and the source."""
    owner = loom.token({NOTES: "admin", TRACKER: "admin"})
    for title in MEMORIES:
        saved = {"namespace": NOTES, "type": "decision", "title": title, "content": f"{title}, since {SECRET} said so."}
        assert (await door.call("memory.save", saved, owner)).code == OK
    added = await door.call("tracker.source.add", source(loom.team, "search_everywhere", TRACKER), owner)
    assert added.code == OK, added.value
    loom.is_filled = True


async def until_all_answer(loom: Loom, door: Http) -> None:
    """The first call of each plane waits for a model; of one that was gone, the others have to hear that it is back."""
    token = loom.token(BOTH)
    legs = ("memory", "trackers", "duplicates")
    async with asyncio.timeout(90):
        while set(leg(await search(door, token), *legs).values()) != {"ok"}:
            pass


async def search(door: Any, token: str, namespace: str = TRACKER, **args: Any) -> Answer:
    return await door.call("search", {"query": QUERY, "namespace": namespace, "memory_namespace": NOTES, **args}, token)


def origins(answer: Answer) -> set[str]:
    assert answer.code == OK, answer.value
    return {hit["origin"] for hit in answer.value["hits"]}


def leg(answer: Answer, *names: str) -> dict[str, str]:
    return {name: answer.value["leg_status"][name] for name in names}


@pytest.mark.parametrize("name", DOORS)
async def test_one_answer_has_memories_and_reports_at_every_door(loom: Loom, http: Http, name: str) -> None:
    door = token_door(name, loom)  # type: ignore[arg-type]
    try:
        found = await search(door, loom.token(BOTH))
    finally:
        await door.aclose()
    assert origins(found) == {"memory", "tracker"}
    assert leg(found, "memory", "trackers", "duplicates") == dict.fromkeys(("memory", "trackers", "duplicates"), "ok")
    numbers = [hit["number"] for hit in found.value["hits"] if hit["origin"] == "tracker"]
    assert 1 in numbers and found.value["duplicate"]["verdict"] in ("related", "duplicate_of")
    assert (found.value["abstained"], found.value["namespaces_read"]) == (False, [TRACKER])


async def test_it_is_a_tool_of_its_own_name(loom: Loom, http: Http) -> None:
    mcp = Mcp(loom.base_url)
    arguments = {"query": QUERY, "namespace": TRACKER, "memory_namespace": NOTES}
    try:
        result = await mcp.post("tools/call", {"name": "loom_search", "arguments": arguments}, loom.token(BOTH))
    finally:
        await mcp.aclose()
    assert not result.get("isError")
    assert {hit["origin"] for hit in result["structuredContent"]["hits"]} == {"memory", "tracker"}


async def test_without_rights_on_the_memories_the_trackers_answer_and_no_memory_is_shown(
    loom: Loom, http: Http
) -> None:
    stranger = loom.token({TRACKER: "viewer"}, "stranger")
    found = await search(http, stranger)
    assert (origins(found), leg(found, "memory")) == ({"tracker"}, {"memory": "refused"})
    assert SECRET.encode() not in found.body
    missing = await search(http, stranger, memory_namespace="nobody-made-this")
    assert leg(missing, "memory") == {"memory": "refused"}


async def test_without_rights_on_the_tracker_nothing_of_it_is_shown(loom: Loom, http: Http) -> None:
    found = await search(http, loom.token({NOTES: "viewer"}, "writer"), namespace=NOTES, memory_namespace="")
    assert (origins(found), leg(found, "trackers")) == ({"memory"}, {"trackers": "not_asked"})
    refused = await search(http, loom.token({NOTES: "viewer"}, "writer"), namespace=TRACKER)
    assert refused.is_auth and b"Org/repo" not in refused.body


async def test_a_source_that_is_silent_costs_its_legs_and_no_more(loom: Loom, http: Http) -> None:
    token = loom.token(BOTH)
    assert origins(await search(http, token)) == {"memory", "tracker"}
    loom.team.set(silent=True)
    try:
        found = await search(http, token)
    finally:
        loom.team.reset()
    assert origins(found) == {"memory"}
    assert leg(found, "memory", "trackers", "duplicates") == {
        "memory": "ok",
        "trackers": "timeout",
        "duplicates": "timeout",
    }


async def test_a_memory_plane_that_is_frozen_or_gone_costs_its_leg_and_no_more(loom: Loom, http: Http) -> None:
    token = loom.token(BOTH)
    loom.memory.freeze()
    try:
        frozen = await search(http, token)
    finally:
        loom.memory.thaw()
    assert (origins(frozen), leg(frozen, "memory", "trackers")) == (
        {"tracker"},
        {"memory": "timeout", "trackers": "ok"},
    )
    loom.memory.kill()
    try:
        gone = await search(http, token)
    finally:
        loom.memory.env = {**loom.memory.env, "LOOM_GRPC_LISTEN": loom.memory.address}
        loom.memory.start()
    assert (origins(gone), leg(gone, "memory")) == ({"tracker"}, {"memory": "unavailable"})
