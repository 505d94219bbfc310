"""The key folder: who signs, whose signatures count, and what is on disk."""

import json
import logging
import os
from pathlib import Path

import pytest

from runtime.clock import ManualClock
from runtime.errors import LoomError
from runtime.jwks import CHECK_S, JWKS, Jwks, KeysError, parse_jwks
from runtime.keys import INTERNAL, InternalKey, Signer, list_keys, new_key, retire_key


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "keys"


def test_private_files_are_for_their_owner_alone_and_public_keys_for_all(folder: Path) -> None:
    old = os.umask(0)
    try:
        kid = new_key(folder)
    finally:
        os.umask(old)
    assert [mode(folder), mode(folder / f"{kid}.pem"), mode(folder / INTERNAL)] == [0o700, 0o600, 0o600]
    assert mode(folder / JWKS) == 0o644


def test_the_key_set_holds_public_members_alone(folder: Path) -> None:
    new_key(folder)
    (jwk,) = json.loads((folder / JWKS).read_text())["keys"]
    assert set(jwk) == {"kty", "crv", "x", "kid", "use", "alg"}


def test_the_kid_is_the_thumbprint_of_the_public_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The key and thumbprint of RFC 8037, appendix A.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from jwt.utils import base64url_decode

    from runtime import keys

    example = Ed25519PrivateKey.from_private_bytes(base64url_decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))
    monkeypatch.setattr(keys, "Ed25519PrivateKey", type("Fixed", (), {"generate": staticmethod(lambda: example)}))
    thumbprint = base64url_decode("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k").hex()
    assert thumbprint.startswith(new_key(folder))


def test_the_internal_key_is_made_once_and_has_256_bits(folder: Path) -> None:
    new_key(folder)
    first = (folder / INTERNAL).read_text()
    new_key(folder)
    assert (folder / INTERNAL).read_text() == first
    assert len(bytes.fromhex(first)) == 32


def test_the_newest_key_signs_and_older_ones_still_count(folder: Path) -> None:
    old, new = new_key(folder), new_key(folder)
    assert Signer(folder).current()[0] == new
    assert [(key.kid, key.signs) for key in list_keys(folder)] == [(old, False), (new, True)]


def test_a_retired_key_is_gone_from_the_key_set_and_from_disk(folder: Path) -> None:
    old, new = new_key(folder), new_key(folder)
    retire_key(folder, new)
    assert [key.kid for key in list_keys(folder)] == [old]
    assert not (folder / f"{new}.pem").exists()
    assert Signer(folder).current()[0] == old


def test_retiring_an_unknown_key_says_so(folder: Path) -> None:
    new_key(folder)
    with pytest.raises(KeysError, match="no key of that id"):
        retire_key(folder, "nobody")


def test_entries_of_other_kinds_survive_a_rewrite(folder: Path) -> None:
    kid = new_key(folder)
    listed = json.loads((folder / JWKS).read_text())
    foreign = {"kty": "RSA", "kid": "edge", "n": "AQAB", "e": "AQAB"}
    (folder / JWKS).write_text(json.dumps({"keys": [foreign, *listed["keys"]]}))
    new = new_key(folder)
    retire_key(folder, kid)
    assert [jwk["kid"] for jwk in json.loads((folder / JWKS).read_text())["keys"]] == ["edge", new]


def test_a_folder_of_public_keys_verifies_and_does_not_sign(folder: Path) -> None:
    kid = new_key(folder)
    (folder / f"{kid}.pem").unlink()
    assert Jwks(folder, ManualClock()).get(kid) is not None
    assert [(key.private, key.signs) for key in list_keys(folder)] == [(False, False)]
    with pytest.raises(LoomError) as refusal:
        Signer(folder).current()
    assert refusal.value.code.name == "FEATURE_DISABLED"


def test_a_damaged_private_key_is_no_signing_key(folder: Path) -> None:
    kid = new_key(folder)
    (folder / f"{kid}.pem").write_text("nonsense")
    with pytest.raises(LoomError) as refusal:
        Signer(folder).current()
    assert refusal.value.code.name == "FEATURE_DISABLED"


def test_a_changed_key_set_is_read_within_two_seconds_and_not_before(folder: Path) -> None:
    new_key(folder)
    clock = ManualClock()
    jwks = Jwks(folder, clock)
    second = new_key(folder)
    clock.advance(CHECK_S / 2)
    assert (jwks.refresh(), jwks.get(second)) == (1, None)
    clock.advance(CHECK_S / 2)
    assert jwks.refresh() == 2
    assert jwks.get(second) is not None


def test_an_unchanged_key_set_keeps_its_version(folder: Path) -> None:
    new_key(folder)
    clock = ManualClock()
    jwks = Jwks(folder, clock)
    clock.advance(60)
    assert jwks.refresh() == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"keys": 1}', '{"keys": [1]}', '{"keys": [{"kty": "OKP"'])
def test_a_bad_file_keeps_the_old_keys_and_is_logged_once(
    folder: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    kid = new_key(folder)
    clock = ManualClock()
    jwks = Jwks(folder, clock)
    (folder / JWKS).write_text(text)
    with caplog.at_level(logging.WARNING, "loom.keys"):
        for _ in range(3):
            clock.advance(CHECK_S)
            assert jwks.refresh() == 1
    assert jwks.get(kid) is not None
    assert len(caplog.records) == 1


def test_a_missing_file_keeps_the_old_keys_and_its_return_is_seen(folder: Path) -> None:
    kid = new_key(folder)
    clock = ManualClock()
    jwks = Jwks(folder, clock)
    kept = (folder / JWKS).read_bytes()
    (folder / JWKS).unlink()
    clock.advance(CHECK_S)
    jwks.refresh()
    assert jwks.get(kid) is not None
    (folder / JWKS).write_bytes(kept)
    clock.advance(CHECK_S)
    assert jwks.refresh() == 2


def test_there_must_be_a_good_file_to_begin_with(folder: Path) -> None:
    with pytest.raises(KeysError):
        Jwks(folder, ManualClock())
    folder.mkdir()
    (folder / JWKS).write_text("nonsense")
    with pytest.raises(KeysError):
        Jwks(folder, ManualClock())


@pytest.mark.parametrize(
    "change", [{"kty": "EC"}, {"crv": "X25519"}, {"use": "enc"}, {"alg": "HS256"}, {"kid": ""}, {"kid": 7}]
)
def test_keys_of_other_kinds_are_left_out(folder: Path, change: dict[str, object]) -> None:
    new_key(folder)
    (jwk,) = json.loads((folder / JWKS).read_text())["keys"]
    assert parse_jwks(json.dumps({"keys": [jwk | change]}).encode()) == {}


@pytest.mark.parametrize("x", [None, 5, "", "AA", "!!"])
def test_an_ed25519_entry_without_a_key_makes_the_file_bad(folder: Path, x: object) -> None:
    new_key(folder)
    (jwk,) = json.loads((folder / JWKS).read_text())["keys"]
    with pytest.raises(KeysError):
        parse_jwks(json.dumps({"keys": [jwk | {"x": x}]}).encode())


def test_the_internal_key_matches_its_own_header_alone(folder: Path) -> None:
    new_key(folder)
    key = InternalKey.read(folder)
    assert key.matches(key.header)
    assert not any(key.matches(other) for other in ("", "Internal ", key.header[:-1], key.header + "0", "Internal é"))
    assert key.header.split()[1] not in repr(key)


@pytest.mark.parametrize("content", [b"short", b"\xff" * 64])
def test_an_internal_key_that_is_no_secret_is_refused(folder: Path, content: bytes) -> None:
    folder.mkdir()
    with pytest.raises(KeysError):
        InternalKey.read(folder)
    (folder / INTERNAL).write_bytes(content)
    with pytest.raises(KeysError):
        InternalKey.read(folder)
