"""Which kinds of memories there are."""

from collections.abc import Iterable

DEFAULT = ("profile", "preference", "decision", "pattern", "discovery")
SUMMARY = "summary"
LONGEST = 64


class Types:
    """The kinds of this installation. `summary` is kept for summaries of sessions: it may be asked for, not saved."""

    def __init__(self, names: Iterable[str] = DEFAULT) -> None:
        """Raises ValueError for an empty set, the reserved name, and a name that is too long or has blanks."""
        self.names = tuple(dict.fromkeys(names))
        if not self.names:
            raise ValueError("must name at least one kind")
        if SUMMARY in self.names:
            raise ValueError(f"must not name {SUMMARY}, which is reserved")
        if not all(0 < len(name) <= LONGEST and name.split() == [name] for name in self.names):
            raise ValueError(f"must name kinds of 1 to {LONGEST} characters without blanks")

    @property
    def expected(self) -> str:
        """Completes "type must be …"."""
        return f"one of {', '.join(self.names)}"

    def may_be_saved(self, name: str) -> bool:
        """Whether a caller may save memories of the kind."""
        return name in self.names

    def may_be_asked_for(self, name: str) -> bool:
        """Whether memories of the kind can exist."""
        return name in self.names or name == SUMMARY
