"""When a process is of use: with what it needs, and with one of those that it could do without."""

from collections.abc import Mapping

import pytest

from runtime.errors import LoomError
from runtime.health import Health


def health(spare: Mapping[str, bool], **needed: bool) -> Health:
    """Components by name, and whether they work."""
    made = Health()
    for components, is_spare in ((needed, False), (spare, True)):
        for name, works in components.items():
            made.add(name, _check(works), spare=is_spare)
    return made


def _check(works: bool):
    async def check() -> None:
        if not works:
            raise LoomError("UPSTREAM_UNAVAILABLE", "it does not work")

    return check


@pytest.mark.parametrize(
    ("spare", "needed", "missing"),
    [
        ({}, {}, set()),
        ({}, {"store": True}, set()),
        ({}, {"store": False}, {"store"}),
        ({"a": True, "b": False}, {}, set()),
        ({"a": False, "b": False}, {}, {"a", "b"}),
        ({"a": True, "b": False}, {"store": False}, {"store"}),
        ({"a": False}, {"store": True}, {"a"}),
    ],
)
async def test_one_of_those_that_are_spare_is_enough(
    spare: dict[str, bool], needed: dict[str, bool], missing: set[str]
) -> None:
    made = health(spare, **needed)
    assert set(await made.missing()) == missing
    failed = {name for name, works in {**spare, **needed}.items() if not works}
    assert {state.name for state in await made.states() if not state.ok} == failed
