"""The lifecycle of a process, with the hard stop replaced: what turns off in which order, and what ends it at once."""

import asyncio
import os
import signal
from collections.abc import Iterator

import httpx
import pytest

from runtime import lifecycle
from runtime.health import Health
from runtime.lifecycle import Lifecycle
from runtime.transport import InProcess
from tests.support.planes import LIMIT_S, HeldPlane, gateway_over

NEVER_S = 600.0


class Stopped:
    """Notes what the hard stop is called with, in place of ending the process."""

    def __init__(self) -> None:
        self.codes: list[int] = []
        self.called = asyncio.Event()

    def __call__(self, code: int) -> None:
        self.codes.append(code)
        self.called.set()


async def settled() -> None:
    """Lets every task go as far as it gets without time passing."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_it_is_ready_only_while_it_runs() -> None:
    health, hard_stop = Health(), Stopped()
    life = Lifecycle(health, drain_s=0, grace_s=NEVER_S, hard_stop=hard_stop)
    assert not health.ready
    running = asyncio.create_task(life.run_until_stopped())
    await settled()
    assert health.ready
    assert not running.done()
    life.stop()
    await running
    assert not health.ready
    assert hard_stop.codes == []


async def test_readiness_is_off_before_the_other_doors_hear_of_the_stop() -> None:
    health, seen = Health(), []

    async def not_serving() -> None:
        seen.append(health.ready)

    life = Lifecycle(health, drain_s=0, grace_s=NEVER_S, hard_stop=Stopped())
    life.stop()
    await life.run_until_stopped(not_serving)
    assert seen == [False]


async def test_the_drain_is_waited_for_and_a_second_signal_in_it_ends_the_process() -> None:
    hard_stop, told = Stopped(), asyncio.Event()

    async def not_serving() -> None:
        told.set()

    life = Lifecycle(Health(), drain_s=NEVER_S, grace_s=0, hard_stop=hard_stop)
    running = asyncio.create_task(life.run_until_stopped(not_serving))
    await settled()
    life.stop()
    await told.wait()
    await settled()
    assert not running.done()
    assert hard_stop.codes == []
    life.stop()
    assert hard_stop.codes == [1]
    running.cancel()


async def test_a_drain_that_is_over_ends_the_run() -> None:
    life = Lifecycle(Health(), drain_s=0.01, grace_s=NEVER_S, hard_stop=Stopped())
    life.stop()
    await asyncio.wait_for(life.run_until_stopped(), LIMIT_S)


async def test_a_stop_that_outlasts_its_limit_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifecycle, "CLOSING_S", 0.0)
    hard_stop = Stopped()
    life = Lifecycle(Health(), drain_s=0.0, grace_s=0.01, hard_stop=hard_stop)
    life.stop()
    await life.run_until_stopped()
    # What closes after this takes too long.
    await asyncio.wait_for(hard_stop.called.wait(), LIMIT_S)
    assert hard_stop.codes == [1]


@pytest.fixture
def own_signals() -> Iterator[None]:
    """Puts back what a test's lifecycle took over."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_both_signals_stop_it_and_any_second_one_ends_it(own_signals: None, number: signal.Signals) -> None:
    hard_stop = Stopped()
    life = Lifecycle(Health(), drain_s=0, grace_s=NEVER_S, hard_stop=hard_stop)
    life.listen()
    running = asyncio.create_task(life.run_until_stopped())
    os.kill(os.getpid(), number)
    await asyncio.wait_for(running, LIMIT_S)
    os.kill(os.getpid(), signal.SIGINT)
    await asyncio.wait_for(hard_stop.called.wait(), LIMIT_S)
    assert hard_stop.codes == [1]
    loop = asyncio.get_running_loop()
    assert all(loop.remove_signal_handler(one) for one in (signal.SIGTERM, signal.SIGINT))


async def test_readyz_says_at_once_that_the_process_stops_whatever_its_components_do() -> None:
    health, plane = Health(), HeldPlane()
    asked = asyncio.Event()

    async def hangs() -> None:
        asked.set()
        await asyncio.Event().wait()

    health.add("store", hangs)
    async with (
        gateway_over({"observe": InProcess(plane.bound)}, health=health) as front,
        httpx.AsyncClient(transport=httpx.ASGITransport(app=front.app), base_url="http://127.0.0.1") as client,
    ):
        answer = await client.get("/readyz")
    assert (answer.status_code, answer.json()["detail"]["code"]) == (503, "SHUTTING_DOWN")
    assert not asked.is_set()
