"""What `Memory` returns: frozen, typed, and the same from a folder and from a server.

Instants are texts, ISO 8601 in UTC (`2026-01-02T03:04:05.000000Z`). A memory has three views: whole (`Observation`),
compact for lists (`CompactObservation`, without its content) and, of what says nearly the same, `SimilarObservation`.
The hash that saves are compared by stays inside on every door.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A memory, whole: one fact, preference, decision, pattern or discovery of one user.

    `id` is positive and below 2^53. `session_id` is the session of its last change, `topic_key` None where it stands
    for itself. `revision_count` is 1 at first and one more with every update. `source` is `saved`, `extracted` or
    `imported`; `evidence` names the tool observations that it was extracted from.
    """

    id: int
    session_id: str
    user_id: str
    type: str
    title: str
    content: str
    topic_key: str | None
    revision_count: int
    created_at: str
    updated_at: str
    source: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactObservation:
    """A memory in a list, about 100 tokens; `mem_get_observation` fetches the whole of it.

    `score` is in [0, 1]: SearchScore in a search, ContextScore at a session's start, 0 in a timeline. The two cannot be
    compared with each other. `snippet` is at most 240 characters of the content, around the best match in a search.
    """

    id: int
    type: str
    title: str
    topic_key: str | None
    score: float
    snippet: str
    updated_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarObservation:
    """A stored memory that says nearly the same as what was saved; `similarity` is in [0, 1]."""

    id: int
    title: str
    topic_key: str | None
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveResult:
    """What became of a save.

    `outcome` is `created`, `updated` or `deduped`; `session_id` the session that the save was made in. `notice` says
    what the caller should know, such as that a stored title was kept; empty for nothing. `similar` has up to three.
    """

    id: int
    outcome: str
    session_id: str
    topic_key: str | None
    notice: str
    similar: tuple[SimilarObservation, ...]


class _Rows(Sequence[CompactObservation]):
    """Reads as the sequence of its rows."""

    __slots__ = ()

    def _rows(self) -> tuple[CompactObservation, ...]:
        raise NotImplementedError

    @overload
    def __getitem__(self, at: int) -> CompactObservation: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[CompactObservation, ...]: ...

    def __getitem__(self, at: int | slice) -> CompactObservation | tuple[CompactObservation, ...]:
        return self._rows()[at]

    def __len__(self) -> int:
        return len(self._rows())

    def __iter__(self) -> Iterator[CompactObservation]:
        return iter(self._rows())


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult(_Rows):
    """The hits of a search, best first; also a sequence of them.

    `leg_status` names each leg of the search (`lexical`, `semantic`) and says `ok`, or why it fell out.
    """

    hits: tuple[CompactObservation, ...]
    leg_status: Mapping[str, str] = field(hash=False)

    def _rows(self) -> tuple[CompactObservation, ...]:
        return self.hits


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline(_Rows):
    """A memory and its neighbours, in the order in which they were first said; also a sequence of them."""

    observations: tuple[CompactObservation, ...]

    def _rows(self) -> tuple[CompactObservation, ...]:
        return self.observations


@dataclass(frozen=True, slots=True, kw_only=True)
class PastSession:
    """A session that is over. `date` is when it ended; `is_auto_generated` tells that Loom wrote the summary."""

    session_id: str
    date: str
    summary: str
    is_auto_generated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedSession:
    """The active session, and what is worth knowing first.

    `is_new` is False where the session was active already. `sessions_context` has up to five past sessions, newest
    first, `memories` up to ten memories by ContextScore.
    """

    session_id: str
    is_new: bool
    sessions_context: tuple[PastSession, ...]
    memories: tuple[CompactObservation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session that was ended."""

    session_id: str
    started_at: str
    ended_at: str
    summary: str
    is_auto_generated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Numbers of a user's memories and sessions; a kind without memories is not in `by_type`."""

    observations: int
    sessions: int
    by_type: Mapping[str, int] = field(hash=False)
