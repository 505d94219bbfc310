"""A small disk that can be filled: a file system in memory that only one program and its children see.

    command = [*on_small_disk(folder, megabytes=64), "program", "argument"]
    fill(process.pid, folder)

Needs user namespaces or root, as most systems have; `available()` says so. Not a limit on the size of files: that is no
full disk, since the engine asks how much room there is before it writes.
"""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

BALLAST = "ballast"
MOUNT = 'mount -t tmpfs -o size="$0m" tmpfs "$1" && shift && exec "$@"'


def on_small_disk(folder: Path, *, megabytes: int) -> list[str]:
    """What to put in front of a command so that `folder` is a small disk for it, gone when it ends."""
    folder.mkdir(parents=True, exist_ok=True)
    return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", MOUNT, str(megabytes), str(folder)]


@cache
def available() -> bool:
    """Whether this machine lets us have one."""
    if not shutil.which("unshare"):
        return False
    tried = subprocess.run([*on_small_disk(Path("/tmp"), megabytes=1), "true"], capture_output=True)
    return tried.returncode == 0


def fill(pid: int, folder: Path) -> None:
    """Leaves no room on the small disk of that process."""
    with _ballast(pid, folder).open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 65536)
        except OSError:
            return


def make_room(pid: int, folder: Path) -> None:
    _ballast(pid, folder).unlink()


def _ballast(pid: int, folder: Path) -> Path:
    return Path(f"/proc/{pid}/root{os.fspath(folder.absolute())}") / BALLAST
