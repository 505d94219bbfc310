"""Another service that uses Loom over gRPC: it records what its jobs did, and asks what was recorded.

    loom serve                                   # in one terminal: gRPC on port 7778
    python examples/grpc_client.py job-17        # in another

`pip install loom-sdk grpcio-status` brings the messages and stubs, and those of errors. In a cluster the address is the
edge's (envoy.grpc) or, for a service that may reach it, Envoy's inner door. Over TLS put `grpc.aio.secure_channel` in the
place of the insecure one.
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence

import grpc
from google.rpc import error_details_pb2, status_pb2

from loom.observe.v1 import observe_pb2, observe_pb2_grpc

TIMEOUT_S = 10.0
# gRPC itself sends a call again that no server began. Recording twice makes one row, so UNAVAILABLE may be retried too.
RETRY = {
    "methodConfig": [
        {
            "name": [{"service": "loom.observe.v1.ObserveService"}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.1s",
                "maxBackoff": "2s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ]
}
OPTIONS = (("grpc.service_config", json.dumps(RETRY)), ("grpc.keepalive_time_ms", 60_000))


class Refused(RuntimeError):
    """Loom's error: the registry's code, its message, and the request id to look for in logs."""

    def __init__(self, code: str, message: str, request_id: str) -> None:
        super().__init__(f"{code}: {message} (request {request_id})")
        self.code = code


def refused(error: grpc.aio.AioRpcError) -> Refused:
    """What Loom says, out of the status' details."""
    packed = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin", b"")
    info = error_details_pb2.ErrorInfo()
    for detail in status_pb2.Status.FromString(packed).details:
        if detail.Unpack(info):
            break
    request_id = str(dict(error.trailing_metadata() or ()).get("x-request-id", ""))
    return Refused(info.reason or error.code().name, error.details() or "", request_id)


class Record:
    """The record of what jobs did."""

    def __init__(self, address: str, token: str = "", namespace: str = "") -> None:
        self._channel = grpc.aio.insecure_channel(address, options=OPTIONS)
        self._stub = observe_pb2_grpc.ObserveServiceStub(self._channel)
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._namespace = namespace

    async def __aenter__(self) -> "Record":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._channel.close()

    async def done(self, job: str, step: str, given: object, result: object) -> str:
        """Records a step of a job; its key. Raises Refused."""
        request = observe_pb2.RecordRequest(
            namespace=self._namespace,
            agent="jobs",
            session_id=job,
            tool_name=step,
            tool_input=json.dumps(given),  # "any JSON" travels as JSON text
            tool_output=json.dumps(result),
        )
        try:
            answer = await self._stub.Record(request, timeout=TIMEOUT_S, metadata=self._metadata)
        except grpc.aio.AioRpcError as error:
            raise refused(error) from None
        return str(answer.memory_key)

    async def steps(self, job: str) -> Sequence[str]:
        """The steps of a job that are on record, oldest first. Raises Refused."""
        request = observe_pb2.ListRequest(namespace=self._namespace, session_id=job, page_size=200)
        try:
            answer = await self._stub.List(request, timeout=TIMEOUT_S, metadata=self._metadata)
        except grpc.aio.AioRpcError as error:
            raise refused(error) from None
        return [row.tool_name for row in answer.observations]


async def run(address: str, job: str) -> Sequence[str]:
    async with Record(address, os.environ.get("LOOM_API_KEY", "")) as record:
        await record.done(job, "fetch_orders", {"since": "2026-11-01"}, {"orders": 3})
        await record.done(job, "send_invoices", {"orders": 3}, {"sent": 3})
        return await record.steps(job)


def main() -> None:
    parser = argparse.ArgumentParser(description="A service that uses Loom over gRPC.")
    parser.add_argument("--address", default="127.0.0.1:7778", help="host:port of the gRPC door")
    parser.add_argument("job")
    args = parser.parse_args()
    try:
        print("\n".join(asyncio.run(run(args.address, args.job))))
    except Refused as error:
        print(error, file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
