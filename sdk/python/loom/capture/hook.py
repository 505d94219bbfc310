"""`loom capture hook`: records the tool call that an agent's hook reports on standard input.

It never fails the agent: the exit code is always 0 (another one would block some agents), standard output stays empty
(agents read it as an answer), and it is over within two seconds. A record that cannot be sent waits in the spool.
"""

import argparse
import os
import re
import select
import sys
import time

from loom.capture import jsontext
from loom.capture.calls import digest_of
from loom.capture.delivery import Captured, Delivery
from loom.capture.ending import Ending
from loom.capture.fit import cut_text
from loom.capture.folder import default_folder
from loom.capture.payloads import call_of
from loom.capture.records import build
from loom.capture.spool import Spool
from loom.capture.times import now
from loom.cli.door import Door
from loom.cli.options import add_identity, add_server, api_key, base_url, identity
from loom.cli.terminal import warn
from loom.private import strip_text

BUDGET_S = 2.0
UNREADABLE_CHARS = 256 * 1024
ESCAPED = re.compile(r"\\u00([0-7][0-9a-fA-F])")


def main(argv: list[str], budget_s: float = BUDGET_S) -> int:
    """Runs the hook; returns 0 whatever happens."""
    deadline = time.monotonic() + budget_s
    ending = Ending()
    try:
        with ending.watched():
            if told := _run(argv, ending, deadline):
                warn(f"loom capture hook: {told}")
    except SystemExit:  # --help
        pass
    except Exception as failure:
        # The name alone: the text of a foreign exception may quote what was read.
        warn(f"loom capture hook: {type(failure).__name__}; this call is not recorded")
    return 0


def _run(argv: list[str], ending: Ending, deadline: float) -> str:
    args = _parsed(argv)
    spool = Spool(default_folder())
    data = args.payload.encode("utf-8", "replace") if args.payload else _stdin(deadline)
    try:
        captured = capture(data, args, spool)
    except ValueError:
        spool.refuse("NOT_JSON", text=_readable(data))
        return "standard input is not JSON; it is kept in the spool's folder `refused`"
    if captured is None and not spool.paths(1):
        return ""
    delivery = Delivery(captured, spool, lambda: Door(base_url(args), api_key()), lambda: deadline - time.monotonic())
    return delivery.run(ending)


def capture(data: bytes, args: argparse.Namespace, spool: Spool) -> Captured | None:
    """The record of the tool call in a hook's JSON; None when it reports none. ValueError when it is no JSON."""
    call = call_of(jsontext.loads(data), args.agent) if data.strip() else None
    if call is None:
        return None
    record = build(call, identity(args))
    digest = digest_of(call.agent, call.session, call.call_id, record)
    if at := spool.calls.first(digest, call.at or now()):
        record["observed_at"] = at
    return Captured(record, digest)


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    parser.add_argument("payload", nargs="?", default="", help="the hook's JSON; read from standard input when absent")
    parser.add_argument("--agent", default="", help="name of the agent (default: told by the shape of its JSON)")
    add_identity(parser)
    add_server(parser)


def _parsed(argv: list[str]) -> argparse.Namespace:
    """The arguments; wrong ones are told and ignored, since argparse's exit code 2 would block some agents."""
    parser = argparse.ArgumentParser(prog="loom capture hook", description=__doc__, allow_abbrev=False)
    configure(parser)
    try:
        args, unknown = parser.parse_known_args(argv)
    except SystemExit as leaving:
        if not leaving.code:
            raise
        args, unknown = parser.parse_args([]), []
    if unknown:
        warn(f"loom capture hook: {len(unknown)} unknown arguments are ignored")
    return args


def _stdin(deadline: float) -> bytes:
    """Standard input to its end, or what came of it in time."""
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    chunks = []
    file = sys.stdin.fileno()
    while (left := deadline - time.monotonic()) > 0 and select.select([file], [], [], left)[0]:
        chunk = os.read(file, 1 << 20)
        if not chunk:
            break
        chunks.append(chunk)
    return b"".join(chunks)


def _readable(data: bytes) -> str:
    """Text that is not JSON, without its private parts, for a person to look at."""
    # JSON may write any letter as \u00XX, and a tag so written is one after decoding, which cannot happen here.
    text = ESCAPED.sub(lambda found: chr(int(found[1], 16)), data.decode("utf-8", "replace"))
    return cut_text(strip_text(text), UNREADABLE_CHARS)
