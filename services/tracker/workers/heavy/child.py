"""`python -m services.tracker.workers.heavy.child`: does jobs that come on standard input, until that ends."""

import os
import queue
import sys
import threading
from typing import Any, BinaryIO

from services.tracker.workers.heavy.frames import packed, received

# What serves comes first, by far.
NICE = 15


def main() -> int:
    os.nice(NICE)
    waiting: queue.SimpleQueue[tuple[dict[str, Any], bytes]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, waiting), daemon=True).start()
    # Imported after the priority is set: reading libraries takes a second.
    from services.tracker.workers.heavy.jobs import Jobs

    jobs = Jobs()
    while True:
        message, extra = waiting.get()
        try:
            answer = jobs.do(message, extra)
        except Exception as defect:
            # A text of the error may quote what was sent.
            answer = {"error": type(defect).__name__}
        sys.stdout.buffer.write(packed(answer))
        sys.stdout.buffer.flush()


def _listen(stream: BinaryIO, waiting: "queue.SimpleQueue[tuple[dict[str, Any], bytes]]") -> None:
    """Ends the process with its input, in the middle of a job too: nobody is there to take the answer."""
    while (message := received(stream)) is not None:
        waiting.put(message)
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
