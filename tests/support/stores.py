"""Stores for tests.

    async with chdb_store(tmp_path) as store: ...

For tests that must hold over every engine, take the fixture `store_config` of tests/integration/test_store_suite.py as
the pattern.
"""

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from runtime.store import Store, StoreConfig


@asynccontextmanager
async def chdb_store(folder: Path, *, tracer: Any = None, **config: Any) -> AsyncIterator[Store]:
    """A store in this process, on `folder` (a test's tmp_path), closed at the end.

    chDB takes one folder per process at a time: a second store inside the block must name the same folder, and shares
    its tables; the next test opens its own folder in some 30 ms. `config` are fields of StoreConfig.
    """
    async with opened(StoreConfig(**{"data_dir": str(folder), **config}), tracer=tracer) as store:
        yield store


@asynccontextmanager
async def opened(config: StoreConfig, *, tracer: Any = None) -> AsyncIterator[Store]:
    """A store, closed at the end."""
    store = await Store.open(config, tracer=tracer)
    try:
        yield store
    finally:
        await store.close()


def sql_package(folder: Path, monkeypatch: pytest.MonkeyPatch, files: Mapping[str, str]) -> str:
    """The name of an importable package, of a name of its own, that holds `files`."""
    name = f"migrations_{secrets.token_hex(6)}"
    package = folder / "packages" / name
    package.mkdir(parents=True)
    for file, text in {"__init__.py": "", **files}.items():
        (package / file).write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(package.parent))
    return name
