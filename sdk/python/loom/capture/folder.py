"""The folder that capture keeps its state in, and how files get into it."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any


def default_folder(env: Mapping[str, str] = os.environ) -> Path:
    """LOOM_SPOOL_DIR, else `loom/spool` in the user's state folder."""
    if named := env.get("LOOM_SPOOL_DIR", ""):
        return Path(named)
    state = env.get("XDG_STATE_HOME", "") or str(Path(env.get("HOME", "") or "~").expanduser() / ".local" / "state")
    return Path(state) / "loom" / "spool"


def private_folder(path: Path) -> Path:
    """Makes `path` a folder that nobody else can look into, inside one that may be shared; records hold what an agent
    read and ran. OSError when it cannot be had, PermissionError when it is someone else's."""
    if not path.parent.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.stat()
    if found.st_uid != os.geteuid():
        raise PermissionError("the folder belongs to another user")
    if stat.S_IMODE(found.st_mode) & 0o077:
        path.chmod(0o700)
    return path


def private_file(path: Path, mode: str) -> IO[Any]:
    """`open`, where a file that it makes can be read by nobody else, and a link that someone laid out is not followed."""
    return open(path, mode, opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW, 0o600))


def write_new(path: Path, data: bytes) -> None:
    """Writes a file that nobody else can read, and returns when it is on disk: whole, or not there at all."""
    part = path.with_name(f".{path.name}.part")
    try:
        with private_file(part, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    _sync(path.parent)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
