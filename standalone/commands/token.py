"""`loom token mint`: makes a token with the key in the key folder, without a server."""

import argparse
import re

from loom.cli.terminal import FAILED, OK, UsageError, say, warn
from runtime.clock import SystemClock
from runtime.errors import LoomError
from runtime.keys import Signer
from runtime.roles import ROLES, WILDCARD
from runtime.tokens import KINDS, Minter
from services.directory.names import NAME, SUBJECT, is_name, is_subject
from standalone.commands.key_folder import add_folder, folder_of

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
TTL = re.compile(r"([0-9]{1,9})([smhd]?)")
# The same bounds as token.mint has.
SHORTEST_S, LONGEST_S = 60, 365 * UNITS["d"]


class TokenCommand:
    """The `token` command of the loom program."""

    help = "make a token that opens namespaces"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", metavar="mint", required=True)
        mint = actions.add_parser("mint", help="make a token and print it alone")
        mint.add_argument("--org", required=True, help="organisation")
        mint.add_argument("--sub", required=True, help="the agent or user that it speaks for")
        mint.add_argument(
            "--ns",
            action="append",
            default=[],
            metavar="NAME:ROLE",
            help=f"a namespace that it names, and the role there: {', '.join(ROLES)}; repeatable. `*` names every "
            "namespace that exists and is not restricted; `*:admin` administers the organisation",
        )
        mint.add_argument("--kind", choices=KINDS, default="service", help="whom it speaks for (default: service)")
        mint.add_argument("--ttl", default="30d", help="how long it lives: 90s, 15m, 12h, 30d (default: 30d)")
        add_folder(mint)

    def run(self, args: argparse.Namespace) -> int:
        namespaces, ttl_s = [named(entry) for entry in args.ns], seconds(args.ttl)
        if not is_subject(args.sub):
            raise UsageError(f"--sub must be {SUBJECT}")
        minter = Minter(Signer(folder_of(args)), SystemClock())
        try:
            minted = minter.mint(args.org, args.sub, args.kind, namespaces, ttl_s)
        except ValueError as error:
            raise UsageError(f"no token can say that: {error}") from None
        except LoomError as error:
            warn(f"loom token: {error.message}")
            return FAILED
        say(minted.token)
        return OK


def named(entry: str) -> tuple[str, str]:
    """Namespace and role of one `--ns`. A name may hold colons, a role none."""
    name, colon, role = entry.rpartition(":")
    if not colon or role not in ROLES:
        raise UsageError(f"--ns must be NAME:ROLE with a role of {', '.join(ROLES)}")
    if name != WILDCARD and not is_name(name):
        raise UsageError(f"the name in --ns must be {NAME}; or {WILDCARD}")
    return name, role


def seconds(text: str) -> int:
    """How long `--ttl` is, in seconds."""
    match = TTL.fullmatch(text)
    found = int(match[1]) * UNITS[match[2] or "s"] if match else 0
    if not SHORTEST_S <= found <= LONGEST_S:
        raise UsageError("--ttl must be a time from 60s to 365d, such as 90s, 15m, 12h or 30d")
    return found


command = TokenCommand()
