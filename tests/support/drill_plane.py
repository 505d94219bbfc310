"""A plane whose process can be made to fail calls and to misjudge the time: `python -m tests.support.drill_plane`.

DRILL_PLANE names the plane, DRILL_SWITCH a file of JSON: `fail_every` n fails every n-th call, before or after doing it
in turns, and `clock_s` is added to the wall clock. The file is read at start and at each SIGUSR1.
"""

import json
import os
import runpy
import signal
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from runtime import grpc_server
from runtime.call import Call, Handler
from runtime.clock import SystemClock
from runtime.errors import LoomError
from runtime.optable import Method


class Switch:
    """What is wrong with this process now."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.fail_every, self.clock, self.calls = 0, timedelta(), 0
        self.read()

    def read(self, *_: Any) -> None:
        given = json.loads(self._path.read_text()) if self._path.exists() else {}
        self.fail_every, self.clock = given.get("fail_every", 0), timedelta(seconds=given.get("clock_s", 0))

    def now(self) -> datetime:
        return datetime.now(UTC) + self.clock

    def failing(self, handler: Handler) -> Handler:
        async def handle(call: Call) -> Message:
            self.calls += 1
            fails = bool(self.fail_every) and self.calls % self.fail_every == 0
            done = None if fails and self.calls // self.fail_every % 2 else await handler(call)
            if fails or done is None:
                raise LoomError("UPSTREAM_UNAVAILABLE", "the drill fails this call", retry_after_s=1.0)
            return done

        return handle


def main() -> None:
    switch = Switch(Path(os.environ["DRILL_SWITCH"]))
    signal.signal(signal.SIGUSR1, switch.read)
    SystemClock.now = lambda clock: switch.now()  # type: ignore[method-assign]
    served = grpc_server._Handlers.__init__

    def serve(self: Any, bound: Mapping[str, tuple[Method, Handler]], *limits: int) -> None:
        served(self, {path: (method, switch.failing(handler)) for path, (method, handler) in bound.items()}, *limits)

    grpc_server._Handlers.__init__ = serve  # type: ignore[method-assign]
    runpy.run_module(f"services.{os.environ['DRILL_PLANE']}", run_name="__main__")


if __name__ == "__main__":
    main()
