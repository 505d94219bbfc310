"""`loom doctor`: is this installation all right? Each line is ok, or says what to do."""

import argparse
import asyncio
import json
import os
import platform
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from gateway.settings import GatewaySettings
from loom import SyncAgent, __version__
from loom.errors import LoomError as ClientError
from runtime.errors import LoomError
from runtime.jwks import KeysError
from runtime.keys import list_keys
from runtime.process import ProcessSettings, StoreSettings
from runtime.settings import Loaded, SettingsError
from runtime.store import DataFolderBusy, MigrationError, Store
from standalone.serve import PLANES, settings_from

LEAST_FREE_BYTES = 1 << 30
TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: `advice` is empty when all is well."""

    check: str
    fact: str
    advice: str = ""

    @property
    def ok(self) -> bool:
        return not self.advice


def versions() -> Finding:
    """What runs here."""
    fact = f"loom {__version__}, python {platform.python_version()}"
    return Finding("versions", fact, "" if sys.version_info >= (3, 11) else "Loom needs Python 3.11 or newer")


def mode(loaded: Loaded) -> Finding:
    """Who may call: everyone on this machine, or whoever has a token."""
    folder = loaded[ProcessSettings].keys_dir
    if not folder:
        return Finding("mode", "single-user: no tokens, loopback only")
    try:
        keys = list_keys(Path(folder))
    except KeysError as error:
        return Finding("mode", f"tokens, keys in {folder}", str(error))
    signer = "this process can mint" if any(key.signs for key in keys) else "no private key here: no token.mint"
    return Finding("mode", f"tokens, {len(keys)} keys in {folder}, {signer}", "" if keys else "run `loom keys new`")


def disk(loaded: Loaded) -> Finding:
    """Room in the data folder."""
    folder = Path(loaded[StoreSettings].data_dir)
    existing = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    free = shutil.disk_usage(existing).free
    fact = f"{free / (1 << 30):.1f} GiB free for {folder}"
    if not os.access(existing, os.W_OK):
        return Finding("data folder", fact, f"{existing} is not writable for this user")
    return Finding("data folder", fact, "" if free >= LEAST_FREE_BYTES else "make room: less than 1 GiB is left")


def nothing_there(folder: str) -> bool:
    """True before the first start; opening the engine would make the folder."""
    return not Path(folder).exists()


async def storage(loaded: Loaded) -> Finding:
    """The engine answers; a folder that a server holds is that server's to speak for."""
    config = loaded[StoreSettings].config()
    kind = config.dsn.partition(":")[0]
    if kind == "chdb" and nothing_there(config.data_dir):
        return Finding("storage", f"no data yet in {config.data_dir}")
    try:
        store = await Store.open(config)
    except DataFolderBusy as busy:
        return Finding("storage", f"held by a running process ({busy})")
    except (LoomError, MigrationError, ValueError) as error:
        return Finding("storage", f"{kind} does not open", f"{error}; check LOOM_CLICKHOUSE_DSN and the server")
    try:
        await store.ping()
    except LoomError as error:
        return Finding("storage", f"{kind} does not answer", error.message)
    finally:
        await store.close()
    return Finding("storage", f"{kind} answers")


def server(loaded: Loaded) -> list[Finding]:
    """The server on the configured address, and each of its components."""
    settings = loaded[GatewaySettings]
    base = os.environ.get("LOOM_BASE_URL") or f"http://{settings.host}:{settings.port}"
    try:
        with SyncAgent(base_url=base, timeout=TIMEOUT_S) as agent:
            health = agent.ops.health()
    except ClientError as error:
        advice = "start it with `loom serve`" if error.code == "CONNECTION_FAILED" else str(error)
        return [Finding("server", f"no healthy answer from {base}", advice)]
    found = [Finding("server", f"{base} answers, up {health.uptime_s:.0f} s")]
    for component in health.components:
        advice = "" if component.status == "ok" else f"{component.reason}; the server's log says more"
        found.append(Finding(f"server: {component.name}", component.status, advice))
    return found


async def findings() -> list[Finding]:
    """Everything, in order. Wrong settings end it, since nothing else can be judged then."""
    found = [versions()]
    try:
        loaded = settings_from(os.environ)
    except SettingsError as error:
        return [*found, *(Finding("settings", "wrong", problem) for problem in error.problems)]
    found += [Finding("settings", "read"), *(Finding("settings", "unknown", text) for text in loaded.warnings)]
    found += [mode(loaded), Finding("planes", ", ".join(sorted(PLANES))), disk(loaded), await storage(loaded)]
    return found + await asyncio.to_thread(server, loaded)


class DoctorCommand:
    """The `doctor` command of the loom program. Exit code 1 when something is to be done."""

    name = "doctor"
    help = "check this installation: settings, storage, server"

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
