"""tracker.contract: the record contract as data."""

from functools import cache
from typing import Any

from services.tracker.contract.describe import describe


@cache
def contract() -> dict[str, Any]:
    """In the shape of the response."""
    described = describe()
    return {
        "tables": [_table(table) for table in described["tables"]],
        "features": [_feature(feature) for feature in described["features"]],
    }


def _table(table: dict[str, Any]) -> dict[str, Any]:
    columns = sorted(table["columns"], key=lambda column: not column["required"])
    return {
        "name": table["name"],
        "required": table["required"],
        "restricted_only": table["restricted"],
        "meaning": table["meaning"],
        "view_template": table["view"],
        "columns": [
            {
                "name": column["name"],
                "required": column["required"],
                "type": column["family"],
                "takes": column["takes"],
                "aliases": column["aliases"],
                "values": column["values"],
                "meaning": column["meaning"],
            }
            for column in columns
        ],
    }


def _feature(feature: dict[str, Any]) -> dict[str, Any]:
    return {name: feature[name] for name in ("name", "meaning", "all_of", "any_of", "better_with")}
