"""Work for an HTTP client ends when the client goes away, and for no other reason."""

import asyncio
from typing import Any

import pytest

from gateway import connected
from gateway.connected import WhileConnected
from gateway.requests import Disconnected

LIMIT_S = 10.0


class Connection:
    """What the server tells about a connection: nothing until it is `lost`."""

    def __init__(self) -> None:
        self.lost, self.asked = asyncio.Event(), asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        self.asked.set()
        await self.lost.wait()
        return {"type": "http.disconnect"}


@pytest.fixture(autouse=True)
def watch_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connected, "WATCH_AFTER_S", 0.0)


async def held(connection: Connection) -> None:
    async with WhileConnected(connection.receive):
        await asyncio.Event().wait()


async def test_the_work_ends_when_the_client_goes_away() -> None:
    connection = Connection()
    work = asyncio.create_task(held(connection))
    await connection.asked.wait()
    assert not work.done()
    connection.lost.set()
    with pytest.raises(Disconnected):
        await asyncio.wait_for(work, LIMIT_S)


async def test_a_task_goes_on_after_its_client_went_away() -> None:
    connection = Connection()
    connection.lost.set()
    with pytest.raises(Disconnected):
        await held(connection)
    await asyncio.sleep(0)
    assert asyncio.current_task().cancelling() == 0


async def test_a_cancellation_from_outside_stays_one() -> None:
    connection = Connection()
    work = asyncio.create_task(held(connection))
    await connection.asked.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work


async def test_a_failure_of_the_work_comes_out_as_it_is() -> None:
    with pytest.raises(KeyError):
        async with WhileConnected(Connection().receive):
            raise KeyError


async def test_work_that_ends_soon_is_not_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connected, "WATCH_AFTER_S", LIMIT_S)
    connection = Connection()
    async with WhileConnected(connection.receive):
        await asyncio.sleep(0)
    assert not connection.asked.is_set()


async def test_nobody_watches_after_the_work() -> None:
    connection = Connection()
    async with WhileConnected(connection.receive):
        await connection.asked.wait()
    connection.lost.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert asyncio.current_task().cancelling() == 0
    assert len(asyncio.all_tasks()) == 1
