from datetime import UTC, datetime

import pytest

from runtime.errors import LoomError
from services.memory.identity import content_hash
from services.memory.ops.drafts import SaveInput, draft_of, summary_draft
from services.memory.types import Types

TYPES = Types()


def given(**args):
    return SaveInput(**{"content": "c", "type": "decision", "title": "t", **args})


def field_of(call):
    with pytest.raises(LoomError) as caught:
        call()
    assert caught.value.code.name == "INVALID_FIELD"
    return caught.value.metadata["field"]


@pytest.mark.parametrize("field", ["content", "title", "topic_key"])
@pytest.mark.parametrize("text", [" ", "\n\t", "\u3000", "</private>", " </private> "])
def test_a_blank_text_is_refused_by_its_field(field, text):
    assert field_of(lambda: draft_of(given(**{field: text}), TYPES)) == field


@pytest.mark.parametrize("kind", ["summary", "fact", "Decision", " "])
def test_an_unknown_or_reserved_kind_is_refused(kind):
    assert field_of(lambda: draft_of(given(type=kind), TYPES)) == "type"


def test_a_refusal_says_what_is_taken_and_nothing_that_was_sent():
    with pytest.raises(LoomError) as caught:
        draft_of(given(type="s3cret"), TYPES)
    assert caught.value.message == "type must be one of profile, preference, decision, pattern, discovery"


@pytest.mark.parametrize("text", ["yesterday", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z"])
def test_an_instant_without_an_offset_or_of_no_calendar_is_refused(text):
    assert field_of(lambda: draft_of(given(observed_at=text), TYPES)) == "observed_at"


def test_the_same_instant_in_any_offset_is_the_same():
    one, other = (draft_of(given(observed_at=t), TYPES) for t in ("2026-01-01T01:30:00+01:30", "2026-01-01T00:00:00Z"))
    assert one == other
    assert one.said_at == datetime(2026, 1, 1, tzinfo=UTC)
    assert draft_of(given(), TYPES).said_at is None


def test_private_text_is_gone_before_anything_is_made_of_a_text():
    drafts = [
        draft_of(
            given(content=f"a <private>{s}</private> b", title=f"<PRIVATE x='y'>{s}"),
            TYPES,
        )
        for s in ("one", "two")
    ]
    assert drafts[0] == drafts[1]
    assert (drafts[0].content, drafts[0].title) == ("a [REDACTED] b", "[REDACTED]")
    assert drafts[0].content_hash == content_hash("a [REDACTED] b")


@pytest.mark.parametrize("key", ["k/<private>one</private>", "k/<PRIVATE>", "", " ", "\u200b", "\x00"])
def test_a_key_with_something_private_or_of_blanks_is_refused(key):
    assert field_of(lambda: draft_of(given(topic_key=key), TYPES)) == "topic_key"


@pytest.mark.parametrize("blank", ["", " \n", "\u200b\u200d", "\x00", "\ufeff \u2060", "\u3164", "\u00ad\t"])
@pytest.mark.parametrize("field", ["content", "title"])
def test_a_text_of_nothing_to_see_is_blank(field, blank):
    assert field_of(lambda: draft_of(given(**{field: blank}), TYPES)) == field


@pytest.mark.parametrize("text", ["\u200bx", "👩\u200d💻", "\ufffd", ".", "\ue000", "é"])
def test_a_text_of_anything_to_see_is_kept_as_it_is(text):
    assert draft_of(given(content=text), TYPES).content == text


def test_a_summary_is_a_memory_whose_title_is_its_beginning_without_what_is_private():
    draft = summary_draft("<private>" + "s" * 90 + "</private>" + "x" * 71)
    assert (draft.type, draft.title, draft.topic_key) == ("summary", "[REDACTED]" + "x" * 67 + "...", "")
    assert summary_draft("short").title == "short"
    assert field_of(lambda: summary_draft("  ")) == "summary"
