"""The commands there are: the library's own, and those that an installed application contributes.

A command is anything with `help` (one line), `configure(parser)` and `run(args) -> int`. An application contributes one
by an entry point of the group `loom.commands`, named as the command; so the library never imports the application.
"""

import argparse
import importlib
from importlib import metadata
from typing import Protocol

GROUP = "loom.commands"

OWN = {
    "call": "loom.cli.call",
    "ops": "loom.cli.ops",
    "capture": "loom.capture.command",
    "memory": "loom.cli.memory",
}


class Command(Protocol):
    """One command."""

    help: str

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds the command's arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Runs the command and returns its exit code."""


def find(name: str) -> Command | None:
    """The command of that name; None when there is none. An own command is never replaced by a contributed one."""
    if name in OWN:
        return importlib.import_module(OWN[name])
    contributed = _contributed()
    return contributed[name].load() if name in contributed else None


def names() -> list[str]:
    """The names of all commands, contributed ones first."""
    return [*(name for name in sorted(_contributed()) if name not in OWN), *OWN]


def described() -> list[tuple[str, str]]:
    """Name and one line of help of each command; one that cannot be loaded says so and hides no other."""
    return [(name, _help(name)) for name in names()]


def _help(name: str) -> str:
    try:
        command = find(name)
    except Exception as failure:  # a contributed command may fail in any way while it is imported
        return f"(cannot be loaded: {type(failure).__name__})"
    return command.help if command else ""


def _contributed() -> dict[str, metadata.EntryPoint]:
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


def version() -> str:
    """The installed library's version."""
    try:
        return metadata.version("loom-sdk")
    except metadata.PackageNotFoundError:
        return "unknown"
