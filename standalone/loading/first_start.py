"""The demo record at the first start of `loom serve --demo`."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from enum import StrEnum

from loom.cli.door import UnreachableError
from runtime.process import ProcessSettings
from runtime.settings import Loaded
from runtime.transport import Transport
from standalone.answering import Answering
from standalone.loading.job import DEMO_CODE, DEMO_TRACKER, NotLinkedError, load_demo
from standalone.loading.line import Line, RefusedError, to_loop
from standalone.loading.link import has

log = logging.getLogger("loom.serve")


class Demo(StrEnum):
    """What became of the demo record; the text goes into the banner where it is not there."""

    NOT_ASKED = ""
    THERE = "there"
    TOKENS = (
        "No demo record: calls need tokens here. `loom tracker demo` with an admin's token in LOOM_API_KEY loads it."
    )
    NO_TRACKERS = "No demo record: LOOM_TRACKER_ORG is empty, so no tracker serves."
    FAILED = "No demo record: it could not be loaded; the log says why. `loom tracker demo` tries again."


async def demo_record(loaded: Loaded, planes: Mapping[str, Transport], stopping: Callable[[], bool]) -> Demo:
    """Loads it unless an earlier start has, whatever became of it since. Never raises: the server serves without it too."""
    common = loaded[ProcessSettings]
    if common.keys_dir:
        return Demo.TOKENS
    if not common.tracker_org:
        return Demo.NO_TRACKERS
    line = to_loop(Answering(planes), asyncio.get_running_loop(), stopping)
    try:
        await asyncio.to_thread(_load, line)
    except InterruptedError:
        return Demo.FAILED  # the process stops
    except (NotLinkedError, RefusedError, UnreachableError) as failure:
        log.warning("the demo record could not be loaded: %s", failure)
        return Demo.FAILED
    return Demo.THERE


def _load(line: Line) -> None:
    if not has(line, DEMO_CODE, DEMO_TRACKER):
        log.info("loading the demo record, once for this data folder")
        load_demo(line, lambda table, rows: None)
