"""What the plane needs of its search: a text is made findable before it is stored, likes of it are named, it is found."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from services.memory.identity import Scope
from services.memory.model import Draft, Revision
from services.memory.ops.search import Hits, SearchInput


@dataclass(frozen=True, slots=True)
class Like:
    """A stored memory that says nearly the same; `topic_key` is empty for none, `similarity` in [0, 1]."""

    id: int
    title: str
    topic_key: str
    similarity: float


class Index(Protocol):
    """Makes texts findable by their words."""

    async def add(self, rows: Sequence[Revision], timeout_s: float | None) -> None:
        """Returns when the next search finds these texts, given that their revisions are stored.

        Called before the revisions are written: an entry without its revision must be harmless, and adding a revision
        twice too.
        """
        ...

    @property
    def is_behind(self) -> bool:
        """Whether entries wait in this process for their insert; statements see them all the same."""
        ...

    def waiting(self, scope: Scope, terms: Iterable[str]) -> tuple[int, Mapping[str, Sequence[tuple[int, int]]]]:
        """How many texts of the user wait, and by term which of them, as (id, revision), have it."""
        ...


class Similar(Protocol):
    """Finds stored memories that say nearly the same."""

    async def find(
        self, scope: Scope, drafts: Sequence[Draft], most: int, timeout_s: float | None
    ) -> Sequence[Sequence[Like]]:
        """For each draft up to `most` live memories of the user, most alike first."""
        ...


class Search(Protocol):
    """Finds memories by what they say."""

    async def execute(self, scope: Scope, given: SearchInput, timeout_s: float | None) -> Hits:
        """Raises INVALID_FIELD. A leg that cannot run is named, and the other answers."""
        ...


async def nothing() -> None:
    """Nothing to close."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Everything that a search brings; `tables` are those that hold something of a text, for the erase pass."""

    index: Index
    similar: Similar
    search: Search
    tables: Sequence[str] = ()
    close: Callable[[], Awaitable[None]] = nothing
