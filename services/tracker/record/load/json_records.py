"""Records out of JSON: an array, lines, pages one after the other, or an object around them.

The outermost objects are found by counting brackets, and each is parsed by itself. So a file of any length takes the
memory of its longest record, a bad record spoils no other, and of a file that was cut off all complete records are
kept.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import orjson

from services.tracker.record.load.report import Broken, Refused

Found = tuple[str, dict[str, Any] | Refused]
"""Where a record is, and the record or why it is none."""

LONGEST_RECORD, DEEPEST = 64 << 20, 200
_STRUCTURE, _STRING = re.compile(rb'["\[\]{}]'), re.compile(rb'["\\]')
_BETWEEN, _NO_OBJECT = b" \t\r\n,[]", "not an object"
_TOO_LONG, _TOO_DEEP = "longer than 64 MB", f"nested more than {DEEPEST} deep"


def json_records(source: Iterator[bytes]) -> Iterator[Found]:
    """The records of a stream of UTF-8. Broken where it ends inside a record or an array."""
    head = b""
    for chunk in source:
        head = (head + chunk).lstrip()
        if (head and not head.startswith(b"{")) or b"\n" in head or len(head) > LONGEST_RECORD:
            break
    if _is_lines(head):
        yield from _lines(head, source)
    else:
        yield from _objects(head, source)


def _is_lines(head: bytes) -> bool:
    """Whether the first line is an object by itself."""
    first, _, _ = head.partition(b"\n")
    return first.startswith(b"{") and isinstance(_parsed(first), dict)


def _lines(head: bytes, source: Iterator[bytes]) -> Iterator[Found]:
    number, rest = 0, head
    while True:
        *lines, rest = rest.split(b"\n")
        for line in lines:
            number += 1
            yield from _line(number, line)
        if len(rest) > LONGEST_RECORD:
            raise Broken(f"line {number + 1} is {_TOO_LONG}")
        chunk = next(source, None)
        if chunk is None:
            break
        rest += chunk
    if rest.strip():
        found = _record(rest)
        if isinstance(found, Refused):
            raise Broken(f"the file ends in the middle of line {number + 1}")
        yield f"line {number + 1}", found


def _line(number: int, line: bytes) -> Iterator[Found]:
    if line.strip():
        yield f"line {number}", Refused(_TOO_LONG) if len(line) > LONGEST_RECORD else _record(line)


def _objects(head: bytes, source: Iterator[bytes]) -> Iterator[Found]:
    scanner, number = _Scanner(), 0
    for chunk in _after(head, source):
        for found in scanner.feed(chunk):
            number += 1
            yield f"record {number}", _record(found) if isinstance(found, bytes) else found
    if scanner.stray:
        yield f"after record {number}", Refused(_NO_OBJECT)
    if scanner.depth or scanner.in_string:
        raise Broken(f"the file ends in the middle of record {number + 1}")
    if scanner.arrays > 0:
        raise Broken(f"the file ends after record {number}, before its array is closed")


def _after(head: bytes, source: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from source


class _Scanner:
    """Cuts the outermost objects out of a stream. Arrays around them count for nothing."""

    def __init__(self) -> None:
        self.depth, self.arrays, self.in_string = 0, 0, False
        # Whether something stood between the objects that is no object: a number, a text, null.
        self.stray = False
        self._buffer, self._at, self._refused = bytearray(), 0, ""

    def feed(self, chunk: bytes) -> Iterator[bytes | Refused]:
        self._buffer += chunk
        while (place := self._next()) >= 0:
            mark = self._buffer[place]
            if mark in b"{[":
                self._open(mark, place)
                if self.stray and self.depth:
                    self.stray = False
                    yield Refused(_NO_OBJECT)
            elif self.depth:
                self.depth -= 1
                if not self.depth:
                    yield self._cut(place)
            else:
                self.arrays -= 1
        self._forget()

    def _next(self) -> int:
        """The next bracket that is not in a string; -1 where more is needed."""
        while True:
            found = (_STRING if self.in_string else _STRUCTURE).search(self._buffer, self._at)
            if found is None:
                self._at = len(self._buffer)
                return -1
            mark, self._at = found[0], found.end()
            if mark == b"\\":
                if self._at == len(self._buffer):
                    self._at -= 1  # what is escaped comes with the next chunk
                    return -1
                self._at += 1
            elif mark == b'"':
                self.in_string = not self.in_string
            else:
                return found.start()

    def _open(self, mark: int, place: int) -> None:
        if self.depth:
            self.depth += 1
            if self.depth > DEEPEST:
                self._refused = _TOO_DEEP
        elif mark == ord("{"):
            self._passed(place)
            del self._buffer[:place]
            self._at, self.depth, self._refused = 1, 1, ""
        else:
            self.arrays += 1

    def _cut(self, place: int) -> bytes | Refused:
        record = bytes(self._buffer[: place + 1])
        del self._buffer[: place + 1]
        self._at = 0
        return Refused(self._refused) if self._refused else record

    def _passed(self, end: int) -> None:
        """Looks at what stood before the next object."""
        self.stray = self.stray or bool(self._buffer[:end].translate(None, _BETWEEN))

    def _forget(self) -> None:
        """Lets go of what no record will need."""
        if self.depth and len(self._buffer) > LONGEST_RECORD:
            self._refused = self._refused or _TOO_LONG
        if not self.depth or self._refused:
            if not self.depth:
                self._passed(self._at)
            del self._buffer[: self._at]
            self._at = 0


def _record(text: bytes) -> dict[str, Any] | Refused:
    value = _parsed(text)
    if isinstance(value, Refused):
        return value
    return value if isinstance(value, dict) else Refused(_NO_OBJECT)


def _parsed(text: bytes) -> Any:
    """The value; a Refused for what is no JSON. Bytes that are no UTF-8 and lone surrogates come back as U+FFFD."""
    if _too_deep(text):
        return Refused(_TOO_DEEP)
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(text.decode("utf-8", "replace"), strict=False)
    except RecursionError:
        return Refused(_TOO_DEEP)
    except ValueError:
        return Refused("not valid JSON")


def _too_deep(text: bytes) -> bool:
    """A bound that costs nothing for ordinary records: so many opening brackets in all."""
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    scanner, deepest = _Scanner(), 0
    scanner._buffer += text
    while (place := scanner._next()) >= 0:
        scanner.depth += 1 if text[place] in b"{[" else -1
        deepest = max(deepest, scanner.depth)
    return deepest > DEEPEST
