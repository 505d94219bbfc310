"""Which embedder asks a source's vectors after a change of the model."""

from runtime.embedding.service import Embedding
from services.tracker.checking.models import Models
from services.tracker.checking.semantic import OK, Semantic
from tests.integration.test_tracker_embed import issue, record
from tests.support.tracker_passes import Passing, Words, passing
from tests.support.tracker_record import ORG, REPO


def semantic(given: Passing, *words: Words) -> Semantic:
    embeddings = [Embedding(lambda each=each: each) for each in words]
    models = Models(embeddings, given.marks, given.record.clock)
    return Semantic(given.vectors, embeddings[0], given.record.clock, budget_s=30.0, catch_up_s=30.0, models=models)


async def near(asked: Semantic, given: Passing) -> tuple[str, list[str]]:
    state, found, _ = await asked.nearest(ORG, given.source.id, "Lease 1 is lost", "Node 1 waits.", ["issue"], [""])
    return state, list(found)


async def test_old_vectors_answer_until_the_new_ones_are_complete() -> None:
    async with passing(record(issue(1), issue(2))) as given:
        old, new = Words("words-1"), Words("words-2")
        await given.embed(old).run(given.work())
        asked = semantic(given, new, old)
        assert await near(asked, given) == (OK, [f"{REPO}#1", f"{REPO}#2"])
        assert new.seen == []
        await given.embed(new).run(given.work())
        given.record.clock.advance(61)
        assert await near(asked, given) == (OK, [f"{REPO}#1", f"{REPO}#2"])
        assert len(new.seen) > 3


async def test_a_configured_embedder_that_is_away_is_replaced_by_the_one_whose_vectors_are_there() -> None:
    async with passing(record(issue(1))) as given:
        await given.embed(Words("words-1")).run(given.work())

        def away() -> Words:
            from runtime.embedding.interface import EmbedderUnavailable

            raise EmbedderUnavailable("away")

        embeddings = [Embedding(away), Embedding(lambda: Words("words-1"))]
        models = Models(embeddings, given.marks, given.record.clock)
        assert await models.serving(ORG, given.source.id) is embeddings[1]
