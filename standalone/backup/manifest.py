"""The manifest of a backup: what was copied, out of which schema, and how to tell that all of it is there.

    manifest.json
    <table>.<n>.native.zst   rows in ClickHouse's Native form, compressed by zstd

A table of a tracker's local record is named `<database>.<table>`; backups of form 1 have none.

The digest is the SHA-256 of the manifest itself, so that a changed manifest is found as a changed file is.
"""

import dataclasses
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from standalone.backup.errors import BackupError

FORMAT = 2
KNOWN_FORMATS = (1, FORMAT)
NAME = "manifest.json"
NOT_A_BACKUP = f"there is no backup: {NAME} is missing or not readable"
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_TABLE = re.compile(rf"{_NAME}(\.{_NAME})?")
_FILE = re.compile(rf"{_NAME}(\.{_NAME})?\.[0-9]+\.native\.zst")
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class FileInfo:
    """One file of a table."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class TableInfo:
    """Columns with their types, in order; how many rows stood, and a hash over all of them that knows no order."""

    columns: Mapping[str, str]
    rows: int
    hash: str
    files: tuple[FileInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """`migrations`: plane -> file name -> checksum, the schema that the rows were in."""

    id: str
    installation: str
    made_at: str
    loom: str
    engine: str
    migrations: Mapping[str, Mapping[str, str]]
    tables: Mapping[str, TableInfo]
    keys_included: bool = False
    format: int = FORMAT
    left_out: tuple[str, ...] = field(default=())

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())

    @property
    def bytes(self) -> int:
        return sum(file.bytes for table in self.tables.values() for file in table.files)

    def to_json(self) -> dict[str, Any]:
        plain = dataclasses.asdict(self)
        return {**plain, "digest": _digest(plain)}

    def text(self) -> bytes:
        return (json.dumps(self.to_json(), indent=1, sort_keys=True) + "\n").encode()


def parse(text: bytes) -> Manifest:
    """Raises BackupError for a text that is no manifest, was changed, or is of a form that is not known here."""
    try:
        read = json.loads(text)
        digest = read.pop("digest")
        version = read["format"]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BackupError(NOT_A_BACKUP) from None
    if version not in KNOWN_FORMATS:
        raise BackupError(
            f"the backup has format {version if isinstance(version, int) else 'unknown'}, this program reads {FORMAT} and"
            " older ones: restore it with the version of Loom that made it, or a newer one"
        )
    if digest != _digest(read):
        raise BackupError(f"the backup is damaged: {NAME} was changed. Nothing was written; take another backup")
    try:
        return _built(read)
    except (KeyError, TypeError, ValueError):
        raise BackupError(NOT_A_BACKUP) from None


def _built(read: dict[str, Any]) -> Manifest:
    tables = {name: table_info(name, table) for name, table in read.pop("tables").items()}
    return Manifest(**{**read, "tables": tables, "left_out": tuple(read["left_out"])})


def table_info(name: str, read: dict[str, Any]) -> TableInfo:
    """A table as JSON has it. Raises ValueError, KeyError or TypeError for what is none."""
    files = tuple(FileInfo(**file) for file in read.pop("files"))
    # Names become paths and SQL: a manifest is somebody's file, not ours.
    if not _TABLE.fullmatch(name) or not all(_FILE.fullmatch(file.name) for file in files):
        raise ValueError
    return TableInfo(**{**read, "files": files})


def _digest(plain: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def file_info(path: Path) -> FileInfo:
    """Size and SHA-256 of a file."""
    sha, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            sha.update(block)
            size += len(block)
    return FileInfo(path.name, size, sha.hexdigest())
