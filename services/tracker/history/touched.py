"""code.history: pull requests and issues that touched paths or symbols, newest first."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from services.tracker.history.evidence import last_part, path_matches, touch_of
from services.tracker.history.rows import Row, by_number, instant, merged, number, text, texts


@dataclass(frozen=True, slots=True)
class Touched:
    kind: str  # "pr" or "issue"
    number: int
    source_id: str
    title: str
    state: str
    at: datetime | None  # merged, closed or created, whichever there is first
    why: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def touched(
    pulls: Iterable[Row], issues: Iterable[Row] = (), *, paths: Sequence[str] = (), symbols: Sequence[str] = ()
) -> list[Touched]:
    """A path matches itself, its end at a separator, and all below it; a symbol the whole word in changed lines of a
    diff, hunk headers, frames or texts (its last part in diffs). Rows that match nothing are left out."""
    found = [_item("pr", row, _why_pull(row, paths, symbols)) for row in by_number(pulls).values()]
    found += [_item("issue", row, _why_issue(row, paths, symbols)) for row in by_number(issues).values()]
    matching = [item for item in found if item.why]
    return sorted(matching, key=lambda item: (-(item.at.timestamp() if item.at else 0.0), item.kind, -item.number))


def _item(kind: str, row: Row, why: Sequence[str]) -> Touched:
    at = instant(row, "merged_at") or instant(row, "closed_at") or instant(row, "created_at")
    state = "merged" if kind == "pr" and merged(row) else text(row, "state")
    return Touched(kind, number(row), text(row, "source_id"), text(row, "title"), state, at, tuple(why))


def _why_pull(row: Row, paths: Sequence[str], symbols: Sequence[str]) -> list[str]:
    touch = touch_of(row)
    why = [f"touches {path}" for path in touch.paths if any(path_matches(path, wanted) for wanted in paths)]
    why += [f"its changes name {symbol}" for symbol in symbols if last_part(symbol) in touch.words]
    return why + _said(row, symbols, "its text names")


def _why_issue(row: Row, paths: Sequence[str], symbols: Sequence[str]) -> list[str]:
    said = " ".join((text(row, "title"), text(row, "body"), *texts(row, "frames")))
    why = [f"its text names {path}" for path in paths if _whole(path, said)]
    return why + _said(row, symbols, "its text or frames name")


def _said(row: Row, symbols: Sequence[str], how: str) -> list[str]:
    said = " ".join((text(row, "title"), text(row, "body"), *texts(row, "frames")))
    return [f"{how} {symbol}" for symbol in symbols if _whole(symbol, said)]


def _whole(wanted: str, said: str) -> bool:
    """Whether the text holds it as a whole word or path."""
    start = said.find(wanted)
    while start >= 0:
        before, after = said[start - 1 : start], said[start + len(wanted) : start + len(wanted) + 1]
        if not (before.isalnum() or before == "_" or after.isalnum() or after == "_"):
            return True
        start = said.find(wanted, start + 1)
    return False
