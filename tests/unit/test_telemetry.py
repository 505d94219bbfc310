"""Telemetry: one trace across processes, spans that hold no text of a caller, and nothing at all when it is off."""

import asyncio
import logging
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from runtime import logs
from runtime.errors import LoomError
from runtime.telemetry import Telemetry, extract, inject, mark_failed, span
from runtime.tracecontext import carried
from tests.support.otlp import OtlpReceiver

SECRET = "hunter2-s3cr3t"
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"


class Traced:
    """Telemetry into memory."""

    def __init__(self, sample_ratio: float = 1.0) -> None:
        self.memory = InMemorySpanExporter()
        self.telemetry = Telemetry.start("loom-test", sample_ratio=sample_ratio, exporter=self.memory)

    @property
    def spans(self) -> list[ReadableSpan]:
        return list(self.memory.get_finished_spans())

    @property
    def last(self) -> ReadableSpan:
        return self.spans[-1]


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


# The parser


propagator = TraceContextTextMapPropagator()


def reference(traceparent: str, tracestate: str | None) -> tuple[object, dict[str, str]] | None:
    carrier = {"traceparent": traceparent} | ({} if tracestate is None else {"tracestate": tracestate})
    found = trace.get_current_span(propagator.extract(carrier)).get_span_context()
    return (found[:4], dict(found.trace_state)) if found.is_valid else None


def ours(traceparent: object, tracestate: object = None) -> tuple[object, dict[str, str]] | None:
    context = extract(traceparent, tracestate)
    if context is None:
        return None
    found = trace.get_current_span(context).get_span_context()
    return found[:4], dict(found.trace_state)


def hexadecimal(digits: int) -> st.SearchStrategy[str]:
    return st.text("0123456789abcdef", min_size=digits, max_size=digits) | st.just("0" * digits)


valid = st.builds(
    "{}-{}-{}-{}{}".format,
    st.sampled_from(["00", "01", "cc", "ff"]),
    hexadecimal(32),
    hexadecimal(16),
    hexadecimal(2),
    st.sampled_from(["", "", "-", "-more", "x", " "]),
)


@st.composite
def mutated(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    text = draw(texts)
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(st.sampled_from(["", "-", "0", "F", "g", " ", "\t", ",", "=", "é"])) + text[at + 1 :]


members = st.builds(
    "{}={}".format,
    st.sampled_from(["a", "b", "rojo", "1x@vendor", "1x", "A", "a/b*c-d_e", "k" * 256, "k" * 257, ""]),
    st.sampled_from(["1", "t61rcWkgMzE", "with space", " lead", "trail ", "a=b", "é", "", "v" * 256, "v" * 257]),
)
states = st.lists(members | st.sampled_from(["", " ", "\t"]), max_size=40).map(",".join)


@given(st.text() | valid | mutated(valid), st.none() | states | mutated(states))
def test_the_parser_agrees_with_the_librarys(traceparent: str, tracestate: str | None) -> None:
    # `$` of the library's expression lets one line end pass; a header cannot hold one.
    if "\n" not in traceparent and "\n" not in (tracestate or ""):
        assert ours(traceparent, tracestate) == reference(traceparent, tracestate)


@given(st.lists(st.integers(0, 60), unique=True, max_size=60))
def test_the_parser_agrees_on_how_many_members_a_state_may_have(numbers: list[int]) -> None:
    tracestate = ",".join(f"k{number}=v" for number in numbers)
    assert ours(TRACEPARENT, tracestate) == reference(TRACEPARENT, tracestate)


@pytest.mark.parametrize("tracestate", ["a=" + "v" * 256 + ",", "a=b," * 3000])
def test_the_parser_agrees_on_how_long_a_state_may_be(tracestate: str) -> None:
    assert ours(TRACEPARENT, tracestate) == reference(TRACEPARENT, tracestate)


REFUSED = [
    None,
    "",
    7,
    [TRACEPARENT],
    {"traceparent": TRACEPARENT},
    TRACEPARENT + "\n",
    TRACEPARENT.upper(),
    f"00-{'0' * 32}-{PARENT}-01",
    f"00-{TRACE}-{'0' * 16}-01",
    f"00-{TRACE}-{PARENT}-01-more",
    f"ff-{TRACE}-{PARENT}-01",
    f"00-{TRACE}-{PARENT}",
    f"01-{TRACE}-{PARENT}-01-{'x' * 512}",
]


@pytest.mark.parametrize("traceparent", REFUSED)
def test_what_is_no_traceparent_is_no_parent(traceparent: object) -> None:
    assert extract(traceparent) is None


@pytest.mark.parametrize("tracestate", [7, ["a=b"], "a", "a=b,a=c", "A=b", "a=" + "x" * 300, "a=b," * 3000])
def test_a_malformed_state_is_dropped_alone(tracestate: object) -> None:
    found = ours(TRACEPARENT, tracestate)
    assert found is not None
    assert found[1] == {}


@given(st.text() | valid | mutated(valid), st.none() | st.text() | states | mutated(states))
def test_what_is_passed_on_of_a_callers_context_is_fit_for_metadata(traceparent: str, tracestate: str | None) -> None:
    passed = carried(traceparent, tracestate)
    assert all(" " <= char <= "~" for text in passed.values() for char in text)
    assert ours(passed.get("traceparent"), passed.get("tracestate")) == ours(traceparent, tracestate)


def test_a_context_of_a_later_version_is_passed_on_as_ours() -> None:
    assert carried(f"cc-{TRACE}-{PARENT}-01-\x1f", "a=b") == {"traceparent": TRACEPARENT, "tracestate": "a=b"}


@given(st.text(), st.text())
def test_what_a_caller_sent_is_never_logged(traceparent: str, tracestate: str) -> None:
    records: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = records.append  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)
    try:
        extract(traceparent, tracestate)
        extract(TRACEPARENT, tracestate)
        extract(TRACEPARENT, f"bad key={SECRET}")
    finally:
        logging.getLogger().removeHandler(handler)
    assert records == []


def test_our_span_is_the_parent_of_the_receivers(traced: Traced) -> None:
    with traced.telemetry.span("client", parent=extract(TRACEPARENT)) as client:
        sent = inject(client)
    with traced.telemetry.span("server", parent=extract(sent)):
        pass
    client_span, server_span = traced.spans
    assert sent == f"00-{TRACE}-{client_span.context.span_id:016x}-01"
    assert server_span.parent.span_id == client_span.context.span_id
    assert server_span.context.trace_id == int(TRACE, 16)


@given(st.integers(1, 2**128 - 1), st.integers(1, 2**64 - 1), st.integers(0, 255))
def test_what_inject_writes_extract_reads(trace_id: int, span_id: int, flags: int) -> None:
    context = trace.SpanContext(trace_id, span_id, True, trace.TraceFlags(flags))
    assert ours(inject(trace.NonRecordingSpan(context))) == (context[:4], {})


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
