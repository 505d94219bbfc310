"""Servers in token mode: a key folder, tokens good and bad, and doors that carry one."""

import base64
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import grpc
import httpx
import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gateway.codec import codec_for
from runtime.clock import SystemClock
from runtime.keys import Signer, new_key
from runtime.optable import load_ops
from runtime.tokens import Minter
from tests.support.doors import detail_of
from tests.support.server import Server

ORG = "acme"
OK = "OK"
TIMEOUT_S = 30.0
MCP_ACCEPTS = {"accept": "application/json, text/event-stream"}
Roles = Mapping[str, str]


@dataclass
class Keys:
    """A key folder, and tokens of its keys."""

    folder: Path
    kid: str = ""

    def __post_init__(self) -> None:
        self.kid = self.kid or new_key(self.folder)

    def token(self, roles: Roles, *, sub: str = "bot", org: str = ORG, kind: str = "service", ttl_s: int = 3600) -> str:
        """A good token."""
        minter = Minter(Signer(self.folder), SystemClock())
        return minter.mint(org, sub, kind, list(roles.items()), ttl_s).token

    def admin(self, org: str = ORG) -> str:
        """Administers the organisation."""
        return self.token({"*": "admin"}, sub="root", org=org)

    def claims(self, roles: Roles) -> dict[str, Any]:
        """A payload that is good if its signature is."""
        return jwt.decode(self.token(roles), options={"verify_signature": False})

    def expired(self, roles: Roles) -> str:
        now = int(time.time())
        return self._signed({**self.claims(roles), "iat": now - 3600, "exp": now - 60})

    def by_another_key(self, roles: Roles, *, kid: str = "") -> str:
        """Signed by a key that is not in the folder, under the id of one that is."""
        return jwt.encode(self.claims(roles), Ed25519PrivateKey.generate(), "EdDSA", {"kid": kid or self.kid})

    def by_public_key(self, roles: Roles) -> str:
        """HS256 with the public key, which everyone may know, as the secret."""
        public = Signer(self.folder).current()[1].public_key()
        raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        return jwt.encode(self.claims(roles), raw, "HS256", {"kid": self.kid})

    def unsigned(self, roles: Roles) -> str:
        """The algorithm `none`."""
        return jwt.encode(self.claims(roles), None, "none", {"kid": self.kid})

    def altered(self, roles: Roles, other: Roles) -> str:
        """The signature of one token under the claims of another."""
        head, _, signature = self.token(roles).split(".")
        body = base64.urlsafe_b64encode(json.dumps(self.claims(other)).encode()).decode().rstrip("=")
        return f"{head}.{body}.{signature}"

    def _signed(self, payload: Mapping[str, Any]) -> str:
        return jwt.encode(dict(payload), Signer(self.folder).current()[1], "EdDSA", {"kid": self.kid})


@dataclass(frozen=True)
class Answer:
    """What came of a call: OK or the error's code, the fields or the error's detail, and the bytes of HTTP."""

    code: str
    value: dict[str, Any] = field(repr=False)
    body: bytes = b""
    status: int = 0

    @property
    def is_auth(self) -> bool:
        """True where the caller was refused for who it is."""
        return self.code != OK and self.value["category"] == "auth"


class TokenDoor(Protocol):
    """Calls ops with a token, or with none."""

    async def call(self, op: str, args: Mapping[str, Any], token: str | None = None) -> Answer: ...

    async def aclose(self) -> None: ...


class Http:
    """JSON over HTTP, at the op's own path."""

    def __init__(self, base_url: str) -> None:
        self._client = httpx.AsyncClient(base_url=base_url, timeout=TIMEOUT_S, trust_env=False)

    async def call(self, op: str, args: Mapping[str, Any], token: str | None = None) -> Answer:
        path = f"/v1/{load_ops().by_name[op].http_path}"
        response = await self._client.post(path, json=dict(args), headers=bearer(token))
        value = response.json()
        if response.status_code == 200:
            return Answer(OK, value, response.content, 200)
        return Answer(value["detail"]["code"], value["detail"], response.content, response.status_code)

    async def aclose(self) -> None:
        await self._client.aclose()


class Mcp:
    """Tool calls, posted by hand without a handshake."""

    def __init__(self, base_url: str) -> None:
        self._client = httpx.AsyncClient(base_url=base_url, timeout=TIMEOUT_S, trust_env=False, headers=MCP_ACCEPTS)

    async def post(self, method: str, params: Mapping[str, Any], token: str | None = None) -> dict[str, Any]:
        """The result of any method."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        response = await self._client.post("/mcp", json=message, headers=bearer(token))
        assert response.status_code == 200, response.text
        return response.json()["result"]

    async def call(self, op: str, args: Mapping[str, Any], token: str | None = None) -> Answer:
        called = {"name": "loom_op", "arguments": {"op": op, "arguments": dict(args)}}
        result = await self.post("tools/call", called, token)
        value = result["structuredContent"]
        assert json.loads(result["content"][0]["text"]) == value
        if result.get("isError"):
            return Answer(value["detail"]["code"], value["detail"])
        return Answer(OK, value)

    async def aclose(self) -> None:
        await self._client.aclose()


class Grpc:
    """The rpcs themselves."""

    def __init__(self, address: str) -> None:
        self._channel = grpc.aio.insecure_channel(address)

    async def call(self, op: str, args: Mapping[str, Any], token: str | None = None) -> Answer:
        row = load_ops().by_name[op]
        request = codec_for(row.request).decode(args).message
        rpc = self._channel.unary_unary(
            row.path, request_serializer=row.request.SerializeToString, response_deserializer=row.response.FromString
        )
        metadata = [(name.lower(), value) for name, value in bearer(token).items()]
        try:
            answer = await rpc(request, timeout=TIMEOUT_S, metadata=metadata)
        except grpc.aio.AioRpcError as error:
            detail = detail_of(error)
            return Answer(detail["code"], detail)
        return Answer(OK, codec_for(row.response).encode(answer))

    async def aclose(self) -> None:
        await self._channel.close()


DOORS = ("http", "mcp", "grpc")


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


def token_door(name: str, server: Any) -> TokenDoor:
    """A door of a server or program that has `base_url` and `grpc`."""
    made: dict[str, Any] = {"http": Http, "mcp": Mcp}
    return Grpc(server.grpc) if name == "grpc" else made[name](server.base_url)


@contextmanager
def guarded_server(folder: Path, **env: str) -> Iterator[tuple[Server, Keys]]:
    """`loom serve` in token mode, without a rate limit unless `env` has one."""
    keys = Keys(folder / "keys")
    given = {"LOOM_KEYS_DIR": str(keys.folder), "LOOM_RATE_LIMIT_PER_S": "0", **env}
    with Server(folder / "data", folder / "log", given) as server:
        yield server, keys
