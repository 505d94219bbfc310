"""What the demo record's landmarks say, by the ops that read CI runs and code: the record that everyone tries first."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from services.tracker.ops.code.backports import BackportGapOp
from services.tracker.ops.code.bisect import BisectOp, Wanted
from services.tracker.ops.code.first_build import FirstBuildOp
from services.tracker.ops.test_signal import TestSignal, TestSignalOp
from services.tracker.record.demo.build import demo
from services.tracker.record.demo.landmarks import LANDMARKS
from services.tracker.settings import BisectSettings
from services.tracker.workers.frame import BackgroundReads, Work
from services.tracker.workers.test_daily import TestDaily
from tests.support.tracker_plane import held
from tests.support.tracker_record import CALLER, NOW, ORG, TRACKER, Recorded, recorded

pytestmark = pytest.mark.asyncio(loop_scope="module")
TESTS = {
    LANDMARKS.flaky_test: "flaky",
    LANDMARKS.unnamed_flaky_test: "flaky",
    LANDMARKS.platform_test: "infra_candidate",
    LANDMARKS.regressed_test: "regression_candidate",
    "no::such::test_anywhere": "unknown_test",
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def record() -> AsyncIterator[Recorded]:
    async with held(recorded(demo(NOW), repos=(LANDMARKS.repo, LANDMARKS.other_repo))) as made:
        yield made


async def signal(record: Recorded, name: str) -> TestSignal:
    return await TestSignalOp(record.asking, record.rollups, record.clock).execute(ORG, TRACKER, name, CALLER)


async def test_each_landmark_has_its_verdict_and_the_same_one_once_it_is_rolled(record: Recorded) -> None:
    live = {name: await signal(record, name) for name in TESTS}
    assert {name: found.verdict for name, found in live.items()} == TESTS

    async def save(_: str) -> None:
        """Nobody goes on from here."""

    await TestDaily(BackgroundReads(record.serving, record.live), record.rollups, record.clock, 45).run(
        Work(record.source, "", save)
    )
    for name, before in live.items():
        rolled = await signal(record, name)
        assert rolled.rollup["source"] == "rolled"
        assert (rolled.verdict, rolled.features) == (before.verdict, before.features)


async def test_a_place_that_fails_alone_is_named(record: Recorded) -> None:
    assert (await signal(record, LANDMARKS.platform_test)).infra["tied_to"]["kind"] == "check"


async def test_the_pull_request_that_caused_an_issue_is_the_first_suspect(record: Recorded) -> None:
    op = BisectOp(record.asking, record.clock, BisectSettings(bisect_deadline_ms=60_000))
    found = await op.execute(ORG, TRACKER, Wanted(LANDMARKS.repo, LANDMARKS.fixed_issue), CALLER)
    assert found.candidates[0].number == LANDMARKS.causing_pr
    assert found.known_fixes == [LANDMARKS.fixing_pr]


async def test_the_branch_that_lacks_a_backport_is_named(record: Recorded) -> None:
    op = BackportGapOp(record.asking)
    lacking = await op.execute(ORG, TRACKER, CALLER, repo=LANDMARKS.repo, pr_number=LANDMARKS.pr_without_backport)
    missing = [gap.branch for gap in lacking.branches if gap.status == "missing"]
    assert missing == [LANDMARKS.branch_without_backport]
    done = await op.execute(ORG, TRACKER, CALLER, repo=LANDMARKS.repo, pr_number=LANDMARKS.backported_pr)
    assert done.verdict == "complete"


async def test_no_build_has_a_change_before_it_was_merged(record: Recorded) -> None:
    op = FirstBuildOp(record.asking)
    for number in (LANDMARKS.fixing_pr, LANDMARKS.backported_pr):
        found = await op.execute(ORG, TRACKER, CALLER, repo=LANDMARKS.repo, pr_number=number)
        assert found.verdict == "built"
        assert all(build.built_at > "2026-03" for build in found.builds if build.built_at)
