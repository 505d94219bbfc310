"""Snippets and likeness."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from services.memory.retrieval.similar import Weights, at_most, dice, similarity
from services.memory.retrieval.snippets import ELLIPSIS, MOST_CHARS, snippet
from services.memory.retrieval.tokens import query_terms, terms

FILLER = "lorem ipsum dolor sit amet " * 40


def wanted(text: str) -> frozenset[str]:
    return frozenset(query_terms(text))


def test_a_short_text_is_shown_whole_in_one_line() -> None:
    assert snippet("  one\n two\t three ", wanted("two")) == "one two three"


def test_a_snippet_is_cut_around_the_match() -> None:
    found = snippet(f"{FILLER} the ferry leaves at nine {FILLER}", wanted("when does the ferry leave"))
    assert "ferry leaves at nine" in found
    assert found.startswith(ELLIPSIS) and found.endswith(ELLIPSIS) and len(found) <= MOST_CHARS


def test_the_place_with_most_of_the_words_is_shown() -> None:
    text = f"ferry {FILLER} the ferry to the island {FILLER} ferry"
    assert "island" in snippet(text, wanted("ferry island"))


def test_without_a_match_the_beginning_is_shown() -> None:
    found = snippet(f"start {FILLER}", wanted("zebra"))
    assert found.startswith("start") and found.endswith(ELLIPSIS)


def test_a_match_at_the_end_is_shown_to_the_end() -> None:
    assert snippet(f"{FILLER} the zebra crossing", wanted("zebra")).endswith("the zebra crossing")


def test_no_character_is_cut_apart() -> None:
    family, flag = "👨‍👩‍👧‍👦", "🇩🇪"
    for text in (family * 200, flag * 300, "é" * 500, "ก็" * 400):
        found = snippet(text, frozenset()).removesuffix(ELLIPSIS)
        whole = set(regex.findall(r"\X", text))
        assert set(regex.findall(r"\X", found)) <= whole


@given(st.text(max_size=1_500), st.text(max_size=20))
def test_a_snippet_is_never_too_long(text: str, query: str) -> None:
    assert len(snippet(text, wanted(query))) <= MOST_CHARS


@given(st.text(alphabet="añ字👍🏽 e\u0301", max_size=900), st.text(alphabet="a字", max_size=3))
def test_a_snippet_is_a_part_of_the_line(text: str, query: str) -> None:
    line = " ".join(text.split(None)) if text.strip() else ""
    found = snippet(text, wanted(query)).removeprefix(ELLIPSIS).removesuffix(ELLIPSIS)
    assert found in regex.sub(r"\s+", " ", line)


def test_wordings_of_one_fact_are_alike_and_strangers_are_not() -> None:
    one, other, stranger = (
        frozenset(terms(text))
        for text in ("The user prefers dark mode", "dark mode is preferred by the user", "The ferry leaves at nine")
    )
    assert similarity(dice(one, other, Weights({})), None) == pytest.approx(1.0)
    assert similarity(dice(one, stranger, Weights({})), None) is None


def test_other_words_are_alike_by_their_vectors() -> None:
    assert similarity(0.1, 0.7) == pytest.approx(0.7)
    assert similarity(0.1, 0.5) is None


def test_texts_without_words_are_not_alike() -> None:
    assert similarity(dice(frozenset(), frozenset(), Weights({})), None) is None


@given(st.sets(st.sampled_from("abcdefgh"), min_size=1), st.sets(st.sampled_from("abcdefgh"), min_size=1))
def test_no_text_is_more_alike_than_what_it_shares_allows(one, other):
    weights = Weights({"a": 1.0, "b": 2.5, "c": 0.1})
    shared = weights.of(one & other)
    assert dice(frozenset(one), frozenset(other), weights) <= at_most(shared, weights.of(one)) + 1e-9


def test_the_match_is_found_within_a_paragraph_written_without_spaces() -> None:
    text = "今日は天気が良いので散歩に行きました。" * 40 + "鍵は青い箱の中にあります。" + "夕食は魚でした。" * 40
    for asked in ("青い箱", "鍵はどこ", "箱の中"):
        part = snippet(text, wanted(asked))
        assert "青い箱の中" in part
        assert len(part) <= MOST_CHARS


@pytest.mark.parametrize("before", range(30))
def test_a_pair_of_characters_counts_wherever_a_run_is_cut(before: int) -> None:
    assert "ねこ" in snippet("あ" * (300 + before) + "ねこ" + "い" * 300, frozenset({"ねこ"}))


def test_the_match_is_found_at_the_end_of_the_longest_text() -> None:
    text = "lorem ipsum " * 4_160 + "zyxwv"
    assert "zyxwv" in snippet(text, frozenset({"zyxwv"}))
