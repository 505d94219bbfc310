"""Metrics: what is counted under which labels, and that no caller can add a label."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from runtime.breaker import State
from runtime.metrics import BREAKER_STATES, MAX_SERIES, Metrics


def samples(metrics: Metrics) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    body, _ = metrics.render()
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(body.decode())
        for sample in family.samples
    }


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return samples(metrics).get((name, frozenset(labels.items())))


def test_a_call_is_counted_and_timed() -> None:
    metrics = Metrics()
    metrics.request("observe.extract", "http", "OK", 0.02)
    metrics.request("observe.extract", "http", "OK", 0.2)
    metrics.request("observe.extract", "grpc", "OVERLOADED", 0.0)
    labels = {"op": "observe.extract", "door": "http"}
    assert value(metrics, "loom_requests_total", code="OK", **labels) == 2
    assert value(metrics, "loom_requests_total", op="observe.extract", door="grpc", code="OVERLOADED") == 1
    assert value(metrics, "loom_request_seconds_count", **labels) == 2
    assert value(metrics, "loom_request_seconds_sum", **labels) == pytest.approx(0.22)
    assert value(metrics, "loom_request_seconds_bucket", le="0.025", **labels) == 1
    assert value(metrics, "loom_request_seconds_bucket", le="0.25", **labels) == 2


def test_a_request_bucket_ends_at_the_default_deadline() -> None:
    metrics = Metrics()
    metrics.request("observe.extract", "http", "DEADLINE_EXCEEDED", 10.0)
    assert value(metrics, "loom_request_seconds_bucket", op="observe.extract", door="http", le="5.0") == 0
    assert value(metrics, "loom_request_seconds_bucket", op="observe.extract", door="http", le="10.0") == 1


@given(st.text())
def test_an_op_that_the_table_does_not_know_is_other(name: str) -> None:
    metrics = Metrics(ops=["observe.extract"])
    metrics.request(name, "http", "UNKNOWN_OP", 0.1)
    expected = name if name == "observe.extract" else "other"
    assert value(metrics, "loom_requests_total", op=expected, door="http", code="UNKNOWN_OP") == 1


def test_a_family_that_is_full_takes_no_more_series() -> None:
    metrics = Metrics()
    for number in range(MAX_SERIES + 50):
        metrics.refused("observe", f"reason-{number}")
    metrics.refused("observe", "reason-0")
    series = {labels: count for (name, labels), count in samples(metrics).items() if name == "loom_refused_total"}
    assert len(series) == MAX_SERIES + 1
    assert series[frozenset({("plane", "other"), ("reason", "other")})] == 50
    assert series[frozenset({("plane", "observe"), ("reason", "reason-0")})] == 2


def test_retries_and_refusals_are_counted_by_plane() -> None:
    metrics = Metrics()
    metrics.upstream_retry("observe")
    metrics.refused("observe", "overloaded")
    metrics.refused("observe", "circuit_open")
    assert value(metrics, "loom_upstream_retries_total", plane="observe") == 1
    assert value(metrics, "loom_refused_total", plane="observe", reason="overloaded") == 1
    assert value(metrics, "loom_refused_total", plane="observe", reason="circuit_open") == 1


@pytest.mark.parametrize(("state", "number"), [(State.CLOSED, 0), (State.HALF_OPEN, 1), (State.OPEN, 2)])
def test_the_breakers_state_is_a_number(state: State, number: int) -> None:
    metrics = Metrics()
    metrics.breaker_state("observe", state)
    assert value(metrics, "loom_breaker_state", plane="observe") == number


def test_every_state_of_the_breaker_has_a_number() -> None:
    assert set(BREAKER_STATES) == set(State)


def test_running_calls_and_waiting_rows_are_read_when_somebody_asks() -> None:
    metrics, running = Metrics(), [1]
    metrics.in_flight("observe", lambda: len(running))
    metrics.queue_rows("rows", lambda: 10 * len(running))
    running.append(2)
    assert value(metrics, "loom_in_flight", plane="observe") == 2
    assert value(metrics, "loom_queue_rows", table="rows") == 20


def test_statements_and_groups_are_measured() -> None:
    metrics = Metrics()
    metrics.statement("observe.recent", 0.015)
    metrics.group_commit("rows", 64)
    assert value(metrics, "loom_store_seconds_bucket", statement="observe.recent", le="0.01") == 0
    assert value(metrics, "loom_store_seconds_bucket", statement="observe.recent", le="0.02") == 1
    assert value(metrics, "loom_group_commit_rows_bucket", table="rows", le="50.0") == 0
    assert value(metrics, "loom_group_commit_rows_bucket", table="rows", le="100.0") == 1
    assert value(metrics, "loom_group_commit_rows_sum", table="rows") == 64


def test_two_processes_in_one_do_not_share_counts() -> None:
    one, two = Metrics(), Metrics()
    one.upstream_retry("observe")
    assert value(one, "loom_upstream_retries_total", plane="observe") == 1
    assert value(two, "loom_upstream_retries_total", plane="observe") is None


def test_observations_of_several_threads_are_all_counted() -> None:
    metrics = Metrics()

    def observe() -> None:
        for _ in range(500):
            metrics.request("observe.extract", "grpc", "OK", 0.001)

    threads = [threading.Thread(target=observe) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert value(metrics, "loom_requests_total", op="observe.extract", door="grpc", code="OK") == 2000
    assert value(metrics, "loom_request_seconds_count", op="observe.extract", door="grpc") == 2000


def test_the_page_is_text_that_prometheus_reads_with_the_process_on_it() -> None:
    metrics = Metrics()
    metrics.upstream_retry("observe")
    body, content_type = metrics.render()
    assert content_type == "text/plain; version=0.0.4; charset=utf-8"
    assert b"process_resident_memory_bytes" in body
    assert b"_created" not in body


def test_every_metric_says_what_it_is() -> None:
    body, _ = Metrics().render()
    families = {family.name: family.documentation for family in text_string_to_metric_families(body.decode())}
    ours = {name: text for name, text in families.items() if name.startswith("loom_")}
    assert set(ours) == {
        "loom_requests",
        "loom_request_seconds",
        "loom_in_flight",
        "loom_breaker_state",
        "loom_upstream_retries",
        "loom_refused",
        "loom_store_seconds",
        "loom_group_commit_rows",
        "loom_queue_rows",
        "loom_extraction",
        "loom_data_free_bytes",
    }
    assert all(ours.values())
