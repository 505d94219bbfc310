"""Where rows go: through the server that answers, else straight into the data folder, which only one process holds."""

import argparse
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from loom.cli.door import Door, UnreachableError
from loom.cli.options import api_key, base_url
from runtime.process import ProcessSettings
from runtime.store import DataFolderBusy
from standalone.embedded import FAILURES, Contents, open_installation, reason
from standalone.loading.line import Line, RefusedError, to_folder, to_server

PROBE_S = 5.0


class NoWayError(Exception):
    """Neither a server nor the folder takes rows. The message says why and what to do."""


@contextmanager
def opened(args: argparse.Namespace, env: Mapping[str, str] = os.environ) -> Iterator[tuple[Line, bool]]:
    """The way to the record, and whether it is a running server.

    A server that somebody named is the only way; else, where the default address does not answer, the folder is opened,
    as it is when somebody names that. RefusedError, UnreachableError, NoWayError.
    """
    if args.data is None:
        door = Door(base_url(args, env), api_key(env))
        try:
            if _answers(door, named=bool(args.base_url or env.get("LOOM_BASE_URL"))):
                yield to_server(door), True
                return
        finally:
            door.close()
    with _folder(args, env) as line:
        yield line, False


def _answers(door: Door, *, named: bool) -> bool:
    try:
        answer = door.post("ops.health", b"{}", PROBE_S)
    except UnreachableError:
        if named:
            raise
        return False
    if answer.ok or answer.detail() is not None:
        return True
    raise RefusedError("NOT_LOOM", f"something that is not Loom answers at {door.address}: check the base URL", {})


@contextmanager
def _folder(args: argparse.Namespace, env: Mapping[str, str]) -> Iterator[Line]:
    # Only here: a client of a server has no use for what a server is made of.
    from services.directory.build import build_with_keys as build_directory
    from services.tracker.build import build as build_tracker
    from standalone.serve import settings_from

    contents = Contents("loom-tracker", {"directory": build_directory, "tracker": build_tracker})
    try:
        loaded = settings_from({**env, **({"LOOM_DATA_DIR": args.data} if args.data is not None else {})})
        if loaded[ProcessSettings].keys_dir:
            raise NoWayError("there are keys, so a record is loaded through a server: start it, and set LOOM_API_KEY")
        installation = open_installation(loaded, contents)
    except DataFolderBusy as busy:
        raise NoWayError(f"{busy}. If that is a server of Loom, name its address by --base-url") from None
    except FAILURES as error:
        raise NoWayError(f"the data folder cannot be opened: {reason(error)}") from None
    try:
        yield to_folder(installation)
    finally:
        installation.close()
