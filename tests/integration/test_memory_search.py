"""memory.search over the real store: what is found, in which order, and what is never found."""

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from runtime.clock import ManualClock
from runtime.embedding.interface import EmbedderUnavailable, Refused, Vectors
from runtime.embedding.service import Embedding
from runtime.errors import LoomError
from services.memory.identity import Scope
from services.memory.ops.search import NOT_ASKED
from services.memory.ops.similar import FindSimilar
from services.memory.retrieval.snippets import MOST_CHARS
from services.memory.search_index import TABLES
from services.memory.vector_store import VectorRow, VectorStore
from tests.support.memory_search import SCOPE, Kept, draft, memories
from tests.support.stores import chdb_store

OTHERS = (Scope("acme", "main", "bob"), Scope("acme", "other", "ada"), Scope("globex", "main", "ada"))


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[Kept]:
    async with chdb_store(tmp_path, fsync=False) as store, memories(store) as found:
        yield found


class Fake:
    """Texts about one of a few topics; what has none of them is near nothing."""

    name, dim, floor, ceiling = "fake", 4, 0.1, 0.9
    topics = (("dog", "puppy"), ("car", "vehicle"), ("tea", "beverage"))

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = [[float(any(word in text for word in topic)) for topic in self.topics] + [0.2] for text in texts]
        vectors = np.array(rows, dtype=np.float32).reshape(len(texts), 4)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def close(self) -> None:
        return None


def broken() -> Fake:
    raise EmbedderUnavailable("the model file cannot be read")


async def test_a_save_is_found_by_the_very_next_search_by_its_words(kept: Kept) -> None:
    await kept.save("Ferry", "The last ferry leaves at nine.")
    found = await kept.search("when does the last ferry leave?")
    assert [hit.title for hit in found.hits] == ["Ferry"]
    assert found.leg_status["lexical"] == "ok" and found.leg_status["semantic"].startswith("unavailable: ")


@pytest.mark.parametrize(
    "query", ['"ferry"', "ferry AND NOT nine", "ferry*", "fer-ry ferry", "title:ferry", "(ferry", "'; ferry --"]
)
async def test_operators_are_ordinary_text(kept: Kept, query: str) -> None:
    await kept.save("Ferry", "The last ferry leaves at nine.")
    assert await kept.titles(query) == ["Ferry"]


async def test_nothing_of_another_user_namespace_or_organisation_is_found(kept: Kept) -> None:
    for scope in OTHERS:
        await kept.save("Ferry", f"ferry of {scope.user_id}", scope)
    for query in ("ferry", "fe", "ferri"):
        assert (await kept.search(query)).hits == []


async def test_nothing_relevant_is_an_empty_list(kept: Kept) -> None:
    await kept.save("Ferry", "The last ferry leaves at nine.")
    assert await kept.titles("quantum chromodynamics lattice") == []


async def test_a_word_that_only_shares_little_never_scores_high(kept: Kept) -> None:
    await kept.save("Ferry", "The last ferry leaves at nine.")
    [hit] = (await kept.search("which stocks, bonds, funds and options did the bank sell last")).hits
    assert hit.score < 0.5


async def test_part_of_a_word_finds_the_word(kept: Kept) -> None:
    await kept.save("Store", "We run postgresql for events.")
    assert await kept.titles("sql") == ["Store"]


async def test_a_short_query_matches_as_a_substring(kept: Kept) -> None:
    await kept.save("C# guide", "Prefer records.")
    await kept.save("Cats", "They purr.")
    found = await kept.search("c#")
    assert [hit.title for hit in found.hits] == ["C# guide"] and found.leg_status["semantic"] == NOT_ASKED
    assert await kept.titles("猫") == []


async def test_a_query_of_function_words_matches_as_it_stands(kept: Kept) -> None:
    await kept.save("Hamlet", "To be or not to be.")
    await kept.save("Ferry", "The last ferry.")
    assert await kept.titles("to be or not to be") == ["Hamlet"]


async def test_the_current_text_is_found_and_the_old_one_as_of_then(kept: Kept) -> None:
    clock = kept.clock
    assert isinstance(clock, ManualClock)
    first = clock.now()
    saved = await kept.save("Drink", "I drink coffee.", topic_key="drink")
    clock.advance(3600)
    await kept.replace(saved.id, "Drink", "I drink rooibos.")
    assert await kept.titles("coffee") == [] and await kept.titles("rooibos") == ["Drink"]
    [then] = (await kept.search("coffee", as_of=first + timedelta(minutes=1))).hits
    assert then.snippet == "I drink coffee." and then.updated_at == first
    assert await kept.titles("rooibos", as_of=first + timedelta(minutes=1)) == []
    assert await kept.titles("coffee", as_of=first - timedelta(minutes=1)) == []


async def test_many_old_texts_do_not_hide_what_is_current(kept: Kept) -> None:
    saved = await kept.save("Status", "deploy number 0", topic_key="status")
    for number in range(1, 40):
        await kept.replace(saved.id, "Status", f"deploy number {number}")
    await kept.save("Rule", "Never deploy on Fridays, whatever anybody says about it at lunch.")
    assert sorted(await kept.titles("deploy")) == ["Rule", "Status"]


async def test_many_deleted_memories_do_not_hide_a_live_one(kept: Kept) -> None:
    for saved in await kept.save_all([draft("Old", f"ferry {n}") for n in range(150)]):
        await kept.delete(saved.id)
    await kept.save("Live", "A ferry among a great many other words that make this text a long and weak match.")
    assert await kept.titles("ferry") == ["Live"]


async def test_what_was_said_later_does_not_hide_what_was_current_then(kept: Kept) -> None:
    then = kept.clock.now() - timedelta(days=9)
    await kept.save("Old", "A ferry among a great many other words that make this a weak match.", said_at=then)
    await kept.save_all([draft(f"{n}", f"ferry {n}") for n in range(1_000)])
    assert await kept.titles("ferry", as_of=then + timedelta(days=1)) == ["Old"]


async def test_types_and_times_restrict_hits(kept: Kept) -> None:
    day = datetime(2025, 5, 1, tzinfo=UTC)
    for kind, days in (("decision", 0), ("pattern", 1), ("decision", 2)):
        await kept.save(f"{kind} {days}", f"the ferry {days}", type=kind, said_at=day + timedelta(days=days))
    assert sorted(await kept.titles("ferry", types=("decision",))) == ["decision 0", "decision 2"]
    assert await kept.titles("ferry", types_exclude=("decision",)) == ["pattern 1"]
    assert await kept.titles("ferry", since=day + timedelta(days=2)) == ["decision 2"]
    assert await kept.titles("ferry", until=day + timedelta(days=1)) == ["decision 0"]
    assert await kept.titles("fe", types=("pattern",)) == ["pattern 1"]


async def test_a_date_and_a_kind_are_words_too(kept: Kept) -> None:
    await kept.save("A", "we met", type="decision", said_at=datetime(2025, 5, 9, tzinfo=UTC))
    await kept.save("B", "we met", type="pattern", said_at=datetime(2025, 8, 2, tzinfo=UTC))
    assert (await kept.titles("what happened in August 2025"))[0] == "B"
    assert (await kept.titles("which decision"))[0] == "A"


async def test_neighbours_in_a_session_lend_each_other_score(kept: Kept) -> None:
    lines = ["Shall we talk about the ferry?", "Sure, it goes at nine.", "Fine.", "My cat sleeps a lot."]
    await kept.save_all([draft(f"{n}", line) for n, line in enumerate(lines)])
    assert (await kept.titles("ferry"))[:2] == ["0", "1"]
    assert "3" not in await kept.titles("ferry")


async def test_a_stranger_beside_the_best_hit_stays_under_the_advised_least_score(kept: Kept) -> None:
    lines = ["The ferry to the island leaves at nine.", "My cat sleeps a lot.", "The ferry to the island costs ten."]
    await kept.save_all([draft(f"{n}", line) for n, line in enumerate(lines)])
    assert "1" in await kept.titles("ferry to the island")
    assert "1" not in await kept.titles("ferry to the island", min_score=0.4)


async def test_what_is_just_said_does_not_hide_an_old_answer(kept: Kept) -> None:
    old = kept.clock.now() - timedelta(days=400)
    await kept.save("Ferry", "The ferry to the island leaves at nine.", session="s0", said_at=old)
    for n in range(12):
        await kept.save(f"{n}", f"The island has {n} beaches, says the guide.", session=f"s{n + 1}")
    assert (await kept.titles("when does the ferry to the island leave"))[0] == "Ferry"


async def test_a_neighbour_in_another_session_lends_nothing(kept: Kept) -> None:
    await kept.save("0", "Shall we talk about the ferry?", session="s1")
    await kept.save("1", "It goes at nine.", session="s2")
    assert await kept.titles("ferry") == ["0"]


async def test_the_limit_and_the_least_score_hold(kept: Kept) -> None:
    await kept.save_all([draft(f"t{n}", f"ferry {n} {'word ' * n}") for n in range(30)])
    assert len(await kept.titles("ferry")) == 10 and len(await kept.titles("ferry", limit=25)) == 25
    hits = (await kept.search("ferry", limit=30)).hits
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    least = hits[4].score
    assert all(hit.score >= least for hit in (await kept.search("ferry", min_score=least)).hits)
    assert await kept.titles("ferry", min_score=1.0) == []


async def test_the_snippet_shows_the_match(kept: Kept) -> None:
    await kept.save("Long", "filler words here " * 200 + "the secret harbour gate " + "more filler " * 200)
    [hit] = (await kept.search("harbour gate")).hits
    assert "harbour gate" in hit.snippet and len(hit.snippet) <= MOST_CHARS


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"query": "  "}, "query"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "types": ("decision",), "types_exclude": ("pattern",)}, "types_exclude"),
        ({"query": "x", "types": ("nonsense",)}, "types"),
        ({"query": "x", "types_exclude": ("nonsense",)}, "types_exclude"),
    ],
)
async def test_a_wrong_field_is_named(kept: Kept, fields: dict[str, object], field: str) -> None:
    with pytest.raises(LoomError) as caught:
        await kept.search(**fields)  # type: ignore[arg-type]
    assert caught.value.code.name == "INVALID_FIELD" and caught.value.metadata["field"] == field


async def test_every_table_that_holds_text_is_named_for_the_erase_pass(kept: Kept) -> None:
    await kept.save("Zanzibar", "unmistakable")
    rows = await kept.reads._store.query(
        "SELECT name FROM system.tables WHERE database = currentDatabase() "
        "AND startsWith(name, 'memory_') AND endsWith(engine, 'MergeTree')"
    )
    assert {row["name"] for row in rows} >= set(TABLES)
    own = {"memory_terms", "memory_vectors"}
    assert own == set(TABLES)


async def test_a_question_in_other_words_is_answered_by_meaning(tmp_path: Path) -> None:
    async with chdb_store(tmp_path, fsync=False) as store, memories(store, embeddings=[Embedding(Fake)]) as kept:
        await kept.save("Pet", "The dog sleeps.")
        await kept.save("Garage", "The car is red.", session="s2")
        assert kept.worker
        await kept.worker.settled()
        found = await kept.search("my puppy")
        assert [hit.title for hit in found.hits] == ["Pet"]
        assert found.leg_status == {"lexical": "ok", "semantic": "ok"}


class Refuses(Fake):
    """Takes texts, and no question."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        if texts == ["dog"]:
            raise Refused("the endpoint refuses the text")
        return super().embed(texts)


@pytest.mark.parametrize(
    ("embeddings", "status"),
    [
        ([], "unavailable: turned off by LOOM_EMBEDDER_KIND"),
        ([broken], "unavailable: the model file cannot be read"),
        ([broken, broken], "unavailable: the model file cannot be read"),
        ([Refuses], "unavailable: the endpoint refuses the text"),
        ([broken, Fake], "ok"),
    ],
    ids=["off", "unavailable", "both unavailable", "refuses", "the second stands in"],
)
async def test_a_leg_that_cannot_run_is_named_and_the_other_answers(
    tmp_path: Path, embeddings: Sequence[Callable[[], Fake]], status: str
) -> None:
    made = [Embedding(each) for each in embeddings]
    async with chdb_store(tmp_path, fsync=False) as store, memories(store, embeddings=made) as kept:
        await kept.save("Pet", "The dog sleeps.")
        found = await kept.search("dog")
        assert [hit.title for hit in found.hits] == ["Pet"]
        assert found.leg_status == {"lexical": "ok", "semantic": status}


async def test_vectors_are_made_after_a_restart(tmp_path: Path) -> None:
    async with chdb_store(tmp_path, fsync=False) as store:
        async with memories(store) as kept:
            await kept.save("Pet", "The dog sleeps.")
        async with memories(store, embeddings=[Embedding(Fake)]) as kept:
            assert kept.worker
            await kept.worker.settled()
            assert await kept.vectors.coverage(SCOPE, 30) == {"fake": 1}
            assert await kept.titles("puppy") == ["Pet"]


async def test_a_text_that_the_model_refuses_is_found_by_its_words_and_holds_up_no_other(tmp_path: Path) -> None:
    class Picky(Fake):
        def embed(self, texts: Sequence[str]) -> Vectors:
            if "unspeakable" in " ".join(texts):
                raise Refused("no")
            return super().embed(texts)

    async with chdb_store(tmp_path, fsync=False) as store, memories(store, embeddings=[Embedding(Picky)]) as kept:
        await kept.save_all([draft("Odd", "an unspeakable thing"), draft("Pet", "The dog sleeps.")])
        assert kept.worker
        await kept.worker.settled()
        assert await kept.vectors.waiting("fake", 10, 30) == []
        assert (await kept.titles("puppy"))[0] == "Pet" and (await kept.titles("unspeakable"))[0] == "Odd"


async def test_a_vector_that_arrives_after_an_erase_by_another_process_is_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = VectorStore.add
    async with chdb_store(tmp_path, fsync=False) as store, memories(store, embeddings=[Embedding(Fake)]) as kept:

        async def late(self: VectorStore, rows: Sequence[VectorRow], timeout_s: float | None) -> None:
            await store.command("ALTER TABLE memory_revisions DELETE WHERE title = 'Pet' SETTINGS mutations_sync = 2")
            await add(self, rows, timeout_s)

        monkeypatch.setattr(VectorStore, "add", late)
        await kept.save_all([draft("Pet", "The dog barks."), draft("Ferry", "It goes at nine.")])
        assert kept.worker
        await kept.worker.settled()
        # Mutations of a table are done in order.
        await store.command("ALTER TABLE memory_vectors DELETE WHERE 0 SETTINGS mutations_sync = 2")
        rows = await store.query("SELECT uniq(id) AS n FROM memory_vectors")
        assert rows == [{"n": 1}]


async def test_a_long_memory_is_as_near_as_its_nearest_chunk(tmp_path: Path) -> None:
    async with chdb_store(tmp_path, fsync=False) as store, memories(store, embeddings=[Embedding(Fake)]) as kept:
        await kept.save("Diary", "Nothing much happened. " * 60 + "Then the dog barked. " + "It rained on. " * 60)
        assert kept.worker
        await kept.worker.settled()
        [hit] = (await kept.search("puppy")).hits
        assert hit.score > 0.5


async def test_after_a_change_of_the_model_the_old_vectors_serve_until_the_new_ones_are_there(tmp_path: Path) -> None:
    class New(Fake):
        name, dim = "new", 4
        is_ready = False

        def embed(self, texts: Sequence[str]) -> Vectors:
            if "sleeps" in " ".join(texts) and not self.is_ready:
                raise EmbedderUnavailable("not yet")
            return super().embed(texts)

    new = New()
    async with chdb_store(tmp_path, fsync=False) as store:
        async with memories(store, embeddings=[Embedding(Fake)]) as kept:
            await kept.save("Pet", "The dog sleeps.")
            assert kept.worker
            await kept.worker.settled()
        async with memories(store, embeddings=[Embedding(lambda: new), Embedding(Fake)]) as kept:
            assert await kept.titles("puppy") == ["Pet"]
            assert await kept.vectors.coverage(SCOPE, 30) == {"fake": 1}
        new.is_ready = True
        async with memories(store, embeddings=[Embedding(lambda: new), Embedding(Fake)]) as kept:
            assert kept.worker
            await kept.worker.settled()
            assert await kept.vectors.coverage(SCOPE, 30) == {"fake": 1, "new": 1}
            assert await kept.titles("puppy") == ["Pet"]


async def test_eight_wordings_of_one_fact_are_offered_in_a_large_store(kept: Kept) -> None:
    wordings = [
        "The user prefers dark mode in every editor",
        "Dark mode is what the user prefers in editors",
        "User preference: dark mode for the editor",
        "Editors: the user prefers dark mode",
        "In editors, dark mode is preferred by the user",
        "Prefers the dark mode of editors",
        "For editors, prefer dark mode",
        "The preferred editor mode is dark",
    ]
    find = FindSimilar(kept.reads, kept.index, kept.revisions, kept.vectors, None, kept.clock)
    await kept.save_all([draft(f"Note {n}", f"Entry {n} about item{n} and place{n % 97}") for n in range(3_000)])
    for number, wording in enumerate(wordings):
        [likes] = await find.find(SCOPE, [draft("", wording)], 3, 30)
        assert len(likes) == min(number, 3), wording
        await kept.save("", wording)
    for scope in OTHERS:
        assert await find.find(scope, [draft("", wordings[0])], 3, 30) == [[]]


async def test_a_batch_is_compared_text_by_text(kept: Kept) -> None:
    find = FindSimilar(kept.reads, kept.index, kept.revisions, kept.vectors, None, kept.clock)
    tea = await kept.save("Tea", "black tea with lemon")
    likes = await find.find(SCOPE, [draft("Tea", "black tea with a lemon"), draft("Cat", "sleeps")], 3, 30)
    assert [[like.id for like in some] for some in likes] == [[tea.id], []]
    await kept.delete(tea.id)
    assert await find.find(SCOPE, [draft("Tea", "black tea with a lemon")], 3, 30) == [[]]
