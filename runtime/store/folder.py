"""The data folder of a chDB store: private to its owner, held by one process at a time, and watched for room."""

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

LOCK_NAME = "loom.lock"
SCRATCH_NAME = "loom.scratch"
ENGINE_NAME = "clickhouse"
_SPARE_BYTES = 1 << 20
_NO_SUCH_CALL = (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS)


class DataFolderBusy(RuntimeError):
    """The folder, or this process's one engine, is in use already; the message names the process and the way out."""


class DataFolderUnusable(DataFolderBusy):
    """The folder cannot be made or written to; the message says why."""


class DataFolder:
    """An open data folder. The operating system lets go of it when the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        """DataFolderBusy where another process has it, DataFolderUnusable where this one may not write there."""
        try:
            self._open(path)
        except OSError as error:
            raise DataFolderUnusable(
                f"the data folder {path} cannot be used ({error.strerror or type(error).__name__}); "
                "name a folder that this user may make and write to"
            ) from None

    def _open(self, path: Path) -> None:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(PermissionError):  # a mounted volume may belong to someone else
            path.chmod(0o700)
        self._lock = os.open(path / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._lock, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(self._lock)
            raise DataFolderBusy(
                f"the data folder {path} is in use by process {holder}; stop it or name another folder"
            ) from None
        os.ftruncate(self._lock, 0)
        os.pwrite(self._lock, f"{os.getpid()}\n".encode(), 0)
        self._scratch_path = path / SCRATCH_NAME
        self._scratch = os.open(self._scratch_path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        self.engine_path = path / ENGINE_NAME
        self.engine_path.mkdir(mode=0o700, exist_ok=True)
        self.engine_path.chmod(0o700)

    def release(self) -> None:
        os.close(self._scratch)
        os.close(self._lock)

    def assure_room(self, size: int) -> None:
        """OSError where files of `size` bytes and `_SPARE_BYTES` more cannot be written here now.

        The space is really taken and given back (50 microseconds): a quota or a limit shows in no other way.
        """
        try:
            _take(self._scratch, size + _SPARE_BYTES)
        except OSError as error:
            if error.errno not in _NO_SUCH_CALL:
                raise
        finally:
            os.ftruncate(self._scratch, 0)

    @contextlib.contextmanager
    def scratch(self, content: bytes) -> Iterator[Path]:
        """A file of `content` for the length of the block: rows on their way, which a crash must leave here alone."""
        try:
            os.pwrite(self._scratch, content, 0)
            yield self._scratch_path
        finally:
            os.ftruncate(self._scratch, 0)


def assure_room(folder: Path, size: int) -> None:
    """OSError where the file system says that it has not so many bytes left. Costs a microsecond, and sees no quota."""
    found = os.statvfs(folder)
    if found.f_bavail * found.f_frsize < size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _take(file: int, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
    else:  # macOS
        os.pwrite(file, bytes(size), 0)
