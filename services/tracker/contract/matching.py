"""Which column of a source table a column of the contract is, by name and alias."""

import re
from collections.abc import Mapping

from services.tracker.contract.families import accepts
from services.tracker.contract.model import Column, Table

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_GAP = re.compile(r"[^a-z0-9]+")


def plain(name: str) -> str:
    """The name in snake case: `createdAt`, `Created At` and `CREATED_AT` are one name."""
    return _GAP.sub("_", _HUMP.sub("_", name).lower()).strip("_")


def found(table: Table, described: Mapping[str, str]) -> dict[str, str]:
    """Contract column -> source column, for those that the table has under their own name or an alias.

    Exact names go before other spellings of them, and those before aliases. A source column that is spelled as some
    column of the contract is that column, never an alias of another. Among aliases the first listed one whose type
    fits is taken, else the first listed one, so that the verdict can say what is wrong with it.
    """
    own = {name for name in described if name in table.columns}
    spelled = _spellings(described, own)
    result: dict[str, str] = {}
    for name, column in table.columns.items():
        if name in own:
            result[name] = name
        elif name in spelled:
            result[name] = spelled[name]
        elif alias := _alias(column, table, spelled, described):
            result[name] = alias
    return result


def _spellings(described: Mapping[str, str], own: set[str]) -> dict[str, str]:
    """Plain name -> the source column; one that is spelled plainly goes first, then the smallest."""
    spelled: dict[str, str] = {}
    for name in sorted(described, key=lambda name: (plain(name) != name, name)):
        if name not in own:
            spelled.setdefault(plain(name), name)
    return spelled


def _alias(column: Column, table: Table, spelled: Mapping[str, str], described: Mapping[str, str]) -> str | None:
    candidates = [spelled[alias] for alias in column.aliases if alias in spelled and alias not in table.columns]
    fitting = (name for name in candidates if accepts(column.family, described[name], not column.required))
    return next(fitting, candidates[0] if candidates else None)
