"""What became of a file that was read. No report contains a value of the file; names of its columns are named."""

from collections import Counter
from dataclasses import dataclass, field

_PLACES, _COLUMNS, _NAME = 20, 50, 64


class Refused(ValueError):
    """A cell or record that cannot be taken. The text says why, never what it was."""


class Broken(Exception):
    """The file cannot be read any further. The text says why."""


@dataclass(slots=True)
class Skipped:
    """Records that were left out for one reason: how many, and where the first of them are."""

    count: int = 0
    places: list[str] = field(default_factory=list)


@dataclass(slots=True)
class FileReport:
    """One file. `stopped` says where and why reading ended early, or why it never began; rows before that are kept."""

    path: str
    form: str = ""
    tables: Counter[str] = field(default_factory=Counter)
    skipped: dict[str, Skipped] = field(default_factory=dict)
    emptied: Counter[str] = field(default_factory=Counter)
    unknown_columns: set[str] = field(default_factory=set)
    clipped: int = 0
    repaired: int = 0
    stopped: str = ""

    @property
    def rows(self) -> int:
        return self.tables.total()

    def skip(self, reason: str, place: str) -> None:
        """Counts a record that was left out; `place` is such as `line 7`."""
        entry = self.skipped.setdefault(reason, Skipped())
        entry.count += 1
        if len(entry.places) < _PLACES:
            entry.places.append(place)

    def ignore(self, column: str) -> None:
        """Notes a column that the contract does not have."""
        if len(self.unknown_columns) < _COLUMNS:
            self.unknown_columns.add("".join(each if each.isprintable() else "?" for each in column[:_NAME]))

    def empty(self, column: str, reason: str) -> None:
        """Counts an optional cell that was left empty since its value cannot be taken."""
        self.emptied[f"{column}: {reason}"] += 1

    def lines(self) -> list[str]:
        """The report in words: what was read, then what was not, one line for each reason."""
        read = " and ".join(f"{count:,} {table}" for table, count in self.tables.items()) or "nothing"
        said = [f"{self.path}: read {read}" + (f" from {self.form}" if self.form else "")]
        if not (self.tables or self.skipped or self.stopped):
            said.append("  there is no record in it")
        if self.stopped:
            said.append(f"  stopped: {self.stopped}")
        for reason, skipped in self.skipped.items():
            more = ", …" if skipped.count > len(skipped.places) else ""
            said.append(f"  left out {skipped.count:,}: {reason} ({', '.join(skipped.places)}{more})")
        said += [f"  left empty {count:,}: {reason}" for reason, count in self.emptied.items()]
        if self.clipped:
            said.append(f"  clipped {self.clipped:,}: longer texts than are kept")
        if self.repaired:
            said.append(f"  repaired {self.repaired:,}: NUL, or bytes that are not UTF-8, became U+FFFD")
        if self.unknown_columns:
            said.append(f"  ignored columns: {', '.join(sorted(self.unknown_columns))}")
        return said
