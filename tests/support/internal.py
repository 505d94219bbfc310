"""The rpcs that planes ask each other by, called from outside."""

import grpc

from loom.directory.v1 import access_pb2 as pb
from runtime.directory import CHECK
from tests.support.doors import detail_of
from tests.support.guarded import OK, ORG, TIMEOUT_S


async def check_with(address: str, header: str | None) -> str:
    """Calls AccessService.Check with an authorization header, or without one: OK or the error's code."""
    request = pb.CheckRequest(org=ORG, namespace="any", subject="somebody")
    metadata = [("authorization", header)] if header else []
    async with grpc.aio.insecure_channel(address) as channel:
        rpc = channel.unary_unary(
            CHECK.path,
            request_serializer=CHECK.request.SerializeToString,
            response_deserializer=CHECK.response.FromString,
        )
        try:
            await rpc(request, metadata=metadata, timeout=TIMEOUT_S)
        except grpc.aio.AioRpcError as error:
            return str(detail_of(error)["code"])
    return OK
