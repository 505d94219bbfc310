"""The verdict of a check is one of the record, not of the order in which a source happens to return it."""

import random
from typing import Any

import pytest

from tests.support.similar import START, fit, report, statistics
from tests.support.tracker_checks import checks_over, pull_row, row_of

REPO = "acme/order"
TITLE = "Compaction of a snapshot drops the newest ledger entries"
BODY = "After compaction the ledger misses what was written; readSnapshot returns old pages. See acme/order#7."


def rows() -> list[dict[str, Any]]:
    """Reports that tie in words and in time, a chain, and a pair of which each is the other's twin."""
    made = [report(100 + place, TITLE, BODY, created_at=START) for place in range(20)]
    made += [report(200 + place, f"Ledger entries {place}", BODY) for place in range(20)]
    made += [report(7, "Journal grows"), report(8, TITLE, BODY, duplicate_of=7, state="closed", closed_at=START)]
    return [row_of(each, REPO) for each in made]


def pulls() -> list[dict[str, Any]]:
    return [pull_row(900 + place, f"Fix: {TITLE}", REPO, START, closes=[7]) for place in range(5)]


async def answers(seed: int | None) -> list[Any]:
    """What is said of one draft, with a fit and without; rows come as they are, or shuffled."""
    issues, changes = rows(), pulls()
    if seed is not None:
        random.Random(seed).shuffle(issues)
        random.Random(seed).shuffle(changes)
    async with checks_over(issues, changes) as checks:
        checks.bind("plain", REPO)
        plain = [await checks.check("plain", TITLE, BODY), await checks.similar("plain", f"{TITLE}\n{BODY}")]
        await checks.fitted("plain", fit(), statistics())
        plain.append(await checks.check("plain", TITLE, BODY))
    return [
        [each.items, getattr(each, "nearest", []), getattr(each, "related_prs", []), each.epistemic] for each in plain
    ]


@pytest.mark.parametrize("seed", [1, 2])
async def test_the_answer_does_not_change_with_the_order_of_rows(seed: int) -> None:
    assert await answers(seed) == await answers(None)
