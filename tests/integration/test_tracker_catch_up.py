"""What a question embeds by itself because tracker_embed has not come by yet."""

import threading
from collections.abc import AsyncIterator, Sequence
from typing import Any

import numpy as np
import pytest
import pytest_asyncio
from numpy.typing import NDArray

from services.tracker.checking.semantic import CATCH_UP, text_hash
from services.tracker.checking.vectors import embedded_text
from services.tracker.ops.duplicate_check import Outcome
from services.tracker.similar.statistics import of_rows
from tests.support.similar import fit, report, statistics
from tests.support.tracker_checks import Checks, Concepts, checks_over, over, row_of
from tests.support.tracker_plane import held
from tests.support.tracker_record import ORG

pytestmark = pytest.mark.asyncio(loop_scope="module")

TITLE = "Compaction of a snapshot drops the newest ledger entries"
BODY = "After compaction the ledger misses what was written meanwhile; readSnapshot returns old pages."
REPO = "acme/fresh"
BANNER = "Describe what you expected to see here"
ROWS = [row_of(report(500 + place, f"{TITLE} of tenant{place}", BODY), REPO) for place in range(CATCH_UP + 4)]


class Counting(Concepts):
    """Keeps what it is given. While `slow` is set, it takes its time over several texts, as of a catch-up."""

    def __init__(self) -> None:
        super().__init__("compact", "printer")
        self.given: list[str] = []
        self.slow: threading.Event | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.given += texts
        if self.slow is not None and len(texts) > 1:
            self.slow.wait(30.0)
        return super().embed(texts)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world() -> AsyncIterator[Checks]:
    async with held(checks_over(ROWS, embedder=Concepts("compact", "printer"))) as made:
        # One report has its vector, so that the leg is asked.
        await made.embedded(ROWS[0])
        yield made


async def asked(checks: Checks) -> Outcome:
    checks.bind("fresh", REPO)
    await checks.fitted("fresh", fit(), statistics())
    return await checks.check("fresh", TITLE, BODY, top_k=40)


async def stored(checks: Checks) -> int:
    return (await checks.vectors.models(ORG, checks.record.source.id)).get("concepts", 0)


async def test_an_embedder_that_is_too_slow_to_catch_up_costs_cosines_and_nothing_else(world: Checks) -> None:
    embedder = Counting()
    embedder.slow = threading.Event()
    checks = over(world.record, embedder=embedder, catch_up_s=0.05)
    before = await stored(checks)
    try:
        found = await asked(checks)
    finally:
        embedder.slow.set()
    assert (found.epistemic, found.common.leg_status["vectors"]) == ("calibrated", "ok")
    assert len(found.nearest) >= len(ROWS) and await stored(checks) == before


async def test_a_few_reports_without_a_vector_are_embedded_by_the_question_and_kept(world: Checks) -> None:
    embedder = Counting()
    checks = over(world.record, embedder=embedder)
    before = await stored(checks)
    await asked(checks)
    texts = [text for text in embedder.given if "tenant" in text or "stalls" in text]
    assert len(texts) == CATCH_UP and await stored(checks) == before + CATCH_UP
    embedder.given.clear()
    await asked(checks)
    again: list[Any] = [text for text in embedder.given if text in texts]
    assert again == []


async def test_lines_that_many_reports_share_enter_neither_the_question_nor_what_it_embeds(world: Checks) -> None:
    """As the pass leaves them out of what it stores: both sides have to be of the same texts."""
    repo, banner = "acme/banner", [row_of(report(800, TITLE, f"{BANNER}\n{BODY}"), "acme/banner")]
    known = of_rows((f"Report {number}", f"{BANNER}\nnumber {number}") for number in range(20))
    async with checks_over([*banner, ROWS[0]], embedder=Concepts("compact", "printer")) as record:
        await record.embedded(ROWS[0])
        embedder = Counting()
        checks = over(record.record, embedder=embedder)
        checks.bind("banner", repo)
        await checks.fitted("banner", fit(), known)
        await checks.check("banner", TITLE, f"{BANNER}\n{BODY}")
        hashes = await checks.vectors.hashes(ORG, checks.record.source.id, "concepts", [f"{repo}#800"])
    assert embedder.given and not any(BANNER in text for text in embedder.given)
    assert hashes == {f"{repo}#800": text_hash(embedded_text(TITLE, f"{BANNER}\n{BODY}"))}
