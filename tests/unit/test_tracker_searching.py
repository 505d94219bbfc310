"""Rules of search: what looks like a defect, and one order out of many."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tracker.ops.code.packing import Section, pack
from services.tracker.searching import Hit, frames_of, fuse, looks_like_defect


@pytest.mark.parametrize(
    "query",
    [
        "server crashes after restart",
        "ValueError: bad token",
        "it hangs when two clients connect",
        "backup fails with BRN-8216",
        "thread 'main' panicked at src/lib.rs:12",
        'Traceback\n  File "a.py", line 3, in f',
    ],
)
def test_error_texts_frames_and_words_of_reports_look_like_a_defect(query: str) -> None:
    assert looks_like_defect(query)


@pytest.mark.parametrize("query", ["how do we name branches", "money in cents", "who owns the wal", ""])
def test_questions_do_not_look_like_a_defect(query: str) -> None:
    assert not looks_like_defect(query)


def test_frames_are_the_lines_of_a_stack() -> None:
    assert frames_of("it broke\n  at Cache.get(Cache.java:12)\n#1 0x00 in main\nplease help") == (
        "at Cache.get(Cache.java:12)",
        "#1 0x00 in main",
    )


def issue(number: int) -> Hit:
    return Hit("tracker", "trk", "issue", f"t{number}", source_id=f"Org/repo#{number}", number=number)


def memory(number: int) -> Hit:
    return Hit("memory", "ns", "decision", f"m{number}", memory_id=number)


def test_what_two_legs_found_is_one_hit_and_goes_first() -> None:
    fused = fuse({"trackers": [issue(1), issue(2)], "duplicates": [issue(2)], "memory": [memory(1)]}, 10)
    assert [(hit.source_id or hit.memory_id, hit.legs) for hit in fused] == [
        ("Org/repo#2", ["duplicates", "trackers"]),
        (1, ["memory"]),
        ("Org/repo#1", ["trackers"]),
    ]


@given(st.lists(st.integers(1, 30), max_size=20), st.lists(st.integers(1, 30), max_size=20), st.integers(1, 10))
def test_the_order_does_not_depend_on_the_order_of_legs_and_holds_each_thing_once(
    left: list[int], right: list[int], most: int
) -> None:
    legs = {"trackers": left, "duplicates": right}
    one = fuse({name: [issue(n) for n in numbers] for name, numbers in legs.items()}, most)
    two = fuse({name: [issue(n) for n in legs[name]] for name in reversed(legs)}, most)
    assert [(hit.key, hit.score) for hit in one] == [(hit.key, hit.score) for hit in two]
    assert len({hit.key for hit in one}) == len(one) <= most


def test_what_is_said_of_a_hit_does_not_depend_on_which_leg_came_first() -> None:
    def legs() -> dict[str, list[Hit]]:
        ours, theirs = issue(1), issue(1)
        ours.own_score, theirs.own_score = 0.9, 0.4
        return {"trackers": [ours], "duplicates": [theirs]}

    first, second = legs(), dict(reversed(legs().items()))
    assert fuse(first, 5) == fuse(second, 5)


SECTIONS = st.lists(
    st.builds(Section, st.sampled_from("abcdef"), st.text(max_size=20), st.text(max_size=400)), max_size=6
)


@given(SECTIONS, st.integers(100, 2000))
def test_a_pack_never_exceeds_its_room_and_names_all_that_it_left_out(sections: list[Section], most: int) -> None:
    text, placed, left_out = pack(sections, most)
    assert len(text) <= most
    told = sum(bool(section.text.strip()) for section in sections)
    assert len(placed) + sum(": no room" in each for each in left_out) == told
    assert sum(each.clipped for each in placed) == sum(" lines, no room" in each for each in left_out)


def test_a_section_is_cut_between_lines_and_says_how_many_are_missing() -> None:
    lines = "\n".join(f"line {n} of the report, which is long" for n in range(100))
    text, placed, left_out = pack([Section("body", "Report", lines)], 1000)
    assert placed[0].clipped
    assert text.rstrip().endswith("lines more")
    assert left_out[0].startswith("body: its last ")
