"""Credentials at rest."""

import base64
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.errors import LoomError
from services.tracker.sources.secrets import KEY_FILE, SealError, Vault, open_vault, parse_keys, required

OLD, NEW = bytes(range(32)), bytes(range(1, 33))


@settings(max_examples=50)
@given(st.text(), st.text(max_size=20), st.text(max_size=20))
def test_what_is_sealed_opens_again_and_shows_nothing(text: str, org: str, source: str) -> None:
    vault = Vault([OLD])
    sealed = vault.seal(text, org, source)
    assert vault.open(sealed, org, source) == text
    assert len(text) < 8 or text not in sealed
    assert vault.seal(text, org, source) != sealed


def test_a_sealed_text_opens_for_its_source_alone() -> None:
    vault = Vault([OLD])
    sealed = vault.seal("password", "org", "source")
    for org, source in (("org", "other"), ("other", "source"), ("orgs", "ource")):
        with pytest.raises(SealError):
            vault.open(sealed, org, source)


def test_a_changed_text_does_not_open() -> None:
    vault = Vault([OLD])
    sealed = vault.seal("password", "org", "source")
    head, body = sealed.rsplit(".", 1)
    other = "A" if body[3] != "A" else "B"
    for broken in (f"{head}.{body[:3]}{other}{body[4:]}", head, "", "v2" + sealed[2:], f"{head}.!!!", sealed + "."):
        with pytest.raises(SealError):
            vault.open(broken, "org", "source")


def test_the_first_key_seals_and_every_key_opens() -> None:
    sealed = Vault([OLD]).seal("password", "org", "source")
    rotated = Vault([NEW, OLD])
    assert rotated.open(sealed, "org", "source") == "password"
    assert rotated.is_stale(sealed)
    again = rotated.seal("password", "org", "source")
    assert not rotated.is_stale(again)
    assert Vault([NEW]).open(again, "org", "source") == "password"
    with pytest.raises(SealError):
        Vault([NEW]).open(sealed, "org", "source")


def test_keys_are_read_in_hexadecimal_and_in_both_forms_of_base64() -> None:
    key = bytes([251, 239, 190]) * 10 + b"ab"
    forms = [key.hex(), base64.b64encode(key).decode(), base64.urlsafe_b64encode(key).decode().rstrip("=")]
    assert [parse_keys(form) for form in forms] == [[key]] * 3
    assert parse_keys(f"{OLD.hex()} , {NEW.hex()},") == [OLD, NEW]


@pytest.mark.parametrize("text", ["hunter2hunter2", "ab" * 31, "zz" * 32, f"{OLD.hex()}{OLD.hex()}"])
def test_a_key_of_another_length_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(ValueError, match="LOOM_SECRET_KEY, key 1") as caught:
        parse_keys(text)
    assert text not in str(caught.value)
    with pytest.raises(ValueError, match="twice"):
        parse_keys(f"{OLD.hex()},{OLD.hex()}")


def test_a_single_user_gets_a_key_of_their_own_that_nobody_else_reads(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    sealed = open_vault("", folder, single_user=True).seal("password", "org", "source")
    assert open_vault("", folder, single_user=True).open(sealed, "org", "source") == "password"
    assert (folder / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.iterdir()] == [KEY_FILE]


def test_a_key_file_that_is_damaged_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).write_text("half a k")
    with pytest.raises(ValueError, match=KEY_FILE):
        open_vault("", tmp_path, single_user=True)
    assert (tmp_path / KEY_FILE).read_text() == "half a k"


def test_with_tokens_and_without_the_setting_there_is_no_vault(tmp_path: Path) -> None:
    assert open_vault("", tmp_path, single_user=False) is None
    assert open_vault(OLD.hex(), tmp_path, single_user=False) is not None
    with pytest.raises(LoomError, match="LOOM_SECRET_KEY") as caught:
        required(None)
    assert caught.value.code.name == "FEATURE_DISABLED"
    assert not list(tmp_path.iterdir())
