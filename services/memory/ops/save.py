"""memory.save, memory.save_batch, memory.session_summary, memory.update: texts go in."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from runtime.clock import Clock
from runtime.errors import LoomError, invalid_field
from services.memory.identity import Scope, content_hash, key_of, lookup, memory_id
from services.memory.lanes import Lanes
from services.memory.model import Draft, Known, Revision, Text
from services.memory.ops.drafts import public_text
from services.memory.ops.sessions import Sessions
from services.memory.outcomes import Memories, Saved
from services.memory.ports import Index, Like, Similar
from services.memory.store import RevisionStore
from services.memory.types import Types

log = logging.getLogger("loom.memory")

MOST_SIMILAR = 3
# An advice that takes longer is left out.
SIMILAR_S = 0.5
# Texts that one read and one insert serve: a batch of the contract's size, and the single saves that wait meanwhile.
ROUND = 500


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one text; `session_id` is the session that the save was made in."""

    saved: Saved
    session_id: str
    similar: tuple[Like, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What memory.update changes; None keeps."""

    content: str | None = None
    type: str | None = None
    title: str | None = None


class Save:
    """Saves of one user go through the user's lane: one read, decisions in order, one insert."""

    def __init__(
        self, store: RevisionStore, sessions: Sessions, index: Index, similar: Similar, types: Types, clock: Clock
    ) -> None:
        self._store, self._sessions, self._types, self._clock = store, sessions, types, clock
        self._index, self._similar = index, similar
        self.lanes: Lanes[Scope, Sequence[Draft]] = Lanes(self._round, clock, most=ROUND)

    async def execute(self, scope: Scope, draft: Draft, timeout_s: float | None) -> Answer:
        """Saves one text."""
        [answer] = await self.execute_many(scope, [draft], timeout_s)
        return answer

    async def execute_many(self, scope: Scope, drafts: Sequence[Draft], timeout_s: float | None) -> Sequence[Answer]:
        """Saves texts, each as if those before it were saved already."""
        if not drafts:
            return []
        likes, answers = await asyncio.gather(
            self._likes(scope, drafts, timeout_s), self.lanes.together(scope, drafts, len(drafts), timeout_s)
        )
        return [_with_likes(answer, found) for answer, found in zip(answers, likes, strict=True)]

    async def update(self, scope: Scope, id_: int, change: Change, timeout_s: float | None) -> Answer:
        """Gives a memory another text, title or kind. Raises INVALID_FIELD and OBSERVATION_NOT_FOUND."""
        change = self._checked(change)
        return await self.lanes.alone(scope, lambda left: self._update(scope, id_, change, left), timeout_s)

    async def write(self, rows: Sequence[Revision], timeout_s: float | None) -> None:
        """Makes the rows findable, then stores them: a text without words to find it by could never be repaired."""
        if rows:
            await self._index.add(rows, timeout_s)
            await self._store.add(rows, timeout_s)

    async def memories(self, scope: Scope, drafts: Sequence[Draft], timeout_s: float | None) -> Memories:
        """What is stored of the memories that the drafts may concern."""
        keys = {key_of(draft.topic_key, draft.type, draft.content_hash) for draft in drafts}
        ids = [memory_id(scope, key, 0) for key in keys]
        known = await self._store.known(scope, [lookup(key) for key in keys], ids, timeout_s)
        living = {memory.id: memory for memory in known if not memory.is_gone}
        # A text that was said at another time than now has its place among all texts of its memory.
        if living and any(draft.said_at for draft in drafts):
            for id_, texts in (await self._store.texts(scope, list(living), timeout_s)).items():
                living[id_].texts = texts
        return Memories(scope, known)

    async def _round(
        self, scope: Scope, batches: Sequence[Sequence[Draft]], timeout_s: float | None
    ) -> list[list[Answer]]:
        now = self._clock.now()
        drafts = [draft for batch in batches for draft in batch]
        (session, _), memories = await asyncio.gather(
            self._sessions.enter(scope, now, timeout_s), self.memories(scope, drafts, timeout_s)
        )
        answers = [
            [Answer(memories.save(draft, session.session_id, now), session.session_id) for draft in batch]
            for batch in batches
        ]
        await self.write([a.saved.row for batch in answers for a in batch if a.saved.row], timeout_s)
        return answers

    def _checked(self, change: Change) -> Change:
        if change == Change():
            raise invalid_field("content", "given, or title or type: nothing would change")
        if change.type is not None and not self._types.may_be_saved(change.type):
            raise invalid_field("type", self._types.expected)
        return Change(
            None if change.content is None else public_text("content", change.content),
            change.type,
            None if change.title is None else public_text("title", change.title),
        )

    async def _update(self, scope: Scope, id_: int, change: Change, timeout_s: float | None) -> Answer:
        known = await self._store.states(scope, [id_], timeout_s)
        if not known or known[0].is_gone:
            raise LoomError("OBSERVATION_NOT_FOUND", "there is no such memory")
        memory = known[0]
        bodies = await self._store.bodies(scope, {id_: memory.current.revision_id}, timeout_s, whole=True)
        draft = _changed(memory, memory.current, bodies[id_]["content"], change)
        now = self._clock.now()
        session, _ = await self._sessions.enter(scope, now, timeout_s)
        saved = Memories(scope, known).change(memory, draft, session.session_id, now)
        await self.write([saved.row] if saved.row else [], timeout_s)
        likes = await self._likes(scope, [draft], timeout_s)
        return _with_likes(Answer(saved, session.session_id), likes[0])

    async def _likes(self, scope: Scope, drafts: Sequence[Draft], timeout_s: float | None) -> Sequence[Sequence[Like]]:
        try:
            # One more than is shown: the memory itself may be among them.
            left = SIMILAR_S if timeout_s is None else min(timeout_s, SIMILAR_S)
            return await self._similar.find(scope, drafts, MOST_SIMILAR + 1, left)
        except LoomError as error:
            # An advice is no reason to lose a text.
            log.warning("no similar memories are offered: %s", error.code.name)
            return [[] for _ in drafts]


def _with_likes(answer: Answer, likes: Sequence[Like]) -> Answer:
    others = [like for like in likes if like.id != answer.saved.id]
    return replace(answer, similar=tuple(others[:MOST_SIMILAR]))


def _changed(memory: Known, current: Text, content: str, change: Change) -> Draft:
    kept = content if change.content is None else change.content
    return Draft(
        type=change.type or current.type,
        title=change.title or current.title,
        content=kept,
        content_hash=content_hash(kept),
        topic_key=memory.topic_key,
    )
