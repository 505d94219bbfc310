"""Named components and whether they work, so that "why not ready" has an answer."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from runtime.errors import LoomError

log = logging.getLogger("loom.health")

Check = Callable[[], Awaitable[None]]
LIMIT_S = 2.0


@dataclass(frozen=True, slots=True)
class ComponentState:
    """`reason` is empty when the component works."""

    name: str
    reason: str

    @property
    def ok(self) -> bool:
        return not self.reason


class Health:
    """The components of one process. `ready` is turned off first when the process stops."""

    def __init__(self) -> None:
        self._checks: dict[str, Check] = {}
        self._spare: set[str] = set()
        self.ready = False

    def add(self, name: str, check: Check, *, spare: bool = False) -> None:
        """Registers a component; `check` raises when it does not work.

        A `spare` one is not needed to serve: a process is of use as long as one of its spare components works.
        """
        self._checks[name] = check
        if spare:
            self._spare.add(name)

    async def missing(self) -> dict[str, str]:
        """Why this process is of no use now, by component; empty where it is of use."""
        failed = {state.name: state.reason for state in await self.states() if not state.ok}
        if self._spare <= set(failed):
            return failed
        return {name: reason for name, reason in failed.items() if name not in self._spare}

    async def states(self) -> list[ComponentState]:
        """The state of every component, asked at once, each within LIMIT_S seconds."""
        names = sorted(self._checks)
        reasons = await asyncio.gather(*(self._reason(name) for name in names))
        return [ComponentState(name, reason) for name, reason in zip(names, reasons, strict=True)]

    async def _reason(self, name: str) -> str:
        try:
            async with asyncio.timeout(LIMIT_S):
                await self._checks[name]()
        except LoomError as error:
            return error.message
        except TimeoutError:
            return f"no answer within {LIMIT_S:.0f} s"
        except Exception:
            log.exception("health check of %s", name)
            return "the check failed; the log says why"
        return ""
