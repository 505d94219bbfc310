"""A backup has what was acknowledged, also where it waits in a journal for its table."""

import json
import subprocess
import sys
from pathlib import Path

from runtime.clock import SystemClock
from runtime.store import StoreConfig
from standalone.backup.serve import Backups
from standalone.commands.backup import command as backup
from tests.support.backup import make_schema
from tests.support.commands import run
from tests.support.stores import opened

DIES = """
import os, sys
from loom.memory import Memory
mem = Memory.from_path(sys.argv[1])
mem.mem_save(user_id="ada", type="preference", title="Editor", content="Ada prefers Vim")
os._exit(9)
"""


def test_saves_that_a_killed_process_left_in_the_journal_are_in_a_backup(tmp_path: Path) -> None:
    folder = tmp_path / "mem"
    died = subprocess.run([sys.executable, "-c", DIES, str(folder)], timeout=120, check=False)
    assert died.returncode == 9
    assert run(backup, str(tmp_path / "b"), "--data", str(folder)) == 0
    manifest = json.loads((tmp_path / "b" / "manifest.json").read_text())
    assert manifest["tables"]["memory_revisions"]["rows"] == 1


async def test_a_running_server_waits_for_its_planes_before_it_copies(tmp_path: Path) -> None:
    waited: list[str] = []

    async def settled() -> None:
        waited.append("settled")

    async def say(_: object) -> None: ...

    async with opened(StoreConfig(data_dir=str(tmp_path / "data"), fsync=False)) as store:
        await make_schema(store)
        (tmp_path / "target").mkdir()
        await Backups(store, SystemClock(), [settled])({"do": "backup", "folder": str(tmp_path / "target")}, say)
    assert waited == ["settled"]
