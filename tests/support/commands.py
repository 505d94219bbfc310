"""Runs a command that the application contributes, as the loom program does, without its entry point."""

import argparse
from typing import Any

from loom.cli.terminal import USAGE, UsageError, warn


def run(command: Any, *argv: str) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="loom", description=command.help, allow_abbrev=False)
    command.configure(parser)
    try:
        return command.run(parser.parse_args(argv))
    except SystemExit as leaving:
        return int(leaving.code or 0)
    except UsageError as error:
        warn(f"loom: {error}")
        return USAGE
