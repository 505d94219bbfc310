"""What was handed to a store that inserts behind, for as long as a statement that does not wait would miss it."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from runtime.store import Behind, Store
from services.memory.identity import Scope
from services.memory.model import Revision

Item = TypeVar("Item")
Text = tuple[int, int]


@dataclass(slots=True, eq=False)
class Group(Generic[Item]):
    """Items of one write; `upto` is the number of writes after which they are in, None while they are on their way."""

    items: Sequence[Item]
    upto: int | None = None


class Held(Generic[Item]):
    """Items in the order of their writes. Holds nothing over a store that does not insert behind."""

    def __init__(self, store: Store) -> None:
        self._behind = store if isinstance(store, Behind) else None
        self._groups: deque[Group[Item]] = deque()

    def hold(self, items: Sequence[Item]) -> Group[Item]:
        """To be called before the write, and `sent` after it, whatever becomes of it."""
        group = Group(items)
        if self._behind is not None:
            self._groups.append(group)
        return group

    def sent(self, group: Group[Item]) -> None:
        group.upto = self._behind.added if self._behind is not None else 0

    def arrived(self) -> Iterable[Item]:
        """Takes out what is in its table by now, oldest first."""
        done = self._behind.done if self._behind is not None else 0
        while self._groups and (upto := self._groups[0].upto) is not None and upto <= done:
            yield from self._groups.popleft().items


class HeldRows:
    """Revisions by user and memory."""

    def __init__(self, store: Store) -> None:
        self._held: Held[Revision] = Held(store)
        self._rows: dict[tuple[Scope, int], list[Revision]] = defaultdict(list)

    def hold(self, rows: Sequence[Revision]) -> Group[Revision]:
        group = self._held.hold(rows)
        for row in rows:
            self._rows[_key(row)].append(row)
        return group

    def sent(self, group: Group[Revision]) -> None:
        self._held.sent(group)
        self._prune()

    def of(self, scope: Scope, ids: Iterable[int]) -> dict[int, Sequence[Revision]]:
        """The rows of these memories that wait, in the order of their writes."""
        self._prune()
        return {id_: list(rows) for id_ in ids if (rows := self._rows.get((scope, id_)))}

    def _prune(self) -> None:
        for row in self._held.arrived():
            rows = self._rows[_key(row)]
            rows.pop(0)
            if not rows:
                del self._rows[_key(row)]


@dataclass(frozen=True, slots=True)
class Terms:
    """A text of a user's and its terms."""

    scope: Scope
    text: Text
    terms: Sequence[str]


class HeldTerms:
    """Texts by user and term."""

    def __init__(self, store: Store) -> None:
        self._held: Held[Terms] = Held(store)
        self._counts: dict[Scope, int] = defaultdict(int)
        self._lists: dict[tuple[Scope, str], deque[Text]] = defaultdict(deque)

    def hold(self, entries: Sequence[Terms]) -> Group[Terms]:
        group = self._held.hold(entries)
        for entry in entries:
            self._counts[entry.scope] += 1
            for term in entry.terms:
                self._lists[entry.scope, term].append(entry.text)
        return group

    def sent(self, group: Group[Terms]) -> None:
        self._held.sent(group)
        self._prune()

    def of(self, scope: Scope, terms: Iterable[str]) -> tuple[int, Mapping[str, Sequence[Text]]]:
        """How many texts of the user wait, and by term which of them have it."""
        self._prune()
        if scope not in self._counts:
            return 0, {}
        found = {term: list(texts) for term in terms if (texts := self._lists.get((scope, term)))}
        return self._counts[scope], found

    def _prune(self) -> None:
        for entry in self._held.arrived():
            self._counts[entry.scope] -= 1
            if not self._counts[entry.scope]:
                del self._counts[entry.scope]
            for term in entry.terms:
                texts = self._lists[entry.scope, term]
                texts.popleft()
                if not texts:
                    del self._lists[entry.scope, term]


def _key(row: Revision) -> tuple[Scope, int]:
    return Scope(row.org, row.namespace, row.user_id), row.id
