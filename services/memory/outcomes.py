"""What becomes of a save: created, updated or deduped, and what the caller should know about it.

Pure, so that a batch is applied text by text to what was read once: every decision sees the ones before it.
"""

import bisect
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from services.memory.identity import Key, Scope, key_of, lookup, memory_id, revision_id
from services.memory.model import LAST_INSTANT, LIVE, TICK, Draft, Known, Revision, Text, precedence

CREATED, UPDATED, DEDUPED = "created", "updated", "deduped"
EARLIER = "a text that was said later stays the current one; this one is kept as an earlier revision (memory.revisions)"
AHEAD = "observed_at lies ahead: until then a search as_of now does not find this text, and what is said next is dated after it"
# Less is the difference of two clocks, or of a zone that was left out.
CLOCKS_DIFFER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Saved:
    """The answer to one save. `notice` is empty for nothing; `row` is what must be written, None for nothing."""

    outcome: str
    id: int
    topic_key: str
    notice: str = ""
    row: Revision | None = None


class Memories:
    """The memories of one user that a round of saves may concern."""

    def __init__(self, scope: Scope, known: Iterable[Known]) -> None:
        self._scope = scope
        self._by_id = {memory.id: memory for memory in known}
        self._by_key: dict[Key, Known] = {}
        self._by_text: dict[tuple[str, str, datetime], Known] = {}
        self._exact: set[tuple[int, datetime, str, str, str]] = set()
        # The least id wins where two memories have been given one text by their ids.
        for memory in sorted(self._by_id.values(), key=lambda memory: memory.id, reverse=True):
            if not memory.is_gone:
                self._by_key[_key(memory)] = memory
                for text in memory.texts:
                    self._remember(memory, text)

    def match(self, draft: Draft) -> Known | None:
        """The live memory that the draft is another text of, or the same."""
        key = key_of(draft.topic_key, draft.type, draft.content_hash)
        memory = self._by_key.get(key)
        return memory if memory is not None and _key(memory) == key else None

    def save(self, draft: Draft, session_id: str, now: datetime) -> Saved:
        """Decides, and remembers the decision for the saves after it."""
        memory = self.match(draft)
        if memory is None:
            memory = self._begin(draft)
            row = self._add(memory, draft, draft.said_at or now, session_id, now)
            return Saved(CREATED, memory.id, draft.topic_key, _ahead(draft, now), row)
        said_at = draft.said_at or _now(memory, now)
        same = _same(memory, draft, said_at)
        if same is not None:
            return Saved(DEDUPED, memory.id, draft.topic_key, _kept(memory, same, draft))
        notice = EARLIER if said_at < memory.current.said_at else _ahead(draft, now)
        row = self._add(memory, draft, said_at, session_id, now)
        return Saved(UPDATED, memory.id, draft.topic_key, notice, row)

    def bring_in(self, drafts: Sequence[Draft], now: datetime) -> tuple[int, list[Revision]]:
        """Adds those of a memory's dated texts (at least one) that are not there: its id and the new rows.

        It is the memory that has the last of these texts, said at that instant, else the one which that text is the
        same as or another text of, else a new one.
        """
        drafts = sorted(drafts, key=lambda draft: draft.said_at or now)
        last = drafts[-1]
        memory = self._by_text.get((last.topic_key, last.content_hash, last.said_at or now))
        memory = memory or self.match(last) or self._begin(drafts[0])
        rows = []
        for draft in drafts:
            said_at = draft.said_at or now
            if (memory.id, said_at, draft.content_hash, draft.title, draft.type) not in self._exact:
                rows.append(self._add(memory, draft, said_at, draft.session_id, now))
        return memory.id, rows

    def change(self, memory: Known, draft: Draft, session_id: str, now: datetime) -> Saved:
        """Gives a memory another text, title or kind by its id."""
        current = memory.current
        if (current.content_hash, current.title, current.type) == (draft.content_hash, draft.title, draft.type):
            return Saved(DEDUPED, memory.id, memory.topic_key)
        row = self._add(memory, draft, _now(memory, now), session_id, now)
        return Saved(UPDATED, memory.id, memory.topic_key, row=row)

    def _begin(self, draft: Draft) -> Known:
        key, nth = key_of(draft.topic_key, draft.type, draft.content_hash), 0
        while (id_ := memory_id(self._scope, key, nth)) in self._by_id:
            nth += 1
        memory = self._by_id[id_] = Known(id_, draft.topic_key, is_gone=False)
        return memory

    def _add(self, memory: Known, draft: Draft, said_at: datetime, session_id: str, now: datetime) -> Revision:
        before = _before(memory, said_at)
        given = draft.said_at.isoformat() if draft.said_at else ""
        written_at = max(now, memory.written_at + TICK) if memory.texts else now
        text = Text(
            revision_id(
                memory.id, before.revision_id if before else 0, draft.content_hash, draft.type, draft.title, given
            ),
            draft.content_hash,
            draft.type,
            draft.title,
            said_at,
            written_at,
        )
        bisect.insort(memory.texts, text, key=lambda known: known.place)
        memory.written_at = written_at
        self._by_key[_key(memory)] = memory
        self._remember(memory, text)
        return _row(self._scope, memory, text, draft, session_id)

    def _remember(self, memory: Known, text: Text) -> None:
        self._by_text[memory.topic_key, text.content_hash, text.said_at] = memory
        self._exact.add((memory.id, text.said_at, text.content_hash, text.title, text.type))


def _ahead(draft: Draft, now: datetime) -> str:
    return AHEAD if draft.said_at and draft.said_at > now + CLOCKS_DIFFER else ""


def _now(memory: Known, now: datetime) -> datetime:
    """When a text is said that is said now: after all others, also where another machine's clock is ahead."""
    return min(max(now, memory.current.said_at + TICK), LAST_INSTANT)


def _key(memory: Known) -> Key:
    return key_of(memory.topic_key, memory.current.type, memory.current.content_hash)


def _before(memory: Known, said_at: datetime) -> Text | None:
    """The text that was current at `said_at`."""
    place = bisect.bisect_right(memory.texts, said_at, key=lambda text: text.said_at)
    return memory.texts[place - 1] if place else None


def _same(memory: Known, draft: Draft, said_at: datetime) -> Text | None:
    """The stored text that makes the draft a repetition: the one it follows on, or one that was said at its instant."""
    before = _before(memory, said_at)
    if before is not None and before.content_hash == draft.content_hash:
        return before
    if draft.said_at is None:
        return None
    first = bisect.bisect_left(memory.texts, said_at, key=lambda text: text.said_at)
    at = itertools.takewhile(lambda text: text.said_at == said_at, memory.texts[first:])
    return next((text for text in at if text.content_hash == draft.content_hash), None)


def _kept(memory: Known, same: Text, draft: Draft) -> str:
    """What the caller should know of a repetition."""
    if same is not memory.current:
        return ""
    pairs = (("title", same.title, draft.title), ("type", same.type, draft.type))
    names = " and ".join(name for name, stored, given in pairs if stored != given)
    verb = "were" if " and " in names else "was"
    return f"the stored {names} {verb} kept; memory.update with this id changes that" if names else ""


def _row(scope: Scope, memory: Known, text: Text, draft: Draft, session_id: str) -> Revision:
    return Revision(
        *scope,
        id=memory.id,
        revision_id=text.revision_id,
        lookup=lookup(key_of(memory.topic_key, draft.type, draft.content_hash)),
        type=draft.type,
        title=draft.title,
        content=draft.content,
        topic_key=memory.topic_key,
        content_hash=draft.content_hash,
        session_id=session_id,
        source=draft.source,
        evidence=list(draft.evidence),
        said_at=text.said_at,
        written_at=text.written_at,
        deleted=LIVE,
        precedence=precedence(text.written_at),
    )
