"""Roll-ups: merging is an algebra, and days with fresh hours say what raw runs say."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from services.tracker.signal.cells import cells_of, compact, merge
from services.tracker.signal.rollup import (
    cells_from_counts,
    combine,
    day_of,
    days,
    hour_of,
    pack,
    pack_weather,
    unpack,
    unpack_weather,
)
from services.tracker.signal.storms import jobs_of, levels, weather
from services.tracker.signal.verdict import judge
from tests.support.checks import START, jobs, run, trunk

RUNS = st.lists(
    st.builds(
        lambda s, sha, hour, pr, check, r: run(s, f"{pr}-{sha}", hour, pr=pr, check=check, runner=r),
        st.sampled_from(["OK", "OK", "OK", "FAIL", "SKIPPED", "Flaky", "?!"]),
        st.integers(0, 15),
        st.integers(0, 600).map(lambda tenth: tenth / 10),
        st.sampled_from([0, 0, 1, 2, 3]),
        st.sampled_from(["a", "b"]),
        st.sampled_from(["r1", "r2", None]),
    ),
    max_size=50,
    unique_by=lambda row: tuple(map(str, row.values())),
)


@settings(max_examples=50, deadline=None)
@given(RUNS, RUNS, RUNS)
def test_merging_is_associative_and_commutative_and_has_an_empty_element(a, b, c) -> None:
    x, y, z = cells_of(a), cells_of(b), cells_of(c)
    assert merge(merge(x, y), z) == merge(x, merge(y, z))
    assert merge(x, y) == merge(y, x)
    assert merge(x, {}) == x


@settings(max_examples=50, deadline=None)
@given(RUNS, st.integers(0, 50))
def test_cells_of_parts_merge_to_the_cells_of_the_whole(rows, cut: int) -> None:
    assert merge(cells_of(rows[:cut]), cells_of(rows[cut:])) == cells_of(rows)


@settings(max_examples=50, deadline=None)
@given(RUNS)
def test_compacting_changes_no_verdict_and_compacting_again_changes_nothing(rows) -> None:
    cells = cells_of(rows)
    assert judge(compact(cells)) == judge(cells)
    assert compact(compact(cells)) == compact(cells)


@settings(max_examples=50, deadline=None)
@given(RUNS)
def test_a_packed_day_unpacks_to_the_same_cells(rows) -> None:
    for day, cells in days(cells_of(rows)).items():
        assert unpack(day, pack(cells)) == cells
        assert pack(dict(reversed(cells.items()))) == pack(cells)


@settings(max_examples=80, deadline=None)
@given(RUNS, st.integers(0, 60), st.booleans())
def test_stored_days_with_the_hours_not_yet_rolled_give_the_verdict_of_the_raw_runs(
    rows, hours: int, storm: bool
) -> None:
    sky = weather(jobs_of(jobs(9, [(1, "1-1"), (2, "2-1"), (3, "3-1")], 12))) if storm else None
    fresh_from = hour_of(START) + hours
    rolled = [row for row in rows if hour_of(row["check_start_time"]) < fresh_from]
    # The pass that follows a failure keeps the heads that failed since, as the worker redoes its last days.
    stored = [unpack(day, pack(cells)) for day, cells in days(cells_of(rows)).items()]
    fresh = cells_of([row for row in rows if row not in rolled])
    assert judge(combine(stored, fresh, fresh_from), sky) == judge(cells_of(rows), sky)


def test_an_hour_is_never_counted_from_both_sides() -> None:
    cells = cells_of(trunk("P" * 30 + "FF"))
    assert combine(days(cells).values(), cells, hour_of(START) + 12) == cells


def test_a_rerun_on_the_next_day_still_contradicts_the_failure() -> None:
    rows = [*trunk("P" * 12), run("FAIL", "head", 15, pr=4), run("OK", "head", 17, pr=4)]
    parts = days(cells_of(rows))
    assert len(parts) == 2
    assert judge(combine(parts.values(), {}, 1 << 40)).verdict == "flaky"


def test_a_day_of_many_passing_pull_requests_stays_small() -> None:
    rows = [run("OK", f"h{n}", n / 100, pr=n) for n in range(1, 1500)]
    (cells,) = days(cells_of(rows)).values()
    assert len(cells) == 15
    assert pack(cells)["runs"] == 1499


def test_counts_of_a_source_become_the_same_cells() -> None:
    cells = cells_of(trunk("PPF"))
    rows = [
        {"branch": k.branch, "hour": k.hour, "pr": k.pr, "sha": k.sha, "check": k.check, "machine": k.runner}
        | {
            "passes": c.passes,
            "fails": c.fails,
            "skips": c.skips,
            "other": c.other,
            "first_us": c.first,
            "last_us": c.last,
        }
        for k, c in cells.items()
    ]
    assert cells_from_counts(rows) == cells


def test_weather_and_levels_survive_packing() -> None:
    rows = jobs_of([*jobs(3, [(1, "a"), (2, "b"), (3, "c")], 12), *jobs(5, [(9, "z")], 0)])
    sky, usual = weather(rows), levels(rows)
    assert sky.storms
    assert unpack_weather(pack_weather(sky, usual)) == (sky, usual)


def test_hours_and_days_are_in_utc() -> None:
    assert day_of(hour_of(START)) == START.date()
    assert hour_of(START.replace(tzinfo=None)) == hour_of(START)
    assert hour_of(START + timedelta(minutes=59)) == hour_of(START)
