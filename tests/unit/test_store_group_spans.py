import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from runtime.clock import ManualClock
from runtime.store import GroupCommit, RowsRefused
from tests.support.inserter import POISON, FakeInserter, joined, outcomes, while_an_insert_runs


@pytest.fixture
def exporter():
    return InMemorySpanExporter()


@pytest.fixture
def tracer(exporter):
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider.get_tracer("test")


def named(exporter, name):
    return [span for span in exporter.get_finished_spans() if span.name == name]


async def requests_in_one_group(store, tracer, *rows):
    """A request for each row, all in one group, behind an insert that is under way."""
    group = GroupCommit(store, "t", ["a"], clock=ManualClock())
    first = await while_an_insert_runs(store, group)
    tasks = []
    for number, row in enumerate(rows):
        with tracer.start_as_current_span(f"request {number}"):
            tasks += await joined(group, [row])
    store.gate.set()
    return await outcomes(first, *tasks)


async def test_every_writers_trace_has_its_commit_and_the_group_belongs_to_the_first(exporter, tracer):
    await requests_in_one_group(FakeInserter(tracer=tracer), tracer, ["a"], ["b"], ["c"])
    requests = [named(exporter, f"request {number}")[0] for number in range(3)]
    commits = {span.parent.span_id: span for span in named(exporter, "commit t") if span.parent}
    mine = [commits[request.context.span_id] for request in requests]
    assert [span.context.trace_id for span in mine] == [request.context.trace_id for request in requests]
    shared = named(exporter, "group t")[-1]
    assert shared.parent.span_id == mine[0].context.span_id
    assert [link.context.span_id for link in shared.links] == [span.context.span_id for span in mine[1:]]


async def test_a_writers_span_says_that_its_rows_were_refused_and_nothing_of_them(exporter, tracer):
    results = await requests_in_one_group(FakeInserter(tracer=tracer), tracer, ["fine"], [POISON])
    assert isinstance(results[-1], RowsRefused)
    statuses = {span.status.status_code for span in named(exporter, "commit t")}
    assert statuses == {StatusCode.UNSET, StatusCode.ERROR}
    assert POISON not in "".join(span.to_json() for span in exporter.get_finished_spans())


async def test_without_a_tracer_there_are_no_spans(exporter, tracer):
    await requests_in_one_group(FakeInserter(), tracer, ["a"])
    assert {span.name for span in exporter.get_finished_spans()} == {"request 0"}
