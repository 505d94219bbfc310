"""The product itself over the labelled set: chDB in this process, the index, the vector worker, memory.search."""

import tempfile
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from pathlib import Path

from runtime.clock import ManualClock
from runtime.embedding.minilm import installed
from runtime.embedding.service import Embedding
from services.memory.identity import Scope
from tests.bench.memory_quality.dataset import USERS, Question, load
from tests.support.memory_search import Kept, draft, memories
from tests.support.stores import chdb_store

LIMIT = 50


async def rankings(asked: Sequence[Question]) -> Mapping[Question, list[str]]:
    """The labels that memory.search finds for each question, best first.

    Asked a year after the last memory, when recency tells nothing.
    """
    with tempfile.TemporaryDirectory() as folder:
        async with chdb_store(Path(folder)) as store:
            clock = ManualClock(max(item.said_at for user in USERS for item in load(user)) + timedelta(days=365))
            async with memories(store, clock, [Embedding(installed)]) as kept:
                labels = {id_: label for user in USERS for id_, label in (await _fill(kept, user)).items()}
                if kept.worker:
                    await kept.worker.settled()
                return {question: await _ask(kept, question, labels) for question in asked}


async def _fill(kept: Kept, user: str) -> dict[int, str]:
    labels = {}
    for session, items in groupby(load(user), key=lambda item: item.session):
        texts = list(items)
        drafts = [draft(i.title, i.content, type=i.kind, said_at=i.said_at) for i in texts]
        saved = await kept.save_all(drafts, _scope(user), session)
        labels.update({one.id: item.label for one, item in zip(saved, texts, strict=True)})
    return labels


async def _ask(kept: Kept, question: Question, labels: Mapping[int, str]) -> list[str]:
    found = await kept.search(question.text, _scope(question.user), limit=LIMIT)
    return [labels[hit.id] for hit in found.hits]


def _scope(user: str) -> Scope:
    return Scope("bench", "bench", user)
