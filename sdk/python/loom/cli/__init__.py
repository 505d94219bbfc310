"""The `loom` command.

Exit codes: 0 ok, 1 the call failed, 2 wrong usage, 3 no answer from the server. Each command is a module that is loaded
only when it is asked for: `loom capture hook` runs at every tool call of an agent, and imports are most of its time.
"""

import sys
from collections.abc import Sequence

# Options of many commands that people also write before the command, and how many values each takes.
LEADING = {"--base-url": 1, "--json": 0}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    args = leading_last(list(sys.argv[1:] if argv is None else argv))
    if args[:2] == ["capture", "hook"]:
        from loom.capture.hook import main as hook

        return hook(args[2:])
    from loom.cli.dispatch import run

    return run(args)


def leading_last(args: list[str]) -> list[str]:
    """`args` with options that stand before the command moved behind its arguments."""
    at = 0
    while at < len(args) and args[at].partition("=")[0] in LEADING:
        at += 1 if "=" in args[at] else 1 + LEADING[args[at]]
    return args[at:] + args[:at]
