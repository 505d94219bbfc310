"""`loom capture hook` and the other commands as an agent or a person starts them: processes with a home of their own."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from tests.support.server import BIN, LIMIT_S, clean_environ

# A port that no server is ever given by chance, as one that was free a moment ago may be.
NOBODY = "http://127.0.0.1:1"


class Home:
    """A user's home folder on a machine that has Loom; `base_url` is where its commands look for the server."""

    def __init__(self, folder: Path, base_url: str = NOBODY) -> None:
        self.folder, self.base_url = folder, base_url
        self.spool = folder / "spool"
        self.told: list[str] = []
        folder.mkdir(parents=True, exist_ok=True)

    def env(self) -> dict[str, str]:
        kept = {
            name: value for name, value in clean_environ().items() if not name.startswith(("XDG_", "CLAUDE", "CODEX"))
        }
        own = {"HOME": str(self.folder), "LOOM_SPOOL_DIR": str(self.spool), "LOOM_BASE_URL": self.base_url}
        return kept | own | {"TMPDIR": str(self.folder)}

    def run(self, *args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Runs a `loom` command to its end."""
        done = subprocess.run(
            [BIN / "loom", *args], input=stdin, capture_output=True, env=self.env(), cwd=self.folder, timeout=LIMIT_S
        )
        self.told.append((done.stdout + done.stderr).decode("utf-8", "replace"))
        return done

    def hook(self, payload: Any, *args: str) -> str:
        """Runs the hook; the exit code is 0 and standard output empty, whatever happens. Gives what it told a person."""
        stdin = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        done = self.run("capture", "hook", *args, stdin=stdin)
        assert (done.returncode, done.stdout) == (0, b""), done
        return done.stderr.decode()

    def waiting(self) -> list[dict[str, Any]]:
        """The records in the spool."""
        return [json.loads(path.read_bytes())["record"] for path in sorted((self.spool / "pending").glob("*.json"))]

    def refused(self) -> list[dict[str, Any]]:
        """What no server will take, with the reasons."""
        return [json.loads(path.read_bytes()) for path in sorted((self.spool / "refused").glob("*.json"))]


def tool_use(tool: str, given: Any = None, output: Any = None, *, call_id: str = "", **more: Any) -> dict[str, Any]:
    """What Claude Code's hook says after a tool call."""
    ids = {"tool_use_id": call_id or f"toolu_{os.urandom(6).hex()}"}
    named = {"hook_event_name": "PostToolUse", "session_id": "s-hook", "cwd": "/home/dev/shop", "tool_name": tool}
    return {**named, "tool_input": given, "tool_response": output, **ids, **more}
