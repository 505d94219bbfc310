"""One call is one trace, from the caller's span to the statement, as an OTLP receiver sees it, and it tells no text."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
import pytest_asyncio
from mcp import Client

from loom.observe.v1 import observe_pb2, observe_pb2_grpc
from tests.support.clickhouse_http import clickhouse_server
from tests.support.otlp import OtlpReceiver, Span
from tests.support.processes import gateway, plane
from tests.support.server import Server

# The receiver and the servers outlive a test, so all tests of this module share an event loop.
pytestmark = pytest.mark.asyncio(loop_scope="module")

CANARY = "canary4c1d"
WRITERS = 12


@dataclass
class Layout:
    """Where the doors are, and which services the spans of each part name."""

    base_url: str
    grpc: str
    receiver: OtlpReceiver
    gateway: str
    plane: str


def tracing(receiver: OtlpReceiver) -> dict[str, str]:
    return {"LOOM_OTLP_ENDPOINT": receiver.endpoint, "OTEL_BSP_SCHEDULE_DELAY": "50"}


@contextlib.asynccontextmanager
async def one_process(folder: Path, receiver: OtlpReceiver) -> AsyncIterator[Layout]:
    server = Server(folder / "data", folder / "log", tracing(receiver))
    await asyncio.to_thread(server.start)
    try:
        yield Layout(server.base_url, server.grpc, receiver, "loom", "loom")
    finally:
        assert await asyncio.to_thread(server.stop) == 0


@contextlib.asynccontextmanager
async def split_processes(folder: Path, receiver: OtlpReceiver) -> AsyncIterator[Layout]:
    with clickhouse_server(folder / "data") as clickhouse:
        observe = plane("observe", folder / "plane.log", clickhouse.dsn("loom"), **tracing(receiver))
        await asyncio.to_thread(observe.start)
        front = gateway(folder / "gateway.log", f"observe={observe.address}", **tracing(receiver))
        await asyncio.to_thread(front.start)
        try:
            yield Layout(front.base_url, observe.address, receiver, "loom-gateway", "loom-observe")
        finally:
            assert [await asyncio.to_thread(program.stop) for program in (front, observe)] == [0, 0]


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=[one_process, split_processes])
async def layout(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Layout]:
    folder = tmp_path_factory.mktemp("trace")
    async with OtlpReceiver() as receiver, request.param(folder, receiver) as running:
        yield running


@dataclass(frozen=True)
class CallersSpan:
    """The span of a caller who traces."""

    trace_id: str
    span_id: str

    @property
    def traceparent(self) -> str:
        return f"00-{self.trace_id}-{self.span_id}-01"


def callers_span() -> CallersSpan:
    return CallersSpan(secrets.token_hex(16), secrets.token_hex(8))


async def over_http(layout: Layout, op: str, args: dict[str, Any], headers: dict[str, str]) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        return await client.post(f"{layout.base_url}/v1/{op}", json=args, headers=headers)


async def over_mcp(layout: Layout, mode: str, op: str, args: dict[str, Any], traceparent: str) -> None:
    async with Client(f"{layout.base_url}/mcp", mode=mode) as client:
        tool = "loom_" + op.replace(".", "_")
        result = await client.call_tool(tool, args, meta={"traceparent": traceparent})
    assert not result.is_error


async def over_grpc(layout: Layout, namespace: str, traceparent: str) -> None:
    async with grpc.aio.insecure_channel(layout.grpc) as channel:
        stub = observe_pb2_grpc.ObserveServiceStub(channel)
        request = observe_pb2.RecordRequest(namespace=namespace, tool_name="Bash")
        await stub.Record(request, metadata=(("traceparent", traceparent),))


def line(spans: Sequence[Span], caller: CallersSpan) -> list[Span]:
    """The caller's child, its child, and so on; each span has one at most."""
    found: list[Span] = []
    above = caller.span_id
    while children := [span for span in spans if span.parent_id == above]:
        [child] = children
        found.append(child)
        above = child.span_id
    return found


def shown(spans: Sequence[Span]) -> list[tuple[str, str, str]]:
    return [(span.service, span.kind, span.name) for span in spans]


async def line_of(layout: Layout, caller: CallersSpan, expected: list[tuple[str, str, str]]) -> list[Span]:
    """The line of spans below the caller's, once it is the expected one: spans come in batches, in any order."""

    def found() -> list[Span]:
        return line(layout.receiver.of_trace(caller.trace_id), caller)

    with contextlib.suppress(AssertionError):  # the comparison below says more
        await layout.receiver.wait_for(lambda spans: shown(found()) == expected)
    assert shown(found()) == expected
    return found()


def writing(layout: Layout, door: str) -> list[tuple[str, str, str]]:
    """The line of spans of observe.record behind a door of the gateway."""
    return [
        (layout.gateway, "server", f"{door} observe.record"),
        (layout.plane, "server", "observe observe.record"),
        (layout.plane, "internal", "commit observations"),
        (layout.plane, "internal", "group observations"),
        (layout.plane, "client", "insert observations"),
    ]


async def test_a_write_over_http_is_one_trace_down_to_the_statement(layout: Layout, namespace: str) -> None:
    caller = callers_span()
    args = {"namespace": namespace, "tool_name": "Bash"}
    headers = {"traceparent": caller.traceparent, "x-request-id": "request-17"}
    assert (await over_http(layout, "observe.record", args, headers)).status_code == 200
    found = await line_of(layout, caller, writing(layout, "http"))
    assert len(layout.receiver.of_trace(caller.trace_id)) == len(found)
    assert [span.attributes.get("loom.request_id") for span in found[:2]] == ["request-17", "request-17"]
    assert found[-1].attributes["db.system.name"] == "clickhouse"


async def test_a_read_over_http_is_one_trace_down_to_the_statement(layout: Layout, namespace: str) -> None:
    caller = callers_span()
    await over_http(layout, "observe.list", {"namespace": namespace}, {"traceparent": caller.traceparent})
    expected = [
        (layout.gateway, "server", "http observe.list"),
        (layout.plane, "server", "observe observe.list"),
        (layout.plane, "client", "observe.page"),
    ]
    await line_of(layout, caller, expected)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_tool_call_continues_the_trace_of_its_meta(layout: Layout, namespace: str, mode: str) -> None:
    caller = callers_span()
    args = {"namespace": namespace, "tool_name": "Bash", "tool_input": mode}
    await over_mcp(layout, mode, "observe.record", args, caller.traceparent)
    await line_of(layout, caller, writing(layout, "mcp"))


async def test_a_grpc_caller_is_the_parent_of_the_planes_span(layout: Layout, namespace: str) -> None:
    caller = callers_span()
    await over_grpc(layout, namespace, caller.traceparent)
    await line_of(layout, caller, writing(layout, "none")[1:])


async def test_a_call_without_a_trace_begins_one(layout: Layout, namespace: str) -> None:
    headers = {"x-request-id": f"untraced-{namespace}"}
    await over_http(layout, "observe.stats", {"namespace": namespace}, headers)

    def mine(spans: Sequence[Span]) -> list[Span]:
        return [span for span in spans if span.attributes.get("loom.request_id") == headers["x-request-id"]]

    spans = mine(await layout.receiver.wait_for(lambda spans: len(mine(spans)) == 2))
    front, behind = sorted(spans, key=lambda span: span.start_ns)
    assert front.parent_id == ""
    assert (behind.trace_id, behind.parent_id) == (front.trace_id, front.span_id)


async def test_every_writer_of_a_group_has_the_commit_in_its_own_trace(layout: Layout, namespace: str) -> None:
    callers = [callers_span() for _ in range(WRITERS)]
    calls = [
        over_http(
            layout,
            "observe.record",
            {"namespace": namespace, "tool_name": "Bash", "tool_input": number},
            {"traceparent": caller.traceparent},
        )
        for number, caller in enumerate(callers)
    ]
    assert {answer.status_code for answer in await asyncio.gather(*calls)} == {200}
    wanted, traces = writing(layout, "http"), {caller.trace_id for caller in callers}

    def committed(spans: Sequence[Span]) -> bool:
        lines = [shown(line(layout.receiver.of_trace(caller.trace_id), caller)) for caller in callers]
        # Of the writers that went in together, the first one's trace has the insert, and the others' end at the commit.
        return wanted in lines and all(found in (wanted, wanted[:3]) for found in lines)

    await layout.receiver.wait_for(committed)
    groups = [span for span in layout.receiver.spans if span.name == "group observations" and span.trace_id in traces]
    assert 0 < len(groups) < WRITERS


async def test_a_failed_call_is_marked_with_its_code(layout: Layout, namespace: str) -> None:
    caller = callers_span()
    args = {"namespace": namespace, "tool_name": "Bash", "observed_at": f"on {CANARY}"}
    answer = await over_http(layout, "observe.record", args, {"traceparent": caller.traceparent})
    assert answer.status_code == 400
    spans = await line_of(layout, caller, writing(layout, "http")[:2])
    assert [span.status for span in spans] == ["error", "error"]
    assert [span.attributes["loom.code"] for span in spans] == ["INVALID_FIELD", "INVALID_FIELD"]


async def test_no_text_of_the_caller_is_in_any_span(layout: Layout, namespace: str) -> None:
    caller = callers_span()
    text = {name: f"{CANARY} {name}" for name in ("tool_name", "tool_input", "tool_output", "error", "run_id")}
    scope = {name: f"{CANARY}-{name}" for name in ("org", "agent", "user_id", "session_id")}
    record = {**text, **scope, "namespace": namespace, "tags": [CANARY], "file_paths": [f"/{CANARY}"], CANARY: CANARY}
    headers = {"authorization": f"Bearer {CANARY}", "traceparent": caller.traceparent}
    read = {"org": scope["org"], "namespace": namespace, "session_id": scope["session_id"], "tag": CANARY}
    stored = (await over_http(layout, "observe.record", record, headers)).json()
    calls: list[tuple[str, dict[str, Any], int]] = [
        ("observe.record_batch", {"namespace": namespace, "records": [record, {CANARY: 1}]}, 200),
        ("observe.list", {**read, "path": CANARY}, 200),
        ("observe.list", {**read, "page_token": CANARY}, 400),
        ("observe.get", {**read, "memory_key": stored["memory_key"]}, 200),
        ("observe.stats", read, 200),
        ("observe.crystallize", read, 200),
        (f"observe.{CANARY}", {}, 404),
    ]
    for op, args, status in calls:
        assert (await over_http(layout, op, args, headers)).status_code == status
    for mode in ("legacy", "2026-07-28"):
        await over_mcp(layout, mode, "observe.record", record, caller.traceparent)
    names = {"http observe.crystallize", "observe.pending", "insert observation_states", "observe.by_keys"}

    def whole(spans: Sequence[Span]) -> bool:
        mine = [span.name for span in spans if span.trace_id == caller.trace_id]
        return names <= set(mine) and mine.count("mcp observe.record") == mine.count("commit observations") - 2 == 2

    await layout.receiver.wait_for(whole)
    spans = layout.receiver.of_trace(caller.trace_id)
    everything = json.dumps([[span.name, span.status_message, span.attributes, span.events] for span in spans])
    assert CANARY not in everything
    assert namespace not in everything
    assert CANARY not in str(layout.receiver.spans)
