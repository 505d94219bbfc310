"""Terms of issues."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tracker.similar.boilerplate import line_keys, vector_text, without_boilerplate
from services.tracker.similar.needles import needles
from services.tracker.similar.statistics import Statistics, of_frequencies, of_rows
from services.tracker.similar.stem import stem
from services.tracker.similar.words import LONGEST_TERM, counts, surface, terms


@pytest.mark.parametrize("spelling", ["readTimeout", "read_timeout", "READ_TIMEOUT", "read-timeout", "ReadTimeout"])
def test_spellings_of_an_identifier_share_its_parts_and_its_whole(spelling: str) -> None:
    assert {"read", "timeout", "readtimeout"} <= set(terms(spelling))


def test_an_error_code_and_a_version_stay_whole() -> None:
    found = terms("ECONNREFUSED after v2.13.1 with ERR_TLS_CERT and 0x80070005")
    assert {"econnrefus", "2.13.1", "2.13", "errtlscert", "0x80070005"} <= set(found)


def test_zeros_at_the_end_of_a_version_say_nothing() -> None:
    assert set(terms("1.7.0")) == set(terms("1.7"))


@pytest.mark.parametrize(("one", "other"), [("crashes", "crash"), ("libraries", "library"), ("rotating", "rotation")])
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_function_words_are_no_terms() -> None:
    assert terms("it is what you have when the") == []


def test_scripts_without_spaces_give_pairs() -> None:
    assert terms("保存失败") == ["保存", "存失", "失败"]


@given(st.text())
def test_no_text_breaks_the_terms(text: str) -> None:
    assert all(term and len(term) <= LONGEST_TERM and count > 0 for term, count in counts(text).items())


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=20))
def test_a_stem_is_never_empty_nor_longer_than_its_word(word: str) -> None:
    assert 0 < len(stem(word)) <= len(word)


def test_what_is_searched_for_stands_in_the_text() -> None:
    title, body = "Library crashes in readTimeout", "the libraries are closed"
    found = needles(title, body, Statistics())
    assert found and all(needle.text in f"{title} {body}".lower() for needle in found)
    assert surface("library", "librari") == "librar"


def test_needles_of_the_title_come_before_the_rare_words_of_the_body() -> None:
    statistics = of_rows([("save fails", "")] * 5)
    found = needles("save", "zyxwv qwerty", statistics, most=1)
    assert [needle.term for needle in found] == ["sav"]


def test_a_line_that_ten_earlier_reports_share_carries_no_weight_whatever_its_digits() -> None:
    statistics = of_rows([(f"report {number}", f"SDK version: 9.{number}.1\nown{number}") for number in range(10)])
    document = statistics.document("x", "SDK version: 4.5.6\nsomething else")
    assert "sdk" not in document.body
    assert "someth" in document.body


def test_a_line_that_nine_reports_share_still_counts() -> None:
    statistics = of_rows([("report", "SDK version: 9.0.1")] * 9)
    assert "sdk" in statistics.document("x", "SDK version: 9.0.1").body


def test_one_report_counts_a_repeated_line_once() -> None:
    statistics = of_rows([("report", "SDK version: 1\n" * 50)])
    assert set(statistics.lines.values()) == {1}


@given(st.text())
def test_no_text_breaks_the_lines(text: str) -> None:
    reports = dict.fromkeys(line_keys(text).values(), 10)
    assert not reports or without_boilerplate(text, reports) == ""
    assert vector_text("title", text, {}).startswith("title")


def test_statistics_survive_json_and_pruning_keeps_what_decides() -> None:
    rows = [("save fails", "template line"), ("save hangs", "template line"), ("other", "template line")] * 4
    statistics = of_rows(rows).pruned()
    again = Statistics.from_json(statistics.to_json())
    assert again == statistics
    assert again.frequencies["sav"] == 8
    assert list(again.lines.values()) == [12]


@pytest.mark.parametrize("data", [{}, {"documents": 1}, {"documents": "x"}, {"documents": None}])
def test_other_data_is_no_statistics(data: dict) -> None:
    with pytest.raises(ValueError, match=r"statistics|int"):
        Statistics.from_json(data)


def test_a_source_without_a_fit_gives_frequencies_of_the_drafts_terms_alone() -> None:
    statistics = of_frequencies(1_000, {"save": 500, "quorum": 2}, [("save fails", "body text here")])
    assert statistics.documents == 1_000
    rare, common = statistics.idf(["quorum", "save"])
    assert rare > common > 0
