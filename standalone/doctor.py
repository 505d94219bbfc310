"""`loom doctor`: is this installation all right? Each line is ok, or says what to do."""

import argparse
import asyncio
import json
import os
import platform
import sys
from dataclasses import asdict

from loom import __version__
from runtime.serve_plane import ListenSettings
from runtime.settings import Loaded, SettingsError, load
from standalone.checks import keys, running, sources, storage
from standalone.checks.finding import Finding
from standalone.serve import PLANES, settings_from


def versions() -> Finding:
    """What runs here."""
    fact = f"loom {__version__}, python {platform.python_version()}"
    return Finding("versions", fact, "" if sys.version_info >= (3, 11) else "Loom needs Python 3.11 or newer")


def settings() -> Loaded:
    """The settings of every process that this machine might run."""
    loaded = settings_from(os.environ)
    listen = load(ListenSettings, os.environ)
    return Loaded({**loaded.instances, ListenSettings: listen}, loaded.warnings)


async def findings() -> list[Finding]:
    """Everything, in order. Wrong settings end it, since nothing else can be judged then."""
    found = [versions(), running.now()]
    try:
        loaded = settings()
    except SettingsError as error:
        return [*found, *(Finding("settings", "wrong", problem) for problem in error.problems)]
    found += [Finding("settings", "read"), *(Finding("settings", "unknown", text) for text in loaded.warnings)]
    found += [
        keys.mode(loaded),
        *keys.secrecy(loaded),
        sources.secret_key(loaded),
        Finding("planes", ", ".join(sorted(PLANES))),
    ]
    found += [storage.disk(loaded), *await storage.storage(loaded)]
    found += await asyncio.to_thread(running.planes, loaded)
    found += await asyncio.to_thread(running.server, loaded)
    return found + await asyncio.to_thread(sources.sources, loaded)


class DoctorCommand:
    """The `doctor` command of the loom program. Exit code 1 when something is to be done."""

    name = "doctor"
    help = "check this installation: settings, keys, storage, clocks, planes, server, sources of trackers"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--data", help="data folder (LOOM_DATA_DIR, default .loom)")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def run(self, args: argparse.Namespace) -> int:
        if args.data is not None:
            os.environ["LOOM_DATA_DIR"] = args.data
        found = asyncio.run(findings())
        if args.json:
            print(json.dumps([{**asdict(finding), "ok": finding.ok} for finding in found], indent=1))  # noqa: T201
        else:
            for finding in found:
                mark, rest = ("ok  ", "") if finding.ok else ("FIX ", f": {finding.advice}")
                print(f"{mark} {finding.check:<16} {finding.fact}{rest}")  # noqa: T201
        return 0 if all(finding.ok for finding in found) else 1


command = DoctorCommand()
