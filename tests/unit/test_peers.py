"""How planes reach each other."""

import asyncio
from collections.abc import Mapping

import pytest
from google.protobuf.message import Message

from loom.observe.v1 import extraction_pb2
from runtime.errors import LoomError
from runtime.optable import Method, methods_of
from runtime.peers import Bell, Peers, connect, targets_of
from runtime.settings import SettingsError

SERVICE = extraction_pb2.DESCRIPTOR.services_by_name["ExtractionService"]
CLAIM = next(method for method in methods_of(SERVICE) if method.rpc == "ClaimReady")
NEVER_S = 3600.0


class Recorder:
    def __init__(self) -> None:
        self.calls: list[tuple[str, Mapping[str, str], float]] = []
        self.closed = False

    async def call(self, op: Method, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
        self.calls.append((op.path, metadata, timeout_s))
        return op.response()

    async def close(self) -> None:
        self.closed = True


async def test_a_call_to_a_plane_that_is_nowhere_is_refused() -> None:
    with pytest.raises(LoomError) as refused:
        await Peers().call("observe", CLAIM, CLAIM.request(), 1.0)
    assert refused.value.code.name == "FEATURE_DISABLED"


async def test_a_peer_may_be_bound_after_the_peers_were_handed_out_and_gets_the_internal_metadata() -> None:
    peers, recorder = Peers({"authorization": "Internal x"}), Recorder()
    peers.bind("observe", recorder)
    await peers.call("observe", CLAIM, CLAIM.request(), 2.0)
    assert recorder.calls == [(CLAIM.path, {"authorization": "Internal x"}, 2.0)]
    await peers.close()
    assert recorder.closed


async def test_a_bell_that_rang_before_the_wait_is_heard_once() -> None:
    bell = Bell()
    bell.ring()
    await asyncio.wait_for(bell.wait(NEVER_S), 5)
    waiting = asyncio.create_task(bell.wait(NEVER_S))
    await asyncio.sleep(0)
    assert not waiting.done()
    bell.ring()
    await asyncio.wait_for(waiting, 5)


async def test_a_wait_ends_by_itself() -> None:
    await asyncio.wait_for(Bell().wait(0.0), 5)


async def test_binding_a_plane_rings_its_bell() -> None:
    peers = Peers()
    waiting = asyncio.create_task(peers.bell("observe").wait(NEVER_S))
    peers.bind("observe", Recorder())
    await asyncio.wait_for(waiting, 5)


@pytest.mark.parametrize("entry", ["observe", "=127.0.0.1:1", "observe=", ""])
def test_an_entry_that_names_no_plane_or_no_address_is_a_wrong_setting(entry: str) -> None:
    with pytest.raises(SettingsError, match="LOOM_PEERS"):
        targets_of([entry], "LOOM_PEERS")


async def test_targets_become_channels() -> None:
    peers = Peers()
    connect(peers, targets_of(["observe = 127.0.0.1:9 "], "LOOM_PEERS"))
    with pytest.raises(LoomError) as refused:
        await peers.call("observe", CLAIM, CLAIM.request(), 5.0)
    assert refused.value.code.name == "UPSTREAM_UNAVAILABLE"
    await peers.close()
