"""`loom worker run`: the tracker plane's background passes in a process of their own, or once by hand.

Beside a `loom serve` that holds the data folder, a pass that is run once is run by that server, at its control socket.
"""

import argparse
import asyncio
import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from loom.cli.terminal import FAILED, OK, UsageError, say, warn
from runtime import program
from runtime.lifecycle import Lifecycle
from runtime.links import server_chain
from runtime.plane import Parts
from runtime.process import SETTINGS, Process, ProcessSettings, StoreSettings, process
from runtime.serve_plane import start_log
from runtime.settings import Loaded, SettingsError, load_all
from runtime.store.config import chdb_folder
from services.tracker.build import NAME, build_worker
from services.tracker.build import SETTINGS as TRACKER_SETTINGS
from services.tracker.workers.command import asked_for, outcomes_of
from services.tracker.workers.passes import PASSES
from services.tracker.workers.runner import BUSY, Ran
from standalone.control import Refused, ask
from standalone.own_trackers import own_trackers

GOOD = frozenset({"done"})


class WorkerCommand:
    """The `worker` command of the loom program."""

    help = "run a background pass over the trackers' sources"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", metavar="run", required=True)
        run = actions.add_parser("run", help="run a pass whenever it is due, or once")
        run.add_argument("name", help=f"one of {', '.join(sorted(PASSES))}")
        run.add_argument("--once", action="store_true", help="over every source now, due or not, and end")
        run.add_argument("--data", help="data folder (LOOM_DATA_DIR, default .loom)")

    def run(self, args: argparse.Namespace) -> int:
        if args.name not in PASSES:
            raise UsageError(f"no pass has that name; the passes are {', '.join(sorted(PASSES))}")
        environ = {**os.environ, **({"LOOM_DATA_DIR": args.data} if args.data is not None else {})}
        try:
            loaded = own_trackers(load_all([*SETTINGS, *TRACKER_SETTINGS], environ), environ)
            if not loaded[ProcessSettings].tracker_org:
                raise SettingsError(["LOOM_TRACKER_ORG must name the organisation whose trackers are worked on"])
        except SettingsError as error:
            return program.refuse("loom worker", str(error))
        if args.once and (folder := _folder(loaded)) and not folder.exists():
            warn(f"loom worker: there is no data folder {folder}, so nothing to work on; --data names the server's")
            return FAILED
        if args.once and (served := _by_the_server(loaded, args.name)) is not None:
            return served
        start_log(loaded)
        outcomes: list[Ran] = []
        work = _once(loaded, args.name, outcomes) if args.once else _until_stopped(loaded, args.name)
        code = program.run("loom worker", work)
        return code or (_told(args.name, outcomes) if args.once else OK)


def _folder(loaded: Loaded) -> Path | None:
    """The data folder; None where the store is a server of ClickHouse."""
    config = loaded[StoreSettings].config()
    return chdb_folder(config) if config.dsn.startswith("chdb:") else None


def _by_the_server(loaded: Loaded, name: str) -> int | None:
    """The exit code of what the server did that holds the data folder; None where no server does."""
    folder = _folder(loaded)
    if folder is None:
        return None

    async def asked() -> Sequence[Ran] | None:
        async for answer in ask(folder, asked_for(name)):
            return outcomes_of(answer)
        return None

    try:
        outcomes = asyncio.run(asked())
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    except (Refused, ConnectionError) as error:
        warn(f"loom worker: the server that holds {folder} does not run it: {error}")
        return FAILED
    if outcomes is None:
        warn("loom worker: the server stopped before the pass was done: run it again, it goes on from there")
        return FAILED
    return _told(name, outcomes)


async def _once(loaded: Loaded, name: str, outcomes: list[Ran]) -> None:
    async with process(loaded, "loom-worker") as parts:
        runner, core = await build_worker(_parts(parts))
        try:
            outcomes += await runner.once(name)
        finally:
            await core.serving.close()


async def _until_stopped(loaded: Loaded, name: str) -> None:
    async with process(loaded, "loom-worker") as parts, contextlib.AsyncExitStack() as stack:
        lifecycle = Lifecycle(parts.health, drain_s=0.0, grace_s=parts.common.grace_s)
        lifecycle.listen()
        runner, core = await build_worker(_parts(parts))
        stack.push_async_callback(core.serving.close)
        runner.start([name])
        stack.push_async_callback(runner.close)
        await lifecycle.run_until_stopped()


def _parts(parts: Process) -> Parts:
    chain = server_chain(
        NAME, telemetry=parts.telemetry, metrics=parts.metrics, authenticator=parts.authenticator, clock=parts.clock
    )
    return Parts(parts.loaded, parts.store, chain, parts.clock, parts.peers, parts.metrics)


def _told(name: str, outcomes: Sequence[Ran]) -> int:
    if not outcomes:
        say(f"{name}: the organisation has no source")
    for ran in outcomes:
        counts = "".join(f", {count} {what.replace('_', ' ')}" for what, count in ran.counts.items())
        reason = f" ({ran.reason})" if ran.reason else ""
        if ran.outcome == BUSY:
            reason = ": a pass is at work on this source already, and this one did not run; try again when it is done"
        (say if ran.outcome in GOOD else warn)(f"{name}: {ran.source}: {ran.outcome}{reason}{counts}")
    return OK if all(ran.outcome in GOOD for ran in outcomes) else FAILED


command = WorkerCommand()
