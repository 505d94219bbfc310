"""Finds a command and runs it."""

import argparse
import difflib
import os
import sys

from loom.cli import commands
from loom.cli.door import UnreachableError
from loom.cli.terminal import FAILED, OK, UNREACHABLE, USAGE, UsageError, say, warn


def run(args: list[str]) -> int:
    """Runs the command that `args` names; every failure that has an exit code becomes it here."""
    try:
        return _run(args)
    except SystemExit as leaving:  # argparse leaves so, after printing
        return leaving.code if isinstance(leaving.code, int) else USAGE
    except UsageError as failure:
        warn(f"loom: {failure}")
        return USAGE
    except UnreachableError as failure:
        warn(f"loom: {failure}")
        return UNREACHABLE
    except BrokenPipeError:  # the reader of our output left, such as `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        return 130


def _run(args: list[str]) -> int:
    if not args or args[0] in ("-h", "--help", "help"):
        (say if args else warn)(overview())
        return OK if args else USAGE
    if args[0] == "--version":
        say(f"loom {commands.version()}")
        return OK
    try:
        command = commands.find(args[0])
    except ImportError as failure:  # an application that is half installed
        warn(f"loom: the command cannot be loaded: {failure}")
        return FAILED
    if command is None:
        raise UsageError(f"there is no command of that name{_nearest(args[0])}; `loom --help` lists them")
    parser = argparse.ArgumentParser(prog=f"loom {args[0]}", description=command.help, allow_abbrev=False)
    command.configure(parser)
    return command.run(_parsed(parser, args[1:])) or OK


def _parsed(parser: argparse.ArgumentParser, args: list[str]) -> argparse.Namespace:
    """The arguments, with options anywhere among them; argparse cannot do that where a command has commands."""
    try:
        return parser.parse_intermixed_args(args)
    except TypeError:
        return parser.parse_args(args)


def _nearest(name: str) -> str:
    near = difflib.get_close_matches(name, commands.names(), n=2)
    return f" (did you mean {' or '.join(near)}?)" if near else ""


def overview() -> str:
    """The text of `loom --help`."""
    lines = ["usage: loom <command> [options]", "", "commands:"]
    lines += [f"  {name:<12}{text}" for name, text in commands.described()]
    lines += [
        "",
        "`loom <command> --help` says more. LOOM_BASE_URL names the server, LOOM_API_KEY or LOOM_API_KEY_FILE the key.",
        "Exit codes: 0 ok, 1 the call failed, 2 wrong usage, 3 no answer from the server.",
    ]
    return "\n".join(lines)
