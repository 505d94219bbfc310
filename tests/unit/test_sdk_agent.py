import json
import logging
import re
import traceback
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom import Agent, RetryPolicy, SyncAgent, errors
from loom._http import encode
from loom.models import observe
from tests.support.sdk import TWINS, Gateway, answer, failure, run

KEY = "key-that-nobody-may-see"
ME = {"org": "acme", "namespace": "web", "agent": "coder"}

twins = pytest.mark.parametrize("twin", TWINS)


def record(client: Any) -> Any:
    return client.observe.record(tool_name="Bash")


def health(client: Any) -> Any:
    return client.ops.health()


@twins
def test_a_typed_call_posts_what_is_set_and_returns_the_contracts_type(twin: type) -> None:
    gateway = Gateway([answer(200, {"memory_key": "obs:-:1", "tags": ["observation"], "new_field": 1})])
    result = run(
        twin, gateway, lambda c: c.observe.record(tool_name="Bash", tool_input={"cmd": None}, tags=["x"]), **ME
    )
    assert result == observe.RecordResponse(memory_key="obs:-:1", tags=["observation"])
    [request] = gateway.requests
    assert (request.method, str(request.url)) == ("POST", "http://127.0.0.1:7777/v1/observe.record")
    assert request.headers["Content-Type"] == "application/json"
    assert gateway.bodies() == [{**ME, "tool_name": "Bash", "tool_input": {"cmd": None}, "tags": ["x"]}]


@twins
def test_an_argument_goes_before_the_agents_own(twin: type) -> None:
    gateway = Gateway([answer()])
    run(twin, gateway, lambda c: c.observe.record(tool_name="x", org="other", session_id="-"), session_id="s", **ME)
    assert gateway.bodies() == [{**ME, "org": "other", "session_id": "-", "tool_name": "x"}]


@twins
def test_identity_fills_only_the_arguments_that_the_contract_says_it_does(twin: type) -> None:
    gateway = Gateway([answer()])
    run(twin, gateway, lambda c: c.observe.list(), session_id="s", user_id="u", **ME)
    assert gateway.bodies() == [{"org": "acme", "namespace": "web", "user_id": "u"}]


@twins
def test_an_op_without_identity_gets_none(twin: type) -> None:
    gateway = Gateway([answer(200, {"status": "ok", "uptime_s": 1})])
    assert run(twin, gateway, health, **ME).status == "ok"
    assert gateway.bodies() == [{}]


@twins
def test_a_raw_call_returns_the_body_as_it_is(twin: type) -> None:
    gateway = Gateway([answer(200, {"memory_key": "k", "new_field": [1]})])
    body = run(twin, gateway, lambda c: c.call("observe.record", {"tool_name": "x"}), **ME)
    assert body == {"memory_key": "k", "new_field": [1]}
    assert gateway.bodies() == [{**ME, "tool_name": "x"}]


@twins
def test_an_op_with_a_path_of_its_own_is_called_there(twin: type) -> None:
    minted = {"token": "t", "jti": "j", "expires_at": "2026-01-01T00:00:00Z"}
    gateway = Gateway([answer(200, minted), answer(200, minted)])
    assert run(twin, gateway, lambda c: c.token.mint(subject="ada"), **ME).token == "t"
    run(twin, gateway, lambda c: c.call("token.mint", {"subject": "ada"}), **ME)
    assert [request.url.path for request in gateway.requests] == ["/v1/admin/token.mint"] * 2


@twins
def test_a_raw_call_of_an_unknown_op_names_the_agents_org_and_namespace(twin: type) -> None:
    gateway = Gateway([answer()])
    run(twin, gateway, lambda c: c.call("plane.group.op"), **ME)
    assert gateway.requests[0].url.path == "/v1/plane.group.op"
    assert gateway.bodies() == [{"org": "acme", "namespace": "web"}]


@twins
@pytest.mark.parametrize("name", ["", "../admin", "a b", "a/", "a?b", "a#b", ".a", "a..b", "a\n"])
def test_a_raw_call_takes_only_the_name_of_an_op(twin: type, name: str) -> None:
    gateway = Gateway([answer()])
    with pytest.raises(ValueError, match="op must be a name"):
        run(twin, gateway, lambda c: c.call(name))
    assert gateway.requests == []


@twins
@pytest.mark.parametrize(
    "step", [httpx.ConnectError("refused"), httpx.ConnectTimeout("slow"), httpx.ReadError("reset"), answer(408)]
)
def test_a_failure_that_passes_is_not_seen(twin: type, step) -> None:
    gateway = Gateway([step, answer(502), answer(200, {"memory_key": "k"})])
    assert run(twin, gateway, record).memory_key == "k"
    assert gateway.waits == [0.5, 1.0]


@twins
def test_all_sendings_of_a_call_have_one_request_id_and_one_body(twin: type) -> None:
    gateway = Gateway([answer(503), answer(429), answer()])
    run(twin, gateway, record)
    ids = [request.headers["X-Request-Id"] for request in gateway.requests]
    assert len(ids) == 3
    assert len(set(ids)) == 1
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,64}", ids[0])
    assert len({request.content for request in gateway.requests}) == 1


@twins
def test_calls_have_request_ids_of_their_own(twin: type) -> None:
    gateway = Gateway([answer()])
    run(twin, gateway, record)
    run(twin, gateway, record)
    assert len({request.headers["X-Request-Id"] for request in gateway.requests}) == 2


@twins
def test_an_error_is_typed_and_names_the_request(twin: type) -> None:
    gateway = Gateway([failure(400, "MISSING_FIELD", "invalid", metadata={"field": "tool_name"})])
    with pytest.raises(errors.InvalidRequest, match="MISSING_FIELD: said by the server") as caught:
        run(twin, gateway, record)
    assert (caught.value.request_id, caught.value.metadata) == ("of-the-server", {"field": "tool_name"})
    assert len(gateway.requests) == 1


@twins
def test_the_last_failure_is_raised_after_three_attempts(twin: type) -> None:
    gateway = Gateway([failure(503, "STORAGE_UNAVAILABLE", "unavailable", retryable=True)])
    with pytest.raises(errors.Unavailable) as caught:
        run(twin, gateway, record)
    assert (caught.value.code, caught.value.retryable, len(gateway.requests)) == ("STORAGE_UNAVAILABLE", True, 3)


@twins
def test_a_switched_off_feature_is_asked_for_once(twin: type) -> None:
    gateway = Gateway([failure(501, "FEATURE_DISABLED", "unsupported")])
    with pytest.raises(errors.Unsupported):
        run(twin, gateway, record)
    assert len(gateway.requests) == 1


@twins
def test_retry_after_in_seconds_is_the_wait(twin: type) -> None:
    gateway = Gateway([answer(429, Retry_After="4"), answer()])
    run(twin, gateway, record)
    assert gateway.waits == [4.0]


@twins
def test_the_envelopes_advice_is_finer_than_the_headers(twin: type) -> None:
    refused = failure(429, "OVERLOADED", "overload", retry_after_s=0.25)
    refused.headers["Retry-After"] = "1"
    gateway = Gateway([refused, answer()])
    run(twin, gateway, record)
    assert gateway.waits == [0.25]


@twins
@pytest.mark.parametrize("text", ["soon", "-3", "nan", "inf", "Wed, 99 Foo 2026", "Wed, 21 Oct 2015 07:28:00 -0000"])
def test_a_retry_after_that_makes_no_sense_is_no_advice(twin: type, text: str) -> None:
    gateway = Gateway([answer(503, Retry_After=text), answer()])
    run(twin, gateway, record)
    assert gateway.waits == [0.5]


@twins
def test_a_retry_after_date_is_understood(twin: type) -> None:
    gateway = Gateway([answer(429, Retry_After="Fri, 01 Jan 2999 00:00:00 GMT")])
    with pytest.raises(errors.Overloaded) as caught:
        run(twin, gateway, record)
    assert caught.value.retry_after_s > 1e9
    assert gateway.waits == []


@twins
def test_limits_are_waited_for_fifteen_seconds_in_all(twin: type) -> None:
    gateway = Gateway([answer(429, Retry_After="2")])
    with pytest.raises(errors.Overloaded) as caught:
        run(twin, gateway, record)
    assert (gateway.waits, caught.value.retry_after_s) == ([2.0] * 7, 2.0)


@twins
def test_an_op_that_is_not_known_to_be_repeatable_is_not_sent_twice_after_a_lost_answer(twin: type) -> None:
    gateway = Gateway([httpx.ReadTimeout("")])
    with pytest.raises(errors.Timeout) as caught:
        run(twin, gateway, lambda c: c.call("new.op"))
    assert (caught.value.code, caught.value.http_status, len(gateway.requests)) == ("CLIENT_TIMEOUT", None, 1)


@twins
def test_a_known_ops_raw_call_is_repeated_as_its_typed_call_is(twin: type) -> None:
    gateway = Gateway([httpx.ReadTimeout(""), answer()])
    run(twin, gateway, lambda c: c.call("observe.record", {"tool_name": "x"}))
    assert len(gateway.requests) == 2


@twins
def test_no_connection_is_a_typed_error_with_the_place_and_the_request_id(twin: type) -> None:
    gateway = Gateway([httpx.ConnectError("All connection attempts failed")])
    with pytest.raises(errors.ConnectionFailed, match="http://loom\\.test:1/prefix") as caught:
        run(twin, gateway, record, base_url="http://loom.test:1/prefix/")
    assert caught.value.request_id == gateway.requests[0].headers["X-Request-Id"]
    assert (caught.value.category, caught.value.retryable, len(gateway.requests)) == ("unavailable", True, 3)
    assert gateway.requests[0].url.path == "/prefix/v1/observe.record"


@twins
def test_a_call_gives_up_when_its_time_is_up(twin: type) -> None:
    gateway = Gateway([answer(503, Retry_After="3")])
    with pytest.raises(errors.Unavailable):
        run(twin, gateway, record, timeout=5.0)
    assert gateway.waits == [3.0]


@twins
def test_each_sending_gets_what_is_left_of_the_calls_time(twin: type) -> None:
    gateway = Gateway([answer(429, Retry_After="14"), answer()])
    run(twin, gateway, lambda c: c.call("new.op"), timeout=20.0)
    assert [request.extensions["timeout"]["read"] for request in gateway.requests] == [20.0, 6.0]


@twins
def test_a_sending_ends_soon_after_the_servers_own_deadline(twin: type) -> None:
    gateway = Gateway([answer()])
    run(twin, gateway, record)
    assert gateway.requests[0].extensions["timeout"] == {"connect": 5.0, "read": 12.0, "write": 12.0, "pool": 12.0}


def test_a_body_that_trickles_past_the_limit_is_cut_off_in_the_blocking_twin() -> None:
    gateway = Gateway([answer()])

    class Trickle(httpx.SyncByteStream):
        def __iter__(self):
            for _ in range(1_000_000):
                gateway.now += 1.0
                yield b" "

    transport = httpx.MockTransport(lambda _: httpx.Response(200, stream=Trickle()))
    options = {"transport": transport, "clock": gateway.clock, "sleep": gateway.wait}
    with SyncAgent(**options) as client, pytest.raises(errors.Timeout):
        client.ops.health()
    assert gateway.now < 35


async def test_an_answer_that_does_not_end_is_cut_off_in_the_async_twin() -> None:
    async def never(_: httpx.Request) -> httpx.Response:
        import asyncio

        await asyncio.Event().wait()
        raise AssertionError

    async with Agent(transport=httpx.MockTransport(never), timeout=0.01, retry=RetryPolicy(attempts=1)) as client:
        with pytest.raises(errors.Timeout):
            await client.ops.health()


@twins
@pytest.mark.parametrize(
    "body", [b"<html>login</html>", b"[]", b"null", b"", b"\xff", b"[" * 100_000, b'{"observations": [1]}']
)
def test_a_success_that_is_not_the_ops_answer_is_an_error(twin: type, body: bytes) -> None:
    gateway = Gateway([httpx.Response(200, content=body, headers={"X-Request-Id": "r-9"})])
    with pytest.raises(errors.InternalError) as caught:
        run(twin, gateway, lambda c: c.observe.list())
    assert (caught.value.code, caught.value.request_id, len(gateway.requests)) == ("BAD_ANSWER", "r-9", 1)


@twins
def test_a_proxys_page_is_told_by_its_status_and_never_shown(twin: type) -> None:
    gateway = Gateway([httpx.Response(502, content=b"<html>secret topology</html>", headers={"X-Request-Id": "r-7"})])
    with pytest.raises(errors.Unavailable) as caught:
        run(twin, gateway, record)
    assert (caught.value.code, caught.value.request_id) == ("HTTP_502", "r-7")
    assert "secret" not in str(caught.value)


@twins
def test_arguments_that_the_server_ignored_are_in_the_result_and_logged_once(twin: type, caplog) -> None:
    caplog.set_level(logging.WARNING)
    gateway = Gateway([answer(200, {"ignored_args": ["tags"]})])

    def twice(client: Any) -> Any:
        first = record(client)
        return first if twin is SyncAgent else both(first, client)

    async def both(first: Any, client: Any) -> Any:
        await first
        return await record(client)

    result = run(twin, gateway, twice)
    assert result.ignored_args == ["tags"]
    assert [r.getMessage() for r in caplog.records if r.name == "loom"] == [
        "the server ignored arguments that it does not know: observe.record: ['tags']"
    ]


@twins
def test_the_key_is_sent_and_shown_nowhere(twin: type, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    gateway = Gateway([failure(401, "TOKEN_INVALID", "auth")])
    shown: list[str] = []

    def use(client: Any) -> Any:
        shown.extend([repr(client), str(client), repr(vars(client))])
        return record(client)

    with pytest.raises(errors.AuthError) as caught:
        run(twin, gateway, use, api_key=KEY)
    assert gateway.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    shown += [repr(caught.value), str(vars(caught.value)), caplog.text]
    assert KEY not in "".join(shown)


@twins
def test_a_failed_connection_does_not_show_the_key_either(twin: type, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(errors.ConnectionFailed) as caught:
        run(twin, Gateway([httpx.ConnectError("refused")]), record, api_key=KEY)
    assert KEY not in caplog.text + repr(caught.value) + repr(caught.value.__cause__)
    ours = [frame for frame, _ in traceback.walk_tb(caught.tb) if frame.f_globals["__name__"].startswith("loom.")]
    assert ours
    assert KEY not in repr([frame.f_locals for frame in ours])


@twins
def test_without_a_key_no_header_is_sent(twin: type, monkeypatch) -> None:
    monkeypatch.delenv("LOOM_API_KEY", raising=False)
    gateway = Gateway([answer()])
    run(twin, gateway, health)
    assert "Authorization" not in gateway.requests[0].headers


@twins
def test_what_json_cannot_hold_is_refused_before_anything_is_sent(twin: type) -> None:
    gateway = Gateway([answer()])
    for value, kind in ((object(), TypeError), (float("nan"), ValueError), (b"bytes", TypeError)):
        with pytest.raises(kind):
            run(twin, gateway, lambda c, value=value: c.observe.record(tool_name="x", tool_input=value))
    assert gateway.requests == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_any_json_is_sent_as_it_is(args: dict[str, Any]) -> None:
    assert json.loads(encode(args)) == args


def test_a_lone_surrogate_is_sent_as_an_escape_in_valid_utf_8() -> None:
    body = encode({"path": "caf\udce9 é"})
    assert body == b'{"path":"caf\\udce9 \xc3\xa9"}'
    assert json.loads(body) == {"path": "caf\udce9 é"}


@twins
def test_the_active_spans_context_travels_with_the_call(twin: type) -> None:
    from opentelemetry import trace

    context = trace.SpanContext(0xABC, 0xDEF, False, trace.TraceFlags(1))
    gateway = Gateway([answer()])
    with trace.use_span(trace.NonRecordingSpan(context)):
        run(twin, gateway, health)
    run(twin, gateway, health)
    assert gateway.requests[0].headers["traceparent"] == f"00-{0xABC:032x}-{0xDEF:016x}-01"
    assert "traceparent" not in gateway.requests[1].headers


async def test_a_client_works_without_a_with_block() -> None:
    gateway = Gateway([answer(200, {"status": "ok"})])
    client = Agent(transport=httpx.MockTransport(gateway.serve))
    assert (await client.ops.health()).status == "ok"
    await client.aclose()
    await client.aclose()
    blocking = SyncAgent(transport=httpx.MockTransport(gateway.serve))
    assert blocking.ops.health().status == "ok"
    blocking.close()
    blocking.close()
