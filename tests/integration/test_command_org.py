"""`loom org init`: the first admin of an organisation, made in the store itself."""

import subprocess
from pathlib import Path

import pytest

from standalone.commands.org import command as org
from tests.support.commands import run
from tests.support.server import BIN, Server, clean_environ

INIT = ("init", "--org", "acme", "--admin", "ada")


def test_the_first_admin_is_made_once_and_another_one_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ("--data", str(tmp_path / "data"))
    assert run(org, *INIT, *data) == 0
    assert capsys.readouterr().out == "ada is an admin of acme\n"
    assert run(org, *INIT, *data) == 0
    assert capsys.readouterr().out == "ada was already an admin of acme\n"
    assert run(org, "init", "--org", "acme", "--admin", "eve", *data) == 1
    assert "has an admin" in capsys.readouterr().err
    assert run(org, "init", "--org", "other", "--admin", "eve", *data) == 0


@pytest.mark.parametrize(
    "wrong", [["--org", ""], ["--org", " "], ["--org", "a\n"], ["--admin", "*"], ["--admin", "-"], ["--admin", ""]]
)
def test_names_that_nobody_can_have_are_wrong_usage(wrong: list[str], tmp_path: Path) -> None:
    assert run(org, *INIT, "--data", str(tmp_path), *wrong) == 2


def test_a_dsn_that_is_none_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LOOM_CLICKHOUSE_DSN", "nonsense://user:hunter2@host")
    assert run(org, *INIT, "--data", str(tmp_path)) == 1
    err = capsys.readouterr().err
    assert err.startswith("loom org: ")
    assert "hunter2" not in err


def test_with_a_server_on_the_data_folder_it_says_what_to_do(tmp_path: Path) -> None:
    with Server(tmp_path / "data", tmp_path / "log"):
        done = subprocess.run(
            [BIN / "loom", "org", *INIT, "--data", str(tmp_path / "data")],
            capture_output=True,
            text=True,
            env=clean_environ(),
        )
    assert (done.returncode, done.stdout) == (1, "")
    assert "Stop that server first" in done.stderr
    assert "Traceback" not in done.stderr
