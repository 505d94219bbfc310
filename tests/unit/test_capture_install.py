"""Hook configuration, printed or written into an agent's settings."""

import json
import shlex
import stat
from pathlib import Path

import pytest

from loom.capture.agents import TARGETS, is_ours, merged
from loom.capture.install import hook_command, loom_command, settings_path
from loom.cli import main
from tests.support.capture_home import isolated


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    isolated(monkeypatch, tmp_path)
    return tmp_path


def install(*args: str) -> int:
    return main(["capture", "install", *args])


def test_printing_is_the_default_and_writes_nothing(home, capsys):
    assert install() == 0
    shown = json.loads(capsys.readouterr().out)
    assert set(shown["hooks"]) == {"PostToolUse", "PostToolUseFailure"}
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("agent", sorted(TARGETS))
def test_every_event_of_every_agent_runs_loom_by_absolute_path_with_a_timeout(agent, home):
    assert install("--agent", agent, "--write") == 0
    settings = json.loads(settings_path(TARGETS[agent], "user").read_text())
    for event in TARGETS[agent].events:
        (group,) = settings["hooks"][event]
        (entry,) = group.get("hooks", [group])
        words = shlex.split(entry["command"])
        assert Path(words[0]).is_absolute()
        assert words[-4:] == ["capture", "hook", "--agent", agent]
        assert entry["timeout"] == TARGETS[agent].timeout


def test_the_written_command_runs(home):
    import subprocess

    done = subprocess.run(
        ["/bin/sh", "-c", hook_command("codex")], stdin=subprocess.DEVNULL, capture_output=True, cwd=home, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_server_address_becomes_part_of_the_command():
    assert hook_command("codex", "http://loom:1").endswith("--agent codex --base-url http://loom:1")
    assert loom_command()[0] in hook_command("codex")


def test_the_address_of_the_environment_becomes_part_of_the_command(monkeypatch, capsys):
    monkeypatch.setenv("LOOM_BASE_URL", "http://loom:1")
    assert install("--agent", "codex") == 0
    assert "--agent codex --base-url http://loom:1" in capsys.readouterr().out


def test_settings_of_others_are_kept_and_a_backup_is_made(home, capsys):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    before = {
        "model": "opus",
        "ünïcode": [1, {"a": None}],
        "hooks": {"Stop": [{"hooks": []}], "PostToolUse": [{"matcher": "Bash", "hooks": [{"command": "lint"}]}]},
    }
    path.write_text(json.dumps(before))
    path.chmod(0o640)
    assert install("--write") == 0
    after = json.loads(path.read_text())
    assert {**after, "hooks": before["hooks"]} == before
    assert after["hooks"]["Stop"] == before["hooks"]["Stop"]
    assert after["hooks"]["PostToolUse"][0] == before["hooks"]["PostToolUse"][0]
    assert len(after["hooks"]["PostToolUse"]) == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    (backup,) = path.parent.glob("*.loom-backup")
    assert json.loads(backup.read_text()) == before
    assert str(backup) in capsys.readouterr().out


def test_installing_again_changes_nothing(home, capsys):
    install("--write")
    path = home / ".claude" / "settings.json"
    before = path.read_bytes(), path.stat().st_mtime_ns
    assert install("--write") == 0
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert "already has the hook" in capsys.readouterr().out
    assert list(path.parent.glob("*backup")) == []


def test_an_older_hook_of_looms_is_replaced_where_it_stands():
    target = TARGETS["claude-code"]
    old = {"matcher": "*", "hooks": [{"command": "'/old/bin/loom' capture hook"}]}
    mixed = {
        "matcher": "Bash",
        "hooks": [{"command": "lint"}, {"command": "python -m loom.cli capture hook --agent x"}],
    }
    other = {"matcher": "Read", "hooks": [{"command": "audit"}]}
    after = merged({"hooks": {"PostToolUse": [other, old, mixed]}}, target, "/new/loom capture hook")["hooks"]
    assert [group["hooks"][0]["command"] for group in after["PostToolUse"]] == [
        "audit",
        "/new/loom capture hook",
        "lint",
    ]


@pytest.mark.parametrize("text", ["{", "// note\n{}", "[]", '"x"', "3", "\xff"])
def test_a_file_that_is_not_a_json_object_is_refused_and_left_as_it_is(home, capsys, text):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(text.encode("latin-1"))
    for action in ("--write", "--print"):
        assert install(action) == 1
    assert path.read_bytes() == text.encode("latin-1")
    assert "left as it is" in capsys.readouterr().err


@pytest.mark.parametrize("hooks", [[], "x", {"PostToolUse": {}}, {"PostToolUse": "x"}, None])
def test_settings_of_another_shape_are_refused(home, hooks):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"hooks": hooks}))
    assert install("--write") == 1
    assert json.loads(path.read_text()) == {"hooks": hooks}


@pytest.mark.parametrize("text", ["", "  \n", "{}"])
def test_an_empty_file_is_an_empty_object(home, text):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(text)
    assert install("--write") == 0
    assert "PostToolUse" in json.loads(path.read_text())["hooks"]


def test_settings_behind_a_link_stay_behind_it(home):
    dotfiles = home / "dotfiles" / "claude.json"
    dotfiles.parent.mkdir()
    dotfiles.write_text("{}")
    link = home / ".claude" / "settings.json"
    link.parent.mkdir()
    link.symlink_to(dotfiles)
    install("--write")
    assert link.is_symlink()
    assert "hooks" in json.loads(dotfiles.read_text())


def test_a_folder_that_cannot_be_written_is_told(home, capsys):
    (home / ".claude").write_text("a file")
    assert install("--write") == 1
    assert "left as it is" in capsys.readouterr().err


def test_project_settings_lie_in_the_current_folder_and_user_settings_where_the_agent_looks(home):
    assert settings_path(TARGETS["codex"], "project") == home / ".codex" / "hooks.json"
    assert settings_path(TARGETS["codex"], "user", {"CODEX_HOME": "/c", "HOME": "/h"}) == Path("/c/hooks.json")
    assert settings_path(TARGETS["claude-code"], "user", {"HOME": "/h"}) == Path("/h/.claude/settings.json")


def test_json_output_says_what_was_done(home, capsys):
    install("--write", "--json")
    facts = json.loads(capsys.readouterr().out)
    assert (facts["changed"], facts["written"], facts["backup"]) == (True, True, None)
    assert facts["path"] == str(home / ".claude" / "settings.json")


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("/usr/bin/loom capture hook", True),
        ("'/my tools/loom' capture hook --agent x", True),
        ("python3 -m loom.cli capture hook", True),
        ("C:\\bin\\loom.exe capture hook", True),
        ("heirloom capture hook", False),
        ("loom capture import x", False),
        ("capture hook", False),
        ("", False),
        (None, False),
        (["loom", "capture", "hook"], False),
    ],
)
def test_looms_own_hook_is_told_from_others(command, ours):
    assert is_ours(command) is ours
