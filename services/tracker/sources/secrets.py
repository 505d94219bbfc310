"""Credentials at rest: AES-256-GCM under the keys of LOOM_SECRET_KEY.

A sealed text is `v1.<key id>.<nonce>.<ciphertext>`. The key id is the start of a hash of the key, so that keys can be
told apart after a rotation: the first key of the setting seals, every key opens. The organisation and the source are
part of what is authenticated: a sealed text that is copied to another source does not open there.
"""

import base64
import binascii
import contextlib
import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from runtime import ids
from runtime.errors import LoomError

KEY_FILE = "secret.key"
_VERSION = "v1"
_KEY_BYTES, _NONCE_BYTES = 32, 12
_HEX = re.compile(r"[0-9a-fA-F]{64}")


class SealError(Exception):
    """A sealed text that does not open: its key is not here, it was changed, or it belongs to another source."""


class Vault:
    """Seals and opens; `keys` in the setting's order. Nothing of a key or a text is in its repr or its errors."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys: Mapping[str, AESGCM] = {key_id(key): AESGCM(key) for key in keys}
        self.sealing = key_id(keys[0])

    def seal(self, text: str, org: str, source_id: str) -> str:
        """The text, encrypted under the first key for this source alone."""
        nonce = bytes.fromhex(ids.secret())[:_NONCE_BYTES]
        sealed = self._keys[self.sealing].encrypt(nonce, text.encode(), _context(org, source_id))
        return ".".join((_VERSION, self.sealing, _text(nonce), _text(sealed)))

    def open(self, sealed: str, org: str, source_id: str) -> str:
        """The text again. SealError where that cannot be."""
        try:
            version, name, nonce, body = sealed.split(".")
            if version != _VERSION or name not in self._keys:
                raise SealError("the key of these credentials is not in LOOM_SECRET_KEY")
            return self._keys[name].decrypt(_bytes(nonce), _bytes(body), _context(org, source_id)).decode()
        except (ValueError, InvalidTag):
            raise SealError("these credentials were changed, or belong to another source") from None

    def is_stale(self, sealed: str) -> bool:
        """Whether another key than the first sealed it: seal it anew to finish a rotation."""
        return sealed.split(".")[1:2] != [self.sealing]


def key_id(key: bytes) -> str:
    """Eight hexadecimal digits that tell a key apart and say nothing of it."""
    return hashlib.sha256(b"loom secret key id\0" + key).hexdigest()[:8]


def parse_keys(setting: str) -> list[bytes]:
    """The keys of the setting's text. ValueError, which names the setting and the place, for one that is no key."""
    keys = [_parse_key(place, text.strip()) for place, text in enumerate(setting.split(","), 1) if text.strip()]
    if len({key_id(key) for key in keys}) < len(keys):
        raise ValueError("LOOM_SECRET_KEY holds a key twice")
    return keys


def open_vault(setting: str, data_dir: Path, *, single_user: bool) -> Vault | None:
    """The vault of this installation, or None where it can have none: with tokens, and without the setting.

    A single user's key is made in the data folder (`secret.key`, 0600) when it is first needed. ValueError for keys that
    cannot be read.
    """
    if keys := parse_keys(setting):
        return Vault(keys)
    return Vault([_own_key(data_dir)]) if single_user else None


def required(vault: Vault | None) -> Vault:
    """LoomError FEATURE_DISABLED where there is none."""
    if vault is None:
        raise LoomError(
            "FEATURE_DISABLED",
            "credentials of sources are encrypted with LOOM_SECRET_KEY: set it to 32 random bytes in hexadecimal",
        )
    return vault


def _own_key(data_dir: Path) -> bytes:
    path = data_dir / KEY_FILE
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Written whole under another name and linked, so that two processes that start at once end with one key.
    draft = data_dir / f".{KEY_FILE}.{ids.new_id()}"
    if not path.exists():
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(ids.secret() + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    try:
        return parse_keys(path.read_text("ascii").strip())[0]
    except (OSError, ValueError, IndexError):
        raise ValueError(
            f"{KEY_FILE} in the data folder cannot be read as a key; restore it, or set LOOM_SECRET_KEY"
        ) from None


def _parse_key(place: int, text: str) -> bytes:
    with contextlib.suppress(binascii.Error, ValueError):
        key = bytes.fromhex(text) if _HEX.fullmatch(text) else base64.b64decode(_padded(text), b"-_", validate=True)
        if len(key) == _KEY_BYTES:
            return key
    raise ValueError(f"LOOM_SECRET_KEY, key {place}: must be {_KEY_BYTES} bytes in hexadecimal or Base64")


def _context(org: str, source_id: str) -> bytes:
    return b"\0".join((b"loom tracker source", org.encode(), source_id.encode()))


def _padded(text: str) -> str:
    return text.replace("+", "-").replace("/", "_").rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(_padded(text), b"-_", validate=True)
