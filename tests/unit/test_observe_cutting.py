"""Cutting and cleaning of text."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.observe.cutting import ELLIPSIS, clean, cut, excerpt, scalar, whole

TEXTS = st.text(st.characters() | st.sampled_from("ae\u0301\u200d\ufe0f\U0001f1e6\U0001f1e7\U0001f469\U0001f4bb\n\x1b"))


def test_a_text_that_fits_is_not_touched():
    assert cut("abc", 3) == "abc"


def test_a_cut_text_ends_in_an_ellipsis_that_counts():
    assert cut("abcdef", 4) == "abc…"


def test_blanks_before_the_ellipsis_go():
    assert cut("ab  cdef", 5) == "ab…"


@pytest.mark.parametrize(
    ("cluster", "why"),
    [
        ("e\u0301", "a letter and its accent"),
        ("e\u0301\u0323\u0308", "a letter and several marks"),
        ("\u0915\u094d\u0937\u093f", "a Devanagari conjunct and its vowel"),
        ("\U0001f469\u200d\U0001f4bb", "an emoji joined of two"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", "a family"),
        ("\u2764\ufe0f", "a heart with a variation selector"),
        ("\U0001f44d\U0001f3fd", "a thumb and its skin tone"),
        ("\U0001f1e9\U0001f1ea", "a flag"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "a flag spelled with tags"),
        ("\u1112\u1161\u11ab", "a syllable of Hangul letters"),
        ("\ud55c\u11ab", "a Hangul syllable and a further letter"),
        ("\uff76\uff9e", "a half-width kana and its voicing"),
        ("1\ufe0f\u20e3", "a keycap"),
        ("\u0e01\u0e33", "a Thai letter and its vowel"),
    ],
)
def test_a_cut_keeps_what_a_reader_sees_as_one_character_together(cluster, why):
    text = "x" * 5 + cluster + "y" * 20
    for limit in range(1, len(text)):
        kept = cut(text, limit).removesuffix(ELLIPSIS)
        assert len(kept) <= 5 or len(kept) >= 5 + len(cluster), why


def test_only_whole_flags_are_kept_of_a_row_of_flags():
    text = "\U0001f1e9\U0001f1ea" * 40
    for limit in range(1, len(text)):
        assert len(cut(text, limit).removesuffix(ELLIPSIS)) % 2 == 0


def test_a_character_longer_than_the_room_leaves_the_ellipsis_alone():
    assert cut("e" + "\u0301" * 100, 10) == ELLIPSIS
    assert excerpt("e" + "\u0301" * 10_000, 10) == ELLIPSIS


def test_half_surrogates_become_replacement_characters_and_pairs_are_joined():
    assert whole("a\ud83db\udc00c") == "a\ufffdb\ufffdc"
    assert whole("\ud83d\ude00") == "\U0001f600"
    assert cut("\ud83d", 5) == "\ufffd"


def test_control_characters_go_but_newline_and_tab():
    assert clean("a\x00b\tc\nd\re\x7ff\x85g\x07") == "ab\tc\ndefg"


@pytest.mark.parametrize(
    "escape",
    ["\x1b[31m", "\x1b[0m", "\x1b[1;38;5;200m", "\x1b[2K", "\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\", "\x1bM"],
)
def test_terminal_escapes_go_as_a_whole(escape):
    assert clean(f"a{escape}b") == "ab"


def test_an_escape_without_its_end_does_not_take_the_text_after_it():
    assert clean("a\x1b]0;b\nc") == "a]0;b\nc"


def test_plain_text_comes_back_as_the_same_object():
    text = "héllo\nworld"

    assert clean(text) is text


def test_the_rest_of_a_long_text_does_not_change_an_excerpt():
    assert excerpt("ab" * 500_000, 10) == cut("ab" * 500, 10)


def test_an_excerpt_that_shrank_when_cleaned_still_says_that_it_was_cut():
    assert excerpt("\x00" * 1000 + "a" * 1000, 10) == ELLIPSIS


@pytest.mark.parametrize("limit", [0, -3])
def test_no_room_gives_no_text(limit):
    assert cut("abc", limit) == ""
    assert excerpt("abc", limit) == ""


@given(TEXTS, st.integers(1, 40))
def test_a_cut_is_within_its_limit_and_a_beginning_of_the_text(text, limit):
    shown = cut(text, limit)

    assert len(shown) <= limit
    assert whole(text).startswith(shown.removesuffix(ELLIPSIS))
    assert (shown == whole(text)) == (len(whole(text)) <= limit)


@given(TEXTS, st.integers(1, 40))
def test_a_cut_never_leaves_a_mark_or_a_joiner_behind(text, limit):
    text = whole(text)
    kept = cut(text, limit).removesuffix(ELLIPSIS)
    rest = text[len(kept) :].lstrip() if len(text) > limit else ""
    if kept and rest and text[len(kept)] == rest[0]:
        assert not unicodedata.category(rest[0]).startswith("M")
        assert rest[0] != "\u200d"
        assert kept[-1] != "\u200d"


@given(TEXTS, st.integers(1, 40))
def test_an_excerpt_is_clean_and_within_its_limit(text, limit):
    shown = excerpt(text, limit)

    assert len(shown) <= limit
    assert clean(shown) == shown
    shown.encode()


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "null"), (True, "true"), (False, "false"), (1, "1"), (2**80, str(2**80)), (1.5, "1.5"), ("x", "x")],
)
def test_scalars_are_written_as_json_writes_them(value, text):
    assert scalar(value) == text


def test_numbers_that_python_does_not_print_are_written_all_the_same():
    assert scalar(10**5000) == hex(10**5000)
