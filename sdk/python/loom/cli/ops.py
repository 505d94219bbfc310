"""`loom ops`: what the contract says about every op, without a server."""

import argparse
import difflib
import shutil
import textwrap
from collections.abc import Iterator

from loom import contract
from loom.cli.options import add_json
from loom.cli.terminal import OK, UsageError, say, show

help = "list the ops, or describe one, from the contract; needs no server"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    add_json(parser)
    actions = parser.add_subparsers(dest="action", metavar="list | describe")
    one = actions.add_parser("list", help="every op in one line (the default)")
    other = actions.add_parser("describe", help="one op with its fields")
    other.add_argument("op", help="name of the op")
    for sub in (one, other):
        # Not stored when absent, so that `loom ops --json list` keeps what stands before.
        sub.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON for a program")


def run(args: argparse.Namespace) -> int:
    """Prints what was asked for."""
    ops = contract.ops()
    if args.action == "describe":
        op = _named(ops, args.op)
        show(op.as_json()) if args.json else say("\n".join(described(op)))
    elif args.json:
        show([op.as_json() for op in ops], compact=True)
    else:
        say("\n".join(listed(ops)))
    return OK


def _named(ops: list[contract.OpInfo], name: str) -> contract.OpInfo:
    by_name = {op.name: op for op in ops}
    if name not in by_name:
        near = difflib.get_close_matches(name, by_name, n=3, cutoff=0.4)
        raise UsageError(f"there is no op of that name; {'nearest: ' + ', '.join(near) if near else 'see `loom ops`'}")
    return by_name[name]


def listed(ops: list[contract.OpInfo]) -> Iterator[str]:
    """One line for each op: name, role, kind, and the first sentence of what it does."""
    width = max((len(op.name) for op in ops), default=0)
    for op in ops:
        first = op.doc.partition(". ")[0].rstrip(".")
        yield f"{op.name:<{width}}  {op.role:<6}  {op.kind:<5}  {first}"


def described(op: contract.OpInfo) -> Iterator[str]:
    """Everything about one op, for a person."""
    traits = [op.role, op.kind, *(["idempotent"] if op.idempotent else []), f"toolset {op.toolset}"]
    yield f"{op.name}  ({', '.join(traits)}{'' if op.listed else ', not listed by MCP'})"
    yield from _wrapped(op.doc, "")
    yield "\ninput:"
    yield from _fields(op.request, "  ")
    yield "\noutput:"
    yield from _fields(op.response, "  ")


def _fields(fields: tuple[contract.FieldInfo, ...], indent: str) -> Iterator[str]:
    if not fields:
        yield f"{indent}(none)"
    for field in fields:
        yield f"{indent}{field.name}: {field.summary()}"
        yield from _wrapped(field.doc, indent + "    ")
        if field.fields:
            yield from _fields(field.fields, indent + "    ")


def _wrapped(text: str, indent: str) -> list[str]:
    width = min(shutil.get_terminal_size().columns, 120)
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent)
