"""Terms: what must match, in which scripts."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.memory.retrieval import tokens
from services.memory.retrieval.tokens import LONGEST_TERM, fold, grams, query_terms, terms


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("userId", "the column user_id"),
        ("user_id", "call getUser with userId"),
        ("userid", "user-id"),
        ("parse json", "parseJSON"),
        ("JSON", "parseJSONFast"),
        ("sha", "sha256"),
        ("node.js", "we use nodejs"),
        ("foo:bar", "FooBar"),
        ("resume", "résumé"),
        ("RÉSUMÉ", "resume"),
        ("strasse", "Straße"),
        ("Lodz", "włóczka z Łodzi, Łódź"),
        ("running", "she ran and runs"),
        ("deployments", "deployed: the deployment"),
        ("東京", "昨日、東京に行った"),
        ("猫", "猫が好き"),
        ("한국", "한국어를 배운다"),
        ("อาหาร", "ร้านอาหารไทย"),
        ("ёлка", "елка"),
        ("паромами", "о паромах"),
        ("مرحبا", "مَرْحَبًا بالعالم"),
        ("שלום", "שָׁלוֹם עולם"),
        ("🦕", "a dinosaur 🦕 in the hall"),
        ("👍", "agreed 👍🏽"),
        ("ＡＢＣ", "abc"),
        ("1234567", "1,234,567 rows"),
        ("March 4th", "on the 4 March"),
        ("2026-03-04", "due 2026-03-04."),
        ("l'onion", "onion soup"),
    ],
)
def test_asked_and_stored_share_a_term(asked: str, stored: str) -> None:
    assert set(terms(asked)) & set(terms(stored))


@pytest.mark.parametrize("text", ["what is it", "when did they", "don't", "It's the", "où est-ce que", "что это", ""])
def test_function_words_give_no_term(text: str) -> None:
    assert terms(text) == []


@pytest.mark.parametrize(
    "text", ['"quoted AND', "*", "a-b", "foo:bar", "(((", "NOT x OR y", "\\", "%_", "\x00", "'; --"]
)
def test_operators_are_just_words(text: str) -> None:
    assert all(term.isalnum() or "-" in term for term in terms(text))


def test_a_number_with_joiners_keeps_them() -> None:
    assert "192.168.0.1" in terms("192.168.0.1") and "7.3.2" in terms("version 7.3.2")


def test_a_question_asks_for_each_term_once() -> None:
    assert query_terms("cat Cats CAT") == ["cat"]


def test_an_endless_run_gives_bounded_terms() -> None:
    assert all(len(term) <= LONGEST_TERM for term in terms("x" * 100_000 + "/" + "y1" * 50_000))


def test_grams_are_the_runs_of_three() -> None:
    assert grams("grade") == ["gra", "rad", "ade"] and grams("abc") == ["abc"] and grams("ab") == []


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_threads_at_once_get_the_terms_that_one_alone_gets(hasty: None) -> None:
    endings = ("ization", "fulness", "ational", "iveness", "ousli", "ement", "ies", "ingly", "eed", "able")
    texts = [" ".join(f"{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}rat{end}" for end in endings) for n in range(600)]
    texts += [f"паром{end} остров{end} {n}" for n, end in enumerate(("ами", "ов", "ах", "ом"))]
    tokens._stem.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        at_once = list(threads.map(terms, texts))
    tokens._stem.cache_clear()
    assert at_once == [terms(text) for text in texts]


@given(st.text())
def test_any_text_has_terms_that_are_folded(text: str) -> None:
    assert all(term and term == fold(term) for term in terms(text))


@given(st.text(max_size=200))
def test_a_text_finds_itself(text: str) -> None:
    assert set(query_terms(text)) == set(terms(text))
