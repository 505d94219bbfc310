"""Remembers which tool calls were captured, and when: the time of the first capture is the time of all of them.

The server's key of a record hashes `observed_at` as it was sent. So that one call is one row however often its hook
fires, on whichever path it travels (at once, again, out of the spool hours later), every capture of it must send the
same time. Agents do not tell it, so the first capture decides, and the others read it here. docs/capture.md says more.
"""

import hashlib
import os
from pathlib import Path
from typing import Any

from loom.capture import jsontext
from loom.capture.folder import private_file, private_folder

# One folder for each first byte of the name; each forgets the oldest half of its calls when it is full.
CALLS_PER_FOLDER = 256


def digest_of(agent: str, session: str, call_id: str, record: dict[str, Any]) -> str:
    """The name of a call. The agent's own id makes it; without one, two equal records are one call."""
    own = [agent, session, call_id] if call_id else {name: record[name] for name in sorted(record) if name != "tags"}
    return hashlib.sha256(jsontext.dumps(own)).hexdigest()[:40]


class Calls:
    """Captured calls, by name, in a folder that processes share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def first(self, digest: str, at: str) -> str:
        """The time of the call's first capture, which is `at` when this is it. Empty when the folder cannot be used:
        the record then goes without a time, which keeps its key the same all the same."""
        path = self._path(digest)
        try:
            private_folder(self._folder)
            private_folder(path.parent)
            return self._claim(path, at)
        except OSError:
            return ""

    def known(self, digest: str) -> bool:
        """Whether the call was captured."""
        return self._path(digest).exists()

    def forget(self, digest: str) -> None:
        """Takes back a capture that came to nothing."""
        self._path(digest).unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest[2:]

    def _claim(self, path: Path, at: str) -> str:
        part = path.with_name(f".{os.urandom(8).hex()}")
        with private_file(part, "x") as file:
            file.write(at)
        try:
            # Of several captures at once exactly one makes the link, and its content is whole when it appears.
            path.hardlink_to(part)
        except FileExistsError:
            return path.read_text("ascii")
        finally:
            part.unlink()
        _forget_oldest(path.parent)
        return at


def _forget_oldest(folder: Path) -> None:
    with os.scandir(folder) as entries:
        names = [entry for entry in entries if not entry.name.startswith(".")]
    if len(names) > CALLS_PER_FOLDER:
        names.sort(key=lambda entry: entry.stat().st_mtime_ns)
        for entry in names[: CALLS_PER_FOLDER // 2]:
            Path(entry.path).unlink(missing_ok=True)
