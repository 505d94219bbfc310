"""Tokens: signed JWTs (EdDSA, pinned). Every process verifies them itself; no text of a token is kept or shown."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import jwt

from runtime import ids
from runtime.clock import Clock
from runtime.errors import LoomError
from runtime.jwks import ALGORITHM, Jwks
from runtime.keys import Signer
from runtime.lru import Lru
from runtime.roles import ROLES, STORAGE_MARK, WILDCARD

LEEWAY_S = 30
MAX_BYTES = 8 << 10
CACHED = 10_000
KINDS = ("service", "user")
MAX_NAMESPACES, MAX_NAME, MAX_SUBJECT = 64, 128, 256

# Times are checked here, against the injected clock; PyJWT would ask the machine's.
OPTIONS = {
    "require": ["sub", "org", "ns", "iat", "exp", "jti"],
    "verify_signature": True,
    **dict.fromkeys(("verify_exp", "verify_nbf", "verify_iat", "verify_aud", "verify_iss"), False),
}
# Control characters, and halves of surrogate pairs, which are no text.
_UNFIT = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
# What PyJWT and the base64, JSON and number parsers under it raise for hostile input.
UNREADABLE = (jwt.PyJWTError, ValueError, TypeError, RecursionError, OverflowError)


@dataclass(frozen=True, slots=True)
class Claims:
    """What a verified token says. `roles` maps namespaces to roles, `*` among them; `expires_at` is Unix seconds.

    `memo` is for what the auth link works out about the token; it is kept as long as the verified token is.
    """

    org: str
    subject: str
    kind: str
    roles: Mapping[str, str]
    jti: str
    expires_at: int
    memo: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_user(self) -> bool:
        return self.kind == "user"

    @property
    def administers_org(self) -> bool:
        """True where the token alone makes its subject an admin of the organisation."""
        return self.roles.get(WILDCARD) == "admin"


@dataclass(frozen=True, slots=True)
class Minted:
    """A new token; its text is shown once and left out of the repr."""

    token: str = field(repr=False)
    jti: str
    expires_at: datetime


class Minter:
    """Makes tokens."""

    def __init__(self, signer: Signer, clock: Clock) -> None:
        self._signer, self._clock = signer, clock

    def mint(self, org: str, subject: str, kind: str, namespaces: Sequence[tuple[str, str]], ttl_s: int) -> Minted:
        """A token for `subject` that names (namespace, role) pairs and lives `ttl_s` seconds.

        Of two roles on one namespace the larger counts. Raises ValueError for claims that no verifier would take, and
        LoomError (FEATURE_DISABLED) where there is no signing key.
        """
        issued = int(self._clock.now().timestamp())
        payload = {
            "sub": subject,
            "org": org,
            "ns": [{"name": name, "role": role} for name, role in namespaces],
            "kind": kind,
            "iat": issued,
            "exp": issued + ttl_s,
            "jti": ids.new_id(),
        }
        claims = parse(payload)
        if ttl_s <= 0:
            raise ValueError("a token lives at least a second")
        kid, key = self._signer.current()
        token = jwt.encode(payload, key, algorithm=ALGORITHM, headers={"kid": kid})
        if len(token) > MAX_BYTES:
            raise ValueError(f"the token would be over {MAX_BYTES} bytes: name fewer namespaces")
        return Minted(token, claims.jti, datetime.fromtimestamp(claims.expires_at, UTC))


class Verifier:
    """Checks tokens. What was verified once is known by the hash of its text until it ends or the keys change."""

    def __init__(self, jwks: Jwks, clock: Clock, *, cached: int = CACHED) -> None:
        self._jwks, self._clock = jwks, clock
        self._known: Lru[bytes, Claims] = Lru(cached)
        self._version = jwks.version

    def verify(self, token: str) -> Claims:
        """The claims. Raises LoomError: TOKEN_INVALID, or TOKEN_EXPIRED for a token that was good once."""
        if len(token) > MAX_BYTES:
            raise invalid()
        if self._jwks.refresh() != self._version:
            self._known.clear()
            self._version = self._jwks.version
        digest = sha256(token.encode("utf-8", "replace")).digest()
        claims = self._known.get(digest)
        now = self._clock.now().timestamp()
        if claims is None:
            payload = self._signed(token)
            claims = self._parsed(payload, now)
            self._refuse_expired(claims, now)
            self._known.put(digest, claims)
        elif claims.expires_at + LEEWAY_S <= now:
            self._known.drop(digest)
            raise expired()
        return claims

    def _signed(self, token: str) -> dict[str, Any]:
        try:
            kid = jwt.get_unverified_header(token).get("kid")
            key = self._jwks.sought(kid) if isinstance(kid, str) else None
            if key is None:
                raise invalid()
            return jwt.decode(token, key, algorithms=[ALGORITHM], options=OPTIONS)
        except UNREADABLE:
            raise invalid() from None

    def _parsed(self, payload: Mapping[str, Any], now: float) -> Claims:
        try:
            claims = parse(payload)
        except ValueError:
            raise invalid() from None
        begins = max(payload["iat"], payload.get("nbf", payload["iat"]))
        if begins > now + LEEWAY_S:
            raise invalid()
        return claims

    def _refuse_expired(self, claims: Claims, now: float) -> None:
        if claims.expires_at + LEEWAY_S <= now:
            raise expired()


def parse(payload: Mapping[str, Any]) -> Claims:
    """The claims of a payload. Raises ValueError, naming the claim, for one that is missing or not of its type."""
    for name in ("iat", "exp", *(["nbf"] if "nbf" in payload else [])):
        if type(payload.get(name)) is not int:
            raise ValueError(f"{name} must be whole seconds")
    kind = payload.get("kind", "service")
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}")
    return Claims(
        org=_text(payload, "org", MAX_NAME),
        subject=_text(payload, "sub", MAX_SUBJECT),
        kind=kind,
        roles=_roles(payload.get("ns")),
        jti=_text(payload, "jti", MAX_NAME),
        expires_at=payload["exp"],
    )


def _roles(named: Any) -> dict[str, str]:
    if not isinstance(named, list) or len(named) > MAX_NAMESPACES:
        raise ValueError(f"ns must be a list of at most {MAX_NAMESPACES}")
    roles: dict[str, str] = {}
    for entry in named:
        if not isinstance(entry, dict) or entry.get("role") not in ROLES:
            raise ValueError(f"ns must hold objects with a name and a role of {', '.join(ROLES)}")
        name = _text(entry, "name", MAX_NAME)
        if STORAGE_MARK in name:
            raise ValueError("a namespace is named in ns as its members know it")
        roles[name] = max(roles.get(name, "viewer"), entry["role"], key=ROLES.index)
    return roles


def _text(holder: Mapping[str, Any], name: str, limit: int) -> str:
    """One line of something: it ends up in keys, rows and logs."""
    value = holder.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= limit or value.isspace() or not _is_one_line(value):
        raise ValueError(f"{name} must be text of 1 to {limit} characters without control characters")
    return value


def _is_one_line(value: str) -> bool:
    return value.isprintable() or not _UNFIT.search(value)


def missing() -> LoomError:
    """No token was sent."""
    return LoomError("TOKEN_MISSING", "the call needs a token: send `authorization: Bearer <token>`")


def invalid() -> LoomError:
    """A token that nobody here signed, that was revoked, or that says nonsense: a caller need not learn which."""
    return LoomError("TOKEN_INVALID", "the token is not valid here")


def expired() -> LoomError:
    """A good token whose time is over."""
    return LoomError("TOKEN_EXPIRED", "the token has expired")
