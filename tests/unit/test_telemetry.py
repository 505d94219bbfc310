"""Telemetry: one trace across processes, spans that hold no text of a caller, and nothing at all when it is off."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from opentelemetry import trace
from opentelemetry.trace import SpanKind, StatusCode

from runtime import logs
from runtime.errors import LoomError
from runtime.telemetry import Telemetry, extract, inject, mark_failed, span
from tests.support.otlp import OtlpReceiver
from tests.support.traced import PARENT, SECRET, TRACE, TRACEPARENT, Traced


@pytest.fixture
def traced() -> Iterator[Traced]:
    traced = Traced()
    with logs.bound(""):
        yield traced
    traced.telemetry.shutdown()


@pytest.fixture
async def receiver() -> AsyncIterator[OtlpReceiver]:
    async with OtlpReceiver() as receiver:
        yield receiver


# Spans


def test_a_span_is_a_child_of_the_callers(traced: Traced) -> None:
    parent = extract(TRACEPARENT, "rojo=1")
    with traced.telemetry.span("observe observe.extract", parent=parent, kind="server", attributes={"loom.op": "x"}):
        pass
    found = traced.last
    assert (found.name, found.kind, dict(found.attributes)) == (
        "observe observe.extract",
        SpanKind.SERVER,
        {"loom.op": "x"},
    )
    assert (found.context.trace_id, found.parent.span_id) == (int(TRACE, 16), int(PARENT, 16))
    assert dict(found.context.trace_state) == {"rojo": "1"}
    assert found.resource.attributes["service.name"] == "loom-test"
    assert found.status.status_code is StatusCode.UNSET


def test_a_span_inside_another_is_its_child(traced: Traced) -> None:
    with traced.telemetry.span("outer", parent=extract(TRACEPARENT)), traced.telemetry.span("inner"):
        pass
    inner, outer = traced.spans
    assert inner.parent.span_id == outer.context.span_id
    assert outer.parent.span_id == int(PARENT, 16)


def test_a_span_may_link_to_the_calls_that_it_works_for(traced: Traced) -> None:
    tracer = traced.telemetry.tracer
    with span(tracer, "writer") as writer, span(tracer, "group", links=[trace.Link(writer.get_span_context())]):
        pass
    group = traced.spans[0]
    assert [link.context.span_id for link in group.links] == [writer.get_span_context().span_id]


def test_the_current_span_is_put_back_afterwards(traced: Traced) -> None:
    before = trace.get_current_span()
    with pytest.raises(ValueError, match="x"), traced.telemetry.span("outer"):
        raise ValueError("x")
    assert trace.get_current_span() is before


async def test_concurrent_calls_have_traces_of_their_own(traced: Traced) -> None:
    both_inside = asyncio.Barrier(2)

    async def call(name: str) -> None:
        with traced.telemetry.span(name):
            await both_inside.wait()
            with traced.telemetry.span(f"{name} inner"):
                pass

    await asyncio.gather(call("one"), call("two"))
    by_name = {found.name: found for found in traced.spans}
    for name in ("one", "two"):
        assert by_name[f"{name} inner"].parent.span_id == by_name[name].context.span_id
    assert by_name["one"].context.trace_id != by_name["two"].context.trace_id


def test_our_error_marks_the_span_with_its_code_alone(traced: Traced) -> None:
    error = LoomError("STORAGE_UNAVAILABLE", f"message {SECRET}")
    with pytest.raises(LoomError), traced.telemetry.span("store"):
        raise error from ValueError(SECRET)
    found = traced.last
    assert dict(found.attributes) == {"loom.code": "STORAGE_UNAVAILABLE"}
    assert (found.status.status_code, found.status.description) == (StatusCode.ERROR, "STORAGE_UNAVAILABLE")
    assert SECRET not in found.to_json()


def test_a_foreign_error_marks_the_span_as_internal_and_leaves_nothing_of_its_text(traced: Traced) -> None:
    with pytest.raises(ValueError, match=SECRET), traced.telemetry.span("store"):
        raise ValueError(SECRET)
    found = traced.last
    assert (found.status.description, list(found.events)) == ("INTERNAL", [])
    assert SECRET not in found.to_json()


async def test_a_cancelled_call_is_no_failure(traced: Traced) -> None:
    inside = asyncio.Event()

    async def call() -> None:
        with traced.telemetry.span("call"):
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(call())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert dict(traced.last.attributes) == {"loom.code": "CANCELLED"}
    assert traced.last.status.status_code is StatusCode.UNSET


def test_a_failure_that_is_answered_rather_than_raised_can_be_marked(traced: Traced) -> None:
    with traced.telemetry.span("call") as current:
        mark_failed(current, "OVERLOADED")
    assert (traced.last.attributes["loom.code"], traced.last.status.description) == ("OVERLOADED", "OVERLOADED")


@pytest.mark.parametrize("key", ["narrative", "db.query.text", "title", "content", "authorization", "api_key"])
def test_an_attribute_with_a_private_name_is_left_out(traced: Traced, key: str) -> None:
    with traced.telemetry.span("call", attributes={key: SECRET, "loom.rows": 3}):
        pass
    assert dict(traced.last.attributes) == {"loom.rows": 3}


def test_a_long_attribute_is_cut(traced: Traced) -> None:
    with traced.telemetry.span("call", attributes={"loom.op": "x" * 1000}):
        pass
    assert len(traced.last.attributes["loom.op"]) == 256


async def test_a_server_span_puts_its_trace_id_on_the_log(traced: Traced) -> None:
    async def call() -> tuple[str, str]:
        with traced.telemetry.span("call", parent=extract(TRACEPARENT), kind="server"):
            inside = logs.TRACE_ID.get()
        return inside, logs.TRACE_ID.get()

    # After the span too: the access line is written when it is over.
    assert await asyncio.create_task(call()) == (TRACE, TRACE)
    assert logs.TRACE_ID.get() == ""


# Sampling


def test_a_trace_that_begins_here_is_kept_by_ratio() -> None:
    traced = Traced(sample_ratio=0.0)
    with traced.telemetry.span("outer") as outer, traced.telemetry.span("inner"):
        assert inject(outer).split("-")[3] in {"00", "02"}
    assert traced.spans == []
    traced.telemetry.shutdown()


def test_a_trace_that_the_caller_keeps_is_kept_here() -> None:
    traced = Traced(sample_ratio=0.0)
    with traced.telemetry.span("call", parent=extract(TRACEPARENT)):
        pass
    assert len(traced.spans) == 1
    traced.telemetry.shutdown()


def test_a_trace_that_the_caller_drops_is_dropped_here_and_passed_on(traced: Traced) -> None:
    with traced.telemetry.span("call", parent=extract(f"00-{TRACE}-{PARENT}-00")) as current:
        assert inject(current).startswith(f"00-{TRACE}-")
        assert inject(current).endswith("-00")
    assert traced.spans == []


# Off


def test_without_an_endpoint_a_block_gets_a_span_that_ignores_everything() -> None:
    telemetry = Telemetry.start("loom-test")
    assert telemetry.tracer is None
    with telemetry.span("call", attributes={"a": 1}) as current, span(None, "inner"):
        current.set_attribute("b", 2)
        assert inject(current) == ""
    assert telemetry.shutdown()


def test_an_exception_passes_through_a_span_that_is_off() -> None:
    with pytest.raises(ValueError, match="x"), Telemetry.start("loom-test").span("call"):
        raise ValueError("x")


def test_without_an_endpoint_nothing_of_the_sdk_is_imported() -> None:
    code = (
        "import sys; from runtime.telemetry import Telemetry\n"
        "with Telemetry.start('loom-test').span('x'): pass\n"
        "print([name for name in sys.modules if name.startswith(('opentelemetry.sdk', 'opentelemetry.exporter'))])"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_other_module_imports_the_sdk() -> None:
    root = Path(__file__).parents[2]
    sources = [
        path
        for folder in ("runtime", "gateway", "services", "sdk", "standalone")
        for path in root.glob(f"{folder}/**/*.py")
    ]
    found = [path.name for path in sources if "opentelemetry.sdk" in path.read_text("utf-8")]
    assert found == ["telemetry.py"]


def test_libraries_that_trace_through_the_global_api_stay_silent(traced: Traced) -> None:
    with trace.get_tracer("mcp-python-sdk").start_as_current_span("tools/call x"):
        pass
    assert traced.spans == []


# Over the wire


async def test_spans_reach_a_receiver_in_one_trace(receiver: OtlpReceiver) -> None:
    gateway = Telemetry.start("loom-gateway", endpoint=receiver.endpoint)
    plane = Telemetry.start("loom-observe", endpoint=receiver.endpoint)
    with gateway.span("http observe.extract", parent=extract(TRACEPARENT), kind="server") as current:
        sent = inject(current)
    with (
        pytest.raises(LoomError),
        plane.span("observe observe.extract", parent=extract(sent), kind="server"),
        plane.span("store insert", kind="client", attributes={"loom.rows": 3}),
    ):
        raise LoomError("STORAGE_UNAVAILABLE", SECRET)
    assert await asyncio.to_thread(gateway.shutdown)
    assert await asyncio.to_thread(plane.shutdown)
    names = ["http observe.extract", "observe observe.extract", "store insert"]
    spans = await receiver.wait_for_names(*names)
    door, served, stored = (spans[name] for name in names)
    assert [(found.service, found.kind) for found in (door, served, stored)] == [
        ("loom-gateway", "server"),
        ("loom-observe", "server"),
        ("loom-observe", "client"),
    ]
    assert (door.parent_id, served.parent_id, stored.parent_id) == (PARENT, door.span_id, served.span_id)
    assert [found.name for found in receiver.of_trace(TRACE)] == names
    assert stored.attributes == {"loom.rows": 3, "loom.code": "STORAGE_UNAVAILABLE"}
    assert (stored.status, stored.status_message, stored.events) == ("error", "STORAGE_UNAVAILABLE", ())
    assert SECRET not in repr(receiver.spans)


async def test_the_receiver_says_what_came_instead(receiver: OtlpReceiver) -> None:
    telemetry = Telemetry.start("loom-test", endpoint=receiver.endpoint)
    with telemetry.span("came"):
        pass
    await asyncio.to_thread(telemetry.shutdown)
    await receiver.wait_for_names("came")
    with pytest.raises(AssertionError, match="loom-test: came"):
        await receiver.wait_for(lambda _: False, timeout=0.01)


async def test_spans_that_no_receiver_takes_are_given_up_in_time() -> None:
    with socket.socket() as silent:  # takes connections and never answers
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        telemetry = Telemetry.start("loom-test", endpoint=f"http://127.0.0.1:{silent.getsockname()[1]}")
        with telemetry.span("lost"):
            pass
        shutdown = asyncio.to_thread(telemetry.shutdown, 0.2)
        assert await asyncio.wait_for(shutdown, 10) is False


def test_shutting_down_twice_is_shutting_down_once(traced: Traced) -> None:
    assert traced.telemetry.shutdown()
    assert traced.telemetry.shutdown()
    assert traced.telemetry.tracer is None
