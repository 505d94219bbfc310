"""The bisect window and its suspects; code.history; code.pr_check."""

import random
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from services.tracker.history.evidence import Report, frame_functions, paths_in, report_of, symbols_in
from services.tracker.history.pr_check import related_pulls
from services.tracker.history.suspects import Limits, component_dirs, rank
from services.tracker.history.touched import touched
from services.tracker.history.window import of_issue, window

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def day(number: float) -> datetime:
    return DAY + timedelta(days=number)


def pull(number: int, merged: float | None, *paths: str, words: str = "", **more) -> dict:
    lines = "\n".join(f"+ {word}" for word in words.split())
    row = {
        "number": number,
        "source_id": f"Acme/db#{number}",
        "title": f"change {number}",
        "body": "",
        "base_ref": "main",
    }
    row |= {"state": "open" if merged is None else "merged", "merged_at": None if merged is None else day(merged)}
    return (
        row
        | {"merge_sha": f"{number:040x}", "affected_file_paths": list(paths), "diff": f"@@ -1 +1 @@\n{lines}\n"}
        | more
    )


HISTORY = [
    {"version": f"1.{n}.0", "branch": "main", "sha": f"{n:x}" * 40, "pr_number": 0, "built_at": day(n)}
    for n in range(1, 16)
]


def test_versions_give_the_window_by_when_they_were_built() -> None:
    found = window(["1.9.0"], ["1.10.0"], history=HISTORY)
    assert (found.good.at, found.bad.at) == (day(9), day(10))
    assert found.open_reason is None


def test_of_several_points_the_newest_good_and_the_oldest_bad_count() -> None:
    found = window(["1.2.0", "1.4.0"], ["1.9.0", "1.7.0"], history=HISTORY)
    assert (found.good.given, found.bad.given) == ("1.4.0", "1.7.0")


def test_dates_and_shas_give_a_window_too() -> None:
    found = window(["2026-03-03"], [f"{5:x}" * 12], history=HISTORY)
    assert (found.good.at, found.bad.at) == (day(2), day(5))
    merged = window(["2026-03-03T12:00:00+00:00"], [f"{7:040x}"], pulls=[pull(7, 6.5)])
    assert (merged.good.at, merged.bad.at) == (day(2.5), day(6.5))


def test_a_release_line_is_good_from_its_first_build_on_and_bad_by_its_last() -> None:
    lines = [
        {"version": v, "branch": "b", "built_at": day(n)}
        for v, n in (("25.1.3", 1), ("25.1.9", 4), ("25.2.1", 6), ("25.2.7", 9))
    ]
    found = window(["25.1"], ["25.2"], history=lines)
    assert (found.good.at, found.bad.at) == (day(1), day(9))


def test_the_report_ends_a_window_without_a_bad_version() -> None:
    found = window(["1.2.0"], ["unheard"], history=HISTORY, reported_at=day(8))
    assert found.bad.at == day(8)
    assert found.unknown == ("unheard",)


def test_an_open_or_contradictory_window_says_why() -> None:
    assert "no known good" in window([], ["1.3.0"], history=HISTORY).open_reason
    assert "not older" in window(["1.9.0"], ["1.3.0"], history=HISTORY).open_reason
    assert "open at its end" in window(["1.9.0"], [], history=HISTORY).open_reason


def test_the_triage_columns_of_the_issue_name_the_points() -> None:
    issue = {"triage_reproduces_on": ["1.9.0"], "triage_clean_on": "1.2.0, 1.3.0", "version": "1.8.0"}
    assert of_issue(issue) == (["1.2.0", "1.3.0"], ["1.9.0"])
    assert of_issue({"version": "1.8.0"}) == ([], ["1.8.0"])


REPORT = Report(
    text="Crash in mergeParts when reading src/Storages/MergeTree.cpp: unexpected granule marker",
    frames=["0x1a DB::MergeTree::mergeParts(int)+0x1f at MergeTree.cpp:120", "DB::Pool::run<Task>()"],
    component="storage",
)
WINDOW = window(["1.2.0"], ["1.9.0"], history=HISTORY)


def ranked(*rows, **more):
    return rank(rows, more.pop("report", REPORT), more.pop("window", WINDOW), **more)


def numbers(found) -> list[int]:
    return [suspect.number for suspect in found.suspects]


FILLER = [pull(100 + n, 3 + n / 10, f"docs/page{n}.md", words=f"words{n} other") for n in range(30)]


def test_who_touched_the_stacks_functions_and_files_is_the_first_suspect() -> None:
    guilty = pull(5, 4, "src/Storages/MergeTree.cpp", words="mergeParts granule")
    found = ranked(*FILLER, guilty, pull(6, 5, "src/Other.cpp", words="granule"))
    assert numbers(found)[:2] == [5, 6]
    assert "its changes touch a function of the stack: mergeParts" in found.suspects[0].why
    assert set(found.suspects[0].legs) >= {"frames", "paths", "symbols", "patterns"}


def test_pull_requests_after_the_report_are_dropped_and_counted_and_others_lie_outside() -> None:
    rows = [
        pull(1, 1),
        pull(2, 4, words="mergeParts"),
        pull(3, 8, words="mergeParts"),
        pull(4, 12, words="mergeParts"),
        pull(5, None),
    ]
    found = ranked(*rows, reported_at=day(7))
    assert numbers(found) == [2]
    assert (found.after_report, found.outside, found.in_window) == (2, 1, 1)


def test_hub_files_count_little() -> None:
    hub = [pull(200 + n, 3 + n / 20, "src/hub.cpp") for n in range(20)]
    found = ranked(*hub, pull(5, 4, "src/rare.cpp"), report=Report(paths=["src/hub.cpp", "src/rare.cpp"]))
    assert numbers(found)[0] == 5
    assert found.suspects[0].score > found.suspects[1].score


def test_the_top_frame_counts_more_than_those_below() -> None:
    report = Report(frames=["topFunction()", "middleFunction()", "bottomFunction()"])
    found = ranked(*FILLER, pull(5, 4, words="bottomFunction"), pull(6, 3.5, words="topFunction"), report=report)
    assert numbers(found) == [6, 5]


def test_only_the_rarest_patterns_count_and_no_more_than_the_limit() -> None:
    rows = [pull(n, 3 + n / 100, words="commonword " + ("rareword" if n == 3 else "")) for n in range(1, 20)]
    found = ranked(*rows, report=Report(text="commonword rareword"), limits=Limits(patterns=1))
    assert found.patterns == ("rareword",)
    assert numbers(found) == [3]


def test_directories_of_the_component_count_and_are_those_it_mostly_touches_alone() -> None:
    pool = [pull(300 + n, 1, "src/store/a.cpp", "src/common/b.cpp", component="storage") for n in range(4)]
    pool += [pull(400 + n, 1, "src/common/c.cpp", component="other") for n in range(20)]
    assert component_dirs(pool, "Storage", 3) == ["src/store"]
    found = ranked(*FILLER, pull(5, 4, "src/store/z.cpp"), report=Report(component="storage"), pool=pool)
    assert numbers(found) == [5]
    assert found.component_dirs == ("src/store",)


def test_a_known_fix_is_followed_back_to_what_it_changed() -> None:
    fix = pull(50, 20, "src/quota.cpp", words="limitBytes")
    found = ranked(*FILLER, pull(5, 4, "src/quota.cpp", words="limitBytes"), report=Report(), fixes=[fix])
    assert numbers(found)[0] == 5
    assert found.suspects[0].legs[0] == "fix"
    assert 50 not in numbers(found)


def test_a_deadline_ranks_what_was_read_and_says_partial() -> None:
    asked = iter([False] * 3 + [True] * 100)
    found = ranked(
        *(pull(n, 3 + n / 100, "src/Storages/MergeTree.cpp") for n in range(1, 20)), stop=lambda: next(asked)
    )
    assert (found.partial, found.reason, found.scanned, found.in_window) == (True, "deadline", 3, 19)
    assert numbers(found) == [19, 18, 17]


def test_an_open_window_is_partial_with_its_reason() -> None:
    found = ranked(pull(5, 4, words="mergeParts"), window=window([], ["1.9.0"], history=HISTORY))
    assert found.partial
    assert "no known good" in found.reason


def test_nothing_that_points_at_a_pull_request_leaves_no_suspects() -> None:
    assert ranked(*FILLER, report=Report(text="it is slow")).suspects == ()


@settings(max_examples=50, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_ranking(shuffler: random.Random) -> None:
    rows = [
        *FILLER,
        pull(5, 4, "src/Storages/MergeTree.cpp", words="mergeParts"),
        pull(6, 4, words="granule"),
        pull(7, 4, words="granule"),
    ]
    mixed = list(rows)
    shuffler.shuffle(mixed)
    assert ranked(*mixed) == ranked(*rows)


def test_frames_of_many_languages_give_their_functions() -> None:
    frames = [
        "3. 0x00007f DB::MergeTree::mergeParts(int, std::vector<int>) @ 0x12 in /usr/bin/db",
        "at org.acme.Store.readBack(Store.java:42)",
        'File "/app/store.py", line 3, in read_back',
        "core::store::read_back::h0123 at src/store.rs:10:5",
        "github.com/acme/db/store.(*Pool).Run(0xc000)",
        "at Object.readBack (/app/store.js:10:15)",
    ]
    found = frame_functions(frames)
    assert [name.split("::")[-1].split(".")[-1] for name in found[:3]] == ["mergeParts", "readBack", "read_back"]
    assert frame_functions(["???", ""]) == []


def test_paths_and_symbols_are_told_from_prose() -> None:
    said = "See src/Storages/MergeTree.cpp:120, and `readBack()`; it happens e.g. on Linux. config.yaml too."
    assert paths_in(said) == ["src/Storages/MergeTree.cpp", "config.yaml"]
    assert symbols_in(said) >= {"readBack"}
    assert "Linux" not in symbols_in(said)


def test_a_report_is_made_of_the_issue_and_what_the_caller_adds() -> None:
    found = report_of(
        {"title": "T", "body": "B", "frames": ["f()"], "component": "c"}, Report(frames=["g()"], component="d")
    )
    assert (found.text, list(found.frames), found.component) == ("T\nB", ["g()", "f()"], "d")


def test_history_of_a_path_covers_what_lies_below_and_the_newest_comes_first() -> None:
    rows = [
        pull(1, 1, "src/a/x.cpp"),
        pull(2, 3, "src/ab/y.cpp"),
        pull(3, 2, "src/a/z/w.cpp"),
        pull(4, None, "src/a/x.cpp", created_at=day(9)),
    ]
    assert [(item.number, item.state) for item in touched(rows, paths=["src/a"])] == [
        (4, "open"),
        (3, "merged"),
        (1, "merged"),
    ]
    assert [item.number for item in touched(rows, paths=["x.cpp"])] == [4, 1]


def test_history_of_a_symbol_is_of_whole_words_in_changes_texts_and_frames() -> None:
    rows = [
        pull(1, 1, words="readBack"),
        pull(2, 2, words="readBackwards"),
        pull(3, 3, title="Speed up Store::readBack"),
    ]
    issues = [
        {"number": 9, "title": "x", "body": "", "frames": ["Store::readBack()"], "state": "open", "created_at": day(5)}
    ]
    found = touched(rows, issues, symbols=["Store::readBack"])
    assert [(item.kind, item.number) for item in found] == [("issue", 9), ("pr", 3), ("pr", 1)]


def test_a_pull_request_that_closes_the_issue_addresses_the_draft() -> None:
    rows = [pull(1, None, closes=[77]), pull(2, 2, words="x"), pull(3, None, state="closed", closes=[77])]
    found = related_pulls(Report(), rows, issues=[77])
    assert [(one.number, one.verdict) for one in found] == [(1, "addresses")]


def test_a_pull_request_with_the_same_paths_and_words_is_related_and_others_are_not() -> None:
    rows = [pull(n, n, f"src/f{n}.cpp", title=f"Tune the module number{n}") for n in range(1, 20)]
    rows.append(pull(30, None, "src/quota.cpp", title="Respect quota of a user when merging"))
    draft = Report(text="Quota of a user is not respected when merging, see src/quota.cpp")
    found = related_pulls(draft, rows, title="Respect quota when merging")
    assert [one.number for one in found] == [30]
    assert found[0].features["paths"] == 1.0
    assert found[0].state == "open"
