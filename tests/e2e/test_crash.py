"""SIGKILL at any moment, under load: what was acknowledged is there once, and what was not can be sent again."""

import asyncio
import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.server import BIN, LIMIT_S, Server, clean_environ
from tests.support.writers import KEYS_PER_CALL, Client, Ledger, Trigger, http_client, write_until_gone

ROUNDS = 20
WRITERS = 6
SEED = 20260304
MOST_EVENTS = 60
REPEATED = 5


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Not started yet; gone at the end."""
    server = Server(tmp_path / "data", tmp_path / "log")
    yield server
    if server.process and server.process.poll() is None:
        server.kill()


async def one_life(server: Server, ledger: Ledger, luck: random.Random) -> None:
    """Starts, looks for what was acknowledged last, repeats what was not, writes under load, and is killed."""
    server.start()
    async with http_client() as http:
        client = Client(server, http, ledger)
        assert await client.missing(list(ledger.keys.values())[-KEYS_PER_CALL:]) == []
        again = ledger.unknown + luck.sample(sorted(ledger.keys), min(REPEATED, len(ledger.keys)))
        if again:
            await client.send(again)
        kind, count = luck.choice(("sending", "answered")), luck.randint(1, MOST_EVENTS)
        trigger = Trigger(kind, count, server.process.kill)
        writers = [write_until_gone(client, ledger, f"s{writer}", luck, trigger) for writer in range(WRITERS)]
        await asyncio.wait_for(asyncio.gather(*writers), LIMIT_S)
    server.kill()


async def test_twenty_kills_under_load_lose_nothing_acknowledged_and_double_nothing(
    server: Server, namespace: str
) -> None:
    luck, ledger = random.Random(SEED), Ledger(namespace)
    for _ in range(ROUNDS):
        await one_life(server, ledger, luck)
    server.start()
    async with http_client() as http:
        client = Client(server, http, ledger)
        assert set(ledger.keys.values()) <= set(await client.rows())
        await client.send(ledger.unknown or [0])
        rows = await client.rows()
        # Every record that was ever sent is there, once, and nothing else is.
        assert set(rows) == set(ledger.keys.values())
        assert len(rows) == len(ledger.sent)
        assert set(rows.values()) == {1}
        assert (await client.call("observe.stats", {}))["observations"] == len(rows)
    assert server.stop() == 0


def test_a_kill_while_starting_does_not_spoil_the_folder(server: Server) -> None:
    process = subprocess.Popen(
        [BIN / "loom", "serve", "--port", "0", "--data", str(server.data)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=clean_environ(),
    )
    with process:
        # Its first log line comes right before the storage engine opens and the tables are made.
        assert json.loads(process.stderr.readline())["event"] == "settings"
        process.kill()
    server.start()
    answer = httpx.post(f"{server.base_url}/v1/observe.record", json={"tool_name": "Bash"}, trust_env=False)
    assert answer.status_code == 200
