"""A home folder of its own for every test of capture and the command line."""

import os
from pathlib import Path

import pytest

from loom.capture.spool import Spool


def isolated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Spool:
    """Points everything that the environment decides at `tmp_path`; returns the spool there."""
    for name in list(os.environ):
        if name.startswith(("LOOM_", "XDG_", "CLAUDE_", "CODEX_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOOM_SPOOL_DIR", str(tmp_path / "spool"))
    return Spool(tmp_path / "spool")


def pending(spool: Spool) -> list[dict]:
    return [waiting.record for waiting in spool.load(spool.paths())]


def files_holding(folder: Path, text: str) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]
