"""`loom capture install`: prints the hook configuration of a coding agent, or writes it into the agent's settings."""

import argparse
import json
import os
import shlex
import shutil
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from loom.capture.agents import TARGETS, Target, merged
from loom.capture.payloads import CLAUDE_CODE
from loom.cli.options import add_json, add_server
from loom.cli.terminal import FAILED, OK, say, show, warn

help = "print the hook configuration of a coding agent, or --write it"


class SettingsError(Exception):
    """The settings file cannot be changed safely; the message says why. It is left as it was."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    parser.add_argument("--agent", choices=sorted(TARGETS), default=CLAUDE_CODE, help=f"(default: {CLAUDE_CODE})")
    parser.add_argument("--scope", choices=("user", "project"), default="user", help="whose settings (default: user)")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--print", action="store_true", help="print what would be in the file (the default)")
    action.add_argument("--write", action="store_true", help="merge it into the file, after a backup")
    add_server(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Prints or writes the configuration; exit code 1 when the settings file cannot be changed safely."""
    target = TARGETS[args.agent]
    path = settings_path(target, args.scope)
    try:
        before = read(path)
        # An agent need not be started from a shell that knows the address.
        after = merged(before, target, hook_command(args.agent, args.base_url or os.environ.get("LOOM_BASE_URL", "")))
        changed = after != before
        backup = write(path, after) if args.write and changed else None
    except (SettingsError, ValueError) as failure:
        warn(f"loom: {path}: {failure}; the file is left as it is")
        return FAILED
    if args.json:
        facts = {"path": str(path), "changed": changed, "written": args.write and changed, "settings": after}
        show({**facts, "backup": str(backup) if backup else None}, compact=True)
    elif args.write:
        say(f"{path}: {'written' if changed else 'already has the hook'}{f'; before: {backup}' if backup else ''}")
    else:
        warn(f"{path} should hold this; `--write` puts it there:")
        say(json.dumps(after, ensure_ascii=False, indent=2))
    if target.note:
        warn(target.note)
    return OK


def hook_command(agent: str, base_url: str = "") -> str:
    """The hook as a shell command, by absolute path: an agent's PATH need not be the shell's."""
    words = [*loom_command(), "capture", "hook", "--agent", agent, *(["--base-url", base_url] if base_url else [])]
    return shlex.join(words)


def loom_command() -> list[str]:
    """The words that start this very `loom`."""
    started = Path(sys.argv[0])
    found = shutil.which(str(started)) if started.name == "loom" else None
    found = found or shutil.which("loom", path=str(Path(sys.executable).parent)) or shutil.which("loom")
    return [str(Path(found).absolute())] if found else [sys.executable, "-m", "loom.cli"]


def settings_path(target: Target, scope: str, env: Mapping[str, str] = os.environ) -> Path:
    """The settings file of the agent for the user, or for the project in the current folder."""
    if scope == "project":
        return Path.cwd() / target.folder / target.file
    moved = env.get(target.home, "") if target.home else ""
    return (Path(moved) if moved else Path(env.get("HOME", "") or "~").expanduser() / target.folder) / target.file


def read(path: Path) -> dict[str, Any]:
    """The settings; an empty or missing file holds none."""
    try:
        text = path.read_text("utf-8")
        settings = json.loads(text) if text.strip() else {}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as failure:
        what = failure.strerror if isinstance(failure, OSError) else "it is not valid JSON, comments included"
        raise SettingsError(f"cannot be read: {what}") from failure
    if not isinstance(settings, dict):
        raise SettingsError("does not hold a JSON object")
    return settings


def write(path: Path, settings: dict[str, Any]) -> Path | None:
    """Writes the settings and returns the copy of what was there before, None when nothing was.

    The file is replaced as a whole, with the permissions it had; where it is a link, the file behind it is.
    """
    path = path.resolve()
    part = path.with_name(f".{path.name}.loom-part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        backup = _backup(path) if path.exists() else None
        part.write_text(json.dumps(settings, ensure_ascii=False, indent=2) + "\n", "utf-8")
        if backup:
            shutil.copymode(path, part)
        part.replace(path)
    except OSError as failure:
        part.unlink(missing_ok=True)
        raise SettingsError(f"cannot be written: {failure.strerror}") from failure
    return backup


def _backup(path: Path) -> Path:
    backup = path.with_name(f"{path.name}.{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}.loom-backup")
    shutil.copy2(path, backup)
    return backup
