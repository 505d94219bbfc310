"""A key folder, a scripted directory, and an authenticator over both, on a clock that the test moves."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from loom.directory.v1 import access_pb2 as pb
from runtime.access import TokenAuthenticator
from runtime.call import AUTHORIZATION, Call
from runtime.clock import ManualClock
from runtime.directory import DenyList, Directory
from runtime.errors import LoomError
from runtime.jwks import Jwks
from runtime.keys import InternalKey, Signer, new_key
from runtime.links import Auth, Validate
from runtime.optable import Method, load_ops
from runtime.tokens import Minter, Verifier

ORG = "acme"
Row = dict[str, Any]


@dataclass
class FakeDirectory:
    """A transport to an AccessService whose rows are set by the test: rows[org, namespace], grants[org, ns, subject]."""

    rows: dict[tuple[str, str], Row] = field(default_factory=dict)
    grants: dict[tuple[str, str, str], str] = field(default_factory=dict)
    admins: set[tuple[str, str]] = field(default_factory=set)
    revoked: list[str] = field(default_factory=list)
    asked: list[pb.CheckRequest] = field(default_factory=list)
    metadata: list[Mapping[str, str]] = field(default_factory=list)
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    down: LoomError | None = None
    before_answer: Callable[[pb.CheckRequest], Any] | None = None
    ensured: Row = field(default_factory=lambda: {"kind": "memory"})

    def row(self, name: str, *, restricted: bool = False, storage_name: str = "") -> None:
        self.rows[ORG, name] = {"restricted": restricted, "storage_name": storage_name or name}

    def grant(self, name: str, subject: str, role: str) -> None:
        self.grants[ORG, name, subject] = role

    async def call(self, op: Method, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
        self.metadata.append(metadata)
        if self.down is not None:
            raise self.down
        if op.rpc == "ListRevoked":
            return pb.ListRevokedResponse(tokens=self.revoked)
        assert isinstance(request, pb.CheckRequest)
        self.asked.append(request)
        self.heard.set()
        answer = self._answer(request)
        if self.before_answer is not None:
            await self.before_answer(request)
        return answer

    def _answer(self, request: pb.CheckRequest) -> pb.CheckResponse:
        key = request.org, request.namespace
        if request.ensure and key not in self.rows:
            self.rows[key] = {"storage_name": request.namespace, **self.ensured}
        row = self.rows.get(key)
        return pb.CheckResponse(
            exists=row is not None,
            role=self.grants.get((*key, request.subject), "") if row is not None else "",
            org_admin=(request.org, request.subject) in self.admins,
            **({"storage_name": request.namespace} | (row or {})),
        )

    async def close(self) -> None: ...


class AccessBench:
    """Everything that token mode consists of. `enter` sends a request through the auth and validate links."""

    def __init__(self, folder: Path) -> None:
        self.clock = ManualClock()
        self.folder = folder
        self.kid = new_key(folder)
        self.minter = Minter(Signer(folder), self.clock)
        self.jwks = Jwks(folder, self.clock)
        self.verifier = Verifier(self.jwks, self.clock)
        self.key = InternalKey.read(folder)
        self.directory = FakeDirectory()
        self.client = Directory(self.directory, self.key, self.clock, cache_s=5.0)
        self.deny = DenyList(self.client.revoked, self.clock)
        self.authenticator = TokenAuthenticator(self.verifier, self.client, self.deny, self.key)

    def token(self, *names: str, sub: str = "bot", kind: str = "service", org: str = ORG, ttl_s: int = 3600) -> str:
        """A token that names `namespace:role` pairs."""
        pairs = [(name.rpartition(":")[0], name.rpartition(":")[2]) for name in names]
        return self.minter.mint(org, sub, kind, pairs, ttl_s).token

    def call(self, op: str, token: str | None, **fields: Any) -> Call:
        """A call of an op with the fields of its request."""
        row = load_ops().by_name[op]
        metadata = {} if token is None else {AUTHORIZATION: f"Bearer {token}"}
        return Call(row, row.request(**fields), metadata, "grpc")

    async def enter(self, call: Call, *, fresh: bool = True) -> Call:
        """Raises what the links raise. `fresh` lets the deny list be asked first, as a running process does."""
        if fresh:
            await self.deny.refresh()

        async def handler(call: Call) -> Message:
            return call.request

        async def validate(call: Call) -> Message:
            return await Validate()(call, handler)

        await Auth(self.authenticator)(call, validate)
        return call

    async def code(self, call: Call, *, fresh: bool = True) -> str:
        """OK, or the code of the refusal."""
        try:
            await self.enter(call, fresh=fresh)
        except LoomError as error:
            return error.code.name
        return "OK"
