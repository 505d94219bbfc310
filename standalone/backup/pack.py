"""The two forms of a backup: a folder, or one tar file where the target's name ends in `.tar`.

Either is written under another name beside the target and renamed when all of it is on disk: what has the target's name
is whole. Only its owner may read it.
"""

import contextlib
import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from standalone.backup.errors import BackupError
from standalone.backup.manifest import NAME, NOT_A_BACKUP, FileInfo, Manifest, TableInfo, file_info, parse

TAR, PARTIAL, UNPACKED = ".tar", ".partial", ".unpacked"
# The engine takes these for a pattern of several files.
_PATTERN = frozenset("*?{}")
_DAMAGED = "the backup is damaged: {name} {how}. Nothing was written; take another backup"


class Sink(Protocol):
    """Takes the files of a backup one after another. `folder` is where they are written."""

    folder: Path

    def add(self, table: TableInfo) -> None:
        """The files of a table are written."""
        ...

    def finish(self, manifest: Manifest) -> None:
        """All is there: from now on it has the target's name."""
        ...


class FolderSink:
    """A backup that is a folder."""

    def __init__(self, target: Path) -> None:
        self._target, self.folder = target, _fresh(target, PARTIAL)

    def add(self, table: TableInfo) -> None:
        for file in table.files:
            _synced(self.folder / file.name)

    def finish(self, manifest: Manifest) -> None:
        _write_private(self.folder / NAME, manifest.text())
        _sync_folder(self.folder)
        self.folder.rename(self._target)
        _sync_folder(self._target.parent)

    def abandon(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


class TarSink:
    """A backup that is one file; a table's files are gone from the folder as soon as they are in it."""

    def __init__(self, target: Path) -> None:
        self._target, self.folder = target, _fresh(target, PARTIAL)
        self._path = self.folder / "backup.tar"
        self._tar = tarfile.open(self._path, "w")  # noqa: SIM115 - finish and abandon close it
        self._path.chmod(0o600)

    def add(self, table: TableInfo) -> None:
        for file in table.files:
            self._add(self.folder / file.name)

    def finish(self, manifest: Manifest) -> None:
        _write_private(self.folder / NAME, manifest.text())
        self._add(self.folder / NAME)
        self._tar.close()
        _synced(self._path)
        self._path.rename(self._target)
        _sync_folder(self._target.parent)
        self.abandon()

    def abandon(self) -> None:
        self._tar.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _add(self, path: Path) -> None:
        self._tar.add(path, path.name, filter=_anonymous)
        path.unlink()


@contextlib.contextmanager
def sink(target: Path) -> Iterator[Sink]:
    """Where a backup is written; what is unfinished at the end is removed.

    Raises BackupError for a target that is there already or cannot be one.
    """
    if target.exists():
        raise BackupError(f"{target} is there already: name another target, or remove it")
    if _PATTERN & set(str(target)):
        raise BackupError("the target's path must have none of * ? { }, which the engine takes for a pattern")
    if not target.parent.is_dir():
        raise BackupError(f"{target.parent} is no folder: make it first")
    made = TarSink(target) if target.suffix == TAR else FolderSink(target)
    try:
        yield made
    finally:
        made.abandon()


@contextlib.contextmanager
def opened(source: Path, scratch: Path) -> Iterator[tuple[Manifest, Path]]:
    """The manifest and the folder of a backup whose every file is there and unchanged.

    A tar file is unpacked in `scratch` for the length of the block. Raises BackupError where anything is wrong.
    """
    if source.is_dir():
        manifest = _manifest(source)
        verify(manifest, source)
        yield manifest, source
        return
    if not source.is_file():
        raise BackupError(f"{source} is neither a folder nor a file: name what `loom backup` wrote")
    folder = _fresh(scratch / source.name, UNPACKED)
    try:
        _unpack(source, folder)
        manifest = _manifest(folder)
        verify(manifest, folder)
        yield manifest, folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def verify(manifest: Manifest, folder: Path) -> None:
    """Raises BackupError for a file that is missing, too short, too long or changed."""
    for table in manifest.tables.values():
        for file in table.files:
            path = folder / file.name
            if not path.is_file():
                raise BackupError(_DAMAGED.format(name=file.name, how="is missing"))
            if path.stat().st_size != file.bytes:
                raise BackupError(_DAMAGED.format(name=file.name, how=f"must have {file.bytes} bytes"))
            _refuse_changed(file, path)


def _refuse_changed(file: FileInfo, path: Path) -> None:
    if file_info(path).sha256 != file.sha256:
        raise BackupError(_DAMAGED.format(name=file.name, how="was changed"))


def _manifest(folder: Path) -> Manifest:
    try:
        text = (folder / NAME).read_bytes()
    except OSError:
        raise BackupError(f"{NOT_A_BACKUP} in {folder}") from None
    return parse(text)


def _unpack(source: Path, folder: Path) -> None:
    try:
        with tarfile.open(source, "r:") as tar:
            tar.extractall(folder, filter="data")
    except (tarfile.TarError, EOFError, OSError) as error:
        how = getattr(error, "strerror", None) or "it ends too early, or is no tar file"
        raise BackupError(f"{source} cannot be unpacked ({how}). Nothing was written") from None


def _fresh(target: Path, suffix: str) -> Path:
    """An empty folder for its owner alone, beside `target`; what an attempt that was killed left there is removed."""
    folder = target.with_name(f".{target.name}{suffix}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    return folder


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = 0o600
    return member


def _write_private(path: Path, content: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(content)
    _synced(path)


def _synced(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
