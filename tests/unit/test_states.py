"""The merge rule of extraction states: of all rows of one observation, the one with the greatest version stands."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.observe.states import CLAIMED, EMPTY, EXTRACTED, LAST_ATTEMPT, PENDING, RANK, READY, STATES, version

START = datetime(2026, 1, 1, tzinfo=UTC)
MOST_IN_ONE_CALL = 10_000


class Written(NamedTuple):
    """A state row as somebody wrote it, `ms` milliseconds after START."""

    state: str
    attempt: int
    ms: int

    @property
    def version(self) -> int:
        return version(self.state, self.attempt, START + timedelta(milliseconds=self.ms))


moments = st.integers(0, 40 * 365 * 86_400_000)
attempts = st.integers(1, LAST_ATTEMPT)
ready = st.builds(Written, st.just(READY), st.just(0), moments)
claims = st.builds(Written, st.just(CLAIMED), attempts, moments)
ends = st.builds(Written, st.sampled_from([EXTRACTED, EMPTY]), st.just(0), moments)
histories = st.lists(st.one_of(ready, claims, ends), min_size=1, max_size=8)


def merged(rows: Sequence[Written]) -> Written:
    """What ReplacingMergeTree leaves of rows in this order of arrival: of equal versions the last."""
    return reduce(lambda kept, new: new if new.version >= kept.version else kept, rows)


def standing(rows: Sequence[Written]) -> Written:
    """What must stand, said in words: the first end, else the first claim of the last attempt, else the first ready."""
    for state_rows in (
        [row for row in rows if row.state in (EXTRACTED, EMPTY)],
        [row for row in rows if row.state == CLAIMED],
        list(rows),
    ):
        if state_rows:
            last = max(row.attempt for row in state_rows)
            return min((row for row in state_rows if row.attempt == last), key=lambda row: row.ms)
    raise AssertionError


@given(histories, st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_the_same_winner(rows: list[Written], luck: random.Random) -> None:
    shuffled = luck.sample(rows, len(rows))
    assert merged(shuffled).version == merged(rows).version


@given(histories, st.integers(0, 8))
def test_merging_parts_before_the_whole_changes_nothing(rows: list[Written], cut: int) -> None:
    parts = [part for part in (rows[:cut], rows[cut:]) if part]
    assert merged([merged(part) for part in parts]).version == merged(rows).version


@given(histories)
def test_the_winner_is_the_one_that_the_rule_names(rows: list[Written]) -> None:
    winner, expected = merged(rows), standing(rows)
    assert (RANK[winner.state], winner.attempt, winner.ms) == (RANK[expected.state], expected.attempt, expected.ms)


@given(ends, ready)
def test_an_end_beats_a_ready_that_was_written_later(end: Written, late: Written) -> None:
    assert end.version > late.version


@given(ends, claims)
def test_an_end_beats_every_claim(end: Written, claim: Written) -> None:
    assert end.version > claim.version


@given(claims, ready)
def test_a_claim_beats_a_ready_that_was_written_later(claim: Written, late: Written) -> None:
    assert claim.version > late.version


@given(ends, ends)
def test_the_first_end_stands(one: Written, other: Written) -> None:
    assert (one.version > other.version) == (one.ms < other.ms)


@given(attempts, moments, moments)
def test_the_first_claim_of_one_attempt_stands(attempt: int, one: int, other: int) -> None:
    first, second = Written(CLAIMED, attempt, min(one, other)), Written(CLAIMED, attempt, max(one, other))
    assert first.version >= second.version
    assert (first.version == second.version) == (one == other)


@given(claims, claims)
def test_a_claim_of_a_later_attempt_replaces_the_expired_one(one: Written, other: Written) -> None:
    if one.attempt != other.attempt:
        assert (one.version > other.version) == (one.attempt > other.attempt)


@given(
    st.sampled_from(STATES),
    st.integers(0, 1 << 40),
    st.datetimes(timezones=st.just(UTC), min_value=datetime(1970, 1, 1)),
)
def test_every_version_fits_the_column_and_stays_in_its_states_range(state: str, attempt: int, at: datetime) -> None:
    found = version(state, attempt, at)
    assert 0 <= found < 1 << 64
    assert found >> 61 == RANK[state]


@given(moments)
def test_rows_that_are_queued_in_order_stay_ready_and_fall_with_their_place(ms: int) -> None:
    queued = [Written(READY, 0, ms).version - place for place in (0, 1, MOST_IN_ONE_CALL)]
    assert sorted(queued, reverse=True) == queued
    assert {found >> 61 for found in queued} == {RANK[READY]}


@pytest.mark.parametrize(("state", "rank"), [(PENDING, 0), (READY, 1), (CLAIMED, 2), (EXTRACTED, 3), (EMPTY, 3)])
def test_states_are_ranked_as_far_as_extraction_has_come(state: str, rank: int) -> None:
    assert RANK[state] == rank
