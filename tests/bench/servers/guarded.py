"""The server of `small`, in single-user mode or, with `--tokens`, with a token to check at every call.

`--limit` counts calls for the rate limit too; the limit itself is never reached.

Both get the same requests: the token is put in front of the gateway, so that the load needs to know nothing of it.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Mapping
from pathlib import Path

import uvloop
from google.protobuf.message import Message
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.build import GatewayParts, gateway
from gateway.http_server import HttpServer
from gateway.settings import GatewaySettings
from loom.directory.v1 import access_pb2 as pb
from runtime import logs
from runtime.access import TokenAuthenticator
from runtime.clock import SystemClock
from runtime.directory import DenyList, Directory
from runtime.health import Health
from runtime.identity import Authenticator, SingleUser
from runtime.jwks import Jwks
from runtime.keys import InternalKey, Signer, new_key
from runtime.metrics import Metrics
from runtime.optable import Method
from runtime.process import ProcessSettings
from runtime.settings import load_all
from runtime.telemetry import Telemetry
from runtime.tokens import Minter, Verifier
from runtime.transport import InProcess
from runtime.tuning import tune_for_serving
from tests.bench.servers.small import bound

NAMESPACE = "bench"
UNREACHED = "1000000"


class OpenDirectory:
    """Knows every namespace, and nobody's grants."""

    async def call(self, op: Method, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
        if op.rpc == "ListRevoked":
            return pb.ListRevokedResponse()
        return pb.CheckResponse(exists=True, kind="memory", storage_name=NAMESPACE)

    async def close(self) -> None: ...


async def tokens(folder: Path) -> tuple[Authenticator, str]:
    """An authenticator over new keys, and a token that it takes."""
    clock = SystemClock()
    new_key(folder)
    key = InternalKey.read(folder)
    directory = Directory(OpenDirectory(), key, clock, cache_s=5.0)
    deny = DenyList(directory.revoked, clock)
    await deny.refresh()
    # Kept by its task, which runs as long as the process does.
    deny.polling = asyncio.create_task(deny.run())
    token = Minter(Signer(folder), clock).mint("dev", "bench", "service", [(NAMESPACE, "writer")], 3600).token
    return TokenAuthenticator(Verifier(Jwks(folder, clock), clock), directory, deny, key), token


def with_header(app: ASGIApp, token: str) -> ASGIApp:
    """The application with an authorization header on every request."""
    header = (b"authorization", f"Bearer {token}".encode())

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        scope["headers"] = [*scope["headers"], header]
        await app(scope, receive, send)

    return served


async def main(guarded: bool, limited: bool) -> None:
    limit = {"LOOM_RATE_LIMIT_PER_S": UNREACHED if limited else "0", "LOOM_RATE_LIMIT_BURST": UNREACHED}
    loaded = load_all([ProcessSettings, GatewaySettings], limit)
    logs.setup("info")
    with tempfile.TemporaryDirectory() as folder:
        checking, token = await tokens(Path(folder))
        authenticator = checking if guarded else SingleUser("dev", NAMESPACE)
        parts = GatewayParts(loaded, Telemetry(), Metrics(), Health(), SystemClock(), authenticator)
        async with gateway(parts, {"observe": InProcess(bound(parts, hooks=True))}) as front:
            tune_for_serving()
            server = HttpServer(with_header(front.app, token), grace_s=1)
            print(f"port {await server.start('127.0.0.1', 0)}", flush=True)
            await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tokens", action="store_true")
    parser.add_argument("--limit", action="store_true")
    given = parser.parse_args()
    uvloop.run(main(given.tokens, given.limit))
