"""Public keys of tokens: a JSON Web Key Set in the key folder, followed as it changes."""

import contextlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from jwt.algorithms import OKPAlgorithm
from jwt.exceptions import InvalidKeyError

from runtime.clock import Clock

log = logging.getLogger("loom.keys")

JWKS = "jwks.json"
ALGORITHM = "EdDSA"
CHECK_S = 2.0


class KeysError(Exception):
    """The key folder cannot be used; the message says what to do and names no key."""


class Jwks:
    """The public keys, followed as the file changes. A file that cannot be read keeps the keys that were read last."""

    def __init__(self, folder: Path, clock: Clock, check_s: float = CHECK_S) -> None:
        """Raises KeysError where there is no good file to begin with."""
        self._folder, self._clock, self._check_s = folder, clock, check_s
        self._seen = self._told = self._stamp()
        self._keys: Mapping[str, Ed25519PublicKey] = parse_jwks(read_jwks(folder))
        self._next = clock.monotonic() + check_s
        self.version = 1

    def get(self, kid: str) -> Ed25519PublicKey | None:
        """The key of that id."""
        return self._keys.get(kid)

    def sought(self, kid: str) -> Ed25519PublicKey | None:
        """The key of that id. One that is not known may be a moment old, so the file is looked at again."""
        if kid not in self._keys:
            self._look()
        return self._keys.get(kid)

    def refresh(self) -> int:
        """Looks at the file, at most every `check_s` seconds, and returns `version`, which grows with each change."""
        now = self._clock.monotonic()
        if now >= self._next:
            self._next = now + self._check_s
            self._look()
        return self.version

    def _look(self) -> None:
        stamp = self._stamp()
        if stamp == self._seen:
            return
        try:
            self._keys = parse_jwks(read_jwks(self._folder))
        except KeysError:
            if stamp != self._told:
                log.warning("jwks.json changed and cannot be read; the keys that were read before stay in force")
            self._told = stamp
            return
        self._seen = stamp
        self.version += 1
        log.info("jwks.json changed", extra={"keys": len(self._keys)})

    def _stamp(self) -> tuple[int, int, int] | None:
        """None while there is no file."""
        with contextlib.suppress(OSError):
            stat = (self._folder / JWKS).stat()
            return stat.st_mtime_ns, stat.st_size, stat.st_ino
        return None


def parse_jwks(text: bytes) -> dict[str, Ed25519PublicKey]:
    """Ed25519 keys by kid, in order; keys of other kinds are left out. Raises KeysError for what is no key set."""
    return {jwk["kid"]: key for jwk in entries(text) if (key := _public_key(jwk)) is not None}


def entries(text: bytes) -> list[dict[str, Any]]:
    """The key set's entries as they stand. Raises KeysError for what is no key set."""
    try:
        keys = json.loads(text)["keys"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise KeysError(f"{JWKS} is not a JSON Web Key Set") from None
    if not isinstance(keys, list) or not all(isinstance(jwk, dict) for jwk in keys):
        raise KeysError(f"{JWKS} is not a JSON Web Key Set")
    return keys


def _public_key(jwk: Mapping[str, Any]) -> Ed25519PublicKey | None:
    kid = jwk.get("kid")
    is_ours = jwk.get("kty") == "OKP" and jwk.get("crv") == "Ed25519" and isinstance(kid, str) and kid
    if not is_ours or jwk.get("use", "sig") != "sig" or jwk.get("alg", ALGORITHM) != ALGORITHM:
        return None
    try:
        # Only the public members: nobody verifies with a private key that was put here by mistake.
        key = OKPAlgorithm.from_jwk({"kty": "OKP", "crv": "Ed25519", "x": jwk.get("x")})
    except (InvalidKeyError, ValueError, TypeError, AttributeError):
        raise KeysError(f"{JWKS} holds a key that cannot be read") from None
    return key if isinstance(key, Ed25519PublicKey) else None


def read_jwks(folder: Path) -> bytes:
    """The file. Raises KeysError where it cannot be read."""
    try:
        return (folder / JWKS).read_bytes()
    except OSError:
        raise KeysError(f"{JWKS} cannot be read in LOOM_KEYS_DIR; `loom keys new` makes it") from None
