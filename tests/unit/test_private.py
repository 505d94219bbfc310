"""Private text in strings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.private import MARK, contains_private, strip_text

SECRET = "h0rse-battery"


def test_a_region_is_replaced_and_the_text_around_it_stays():
    assert strip_text(f"before <private>{SECRET}</private> after") == "before [REDACTED] after"


@pytest.mark.parametrize(
    "text",
    [
        f"<PRIVATE>{SECRET}</pRiVaTe>",
        f'<private reason="keys" level=3>{SECRET}</private>',
        f"<private\n  reason='a > b'\n>{SECRET}</private>",
        f"< private >{SECRET}< / private >",
        f"<private>{SECRET}</private  >",
        f"<private>{SECRET}</ private\n>",
        f"<private>line\n{SECRET}\nline</private>",
        f"<private>a<private>b</private>{SECRET}</private>",
        f"<private note='</private>'>{SECRET}</private>",
        f'<private note="<private>">{SECRET}</private>',
        f"<private secret {SECRET}</private>",
        f"<private/>{SECRET}</private>",
    ],
)
def test_every_spelling_of_the_tag_redacts(text):
    assert strip_text(f"a {text} b") == f"a {MARK} b"


@pytest.mark.parametrize(
    "text",
    [
        f"a <private>{SECRET}",
        f"a <private {SECRET}",
        f"a <private>{SECRET}</privat> b",
        f"a <private>x<private>y</private>{SECRET}",
        "a <private",
        "a <private>",
        "a <private<private<private",
    ],
)
def test_an_opener_without_a_closer_redacts_to_the_end(text):
    assert strip_text(text) == f"a {MARK}"


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("a</private>b", "ab"),
        ("a</private ></PRIVATE>b", "ab"),
        (f"<private>{SECRET}</private></private>b", f"{MARK}b"),
        (f"</private><private>{SECRET}</private>", MARK),
    ],
)
def test_a_stray_closer_is_dropped(text, stripped):
    assert strip_text(text) == stripped


@pytest.mark.parametrize(
    "text",
    [
        f"<pri</private>vate>{SECRET}",
        f"<</private>private>{SECRET}</private>",
        "<pri" * 9 + "</private>vate>" * 9 + SECRET,
    ],
)
def test_a_tag_that_appears_when_a_closer_is_dropped_redacts_as_well(text):
    assert SECRET not in strip_text(text)


@pytest.mark.parametrize(
    "text",
    [
        rf'{{"a": "\u003cprivate\u003e{SECRET}\u003c/private\u003e"}}',
        rf'{{"a": "\u003Cprivate\u003E{SECRET}\u003C\/private\u003E"}}',
        rf'{{"a": "<private reason=\"x\">{SECRET}<\/private>"}}',
        rf'{{"a": "<private\nreason=\"x\">{SECRET}<\/private\n>"}}',
        rf'{{"a": "\\u003cprivate\\u003e{SECRET}\\u003c\\/private\\u003e"}}',
        rf'{{"a": "\x3cprivate\x3e{SECRET}\x3c/private\x3e"}}',
        f'{{"a": "&lt;private&gt;{SECRET}&lt;/private&gt;"}}',
        f'{{"a": "&#60;private&#62;{SECRET}&#x3C;/private&#x3e;"}}',
    ],
)
def test_tags_that_an_encoder_has_escaped_redact_and_close(text):
    stripped = strip_text(text)

    assert SECRET not in stripped
    assert MARK in stripped
    assert stripped.startswith('{"a": "')
    assert stripped.endswith('"}')


@pytest.mark.parametrize(
    "text",
    [
        "",
        "private",
        "a private method",
        "<privateer>ship</privateer>",
        "<private-key>k</private-key>",
        "<private_key>",
        "<privates>",
        "x < privately",
        "</privateer>",
        "<p>private</p>",
        "Vec<u8> private > 3",
        "&lt;privateer&gt;",
    ],
)
def test_other_text_comes_back_as_the_same_object(text):
    assert strip_text(text) is text
    assert not contains_private(text)


@pytest.mark.parametrize("text", ["<private>", "</private>", "x < PRIVATE y", "&lt;/private&gt;"])
def test_an_opener_and_a_closer_are_both_noticed(text):
    assert contains_private(text)


@pytest.mark.parametrize(
    "unit",
    [
        *("<private>", "<private", "</private>", "< ", '<private a="', "<private a='\" ", "<pri</private>vate>", "\\"),
        *("private<", "private \\u003c", "&#", "<private =", "< </private> ", "<private <private> ", "\\u003cprivate"),
    ],
)
def test_hostile_repetition_is_stripped_to_something_that_rests(unit):
    stripped = strip_text(unit * 20_000 + "private")

    assert strip_text(stripped) == stripped


PUBLIC = st.text(st.sampled_from("ab <>/\"'=\\n&;é\n"), max_size=12)
OPENERS = st.sampled_from(["<private>", "<PRIVATE x='1'>", "< private\n>", "\\u003cprivate\\u003e", "&lt;private&gt;"])
CLOSERS = st.sampled_from(["</private>", "</ Private >", "<\\/private>", "\\u003c/private\\u003e", "&lt;/private&gt;"])
REGIONS = st.recursive(
    st.builds(lambda o, c: o + SECRET + c, OPENERS, CLOSERS),
    lambda inner: st.builds(lambda o, a, b, c: o + SECRET + a + SECRET + b + c, OPENERS, inner, inner, CLOSERS),
    max_leaves=6,
)
WORDS = st.text(st.sampled_from("abc é\n"), max_size=8)


@given(st.lists(st.tuples(WORDS, REGIONS), max_size=5), WORDS)
def test_nested_regions_leave_exactly_the_text_between_them(parts, end):
    assert strip_text("".join(word + region for word, region in parts) + end) == (
        "".join(word + MARK for word, _ in parts) + end
    )


TOKENS = st.one_of(
    PUBLIC,
    OPENERS,
    CLOSERS,
    st.sampled_from(["<pri", "vate>", "<private", "private", "</", "/private>", "\\u003c", "&lt;", "\\", '="', "='"]),
)


@given(st.lists(TOKENS, max_size=25).map("".join))
def test_stripping_twice_is_stripping_once_and_leaves_no_tag(text):
    stripped = strip_text(text)

    assert strip_text(stripped) == stripped
    assert not contains_private(stripped)


@given(st.lists(TOKENS, max_size=10).map("".join), OPENERS)
def test_nothing_after_a_last_opener_survives(text, opener):
    assert SECRET not in strip_text(text + " " + opener + SECRET)


@given(st.text())
def test_any_text_without_the_word_comes_back_unchanged(text):
    if "private" not in text.lower():
        assert strip_text(text) is text
