from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.memory.identity import Scope
from services.memory.sessions import auto_summary, closed, ended, following, is_stale, short, touched

ADA = Scope("dev", "local", "ada")
NOW = datetime(2026, 1, 1, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
TIMEOUT = 24 * HOUR
FIRST = following(ADA, None, NOW)


def test_a_session_is_stale_from_the_end_of_its_timeout_on():
    assert not is_stale(FIRST, NOW + TIMEOUT - timedelta(microseconds=1), TIMEOUT)
    assert is_stale(FIRST, NOW + TIMEOUT, TIMEOUT)
    later = touched(FIRST, NOW + HOUR)
    assert not is_stale(later, NOW + TIMEOUT, TIMEOUT)
    assert is_stale(later, NOW + HOUR + TIMEOUT, TIMEOUT)


def test_a_touch_of_a_slower_clock_takes_nothing_back():
    assert touched(touched(FIRST, NOW + HOUR), NOW).last_active_at == NOW + HOUR


def test_an_end_by_the_user_is_now_and_one_by_loom_when_something_last_happened():
    active = touched(FIRST, NOW + HOUR)
    by_user, by_loom = ended(active, NOW + 2 * HOUR, "mine"), closed(active, "made")
    assert (by_user.ended_at, by_user.summary, by_user.is_auto_generated) == (NOW + 2 * HOUR, "mine", False)
    assert (by_loom.ended_at, by_loom.summary, by_loom.is_auto_generated) == (NOW + HOUR, "made", True)
    assert not by_user.is_active
    assert FIRST.is_active


def test_two_processes_open_the_same_next_session_and_it_comes_after_the_one_before():
    second = following(ADA, FIRST, NOW)
    assert second.session_id == following(ADA, FIRST, NOW + HOUR).session_id != FIRST.session_id
    assert second.started_at > FIRST.started_at
    assert following(ADA, second, NOW).session_id not in {FIRST.session_id, second.session_id}


MOMENTS = st.datetimes(datetime(1970, 1, 2), datetime(2299, 1, 1), timezones=st.just(UTC))


@given(MOMENTS, MOMENTS)
def test_an_end_beats_activity_later_activity_earlier_and_the_first_end_a_later_one(one, other):
    one, other = sorted([one, other])
    start = following(ADA, None, datetime(1970, 1, 1, tzinfo=UTC))
    assert 0 <= touched(start, one).version <= touched(start, other).version < ended(start, other, "x").version
    assert ended(start, other, "x").version <= ended(start, one, "x").version < 2**63


def test_the_summary_that_nobody_wrote_says_when_what_and_how_much():
    session = touched(FIRST, NOW + HOUR)
    assert auto_summary(session, {}, []) == "Session of 2026-01-01 09:00 to 10:00 UTC: nothing was saved."
    assert auto_summary(session, {"decision": 1}, ["Use tabs"]) == (
        "Session of 2026-01-01 09:00 to 10:00 UTC: 1 memory saved (1 decision): Use tabs"
    )
    long = auto_summary(touched(FIRST, NOW + 20 * HOUR), {"pattern": 6, "decision": 1}, ["t" * 500] * 7)
    assert long.startswith(
        "Session of 2026-01-01 09:00 to 2026-01-02 05:00 UTC: 7 memories saved (1 decision, 6 pattern)"
    )
    assert long.count("ttt...") == 5
    assert len(long) < 600


@pytest.mark.parametrize("size", [1, 79, 80])
def test_a_title_of_up_to_80_characters_is_the_text(size):
    assert short("é" * size) == "é" * size


def test_a_longer_text_gives_its_first_77_characters_and_dots():
    assert short("é" * 81) == "é" * 77 + "..."
