"""`loom capture hook | import | install | spool`."""

import argparse

from loom.capture import hook, importing, install, spooled

help = "record the tool calls of coding agents"

ACTIONS = {"import": importing, "install": install, "spool": spooled}


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the actions. `hook` is listed here and runs elsewhere: `loom.cli.main` takes a shorter way to it."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="hook | import | install | spool")
    first = actions.add_parser("hook", help="record the tool call that an agent's hook reports on standard input")
    hook.configure(first)
    for name, module in ACTIONS.items():
        module.configure(actions.add_parser(name, help=module.help, description=module.__doc__, allow_abbrev=False))


def run(args: argparse.Namespace) -> int:
    """Runs the action."""
    return ACTIONS[args.action].run(args)
