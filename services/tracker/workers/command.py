"""A pass run by hand in the process that serves: what is asked over its control socket, and what is answered."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from services.tracker.workers.passes import PASSES
from services.tracker.workers.runner import Ran, Runner

COMMAND = "worker"


def asked_for(name: str) -> dict[str, Any]:
    """What the command sends."""
    return {"do": COMMAND, "name": name}


def pass_command(runner: Runner) -> Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]:
    """Runs the pass that is asked for over every source now. Raises ValueError for a name that no pass has."""

    async def run(asked: Mapping[str, Any]) -> Mapping[str, Any]:
        name = asked.get("name")
        if name not in PASSES:
            raise ValueError("this server has no pass of that name")
        return {"ran": [_told(each) for each in await runner.once(name)]}

    return run


def _told(ran: Ran) -> dict[str, Any]:
    """As JSON; counts may be a Counter, which dataclasses.asdict turns into something else."""
    return {"source": ran.source, "outcome": ran.outcome, "counts": dict(ran.counts), "reason": ran.reason}


def outcomes_of(answer: Mapping[str, Any]) -> Sequence[Ran]:
    """What the server answered."""
    return [Ran(**each) for each in answer["ran"]]
