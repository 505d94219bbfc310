"""The key folder (LOOM_KEYS_DIR): who signs tokens, whose signatures count, and the key of calls between planes.

`<kid>.pem` is a private Ed25519 key (0600), `jwks.json` holds the public ones, oldest first (0644), `internal.key` is the
shared secret of the installation's processes (0600). Planes that only verify need the last two, mounted read-only.
"""

import contextlib
import fcntl
import hashlib
import hmac
import json
import logging
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from jwt.algorithms import OKPAlgorithm

from runtime import ids
from runtime.errors import LoomError
from runtime.jwks import ALGORITHM, JWKS, KeysError, entries, parse_jwks, read_jwks

log = logging.getLogger("loom.keys")

INTERNAL, LOCK = "internal.key", ".lock"
# Hexadecimal digits of the thumbprint: 96 bits tell any number of keys apart.
KID_CHARS = 24
INTERNAL_SCHEME = "Internal "


@dataclass(frozen=True, slots=True)
class KeyInfo:
    """One key of the jwks. `signs` for the one that new tokens are signed with, `private` where its file is here."""

    kid: str
    private: bool
    signs: bool


def new_key(folder: Path) -> str:
    """Makes a key pair and returns its kid; from now on it signs. Makes the folder and `internal.key` where missing."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(folder):
        key = Ed25519PrivateKey.generate()
        jwk = _public_jwk(key.public_key())
        listed = _listed(folder)
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        # The private key first: a jwks that names a key without it would leave nobody to sign.
        _write(folder / f"{jwk['kid']}.pem", pem, 0o600)
        if not (folder / INTERNAL).exists():
            _write(folder / INTERNAL, ids.secret().encode(), 0o600)
        _write_jwks(folder, [*listed, jwk])
    return str(jwk["kid"])


def list_keys(folder: Path) -> list[KeyInfo]:
    """The keys whose signatures count, oldest first. Raises KeysError for a folder without a readable jwks."""
    kids = list(parse_jwks(read_jwks(folder)))
    signing = _signing(folder, kids)
    return [KeyInfo(kid, _pem(folder, kid).exists(), kid == signing) for kid in kids]


def retire_key(folder: Path, kid: str) -> None:
    """Ends a key: tokens that it signed are refused from now on. Raises KeysError for a kid that is not listed."""
    with _locked(folder):
        listed = _listed(folder)
        kept = [jwk for jwk in listed if jwk.get("kid") != kid]
        if len(kept) == len(listed):
            raise KeysError("no key of that id is listed; `loom keys list` shows them")
        _write_jwks(folder, kept)
        _pem(folder, kid).unlink(missing_ok=True)


class Signer:
    """The newest private key. It is read at every use, so that a rotation needs no restart."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def current(self) -> tuple[str, Ed25519PrivateKey]:
        """Kid and key. Raises LoomError (FEATURE_DISABLED) where no listed key has its private half here."""
        try:
            kid = _signing(self._folder, list(parse_jwks(read_jwks(self._folder))))
            key = serialization.load_pem_private_key(_pem(self._folder, kid).read_bytes(), None) if kid else None
        except (KeysError, OSError, ValueError, TypeError, UnsupportedAlgorithm):
            log.warning("the signing key cannot be read")
            key = None
        if not isinstance(key, Ed25519PrivateKey):
            raise LoomError("FEATURE_DISABLED", "this installation holds no signing key; `loom keys new` makes one")
        return kid, key


class InternalKey:
    """The secret that the installation's own processes show each other."""

    __slots__ = ("_header",)

    def __init__(self, secret: str) -> None:
        self._header = INTERNAL_SCHEME + secret

    @classmethod
    def read(cls, folder: Path) -> "InternalKey":
        """Raises KeysError where the file is missing, unreadable or too short to be a secret."""
        try:
            secret = (folder / INTERNAL).read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            raise KeysError(f"{INTERNAL} cannot be read; `loom keys new` makes it") from None
        if len(secret) < 32:
            raise KeysError(f"{INTERNAL} must hold at least 32 characters; `loom keys new` makes a good one")
        return cls(secret)

    @property
    def header(self) -> str:
        """Value of the authorization header."""
        return self._header

    def matches(self, header: str) -> bool:
        """Whether the header shows this key; takes the same time for every wrong one of a length."""
        return hmac.compare_digest(header.encode("utf-8", "replace"), self._header.encode())


def _public_jwk(key: Ed25519PublicKey) -> dict[str, Any]:
    public = OKPAlgorithm.to_jwk(key, as_dict=True)
    members = {name: public[name] for name in ("crv", "kty", "x")}
    return {**members, "kid": _kid(members), "use": "sig", "alg": ALGORITHM}


def _kid(members: Mapping[str, str]) -> str:
    """The beginning of the key's thumbprint (RFC 7638), in digits that no command line takes for an option."""
    canonical = json.dumps(members, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.sha256(canonical).hexdigest()[:KID_CHARS]


def _pem(folder: Path, kid: str) -> Path:
    # The kid may stand in a file that somebody else wrote, and must not lead out of the folder.
    return folder / f"{Path(kid).name}.pem"


def _signing(folder: Path, kids: list[str]) -> str:
    """The newest listed key whose private half is here; empty for none."""
    return next((kid for kid in reversed(kids) if _pem(folder, kid).exists()), "")


def _listed(folder: Path) -> list[dict[str, Any]]:
    """Every entry, those of other kinds too, so that a rewrite loses none."""
    return entries(read_jwks(folder)) if (folder / JWKS).exists() else []


def _write_jwks(folder: Path, keys: list[dict[str, Any]]) -> None:
    _write(folder / JWKS, json.dumps({"keys": keys}, indent=2).encode() + b"\n", 0o644)


def _write(path: Path, content: bytes, mode: int) -> None:
    """Replaces the file at once; nobody sees half of it, or sees it with a wider mode than it shall have."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        os.fchmod(file.fileno(), mode)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One writer at a time, across processes."""
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
