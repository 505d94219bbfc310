"""What a hook does when someone ends its process."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class EndedError(Exception):
    """The process is asked to end, and what it waits for can be left."""


class Ending:
    """Turns the signals that end a process into EndedError, and only inside of `may_leave`.

    An agent that is stopped takes its hooks with it. What a hook holds must reach the spool first, so elsewhere a
    signal is only remembered; the hook is over in two seconds anyway.
    """

    def __init__(self) -> None:
        self._asked = False
        self._may_leave = False

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Handles the signals for as long as the context lasts; does nothing outside of the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._handle) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def may_leave(self, wait: Callable[[], None]) -> None:
        """Calls `wait`, which a signal ends at once; does not call it when a signal came before."""
        try:
            self._may_leave = True
            if not self._asked:
                wait()
        except EndedError:
            pass
        finally:
            self._may_leave = False

    def _handle(self, number: int, frame: object) -> None:
        self._asked = True
        if self._may_leave:
            raise EndedError
