"""The shard of a call: one user's calls have one, however they come, and it names nobody."""

import base64
import json

import grpc
import pytest

from loom.memory.v1 import memory_pb2
from loom.observe.v1 import observe_pb2
from runtime.call import AUTHORIZATION, SHARD
from runtime.optable import load_ops
from runtime.shard import shard_of
from runtime.transport import GrpcTransport


def token(**claims: str) -> dict[str, str]:
    payload = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    return {AUTHORIZATION: f"Bearer head.{payload}.signature"}


def save(**fields: str) -> memory_pb2.SaveRequest:
    return memory_pb2.SaveRequest(**fields)


def test_one_user_has_one_shard_whether_the_request_or_the_token_says_who() -> None:
    said = save(org="o", namespace="n", user_id="u")
    claimed = save(namespace="n")
    assert shard_of(said, {}) == shard_of(claimed, token(org="o", sub="u", kind="user", jti="1"))
    assert shard_of(claimed, token(org="o", sub="u", kind="user", jti="1")) == shard_of(
        claimed, token(org="o", sub="u", kind="user", jti="2")
    )


def test_a_service_is_no_user() -> None:
    one, other = (shard_of(save(namespace="n"), token(org="o", sub=name, kind="service")) for name in ("a", "b"))
    assert one == other == shard_of(save(org="o", namespace="n", user_id="-"), {})


def test_others_have_others() -> None:
    shards = {
        shard_of(save(org=o, namespace=n, user_id=u), {})
        for o, n, u in [("o", "n", "u"), ("p", "n", "u"), ("o", "m", "u"), ("o", "n", "v"), ("o", "nu", "")]
    }
    assert len(shards) == 5


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer a.b", "Bearer a.bm8=.c", "Internal x", "Bearer a.W10.c", "Bearer é.é.é"]
)
def test_what_is_no_token_says_nobody(header: str) -> None:
    assert shard_of(save(namespace="n"), {AUTHORIZATION: header}) == shard_of(save(namespace="n"), {})


def test_it_is_sixteen_digits_and_not_the_name() -> None:
    shard = shard_of(save(org="o", namespace="n", user_id="someone"), {})
    assert len(bytes.fromhex(shard)) == 8
    assert "someone" not in shard


async def test_a_call_over_the_network_carries_it() -> None:
    seen: list[dict[str, str]] = []

    async def record(request: bytes, context: grpc.aio.ServicerContext) -> bytes:
        seen.append(dict(context.invocation_metadata()))
        return observe_pb2.RecordResponse().SerializeToString()

    handler = grpc.method_handlers_generic_handler(
        "loom.observe.v1.ObserveService", {"Record": grpc.unary_unary_rpc_method_handler(record)}
    )
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    transport, request = GrpcTransport(f"127.0.0.1:{port}"), observe_pb2.RecordRequest(namespace="n")
    await transport.call(load_ops().by_name["observe.record"], request, {"x-request-id": "r"}, 10)
    await transport.close()
    await server.stop(0)
    assert seen[0][SHARD] == shard_of(request, {})
