"""`loom keys new | list | retire`: the keys that tokens are signed and checked with."""

import argparse
from collections.abc import Callable
from dataclasses import asdict

from loom.cli.options import add_json
from loom.cli.terminal import FAILED, OK, say, show, warn
from runtime.jwks import KeysError
from runtime.keys import KeyInfo, list_keys, new_key, retire_key
from standalone.commands.key_folder import add_folder, folder_of

Run = Callable[[argparse.Namespace], None]


class KeysCommand:
    """The `keys` command of the loom program."""

    help = "make, list and retire the keys that sign tokens"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", metavar="new | list | retire", required=True)
        new = actions.add_parser("new", help="make a key pair; it signs from now on. Prints its id")
        listing = actions.add_parser("list", help="the keys whose signatures count, oldest first")
        add_json(listing)
        retire = actions.add_parser("retire", help="end a key: tokens that it signed are refused from now on")
        retire.add_argument("kid", help="id of the key")
        for action, run in ((new, _new), (listing, _list), (retire, _retire)):
            add_folder(action)
            action.set_defaults(run_action=run)

    def run(self, args: argparse.Namespace) -> int:
        run: Run = args.run_action
        try:
            run(args)
        except KeysError as error:
            warn(f"loom keys: {error}")
            return FAILED
        except OSError as error:
            warn(f"loom keys: {folder_of(args)}: {error.strerror or type(error).__name__}")
            return FAILED
        return OK


def _new(args: argparse.Namespace) -> None:
    folder = folder_of(args)
    say(new_key(folder))
    warn(f"it signs from now on; servers with LOOM_KEYS_DIR={folder.absolute()} take it over within seconds")


def _list(args: argparse.Namespace) -> None:
    keys = list_keys(folder_of(args))
    if args.json:
        show([asdict(key) for key in keys], compact=True)
    else:
        for key in keys:
            say(f"{key.kid}  {_state(key)}")


def _state(key: KeyInfo) -> str:
    if key.signs:
        return "signs and verifies"
    return "verifies" if key.private else "verifies; its private half is elsewhere"


def _retire(args: argparse.Namespace) -> None:
    retire_key(folder_of(args), args.kid)


command = KeysCommand()
