"""Any text in any field comes back as it was sent, finds its row as a filter, and is never part of a statement."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.support.doors import Door, door
from tests.support.envelope import Caller, opened
from tests.support.hostile import HOSTILE, ONE_LINE
from tests.support.server import Server

NAMES = ("agent", "user_id", "session_id", "run_id")


@pytest.fixture
async def http(server: Server) -> AsyncIterator[Caller]:
    async with opened("http", server) as caller:
        yield caller


def shown(text: str) -> str:
    """What a person reads has no control characters and no terminal codes; the rest of it is as it was."""
    return re.sub(r"\x1b\[[0-9]*m|[\x00-\x08\x0b-\x1f\x7f-\x9f]", "", text)


async def record_all(caller: Caller | Door, namespace: str, records: list[dict[str, Any]]) -> list[str]:
    """Stores the records; their keys, in order."""
    answer = await caller.call("observe.record_batch", {"namespace": namespace, "records": records})
    assert [result["detail"] for result in answer["results"]] == [None] * len(records)
    return [result["memory_key"] for result in answer["results"]]


@pytest.mark.parametrize("name", ["http", "mcp", "mcp-legacy", "grpc", "sdk"])
async def test_every_text_comes_back_as_it_was_sent(server: Server, namespace: str, name: str) -> None:
    this = door(name, server)
    records = [
        {
            **{field: ONE_LINE.get(case, "plain") for field in NAMES},
            "tool_name": text,
            "tags": [text],
            "file_paths": [text],
            "error": text,
            "tool_input": {text: text},
            "action_type": text,
        }
        for case, text in HOSTILE.items()
    ]
    keys = await record_all(this, namespace, records)
    found = (await this.call("observe.get", {"namespace": namespace, "memory_keys": keys}))["observations"]
    assert [row["memory_key"] for row in found] == keys
    for sent, row in zip(records, found, strict=True):
        for field in (*NAMES, "tool_name"):
            assert row[field] == sent[field]
        # A path is one line of something a person reads.
        assert row["file_paths"][:1] == ([] if "\n" in sent["tool_name"] else [shown(sent["file_paths"][0])])
        assert sent["tags"][0].strip() in row["tags"]
        assert f"action:{sent['action_type'].strip()}" in row["tags"]
        assert row["error"] == shown(sent["error"])


async def test_every_text_finds_its_row_and_no_other(http: Caller, namespace: str) -> None:
    records = [
        {
            "tool_name": "Read",
            "run_id": str(number),
            "tags": [f"tag {text} tag"],
            # With a number, since a backslash parts names as well: the end of a longer path is the whole of a shorter one.
            "file_paths": [f"/src/{number} {shown(text)}/file".replace("\n", "")],
            **(dict.fromkeys(NAMES[:3], ONE_LINE[case]) if case in ONE_LINE else {}),
        }
        for number, (case, text) in enumerate(HOSTILE.items())
    ]
    keys = await record_all(http, namespace, records)
    for key, sent in zip(keys, records, strict=True):
        filters = [{"tag": sent["tags"][0]}, {"path": sent["file_paths"][0]}, {"path": sent["file_paths"][0][5:]}]
        filters += [{field: sent[field]} for field in NAMES[:3] if field in sent]
        for each in filters:
            page = await http.call("observe.list", {"namespace": namespace, **each})
            assert [row["memory_key"] for row in page["observations"]] == [key], each
        got = await http.call("observe.get", {"namespace": namespace, "memory_key": key})
        assert got["observation"]["run_id"] == sent["run_id"]


@pytest.mark.parametrize("field", ["org", "namespace"])
async def test_a_tenant_of_any_name_is_a_tenant_of_its_own(http: Caller, namespace: str, field: str) -> None:
    tenants = [{"org": "o", "namespace": namespace, field: f"{namespace} {text}"} for text in ONE_LINE.values()]

    async def looked_at(number: int, tenant: dict[str, str]) -> None:
        page = await http.call("observe.list", tenant)
        assert [row["tool_name"] for row in page["observations"]] == [f"tool{number}"]
        assert (await http.call("observe.crystallize", {**tenant, "session_id": "-"}))["enqueued"] == 1
        stats = await http.call("observe.stats", tenant)
        assert (stats["observations"], stats["by_state"]) == (1, {"ready": 1})

    records = [{**tenant, "tool_name": f"tool{number}"} for number, tenant in enumerate(tenants)]
    await asyncio.gather(*(http.call("observe.record", record) for record in records))
    await asyncio.gather(*(looked_at(number, tenant) for number, tenant in enumerate(tenants)))


async def test_sessions_of_any_name_are_told_apart(http: Caller, namespace: str) -> None:
    sessions = list(ONE_LINE.values())
    await record_all(http, namespace, [{"tool_name": "Read", "session_id": session} for session in sessions])
    for session in sessions:
        scope = {"namespace": namespace, "session_id": session}
        assert await http.call("observe.crystallize", scope) == {"enqueued": 1, "session_id": session}
    stats = await http.call("observe.stats", {"namespace": namespace})
    assert sorted(row["session_id"] for row in stats["by_session"]) == sorted(sessions)
    # In line or past it: extraction goes its own pace.
    assert stats["by_state"] == {"ready": len(sessions)}


async def test_values_of_filters_are_no_part_of_the_statement(http: Caller, namespace: str) -> None:
    await record_all(http, namespace, [{"tool_name": "Read", "run_id": str(number)} for number in range(5)])

    async def finds_nothing(text: str) -> None:
        for field in ("tag", "path"):
            page = await http.call("observe.list", {"namespace": namespace, field: text})
            assert page == {"observations": [], "next_page_token": ""}
        missing = await http.call("observe.get", {"namespace": namespace, "memory_keys": [text, f"obs:{text}:00"]})
        assert (missing["found"], missing["missing"]) == (False, [text, f"obs:{text}:00"])

    await asyncio.gather(*(finds_nothing(text) for text in HOSTILE.values()))
    assert (await http.call("observe.stats", {"namespace": namespace}))["observations"] == 5
