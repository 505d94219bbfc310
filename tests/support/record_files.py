"""Rows of the contract as files, in the forms that `services.tracker.record.load` reads."""

import csv
import gzip
import io
import json
import lzma
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

Row = Mapping[str, Any]


def as_json(rows: Sequence[Row]) -> bytes:
    return json.dumps([_plain(row) for row in rows], indent=1).encode()


def as_lines(rows: Sequence[Row]) -> bytes:
    return b"".join(json.dumps(_plain(row), ensure_ascii=False).encode() + b"\n" for row in rows)


def as_csv(rows: Sequence[Row]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    names = list(rows[0])
    writer.writerow(names)
    for row in rows:
        cells = [_plain(row)[name] for name in names]
        writer.writerow([json.dumps(cell) if isinstance(cell, list) else cell for cell in cells])
    return out.getvalue().encode()


def as_parquet(rows: Sequence[Row]) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([dict(row) for row in rows]), out)
    return out.getvalue()


FORMS = {"json": as_json, "jsonl": as_lines, "csv": as_csv, "parquet": as_parquet}


def written(folder: Path, name: str, data: bytes | str) -> Path:
    """The file `name` in the folder; `.gz` and `.xz` names are compressed."""
    path = folder / name
    body = data.encode() if isinstance(data, str) else data
    packed = {".gz": gzip.compress, ".xz": lzma.compress}.get(path.suffix, bytes)(body)
    path.write_bytes(packed)
    return path


def _plain(row: Row) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}
