"""The demo record, table by table."""

from collections.abc import Iterator
from datetime import datetime

from services.tracker.record.batch import Batch
from services.tracker.record.demo.around_rows import release_batches
from services.tracker.record.demo.checks import check_batches
from services.tracker.record.demo.item_rows import change_batches, issue_batches
from services.tracker.record.demo.size import DEMO, Size
from services.tracker.record.demo.talk_rows import talk_batches
from services.tracker.record.demo.world import plan

SEED = 20


def demo(now: datetime, size: Size = DEMO, seed: int = SEED) -> Iterator[Batch]:
    """Batches of the demo record, all of it before `now`; the same for the same `now`, size and seed.

    Numbers, names and texts depend on size and seed alone, so what documentation says about the record holds on every
    day. `now` is taken to the second and must have an offset.
    """
    if now.tzinfo is None:
        raise ValueError("now must be an instant with an offset")
    at = now.replace(microsecond=0)
    world = plan(size, seed)
    yield from issue_batches(world, at)
    yield from change_batches(world, at)
    yield from release_batches(world, at)
    yield from talk_batches(world, at)
    yield from check_batches(world, at)
