"""Guesses which column of a table is meant by a column of the contract: names, aliases, types, and what can be built."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from services.tracker.contract.families import Family, accepts, shape
from services.tracker.contract.matching import plain
from services.tracker.contract.model import Column, Table
from services.tracker.mapping.model import written

_EXACT, _SPELLED, _ALIAS, _PREFIXED = 1.0, 0.97, 0.9, 0.8
_PER_RANK = 0.02  # of an alias that is listed later
_CONVERTED = 0.75
_TEXT = frozenset({"String", "FixedString"})
_SAFE_BLANK: Mapping[Family, str] = {
    Family.INTEGER: "0",
    Family.STRING: "''",
    Family.LABEL: "''",
    Family.DATETIME: "toDateTime64(0, 3, 'UTC')",
    Family.FLAG: "1",  # the one flag says that a row is private
}
_FROM_TEXT: Mapping[Family, str] = {
    Family.INTEGER: "toInt64OrNull({})",
    Family.NUMBER: "toFloat64OrNull({})",
    Family.DATETIME: "parseDateTime64BestEffortOrNull({}, 3, 'UTC')",
}
_LISTS: Mapping[Family, str] = {
    Family.STRINGS: "if(startsWith({0}, '['), JSONExtract({0}, 'Array(String)'), "
    "arrayFilter(x -> notEmpty(x), arrayMap(x -> trim(x), splitByChar(',', {0}))))",
    Family.INTEGERS: "arrayMap(x -> toInt64OrZero(x), extractAll({0}, '[0-9]+'))",
}


@dataclass(frozen=True, slots=True)
class Guess:
    """A column's origin as a mapping writes it (a name, or `{"expr": …}`), how sure it is in [0, 1], and why."""

    origin: Any
    confidence: float
    reasons: tuple[str, ...]


def guess(origin: Any, confidence: float, *reasons: str) -> Guess:
    """A guess, its confidence rounded."""
    return Guess(origin, round(confidence, 3), reasons)


def name_factor(table: Table, name: str) -> float:
    """How much a source table's name speaks for being the contract's table, in [0.6, 1]."""
    found = plain(name)
    if found == table.name:
        return 1.0
    if found in table.hints:
        return 0.95
    words = set(found.split("_"))
    return 0.85 if any(set(hint.split("_")) <= words for hint in (table.name, *table.hints)) else 0.6


def guessed_columns(table: Table, described: Mapping[str, str], by_contract: bool) -> dict[str, Guess]:
    """Contract column -> the best guess, for those that there is one for. No source column is guessed twice.

    `by_contract` where the source table has the contract's own name: its columns then mean what the contract says.
    """
    found: dict[str, Guess] = {}
    used: set[str] = set()
    for name, column in table.columns.items():
        best = max(_guesses(table, column, described), key=lambda pair: (pair[1].confidence, pair[0]), default=None)
        if best and best[0] not in used:
            found[name] = best[1]
            used.add(best[0])
    if table.required:
        _build(found, described, by_contract)
    return {name: found[name] for name in table.columns if name in found}


def _guesses(table: Table, column: Column, described: Mapping[str, str]) -> Iterator[tuple[str, Guess]]:
    for source, kind in described.items():
        sure, reason = _named(table, column, source)
        if sure and (guessed := _typed(column, source, kind, sure, reason)):
            yield source, guessed


def _named(table: Table, column: Column, source: str) -> tuple[float, str]:
    """How much a name speaks for the column; what is spelled as another column of the contract never does."""
    if source == column.name:
        return _EXACT, "its own name"
    spelled = plain(source)
    if spelled == column.name:
        return _SPELLED, "its own name in another spelling"
    if spelled in table.columns:
        return 0.0, ""
    if spelled in column.aliases:
        return _ALIAS - _PER_RANK * column.aliases.index(spelled), "an alias"
    bare = next((spelled.removeprefix(f"{hint}_") for hint in table.hints if spelled.startswith(f"{hint}_")), "")
    if bare == column.name or bare in column.aliases:
        return _PREFIXED, "its name or an alias after the table's name"
    return 0.0, ""


def _typed(column: Column, source: str, kind: str, sure: float, reason: str) -> Guess | None:
    """The guess as it stands, or with the conversion that its type needs; nothing where there is no sensible one."""
    if accepts(column.family, kind, not column.required):
        return guess(source, sure, reason, "its type fits")
    expr = _conversion(column, written(source), kind)
    if expr is None:
        return None
    return guess({"expr": expr}, sure * _CONVERTED, reason, "converted from another type")


def _conversion(column: Column, name: str, kind: str) -> str | None:
    found = shape(kind)
    blank = _SAFE_BLANK.get(column.family)
    if found is None:
        return None
    if accepts(column.family, kind, optional=True):  # NULL alone is in the way
        return f"ifNull({name}, {blank})" if blank else None
    text = f"ifNull(toString({name}), '')"
    if found.array:
        return None
    if column.family in _LISTS and found.base in _TEXT:
        return _LISTS[column.family].format(text)
    if column.family is Family.DATETIME and found.base in ("Date", "Date32"):
        converted = f"toDateTime64({name}, 3, 'UTC')"
    elif column.family is Family.FLAG and found.base in _TEXT:
        return f"lower({text}) NOT IN ('', '0', 'false', 'no', 'f', 'n', 'public')"
    elif column.family in _FROM_TEXT and found.base in _TEXT:
        converted = _FROM_TEXT[column.family].format(f"toString({name})")
    elif column.family is Family.STRING and found.base == "UUID":
        converted = f"toString({name})"
    else:
        return None
    return f"ifNull({converted}, {blank})" if column.required and blank else converted


def _build(found: dict[str, Guess], described: Mapping[str, str], by_contract: bool) -> None:
    """What items can be given although no one column has it."""
    by_name = {plain(name): name for name in sorted(described)}
    repository = next((by_name[n] for n in ("repository", "repo", "repo_full_name", "full_name") if n in by_name), None)
    number = found.get("number")
    if "source_id" not in found and number and repository:
        value = written(number.origin) if isinstance(number.origin, str) else number.origin["expr"]
        expr = f"concat(ifNull(toString({written(repository)}), ''), '#', toString({value}))"
        found["source_id"] = guess(
            {"expr": expr}, 0.7, "built from repository and number; the repository must be Org/repo"
        )
    merged, state = found.get("merged_at"), found.get("state")
    if not by_contract and merged and state and isinstance(merged.origin, str) and isinstance(state.origin, str):
        expr = f"if({written(merged.origin)} > toDateTime64(0, 3, 'UTC'), 'merged', toString({written(state.origin)}))"
        if (kind := shape(described[merged.origin])) and kind.base.startswith("DateTime"):
            found["state"] = guess(
                {"expr": expr}, 0.9 * state.confidence, *state.reasons, "merged where merged_at says so"
            )
    if "is_private" not in found and "number" in found:
        reason = "nothing says which rows are private, so all are: write 0 or a condition"
        found["is_private"] = guess({"expr": "1"}, 0.1, reason)
