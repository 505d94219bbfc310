"""Records out of CSV: comma, semicolon, tab or bar; quoted by `"`; the first line names the columns."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from services.tracker.record.load.json_records import LONGEST_RECORD, Found
from services.tracker.record.load.opened import ChunkReader
from services.tracker.record.load.report import Broken, Refused

_DELIMITERS = ",;\t|"
_NULL = "\\N"


def csv_records(source: Iterator[bytes]) -> Iterator[Found]:
    """The records of a stream. An empty cell and `\\N` are None. Broken where it ends inside a quoted cell."""
    csv.field_size_limit(LONGEST_RECORD)  # a process-wide limit, which nothing else in the process reads CSV by
    raw = io.BufferedReader(ChunkReader(source))
    text = io.TextIOWrapper(raw, "utf-8", errors="replace", newline="")
    first = _first_line(text)
    names = next(csv.reader([first], delimiter=_delimiter(first)), [])
    if not any(name.strip() for name in names):
        raise Broken("the first line names no column")
    reader = csv.reader(_text_lines(text), delimiter=_delimiter(first), strict=True)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "end of data" in str(error):
                raise Broken(f"the file ends inside the quoted cell of line {reader.line_num + 1}") from None
            yield f"line {reader.line_num + 1}", Refused("not valid CSV")
            continue
        if cells:
            yield f"line {reader.line_num + 1}", _record(names, cells)


def _first_line(text: io.TextIOWrapper) -> str:
    while line := text.readline(LONGEST_RECORD):
        if line.strip():
            return line
    raise Broken("the file is empty")


def _text_lines(text: io.TextIOWrapper) -> Iterator[str]:
    """Lines with their ends; Broken where one is longer than memory should hold."""
    while line := text.readline(LONGEST_RECORD):
        if len(line) >= LONGEST_RECORD:
            raise Broken("a line is longer than 64 MB")
        yield line


def _delimiter(line: str) -> str:
    """The one that the header has most of, a comma first."""
    return max(_DELIMITERS, key=line.count)


def _record(names: list[str], cells: list[str]) -> dict[str, Any] | Refused:
    if len(cells) != len(names):
        return Refused("another number of cells than the first line")
    return {name: None if cell in ("", _NULL) else cell for name, cell in zip(names, cells, strict=True)}
