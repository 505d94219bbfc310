"""Which keys a user's rows have, kept in memory where no other process writes: most saves match nothing stored.

A key that is not here is not stored. One that is here may be gone from the store, so a hit still asks it.
"""

from collections import OrderedDict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from services.memory.identity import Scope

# Of all users, eight bytes each; the users that were asked for longest ago go first.
MOST_KEYS = 2_000_000


class _Keys:
    """Sorted numbers as they were read, and those that came since."""

    def __init__(self, stored: NDArray[np.uint64]) -> None:
        self._stored, self.fresh = np.unique(stored), set[int]()

    def __len__(self) -> int:
        return len(self._stored) + len(self.fresh)

    def have_any(self, keys: Iterable[int]) -> bool:
        wanted = list(keys)
        if not self.fresh.isdisjoint(wanted):
            return True
        if not len(self._stored):
            return False
        asked = np.array(wanted, dtype=np.uint64)
        places = np.minimum(np.searchsorted(self._stored, asked), len(self._stored) - 1)
        return bool((self._stored[places] == asked).any())


class KnownKeys:
    """Lookups and ids by user."""

    def __init__(self, most: int = MOST_KEYS) -> None:
        self._most, self._total = most, 0
        self._scopes: OrderedDict[Scope, _Keys] = OrderedDict()
        self._doubtful: set[Scope] = set()

    def __contains__(self, scope: Scope) -> bool:
        return scope in self._scopes

    def may_keep(self, scope: Scope) -> bool:
        """False once a write of the user's failed: it may still take effect later, after the keys were read."""
        return scope not in self._doubtful

    def keep(self, scope: Scope, stored: Iterable[int]) -> None:
        """The keys that the user's rows have now."""
        self.drop(scope)
        self._scopes[scope] = keys = _Keys(np.fromiter(stored, dtype=np.uint64))
        self._total += len(keys)
        while self._total > self._most and self._scopes:
            self.drop(next(iter(self._scopes)))

    def may_have(self, scope: Scope, keys: Iterable[int]) -> bool:
        """Whether a row of the user, whose keys are kept, may have one of these."""
        self._scopes.move_to_end(scope)
        return self._scopes[scope].have_any(keys)

    def add(self, scope: Scope, *keys: int) -> None:
        """Keys of a row that is about to be written."""
        kept = self._scopes.get(scope)
        if kept is not None:
            self._total -= len(kept)
            kept.fresh.update(keys)
            self._total += len(kept)

    def doubt(self, scope: Scope) -> None:
        """A write failed: from now on the store is asked."""
        self.drop(scope)
        self._doubtful.add(scope)

    def drop(self, scope: Scope) -> None:
        gone = self._scopes.pop(scope, None)
        if gone is not None:
            self._total -= len(gone)
