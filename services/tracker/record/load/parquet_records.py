"""Records out of Parquet, a few hundred rows at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from services.tracker.record.load.json_records import Found
from services.tracker.record.load.opened import Progress
from services.tracker.record.load.report import Broken

_ROWS = 500


def parquet_records(path: Path, progress: Progress) -> Iterator[Found]:
    """The records of the file. Broken for one that is damaged or cut off: Parquet has its index at the end."""
    # Imported here: it takes a third of a second, and few loads need it.
    import pyarrow
    import pyarrow.parquet

    number, size = 0, path.stat().st_size
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            total = max(file.metadata.num_rows, 1)
            for batch in file.iter_batches(_ROWS):
                columns = [(name, _values(batch.column(name))) for name in batch.schema.names]
                for place in range(batch.num_rows):
                    number += 1
                    yield f"row {number}", {name: values[place] for name, values in columns}
                progress(size * batch.num_rows // total)
    except (pyarrow.ArrowException, OSError, KeyError) as error:
        where = f" after row {number}" if number else ""
        raise Broken(f"not a readable Parquet file{where}: {type(error).__name__}") from None


def _values(column: Any) -> list[Any]:
    import pyarrow

    kind = column.type
    if pyarrow.types.is_timestamp(kind) and kind.unit == "ns":
        column = column.cast(pyarrow.timestamp("us", tz=kind.tz), safe=False)
    try:
        return column.to_pylist()
    except UnicodeDecodeError:
        return [
            None if value is None else value.decode("utf-8", "replace") for value in column.cast("binary").to_pylist()
        ]
