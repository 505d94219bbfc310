"""tracker.duplicate_check with a language model behind it that helps, lies, hangs and fails: the check stands without it."""

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from runtime.clock import ManualClock
from runtime.llm import Llm
from services.tracker.checking.judge import Judge
from services.tracker.ops.duplicate_check import Outcome
from tests.support.llm import HANG, Asked, StandIn, reply, stand_in
from tests.support.similar import fit, report, statistics
from tests.support.tracker_checks import Checks, checks_over, row_of
from tests.support.tracker_plane import held

pytestmark = pytest.mark.asyncio(loop_scope="module")

TITLE = "Compaction of a snapshot drops the newest ledger entries"
BODY = (
    "After compaction the ledger misses what was written while the snapshot was taken; readSnapshot returns old pages."
)
LIKE = report(500, TITLE, BODY)
FIXED = replace(LIKE, state="closed", fixed_by=(12,))
TWIN = replace(LIKE, title=f"iOS: {TITLE}")
SECOND = report(490, "Ledger entries vanish after compaction of a snapshot", BODY)
REPOS = {"like": "acme/like", "fixed": "acme/fixed", "twin": "acme/twin"}
Said = Callable[[list[str]], Any]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def checks() -> AsyncIterator[Checks]:
    rows = [row_of(each, REPOS[name]) for name, each in (("like", LIKE), ("fixed", FIXED), ("twin", TWIN))]
    rows.append(row_of(SECOND, REPOS["like"]))
    async with held(checks_over(rows)) as made:
        for name, repo in REPOS.items():
            made.bind(name, repo)
            # One that serves no duplicates: what it finds is `related`, and the judge's to promote.
            await made.fitted(name, fit(serves_duplicates=False, reason="precision_too_low"), statistics(LIKE))
        yield made


def labels(asked: Asked) -> list[str]:
    return [each["label"] for each in json.loads(asked.body["messages"][1]["content"])["candidates"]]


async def judged(checks: Checks, namespace: str, said: Said, **more: Any) -> tuple[Outcome, StandIn]:
    """The check with a model that answers `said` of the labels it is given."""

    def answering(asked: Asked) -> tuple[int, bytes]:
        content = said(labels(asked))
        return content if isinstance(content, tuple) else reply(content)

    async with stand_in(answering) as endpoint:
        judge = Judge(Llm(endpoint.base_url, "m", "", more.pop("timeout_s", 10.0), ManualClock()))
        try:
            found = await checks.check(namespace, more.pop("title", TITLE), more.pop("body", BODY), judge=judge, **more)
        finally:
            await judge.close()
        return found, endpoint


def first(known: list[str]) -> dict[str, Any]:
    return {"label": known[0], "confidence": 0.95}


async def test_a_sure_model_promotes_what_is_related_and_the_answer_says_who_judged(checks: Checks) -> None:
    found, _ = await judged(checks, "like", first)
    assert (found.verdict, [item.number for item in found.items]) == ("duplicate_of", [500])
    assert (found.confidence, found.reasons) == (None, ["judge"]) and "language model" in found.answer
    fixed, _ = await judged(checks, "fixed", first)
    assert fixed.answer.startswith("Possible regression of")


async def test_what_a_rule_caps_is_never_promoted_and_not_even_asked_about(checks: Checks) -> None:
    found, endpoint = await judged(checks, "twin", first, title=f"Android: {TITLE}")
    assert (found.verdict, found.items[0].caps[0][:6], endpoint.asked) == ("related", "titles", [])


async def test_a_model_is_not_asked_where_there_is_nothing_to_promote(checks: Checks) -> None:
    found, endpoint = await judged(checks, "like", first, title="Printer rejects paper", body="Trays jam at once.")
    assert (found.verdict, endpoint.asked) == ("none", [])


@pytest.mark.parametrize(
    "said",
    [
        lambda known: (200, HANG),
        lambda known: (500, b"down"),
        lambda known: (200, b"<html>"),
        lambda known: "no JSON",
        lambda known: {"label": "deadbeef", "confidence": 1.0},
        lambda known: {"label": None, "confidence": 1.0},
        lambda known: {"label": known[0], "confidence": 0.2},
        lambda known: {"verdict": "none", "label": known[0], "confidence": 1.0},
        lambda known: {"order": known[:1]},
    ],
    ids=["hangs", "fails", "no json", "prose", "invents", "declines", "unsure", "demotes", "drops"],
)
async def test_a_model_that_lies_hangs_or_fails_changes_nothing(checks: Checks, said: Said) -> None:
    """Neither the verdict, nor what it rests on, nor the order of the nearest."""
    without = await checks.check("like", TITLE, BODY, rerank=True)
    found, endpoint = await judged(checks, "like", said, rerank=True, timeout_s=0.2)
    assert len(endpoint.asked) == 2
    for name in ("verdict", "epistemic", "answer", "confidence", "items", "nearest", "reasons"):
        assert getattr(found, name) == getattr(without, name), name


async def test_a_model_orders_the_nearest_where_it_is_asked_to_and_the_verdict_stays(checks: Checks) -> None:
    def said(known: list[str]) -> dict[str, Any]:
        return {"order": known[::-1]} if len(known) > 2 else {"label": None, "confidence": 0.9}

    plain = await checks.check("like", TITLE, BODY)
    found, _ = await judged(checks, "like", said, rerank=True)
    assert [item.source_id for item in found.nearest] == [item.source_id for item in plain.nearest][::-1]
    assert (found.verdict, found.items) == (plain.verdict, plain.items)
    kept, endpoint = await judged(checks, "like", said)
    assert (kept.nearest, len(endpoint.asked)) == (plain.nearest, 1)
