"""directory.token_revoke and token.mint."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from runtime.errors import LoomError, invalid_field
from services.directory.ledger import Actor, Ledger
from services.directory.names import NAME, ORG, is_name
from services.directory.ops.target import subject_of
from services.directory.rows import RevokedToken
from services.directory.store import Directory

MINTED = "token.mint"


class Minted(Protocol):
    """A new token, its id and its end."""

    @property
    def token(self) -> str: ...

    @property
    def jti(self) -> str: ...

    @property
    def expires_at(self) -> datetime: ...


class Minter(Protocol):
    """Signs tokens."""

    def mint(self, org: str, subject: str, kind: str, namespaces: Sequence[tuple[str, str]], ttl_s: int) -> Minted:
        """Raises ValueError for what no token can say, LoomError FEATURE_DISABLED where there is no signing key."""
        ...


class RevokeToken:
    """Puts a token on the deny list of its organisation."""

    def __init__(self, store: Directory, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger

    async def execute(self, org: str, jti: str, actor: Actor) -> bool:
        """True for the first time. A `jti` that nobody has minted is taken too: tokens are not stored."""
        if not jti.isprintable():
            raise invalid_field("jti", "the id of a token")
        async with self._ledger.change(org, actor) as change:
            if await self._store.revoked(org, jti):
                return False
            change.record("directory.token_revoke", detail=jti)
            await change.commit(RevokedToken(org, jti, actor.subject, change.now, change.version()))
        return True


class MintToken:
    """Makes a token; the record names its id and every role in it, before anybody has it."""

    def __init__(self, ledger: Ledger, minter: Minter | None) -> None:
        self._ledger, self._minter = ledger, minter

    async def execute(
        self, org: str, subject: str, kind: str, namespaces: Sequence[tuple[str, str]], ttl_s: int, actor: Actor
    ) -> Minted:
        """Raises FEATURE_DISABLED where the installation has no signing key."""
        if self._minter is None:
            raise LoomError("FEATURE_DISABLED", "this installation has no signing key")
        subject_of(subject)
        for index, (name, _) in enumerate(namespaces):
            if name != ORG and not is_name(name):
                raise invalid_field(f"namespaces[{index}].namespace", f"{NAME}; or {ORG}")
        try:
            minted = self._minter.mint(org, subject, kind, namespaces, ttl_s)
        except ValueError:
            raise invalid_field("namespaces", "few enough to fit into a token") from None
        async with self._ledger.change(org, actor) as change:
            for name, role in namespaces or [("", "")]:
                change.record(MINTED, namespace=name, subject=subject, role=role, detail=minted.jti)
            await change.commit()
        return minted
