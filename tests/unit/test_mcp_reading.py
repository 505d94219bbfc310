"""What the MCP door takes out of a posted message, and the session ids that carry a client's name."""

import json
from typing import Any

import mcp_types as types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway import mcp_message, mcp_session
from runtime import jsontext

NAMES = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=128)
TEXT = st.text(st.characters())
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


def request(method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


@given(NAMES)
def test_a_session_id_tells_the_name_that_it_was_issued_for(name: str) -> None:
    issued = mcp_session.issue(name)
    session, agent = mcp_session.read(issued)
    assert agent == name
    assert issued.startswith(f"{session}.") and len(session) == 32
    assert mcp_session.OTHER.fullmatch(issued)


@given(TEXT)
def test_any_other_text_is_a_session_without_a_name_or_none_at_all(text: str) -> None:
    session, agent = mcp_session.read(text)
    assert agent == ""
    assert session in {text, ""}
    assert session == "" or (session.isascii() and session.isprintable() and len(session) <= 256)


@pytest.mark.parametrize("tail", ["", "=", "A", "w6k=", "AAAA", "Cg=="])
def test_a_tail_that_holds_no_printable_name_is_no_name(tail: str) -> None:
    assert mcp_session.read(f"{'0' * 32}.{tail}") == ("0" * 32, "")


@given(st.dictionaries(TEXT, JSON, max_size=4))
def test_arguments_are_taken_out_as_they_were_sent(arguments: dict[str, Any]) -> None:
    posted = mcp_message.read(request("tools/call", name="t", arguments=arguments, _meta={"a": 1}))
    assert posted.arguments == jsontext.loads(json.dumps(arguments))
    assert (
        posted.body
        == b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{},"_meta":{"a":1}}}'
    )


@pytest.mark.parametrize("arguments", [None, [1], "text", 1])
def test_what_is_no_object_is_left_for_the_sdk_to_refuse(arguments: Any) -> None:
    posted = mcp_message.read(request("tools/call", name="t", arguments=arguments))
    assert posted.arguments is None
    assert json.loads(posted.body)["params"]["arguments"] == arguments


def test_arguments_of_another_method_stay_where_they_are() -> None:
    posted = mcp_message.read(request("tools/list", arguments={"a": 1}))
    assert (posted.arguments, json.loads(posted.body)["params"]) == (None, {"arguments": {"a": 1}})


@pytest.mark.parametrize(
    ("method", "info", "name"),
    [
        ("initialize", {"name": "weaver"}, "weaver"),
        ("initialize", {"name": ""}, ""),
        ("initialize", {"name": 1}, None),
        ("initialize", "weaver", None),
        ("tools/list", {"name": "weaver"}, None),
    ],
)
def test_a_handshake_tells_the_clients_name(method: str, info: Any, name: str | None) -> None:
    assert mcp_message.read(request(method, clientInfo=info)).client_name == name


@given(JSON)
def test_any_json_is_a_message_or_a_fault_that_repeats_nothing(value: Any) -> None:
    try:
        mcp_message.read(jsontext.dump_bytes(value))
    except mcp_message.ProtocolFault as fault:
        assert fault.code == types.INVALID_REQUEST
        assert json.loads(fault.body())["id"] is None
        assert str(fault) == "the body must be one JSON-RPC request or notification"


@pytest.mark.parametrize("wrong", [None, 1.5, {"a": 1}, [1], True])
def test_a_request_whose_id_is_none_is_not_taken_for_a_notification(wrong: Any) -> None:
    with pytest.raises(mcp_message.ProtocolFault):
        mcp_message.read(json.dumps({"jsonrpc": "2.0", "id": wrong, "method": "ping"}).encode())


async def test_the_sdk_reads_the_message_and_then_what_the_connection_brings() -> None:
    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    posted = mcp_message.read(request("ping"))
    replayed = posted.replay(receive)
    assert await replayed() == {"type": "http.request", "body": posted.body}
    assert await replayed() == {"type": "http.disconnect"}
