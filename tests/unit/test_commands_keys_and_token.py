"""`loom keys` and `loom token mint`: what they print, make and refuse."""

import json
import os
import tomllib
from datetime import timedelta
from importlib import import_module
from pathlib import Path

import pytest

from runtime.clock import SystemClock
from runtime.errors import LoomError
from runtime.jwks import Jwks
from runtime.tokens import Claims, Verifier
from standalone.commands.keys import command as keys
from standalone.commands.token import command as token
from standalone.commands.token import named, seconds
from tests.support.commands import run

ROOT = Path(__file__).resolve().parents[2]
ADA = ("mint", "--org", "acme", "--sub", "ada")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LOOM_KEYS_DIR", str(tmp_path / "keys"))
    return tmp_path / "keys"


@pytest.fixture
def kid(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert run(keys, "new") == 0
    return capsys.readouterr().out.strip()


def verified(folder: Path, text: str) -> Claims:
    clock = SystemClock()
    return Verifier(Jwks(folder, clock), clock).verify(text)


def test_a_new_key_signs_and_its_private_half_is_for_its_owner_alone(folder: Path, kid: str) -> None:
    assert (folder / f"{kid}.pem").stat().st_mode & 0o777 == 0o600
    assert (folder / "internal.key").stat().st_mode & 0o777 == 0o600


def test_keys_new_prints_the_id_alone_and_no_key(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(keys, "new") == 0
    out, err = capsys.readouterr()
    kid = out.strip()
    assert (folder / f"{kid}.pem").exists()
    secret = (folder / "internal.key").read_text()
    private = (folder / f"{kid}.pem").read_text().splitlines()[1]
    assert secret not in out + err and private not in out + err
    assert f"LOOM_KEYS_DIR={folder}" in err


def test_the_folder_may_be_named_and_is_beside_the_data_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    assert run(keys, "new", "--dir", str(tmp_path / "other")) == 0
    assert (tmp_path / "other" / "jwks.json").exists() and not folder.exists()
    monkeypatch.delenv("LOOM_KEYS_DIR")
    monkeypatch.chdir(tmp_path)
    assert run(keys, "new") == 0
    assert (tmp_path / ".loom" / "keys" / "jwks.json").exists()


def test_the_list_tells_which_key_signs(folder: Path, kid: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(keys, "new")
    newer = capsys.readouterr().out.strip()
    (folder / f"{kid}.pem").unlink()
    assert run(keys, "list") == 0
    older_line, newer_line = capsys.readouterr().out.splitlines()
    assert older_line == f"{kid}  verifies; its private half is elsewhere"
    assert newer_line == f"{newer}  signs and verifies"
    assert run(keys, "list", "--json") == 0
    assert json.loads(capsys.readouterr().out) == [
        {"kid": kid, "private": False, "signs": False},
        {"kid": newer, "private": True, "signs": True},
    ]


def test_a_retired_key_is_gone_and_an_unknown_one_is_an_error(
    folder: Path, kid: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(keys, "retire", kid) == 0
    assert run(keys, "list") == 0
    assert capsys.readouterr().out == ""
    assert run(keys, "retire", kid) == 1
    assert "loom keys: no key of that id" in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tmp_path.chmod(0o500)
    assert run(keys, "new", "--dir", str(tmp_path / "keys")) == 1
    assert str(tmp_path / "keys") in capsys.readouterr().err


def test_keys_list_without_keys_says_how_to_make_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(keys, "list") == 1
    assert "loom keys new" in capsys.readouterr().err


def test_keys_without_an_action_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(keys) == 2


def test_a_token_is_printed_alone_and_says_what_was_asked(
    folder: Path, kid: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(token, *ADA, "--ns", "web:writer", "--ns", "a:b:admin", "--ns", "*:viewer", "--kind", "user")
    out, err = capsys.readouterr()
    assert (code, err, out.count("\n")) == (0, "", 1)
    claims = verified(folder, out.strip())
    assert (claims.org, claims.subject, claims.kind) == ("acme", "ada", "user")
    assert claims.roles == {"web": "writer", "a:b": "admin", "*": "viewer"}


def test_a_token_is_a_services_and_lives_thirty_days_unless_told_otherwise(
    folder: Path, kid: str, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = SystemClock().now().timestamp()
    assert run(token, *ADA) == 0
    claims = verified(folder, capsys.readouterr().out.strip())
    assert claims.kind == "service"
    assert 0 <= claims.expires_at + 1 - begun - timedelta(days=30).total_seconds() < 60


@pytest.mark.parametrize(
    "wrong",
    [
        ["--ns", "web"],
        ["--ns", "web:owner"],
        ["--ns", ":admin"],
        ["--ns", "web:"],
        ["--ns", "we b:admin"],
        ["--kind", "robot"],
        ["--ttl", "soon"],
        ["--ttl", "59s"],
        ["--ttl", "366d"],
        ["--ttl", "-5d"],
        ["--sub", "*"],
        ["--sub", "a\nb"],
        ["--org", ""],
        ["--org", "o" * 129],
        ["--sub", "s" * 257],
        [part for number in range(65) for part in ("--ns", f"n{number}:viewer")],
    ],
)
def test_a_token_that_makes_no_sense_is_wrong_usage(
    folder: Path, kid: str, wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(token, *ADA, *wrong) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err


def test_without_a_key_there_is_no_token(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(token, *ADA) == 1
    out, err = capsys.readouterr()
    assert (out, "loom keys new" in err) == ("", True)


def test_a_retired_keys_tokens_are_refused(folder: Path, kid: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(token, *ADA)
    old = capsys.readouterr().out.strip()
    assert verified(folder, old).subject == "ada"
    run(keys, "new")
    assert verified(folder, old).subject == "ada"
    run(keys, "retire", kid)
    with pytest.raises(LoomError) as refused:
        verified(folder, old)
    assert refused.value.code.name == "TOKEN_INVALID"


@pytest.mark.parametrize(("text", "expected"), [("90s", 90), ("90", 90), ("15m", 900), ("12h", 43200), ("1d", 86400)])
def test_times_have_units(text: str, expected: int) -> None:
    assert seconds(text) == expected


def test_a_name_may_hold_colons() -> None:
    assert named("team:web:writer") == ("team:web", "writer")


def test_every_command_is_named_in_the_entry_points() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    points = project["entry-points"]["loom.commands"]
    assert points.keys() >= {"keys", "token", "org", "serve", "doctor"}
    for point in points.values():
        module, _, name = point.partition(":")
        assert getattr(import_module(module), name).help
