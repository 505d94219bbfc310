"""The codes that memory ops alone answer, in the envelope of every door."""

import pytest

from tests.support.envelope import CALLERS, failure_of, opened
from tests.support.server import Server


@pytest.mark.provokes("SESSION_NOT_FOUND")
@pytest.mark.parametrize("name", CALLERS)
async def test_a_session_that_is_not_there_cannot_be_ended(server: Server, name: str, namespace: str) -> None:
    async with opened(name, server) as door:
        failure = await failure_of(door, "memory.session_end", {"namespace": namespace, "summary": "done"})
    assert failure.detail["code"] == "SESSION_NOT_FOUND"


@pytest.mark.provokes("OBSERVATION_NOT_FOUND")
@pytest.mark.parametrize("name", CALLERS)
async def test_a_memory_that_is_not_there_cannot_be_changed(server: Server, name: str, namespace: str) -> None:
    args = {"namespace": namespace, "observation_id": 7, "title": "another"}
    async with opened(name, server) as door:
        failure = await failure_of(door, "memory.update", args)
    assert failure.detail["code"] == "OBSERVATION_NOT_FOUND"
