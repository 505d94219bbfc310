"""Documents, BM25, fusion: what the relevance of a text is made of."""

from datetime import UTC, datetime
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.memory.retrieval import fusion
from services.memory.retrieval.bm25 import contributions, idf, term_weights
from services.memory.retrieval.documents import MOST_COUNT, MOST_TERMS, document
from services.memory.retrieval.expansion import EXPANSION_WEIGHT, expansions
from services.memory.retrieval.postings import Question, by_session, score_lists, score_rows

AT = datetime(2026, 3, 4, 10, tzinfo=UTC)
shares = st.floats(0, 1, allow_nan=False)


def test_a_word_of_the_title_counts_twice() -> None:
    assert document("ferry", "ferry island", "pattern", None, AT).counts["ferri"] == 3


@pytest.mark.parametrize("asked", ["2026-03-04", "march", "2026", "wednesday", "decis", "timet"])
def test_the_lexical_leg_sees_date_kind_and_topic(asked: str) -> None:
    assert asked in document("t", "c", "decision", "travel/timetable", AT).counts


def test_the_length_is_that_of_title_and_content() -> None:
    assert document("ferry", "island harbour", "decision", "a/b", AT).length == 3


def test_a_document_is_bounded() -> None:
    found = document("t", " ".join(f"w{n}x" for n in range(9_000)) + " loud" * 900, "decision", None, AT)
    assert len(found.counts) <= MOST_TERMS and found.counts["loud"] == MOST_COUNT


def test_a_rare_term_weighs_more_and_none_is_negative() -> None:
    weights = term_weights(["rare", "common", "missing"], {"rare": 1, "common": 100}, 100)
    assert weights["missing"] > weights["rare"] > weights["common"] > 0


def test_one_occurrence_in_a_text_of_average_length_adds_the_weight() -> None:
    found = contributions(np.array([[1.0]]), np.array([30.0]), 30.0, np.array([2.5]))
    assert found[0, 0] == pytest.approx(2.5)


def test_more_occurrences_add_less_and_less() -> None:
    found = contributions(np.array([[1.0], [2.0], [9.0]]), np.full(3, 30.0), 30.0, np.array([1.0]))[:, 0]
    assert found[0] < found[1] < found[2] < 1.9


def test_an_empty_store_has_weights_of_zero() -> None:
    assert idf(0, np.zeros(2)).tolist() == [0, 0]


def test_a_question_about_something_else_stays_low_lexically() -> None:
    found = fusion.lexical_relevance(np.array([1.0]), 10.0)
    assert found[0] == pytest.approx(0.1)


def test_lists_and_rows_score_alike() -> None:
    question = Question({"ferri": 2.0, "island": 1.0}, {"isle": 0.5})
    lists = [
        {"term": "ferri", "ids": [1, 2], "revisions": [10, 20], "counts": [1, 3], "lengths": [5, 9]},
        {"term": "isle", "ids": [2], "revisions": [20], "counts": [1], "lengths": [9]},
    ]
    rows = [
        {"revision_id": 10, "size": 5, "terms": ["ferri"], "counts": [1]},
        {"revision_id": 20, "size": 9, "terms": ["ferri", "isle"], "counts": [3, 1]},
    ]
    texts, scores = score_lists(question, lists, 7.0)
    assert texts == [(2, 20), (1, 10)]
    assert score_rows(question, rows, [10, 20, 30], 7.0) == pytest.approx([scores[10], scores[20], 0.0])


def test_a_session_counts_only_among_many() -> None:
    question = Question({"ferri": 2.0}, {})
    rows = [{"term": "ferri", "episodes": [7, 7, 8], "counts": [2, 1, 1]}]
    few, many = (SimpleNamespace(texts=90, average=9.0, episodes=n) for n in (11, 12))
    assert by_session(question, rows, few) == {}
    found = by_session(question, rows, many)
    assert 1 >= found[7] > found[8] > 0


def test_a_part_of_a_stored_word_stands_for_it_at_half_weight() -> None:
    assert expansions("sql", ["postgresql", "sequel"]) == {"postgresql": EXPANSION_WEIGHT}


def test_a_misspelt_word_is_met_by_its_pieces() -> None:
    found = expansions("accomodation", ["accommodation", "accord", "station"])
    assert list(found) == ["accommodation"]


def test_legs_are_fused_by_score() -> None:
    assert fusion.fuse(np.array([0.5]), np.array([1.0]))[0] == pytest.approx(0.725)


@pytest.mark.parametrize(("words", "meaning", "expected"), [(0.5, None, 0.5), (None, 0.4, 0.4), (0.5, np.nan, 0.5)])
def test_a_leg_that_is_missing_has_no_weight(words: float | None, meaning: float | None, expected: float) -> None:
    legs = [None if score is None else np.array([score]) for score in (words, meaning)]
    assert fusion.fuse(*legs)[0] == pytest.approx(expected)


@pytest.mark.parametrize(("cosine", "expected"), [(0.1, 0.0), (-1.0, 0.0), (0.375, 0.5), (0.65, 1.0), (1.0, 1.0)])
def test_a_cosine_is_read_between_the_models_floor_and_ceiling(cosine: float, expected: float) -> None:
    assert fusion.semantic_relevance(np.array([cosine]), 0.1, 0.65)[0] == pytest.approx(expected)


def test_neighbours_lend_a_share() -> None:
    beside = np.array([[-1, 1, -1, 2], [0, 2, -1, -1], [1, -1, 0, -1]])
    found = fusion.lend(np.array([0.5, 0.0, 0.0]), beside)
    assert found == pytest.approx([0.5, 0.2, 0.1])


def test_a_session_never_makes_a_hit_of_nothing() -> None:
    alone = np.full((2, 4), -1)
    assert fusion.lend(np.array([0.0, 0.2]), alone, np.array([1.0, 1.0])) == pytest.approx([0.0, 0.35])


def test_a_text_without_a_score_of_its_own_is_lent_little_however_good_its_neighbours_are() -> None:
    beside = np.array([[1, 2, 1, 2], [0, -1, -1, -1], [0, -1, -1, -1]])
    found = fusion.lend(np.array([0.0, 1.0, 1.0]), beside, np.ones(3))
    assert found[0] == pytest.approx(fusion.MOST_LENT)
    assert fusion.lend(np.array([0.1, 1.0, 1.0]), beside, np.ones(3))[0] == pytest.approx(0.2 + fusion.MOST_LENT)


def test_contrast_keeps_the_ends_the_middle_and_the_order() -> None:
    values = np.linspace(0, 1, 101)
    found = fusion.contrast(values)
    assert found[[0, 50, 100]] == pytest.approx([0, 0.5, 1])
    assert (np.diff(found) > 0).all()
    assert (found[1:50] < values[1:50]).all() and (found[51:100] > values[51:100]).all()


@given(st.lists(st.floats(0, 50, allow_nan=False), min_size=2, max_size=20))
def test_softening_keeps_order_and_stays_below_one(values: list[float]) -> None:
    found = fusion.soften(np.array(sorted(values)))
    assert (np.diff(found) >= 0).all() and found.max() <= 1 and found.min() >= 0


@given(st.lists(st.tuples(shares, shares), min_size=1, max_size=9))
def test_relevance_lies_between_zero_and_one(pairs: list[tuple[float, float]]) -> None:
    words, meaning = (np.array(column) for column in zip(*pairs, strict=True))
    count = len(pairs)
    beside = np.column_stack([(np.arange(count) + step) % count for step in (-1, 1, -2, 2)])
    found = fusion.contrast(fusion.lend(fusion.fuse(words, meaning), beside, words))
    assert ((found >= 0) & (found <= 1)).all()
