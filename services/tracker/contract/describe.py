"""The contract as plain data: the answer of `tracker.contract`, and the source of its documentation page."""

from dataclasses import asdict
from typing import Any

from services.tracker.contract.families import CANONICAL, TAKES
from services.tracker.contract.features import FEATURES
from services.tracker.contract.model import Column, Feature, Table
from services.tracker.contract.tables import RESTRICTED, TABLES
from services.tracker.contract.verdict import TableVerdict, Verdict
from services.tracker.contract.views import blank


def describe() -> dict[str, Any]:
    """`{"tables": [{name, required, restricted, meaning, columns, view}], "features": […], "families": […]}`.

    A column is `{name, family, takes, type, required, aliases, values, meaning}`: `takes` says in words which types are
    read, `type` is what it is read as, without Nullable.
    """
    return {
        "tables": [_table(table) for table in TABLES.values()],
        "features": [_feature(feature) for feature in FEATURES.values()],
        "families": [
            {"name": str(family), "takes": takes, "type": CANONICAL[family]} for family, takes in TAKES.items()
        ],
    }


def _table(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "required": table.required,
        "restricted": table.name in RESTRICTED,
        "meaning": table.meaning,
        "columns": [_column(column) for column in table.columns.values()],
        "view": blank(table.name),
    }


def _column(column: Column) -> dict[str, Any]:
    return {
        "name": column.name,
        "family": str(column.family),
        "takes": TAKES[column.family],
        "type": CANONICAL[column.family],
        "required": column.required,
        "aliases": list(column.aliases),
        "values": list(column.values),
        "meaning": column.meaning,
    }


def _feature(feature: Feature) -> dict[str, Any]:
    return {
        "name": feature.name,
        "meaning": feature.meaning,
        "all_of": list(feature.all_of),
        "any_of": list(feature.any_of),
        "better_with": list(feature.better_with),
    }


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain data: `{"ok", "problems", "tables": [{…}], "features": [{name, provided, missing}]}`.

    A table is `{name, required, source, present, usable, columns: {contract name: source column or "(expression)"},
    missing_required, missing_optional, wrong_types: [{column, source, expected, found, fatal, hint}], problems}`.
    """
    return {
        "ok": verdict.ok,
        "problems": list(verdict.problems),
        "tables": [_judged(table) for table in verdict.tables.values()],
        "features": [
            {"name": name, "provided": feature.provided, "missing": list(feature.missing)}
            for name, feature in verdict.features.items()
        ],
    }


def _judged(table: TableVerdict) -> dict[str, Any]:
    return {
        "name": table.table,
        "required": table.required,
        "source": table.source,
        "present": table.present,
        "usable": table.usable,
        "columns": {name: bound.shown for name, bound in table.columns.items()},
        "missing_required": list(table.missing_required),
        "missing_optional": list(table.missing_optional),
        "wrong_types": [asdict(wrong) for wrong in table.wrong_types],
        "problems": list(table.problems),
    }
