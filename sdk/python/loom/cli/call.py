"""`loom call <op> key=value … | -`: calls any op of a server and prints its answer as JSON."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from loom.cli.door import Answer, Door
from loom.cli.options import add_json, add_server, api_key, base_url
from loom.cli.terminal import FAILED, OK, UsageError, show, warn

help = "call an op and print its answer as JSON"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    parser.add_argument("op", help="name of the op, such as observe.record; `loom ops` lists them")
    parser.add_argument(
        "arguments",
        nargs="*",
        metavar="key=value",
        help="an argument: the value is JSON where it parses as JSON, else a string, and always a string where the op"
        " takes one; key=@FILE takes the value from a file; `-` reads a JSON object from standard input, to which"
        " key=value add",
    )
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="seconds to wait for the answer")
    add_server(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Prints the answer; an error envelope goes to standard error and gives exit code 1."""
    body = json.dumps(arguments(args.arguments, args.op), ensure_ascii=False).encode("utf-8", "replace")
    door = Door(base_url(args), api_key())
    answer = door.post(args.op, body, args.timeout)
    door.close()
    return printed(answer, args.json, door.address)


def printed(answer: Answer, compact: bool, address: str) -> int:
    """Prints an answer and returns the exit code that it stands for."""
    value = answer.value()
    if answer.ok and value is not None:
        show(value, compact=compact)
        return OK
    if answer.detail() is not None:
        show(value, compact=compact, stream=sys.stderr)
    else:
        warn(f"loom: HTTP {answer.status} from {address}, and not an answer of Loom: check the base URL")
    return FAILED


def arguments(items: list[str], op: str = "") -> dict[str, Any]:
    """The arguments that the command line gives to `op`. UsageError names the one at fault."""
    found = _object(sys.stdin.read()) if "-" in items else {}
    for item in items:
        if item != "-":
            key, equals, text = item.partition("=")
            if not equals or not key:
                raise UsageError(f"argument {items.index(item) + 1} of the op must be key=value, key=@FILE or -")
            found[key] = _argument(op, key, _file(key, text[1:]) if text.startswith("@") else text)
    return found


def _argument(op: str, key: str, text: str) -> Any:
    """A version 3.2 and a password 123456 are texts, though they parse as numbers: the contract knows."""
    value = value_of(text)
    if isinstance(value, str):
        return value
    return text if _takes_text(op, key, nothing=value is None) else value


def _takes_text(op: str, key: str, *, nothing: bool) -> bool:
    """Whether the op's argument is a string; where `nothing` is given, one that cannot be null."""
    from loom import contract  # here: most calls have no use for it, and it opens every generated module

    fields = next((each.request for each in contract.ops() if each.name == op), ())
    return any(each.name == key and each.type == "string" and not (nothing and each.nullable) for each in fields)


def value_of(text: str) -> Any:
    """`text` as JSON where it is JSON, else as it stands."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _file(key: str, name: str) -> str:
    try:
        return Path(name).read_text("utf-8")
    except (OSError, ValueError) as failure:
        raise UsageError(f"the file of {key} cannot be read as UTF-8 text ({type(failure).__name__})") from failure


def _object(text: str) -> dict[str, Any]:
    found = value_of(text)
    if not isinstance(found, dict):
        raise UsageError("standard input must hold one JSON object")
    return found
