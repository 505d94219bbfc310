"""What becomes of saves, text by text."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.memory.identity import Scope, content_hash, key_of, memory_id
from services.memory.model import LAST_INSTANT, TICK, Draft, Known, Text
from services.memory.outcomes import AHEAD, CREATED, DEDUPED, EARLIER, UPDATED, Memories

ADA = Scope("dev", "local", "ada")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def draft(content, *, topic="", type="decision", title="t", said_at=None):
    return Draft(type, title, content, content_hash(content), topic, said_at)


class Tape:
    """Saves into one set of memories, a second apart."""

    def __init__(self, known=()):
        self.memories, self.now, self.rows = Memories(ADA, known), NOW, []

    def save(self, content, **args):
        self.now += timedelta(seconds=1)
        saved = self.memories.save(draft(content, **args), "s", self.now)
        self.rows += [saved.row] if saved.row else []
        return saved

    def current(self, id_):
        rows = [row for row in self.rows if row.id == id_]
        return max(rows, key=lambda row: (row.said_at, row.written_at, row.revision_id)).content


def test_a_topic_is_created_updated_and_deduped_under_one_id():
    tape = Tape()
    saves = [tape.save(content, topic="a/b") for content in ("one", "one", "two", "two", "one")]
    assert [saved.outcome for saved in saves] == [CREATED, DEDUPED, UPDATED, DEDUPED, UPDATED]
    assert len({saved.id for saved in saves}) == 1
    assert [saved.topic_key for saved in saves] == ["a/b"] * 5
    assert [row.content for row in tape.rows] == ["one", "two", "one"]
    assert len({row.revision_id for row in tape.rows}) == 3


def test_without_a_topic_a_text_is_found_again_by_its_kind_and_content():
    tape = Tape()
    first, again, other = tape.save("one"), tape.save("one"), tape.save("two")
    assert [first.outcome, again.outcome, other.outcome] == [CREATED, DEDUPED, CREATED]
    assert first.id == again.id != other.id
    kind = tape.save("one", type="pattern")
    assert (kind.outcome, kind.id in {first.id, other.id}) == (CREATED, False)
    topic = tape.save("one", topic="a")
    assert (topic.outcome, topic.id == first.id) == (CREATED, False)


@pytest.mark.parametrize(
    ("args", "notice"),
    [
        ({}, ""),
        ({"title": "u"}, "the stored title was kept; memory.update with this id changes that"),
        ({"type": "pattern"}, "the stored type was kept; memory.update with this id changes that"),
        (
            {"type": "pattern", "title": "u"},
            "the stored title and type were kept; memory.update with this id changes that",
        ),
    ],
)
def test_a_repetition_with_another_title_or_type_keeps_the_stored_one_and_says_so(args, notice):
    tape = Tape()
    tape.save("one", topic="a")
    saved = tape.save("one", topic="a", **args)
    assert (saved.outcome, saved.row, saved.notice) == (DEDUPED, None, notice)


def test_a_topic_matches_exactly():
    tape = Tape()
    ids = {tape.save("one", topic=topic).id for topic in ("a", "A", "a ", "á", "a/")}
    assert len(ids) == 5


def test_a_text_said_earlier_becomes_an_earlier_revision_and_says_so():
    tape = Tape()
    created = tape.save("new", topic="a", said_at=NOW)
    saved = tape.save("old", topic="a", said_at=NOW - DAY)
    assert (saved.outcome, saved.id, saved.notice) == (UPDATED, created.id, EARLIER)
    assert tape.current(created.id) == "new"
    assert tape.save("new", topic="a").outcome == DEDUPED
    assert tape.save("old", topic="a").outcome == UPDATED
    assert tape.current(created.id) == "old"


def test_dated_texts_brought_in_twice_add_nothing():
    tape = Tape()
    texts = [("one", NOW), ("two", NOW + DAY), ("one", NOW + 2 * DAY), ("three", NOW), ("zero", NOW - DAY)]
    for content, said_at in texts:
        tape.save(content, topic="a", said_at=said_at)
    stored = len(tape.rows)
    assert stored == 5
    again = [tape.save(content, topic="a", said_at=said_at) for content, said_at in texts]
    assert {saved.outcome for saved in again} == {DEDUPED}
    assert len(tape.rows) == stored


def test_a_text_equal_to_what_was_current_then_is_a_repetition():
    tape = Tape()
    tape.save("one", topic="a", said_at=NOW)
    tape.save("two", topic="a", said_at=NOW + 2 * DAY)
    assert tape.save("one", topic="a", said_at=NOW + DAY).outcome == DEDUPED
    assert tape.save("two", topic="a", said_at=NOW + DAY).outcome == UPDATED


def test_what_is_said_now_is_current_also_where_the_stored_text_is_of_a_faster_clock():
    ahead = Text(7, content_hash("ahead"), "decision", "t", NOW + DAY, NOW + DAY)
    id_ = memory_id(ADA, key_of("a", "", ""), 0)
    memories = Memories(ADA, [Known(id_, "a", False, [ahead], ahead.written_at)])
    saved = memories.save(draft("mine", topic="a"), "s", NOW)
    assert (saved.outcome, saved.notice) == (UPDATED, "")
    assert saved.row.said_at == NOW + DAY + TICK
    assert saved.row.written_at > ahead.written_at


def test_the_last_instant_that_a_row_can_have_is_no_end():
    tape = Tape()
    tape.save("one", topic="a", said_at=LAST_INSTANT)
    saved = tape.save("two", topic="a")
    assert (saved.outcome, saved.row.said_at, tape.current(saved.id)) == (UPDATED, LAST_INSTANT, "two")


def test_saves_of_one_instant_are_current_in_the_order_in_which_they_came():
    tape = Tape()
    saved = [tape.memories.save(draft(text, topic="a", said_at=NOW), "s", NOW) for text in ("c", "a", "b")]
    tape.rows = [one.row for one in saved]
    assert tape.current(saved[0].id) == "b"


def test_a_deleted_memory_is_not_found_and_its_topic_begins_another_one():
    id_ = memory_id(ADA, key_of("a", "", ""), 0)
    gone = Known(id_, "", True, [Text(1, "", "", "", NOW, NOW)])
    saved = Memories(ADA, [gone]).save(draft("one", topic="a"), "s", NOW)
    assert (saved.outcome, saved.id) == (CREATED, memory_id(ADA, key_of("a", "", ""), 1))


def test_a_memory_with_another_text_by_now_leaves_its_first_text_to_a_new_one():
    tape = Tape()
    created = tape.save("one")
    memory = tape.memories.match(draft("one"))
    changed = tape.memories.change(memory, draft("two"), "s", tape.now)
    assert (changed.outcome, changed.id) == (UPDATED, created.id)
    assert tape.save("two").id == created.id
    again = tape.save("one")
    assert (again.outcome, again.id == created.id) == (CREATED, False)


def test_a_change_that_changes_nothing_writes_nothing():
    tape = Tape()
    tape.save("one")
    memory = tape.memories.match(draft("one"))
    assert tape.memories.change(memory, draft("one"), "s", tape.now).row is None
    assert tape.memories.change(memory, draft("one", title="u"), "s", tape.now).outcome == UPDATED


def test_two_processes_that_save_the_same_write_the_same_row_names():
    one, other = (Memories(ADA, []).save(draft("x", topic=topic), "s", NOW) for topic in ("a", "a"))
    assert (one.id, one.row.revision_id, one.row.lookup) == (other.id, other.row.revision_id, other.row.lookup)


SAVES = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["", "x", "y"]), st.sampled_from([None, 0, 1, 2])))


@given(SAVES)
def test_a_batch_ends_as_single_saves_do(saves):
    batch, rows = Tape(), {}
    for content, topic, day in saves:
        said_at = None if day is None else NOW + day * DAY
        single = Tape(_stored(rows))
        single.now = batch.now
        ours = batch.save(content, topic=topic, said_at=said_at)
        theirs = single.save(content, topic=topic, said_at=said_at)
        assert ours == theirs
        if ours.row:
            rows.setdefault(ours.id, []).append(ours.row)


def _stored(rows):
    return [
        Known(
            id_,
            own[0].topic_key,
            False,
            sorted(
                (Text(r.revision_id, r.content_hash, r.type, r.title, r.said_at, r.written_at) for r in own),
                key=lambda text: text.place,
            ),
            max(row.written_at for row in own),
        )
        for id_, own in rows.items()
    ]


@given(SAVES.filter(lambda saves: len(saves) > 0))
def test_records_brought_in_twice_add_nothing_and_keep_their_ids(saves):
    texts = [draft(content, said_at=NOW + (day or 0) * DAY) for content, _, day in saves]
    memories = Memories(ADA, [])
    first, added = memories.bring_in(texts, NOW)
    assert len(added) == len({(text.content, text.said_at) for text in texts})
    assert memories.bring_in(texts, NOW + DAY) == (first, [])
    reread = Memories(ADA, _stored({first: added}))
    assert reread.bring_in(texts, NOW + DAY) == (first, [])


def test_a_text_that_is_dated_ahead_is_stored_and_told():
    tape = Tape()
    assert tape.save("one", topic="a", said_at=NOW + 30 * DAY).notice == AHEAD
    assert tape.save("two", topic="a", said_at=NOW + 40 * DAY).notice == AHEAD
    assert [tape.save("three", said_at=NOW + DAY).notice, tape.save("four").notice] == ["", ""]
