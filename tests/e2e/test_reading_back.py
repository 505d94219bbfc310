"""What was recorded can be found again: by time with any offset, page by page, by path, tag, kind and who."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from tests.support.envelope import Caller, opened
from tests.support.server import Server

ROWS = 120
START = datetime(2026, 3, 4, 23, 59, 30, 250_000, tzinfo=UTC)


@pytest.fixture
async def http(server: Server) -> AsyncIterator[Caller]:
    async with opened("http", server) as caller:
        yield caller


async def record_all(http: Caller, namespace: str, records: list[dict[str, Any]]) -> list[str]:
    answer = await http.call("observe.record_batch", {"namespace": namespace, "records": records})
    assert [result["detail"] for result in answer["results"]] == [None] * len(records)
    return [result["memory_key"] for result in answer["results"]]


async def names(http: Caller, namespace: str, **query: Any) -> list[str]:
    page = await http.call("observe.list", {"namespace": namespace, **query})
    assert page["next_page_token"] == ""
    return [row["tool_name"] for row in page["observations"]]


def written(instant: datetime) -> Iterator[str]:
    """One instant in several ways."""
    for offset in (
        timedelta(),
        timedelta(hours=2),
        timedelta(hours=-7),
        timedelta(hours=5, minutes=45),
        timedelta(hours=14),
    ):
        yield instant.astimezone(timezone(offset)).isoformat()
    text = instant.astimezone(UTC).isoformat().removesuffix("+00:00")
    yield from (f"{text}Z", f"{text.lower()}z", f"{text.replace('T', ' ')}Z", f"{text}-00:00", f"{text}000999Z")


async def test_one_instant_filters_alike_with_any_offset(http: Caller, namespace: str) -> None:
    instants = [START + timedelta(seconds=number) for number in range(3)]
    ways = [list(written(instant)) for instant in instants]
    # The rows themselves are written in different ways, too.
    records = [{"tool_name": f"t{n}", "observed_at": ways[n][(n * 4) % len(ways[n])]} for n in range(3)]
    await record_all(http, namespace, records)
    assert await names(http, namespace) == ["t0", "t1", "t2"]
    for text in ways[1]:
        # `since` is at or after, `until` is before.
        assert await names(http, namespace, since=text) == ["t1", "t2"], text
        assert await names(http, namespace, until=text) == ["t0"], text
        assert await names(http, namespace, since=text, until=ways[2][0]) == ["t1"], text
        assert await names(http, namespace, since=text, until=text) == []
    just_after = (instants[1] + timedelta(microseconds=1)).isoformat()
    assert await names(http, namespace, since=just_after) == ["t2"]
    assert await names(http, namespace, until=just_after) == ["t0", "t1"]
    page = await http.call("observe.list", {"namespace": namespace})
    assert page["observations"][0]["observed_at"] == "2026-03-04T23:59:30.250000Z"


async def test_the_ends_of_time_can_be_recorded_and_found(http: Caller, namespace: str) -> None:
    ends = ["1970-01-01T00:00:00Z", "2299-12-31T23:59:59.999999Z", "2026-12-31T23:59:60Z", "2024-02-29T12:00:00+00:00"]
    await record_all(http, namespace, [{"tool_name": f"t{n}", "observed_at": end} for n, end in enumerate(ends)])
    assert await names(http, namespace) == ["t0", "t3", "t2", "t1"]
    assert await names(http, namespace, since=ends[1]) == ["t1"]
    assert await names(http, namespace, until="1970-01-01T00:00:00.000001Z") == ["t0"]
    # A leap second is the second after it.
    assert await names(http, namespace, since="2027-01-01T00:00:00Z", until="2027-01-01T00:00:00.000001Z") == ["t2"]


@pytest.mark.parametrize("size", [7, 50, 120, 121])
async def test_every_row_is_on_one_page_and_in_order_though_many_share_an_instant(
    http: Caller, namespace: str, size: int
) -> None:
    # Forty rows at each of three instants, sent out of order and under several sessions.
    records = [
        {
            "tool_name": "Read",
            "tool_input": n,
            "session_id": f"s{n % 5}",
            "observed_at": (START + timedelta(n % 3)).isoformat(),
        }
        for n in range(ROWS)
    ]
    keys = await record_all(http, namespace, records)
    seen: list[dict[str, Any]] = []
    token = ""
    for _ in range(ROWS + 1):
        page = await http.call("observe.list", {"namespace": namespace, "page_size": size, "page_token": token})
        seen += page["observations"]
        token = page["next_page_token"]
        if not token:
            break
        assert len(page["observations"]) == size
        if len(seen) == size:
            # A row that arrives meanwhile, before the pages that were read, moves no other row.
            early = {"namespace": namespace, "tool_name": "Write", "observed_at": "2026-01-01T00:00:00Z"}
            await http.call("observe.record", early)
    assert sorted(row["memory_key"] for row in seen) == sorted(keys)
    order = [(row["observed_at"], row["memory_key"]) for row in seen]
    assert order == sorted(order)


async def test_pages_hold_with_filters(http: Caller, namespace: str) -> None:
    kinds = ("Read", "Bash", "Edit")
    records = [{"tool_name": kinds[n % 3], "tool_input": n, "observed_at": START.isoformat()} for n in range(ROWS)]
    await record_all(http, namespace, records)
    token, found = "", 0
    for _ in range(ROWS):
        query = {"namespace": namespace, "kind": "command_run", "page_size": 9, "page_token": token}
        page = await http.call("observe.list", query)
        assert {row["kind"] for row in page["observations"]} == {"command_run"}
        found, token = found + len(page["observations"]), page["next_page_token"]
        if not token:
            break
    assert found == ROWS // 3


RECORDS: list[dict[str, Any]] = [
    {"tool_name": "Edit", "tool_input": {"file_path": "/src/app/main.py"}, "tags": ["alpha"], "agent": "claude-code"},
    {"tool_name": "Read", "tool_input": {"path": "/src/app/main.py"}, "tags": ["alpha", "beta"], "agent": "codex"},
    {"tool_name": "Bash", "tool_input": {"command": "cat src/other/main.py"}, "user_id": "ada", "error": "exit 1"},
    {
        "tool_name": "WebFetch",
        "tool_input": {"url": "https://x.example/main.py"},
        "action_type": "alpha",
        "user_id": "ada",
    },
    {"tool_name": "Edit", "tool_input": {"file_path": "C:\\work\\main.py"}, "tags": ["Alpha"], "session_id": "s2"},
    {"tool_name": "Deploy", "tags": ["alphabet"], "session_id": "s2", "agent": "codex"},
]


async def test_filters_find_what_they_say(http: Caller, namespace: str) -> None:
    times = [{"observed_at": (START + timedelta(seconds=n)).isoformat(), "run_id": str(n)} for n in range(len(RECORDS))]
    await record_all(http, namespace, [{**record, **at} for record, at in zip(RECORDS, times, strict=True)])
    expected: list[tuple[dict[str, Any], str]] = [
        ({}, "012345"),
        ({"tag": "alpha"}, "01"),
        ({"tag": "Alpha"}, "4"),
        ({"tag": "alph"}, ""),
        ({"tag": "action:alpha"}, "3"),
        ({"tag": "observation"}, "012345"),
        ({"tag": "main.py"}, "0124"),
        ({"path": "/src/app/main.py"}, "01"),
        ({"path": "app/main.py"}, "01"),
        ({"path": "main.py"}, "0124"),
        ({"path": "ain.py"}, ""),
        ({"path": "/src/app"}, ""),
        ({"path": "work\\main.py"}, "4"),
        ({"kind": "file_edit"}, "04"),
        ({"kind": "error"}, "2"),
        ({"kind": "web_fetch"}, "3"),
        ({"kind": "tool_use"}, "5"),
        ({"agent": "codex"}, "15"),
        ({"agent": "-"}, "012345"),
        ({"user_id": "ada"}, "23"),
        ({"user_id": "-"}, "0145"),
        ({"session_id": "s2"}, "45"),
        ({"session_id": "-"}, "0123"),
        ({"session_id": "*"}, "012345"),
        ({"state": "pending"}, "012345"),
        ({"state": "ready"}, ""),
        ({"tag": "alpha", "agent": "codex", "path": "main.py", "kind": "file_read"}, "1"),
        ({"tag": "alpha", "kind": "error"}, ""),
    ]

    async def runs(query: dict[str, Any]) -> str:
        page = await http.call("observe.list", {"namespace": namespace, **query})
        return "".join(row["run_id"] for row in page["observations"])

    found = await asyncio.gather(*(runs(query) for query, _ in expected))
    wrong = [(query, want, got) for (query, want), got in zip(expected, found, strict=True) if want != got]
    assert wrong == []
