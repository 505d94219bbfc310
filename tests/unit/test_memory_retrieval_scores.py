"""SearchScore and ContextScore, at their boundaries."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.memory.retrieval.scores import context_score, recency, revision, search_score

NOW = datetime(2026, 3, 4, tzinfo=UTC)


@pytest.mark.parametrize(("days", "expected"), [(0, 1.0), (30, 0.5), (60, 0.25), (-5, 1.0), (3650, 0.0)])
def test_recency_halves_every_thirty_days(days: int, expected: float) -> None:
    assert recency(NOW - timedelta(days=days), NOW) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("count", "expected"), [(0, 0.0), (1, 0.1), (9, 0.9), (10, 1.0), (11, 1.0), (10**9, 1.0)])
def test_revisions_count_up_to_ten(count: int, expected: float) -> None:
    assert revision(count) == pytest.approx(expected)


def test_the_search_score_weighs_text_recency_and_revision() -> None:
    assert search_score(0.5, NOW - timedelta(days=30), 4, NOW) == pytest.approx(0.30 + 0.125 + 0.06)
    assert search_score(1.0, NOW, 10, NOW) == pytest.approx(1.0)


def test_an_old_memory_that_matches_very_well_beats_a_fresh_one_that_does_not() -> None:
    assert search_score(0.9, NOW - timedelta(days=900), 1, NOW) > search_score(0.3, NOW, 1, NOW)


@pytest.mark.parametrize(
    ("kind", "priority"),
    [
        ("profile", 1.0),
        ("preference", 0.9),
        ("decision", 0.7),
        ("pattern", 0.6),
        ("discovery", 0.5),
        ("summary", 0.4),
        ("recipe", 0.5),
    ],
)
def test_the_context_score_weighs_recency_revision_and_kind(kind: str, priority: float) -> None:
    assert context_score(kind, NOW, 1, NOW) == pytest.approx(0.50 + 0.03 + 0.20 * priority)


@given(st.floats(0, 1), st.integers(-10, 10_000), st.integers(0, 10_000), st.sampled_from(["profile", "x"]))
def test_scores_lie_between_zero_and_one(text: float, days: int, count: int, kind: str) -> None:
    at = NOW - timedelta(days=days)
    assert 0 <= search_score(text, at, count, NOW) <= 1 and 0 <= context_score(kind, at, count, NOW) <= 1
