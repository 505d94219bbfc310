"""Options that commands share: which server to talk to, and with which key."""

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

from loom.cli.terminal import UsageError

DEFAULT_BASE_URL = "http://127.0.0.1:7777"


def add_server(parser: argparse.ArgumentParser) -> None:
    """Adds `--base-url`. There is no option for the key: `ps` shows arguments to everyone on the machine."""
    parser.add_argument(
        "--base-url",
        default="",
        metavar="URL",
        help=f"address of the server (default: LOOM_BASE_URL, else {DEFAULT_BASE_URL})",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Adds `--json`."""
    parser.add_argument("--json", action="store_true", help="print JSON for a program, and no progress")


def add_identity(parser: argparse.ArgumentParser) -> None:
    """Adds `--org`, `--namespace` and `--user-id`."""
    for name, variable in IDENTITY.items():
        flag = "--" + name.replace("_", "-")
        parser.add_argument(flag, default="", help=f"{name} of the records (default: {variable}, else the server's)")


IDENTITY = {"org": "LOOM_ORG", "namespace": "LOOM_NAMESPACE", "user_id": "LOOM_USER_ID"}


def identity(args: argparse.Namespace, env: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The identity fields that the caller names; one that it does not is left out, for the server to fill."""
    named = {name: getattr(args, name, "") or env.get(variable, "") for name, variable in IDENTITY.items()}
    return {name: value for name, value in named.items() if value}


def base_url(args: argparse.Namespace, env: Mapping[str, str] = os.environ) -> str:
    """The server's address."""
    return args.base_url or env.get("LOOM_BASE_URL", "") or DEFAULT_BASE_URL


def api_key(env: Mapping[str, str] = os.environ) -> str:
    """The key: LOOM_API_KEY, else the file that LOOM_API_KEY_FILE names, else `loom/api_key` in the user's
    configuration folder, else none. UsageError when it is not fit for a header, without showing it."""
    key = env.get("LOOM_API_KEY", "").strip() or _key_file(env)
    if not (key.isascii() and (key.isprintable() or not key)) or " " in key:
        raise UsageError("the API key must be printable ASCII without spaces: set LOOM_API_KEY or its file again")
    return key


def _key_file(env: Mapping[str, str]) -> str:
    named = env.get("LOOM_API_KEY_FILE", "")
    home = env.get("XDG_CONFIG_HOME", "") or str(Path(env.get("HOME", "") or "~").expanduser() / ".config")
    path = Path(named) if named else Path(home) / "loom" / "api_key"
    try:
        return path.read_text("utf-8").strip()
    except (OSError, ValueError) as failure:
        if named:
            raise UsageError(f"LOOM_API_KEY_FILE cannot be read ({type(failure).__name__})") from failure
        return ""
