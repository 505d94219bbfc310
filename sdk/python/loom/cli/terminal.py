"""What a command prints, and the two failures that every command shares."""

import json
import sys
from typing import Any, TextIO

OK, FAILED, USAGE, UNREACHABLE = 0, 1, 2, 3


class UsageError(Exception):
    """The command line is wrong; the message names the argument and the fix. Exit code 2."""


def say(text: str) -> None:
    """One line on standard output."""
    sys.stdout.write(text + "\n")


def warn(text: str) -> None:
    """One line on standard error."""
    sys.stderr.write(text + "\n")


def show(value: Any, *, compact: bool = False, stream: TextIO | None = None) -> None:
    """`value` as JSON: indented for a person at a terminal, on one line for a program."""
    stream = stream or sys.stdout
    pretty = stream.isatty() and not compact
    text = json.dumps(
        value, ensure_ascii=False, indent=2 if pretty else None, separators=None if pretty else (",", ":")
    )
    # A lone surrogate is legal in JSON text and in no encoding: without this, printing an answer could fail.
    stream.write(text.encode("utf-8", "replace").decode() + "\n")
