"""`loom capture spool`: shows what waits on disk for a server, and sends it on request."""

import argparse

from loom.capture.drain import Drained, drain
from loom.capture.folder import default_folder
from loom.capture.spool import Spool
from loom.cli.door import Door
from loom.cli.options import add_json, add_server, api_key, base_url
from loom.cli.terminal import FAILED, OK, say, show

# A person may wait, so the pass itself has no limit; this is that of each call to the server.
SECONDS = 60.0

help = "show what waits for the server; --send sends it now"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    parser.add_argument("--send", action="store_true", help="send all of it now")
    add_server(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Prints the counts; exit code 1 when --send leaves something."""
    spool = Spool(default_folder())
    sent = drain(Door(base_url(args), api_key()), spool, lambda: SECONDS) if args.send else Drained()
    counts = spool.counts()
    facts = {"folder": str(spool.folder), **counts._asdict(), "sent": sent.stored}
    show(facts, compact=True) if args.json else say("\n".join(f"{name:<14}{value}" for name, value in facts.items()))
    return FAILED if args.send and counts.pending else OK
