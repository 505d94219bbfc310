"""Failure drills on a disk without room: writes are refused, reads go on, nothing is lost, and it ends by itself."""

import asyncio
from pathlib import Path

import httpx
import pytest

from tests.support.cluster import Shape, until
from tests.support.disk import available, fill, make_room, on_small_disk
from tests.support.drill import drills
from tests.support.drill_load import READS
from tests.support.server import Server

DISK_MB = 96
FULL = "STORAGE_FULL"
pytestmark = pytest.mark.skipif(not available(), reason="no user namespaces: a small disk cannot be had here")


def test_clickhouse_on_a_full_disk(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with drills(tmp_path, request, Shape(replicas=1, gateways=1, disk_mb=DISK_MB)) as drilled:
        pid, data = drilled.cluster.clickhouse.process.pid, tmp_path / "data"
        report = asyncio.run(
            drilled.run("disk of ClickHouse full", lambda: fill(pid, data), lasting=lambda: make_room(pid, data))
        )
    assert set(report.errors) == {FULL}
    assert not report.failed_ops & set(READS)


def post(http: httpx.Client, op: str, **args: object) -> httpx.Response:
    return http.post(f"/v1/{op}", json=args)


def record(http: httpx.Client, number: int) -> httpx.Response:
    return post(http, "observe.record", tool_name="Bash", tool_input=number)


def save(http: httpx.Client, number: int) -> httpx.Response:
    return post(http, "memory.save", title=f"fact {number}", content=f"number {number}", type="discovery")


def test_one_process_on_a_full_disk_reads_on_and_writes_when_there_is_room(tmp_path: Path) -> None:
    data = tmp_path / "data"
    server = Server(data, tmp_path / "log", before=on_small_disk(data, megabytes=DISK_MB))
    with server, httpx.Client(base_url=server.base_url, timeout=30, trust_env=False) as http:
        kept = [record(http, number).json()["memory_key"] for number in range(5)]
        assert save(http, 1).status_code == 200
        fill(server.pid, data)
        for number in range(5, 12):
            for refused in (record(http, number), save(http, number)):
                assert (refused.status_code, refused.json()["detail"]["code"]) == (429, FULL)
            assert len(post(http, "observe.list").json()["observations"]) == 5
            assert post(http, "memory.list").status_code == 200
            assert post(http, "memory.search", query="number").status_code == 200
        make_room(server.pid, data)
        until(lambda: record(http, 99).status_code == 200)
        until(lambda: save(http, 99).status_code == 200)
        kept.append(record(http, 99).json()["memory_key"])
        assert post(http, "observe.get", memory_keys=kept).json()["missing"] == []
        titles = {memory["title"] for memory in post(http, "memory.list").json()["observations"]}
    assert titles == {"fact 1", "fact 99"}
    assert server.process.returncode == 0
