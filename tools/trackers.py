"""The pages under docs/trackers: the record contract, mappings, and the ready mappings as files to start from."""

import json
from typing import Any

from services.tracker.contract.describe import describe
from services.tracker.mapping.dialect import MOST_CHARACTERS
from services.tracker.mapping.functions import FUNCTIONS
from services.tracker.mapping.ready_made import Ready, ready_mappings
from tools.markdown import code, codes, page, prose, table

CONTRACT = (
    "A tracker is a team's record of issues, pull requests and CI runs in its own ClickHouse. Loom reads it live, with a "
    "read-only login, under the names of this page. A source offers them by views, by tables of these names or aliases, "
    "or by a [mapping](mappings.md)."
)
RULES = """- Tables marked **required** must be there with their required columns; everything else may be absent. What needs an
  absent part answers `not_provided` for it, and nothing else changes.
- Types are checked by family. Nullable is taken for optional columns only. LowCardinality never matters.
- A column of the contract's own name goes before an alias; of several aliases the first listed one whose type
  fits is taken. Other spellings of a name (`createdAt`, `CREATED_AT`) are that name.
- `is_private`, `source_id` and `repo` decide which rows may be read. A table that has one of them in a type that cannot
  be read is not read at all.
- Tables marked **restricted** are read in restricted namespaces only."""
MAPPING = """A mapping is JSON that is saved with a source:

```json
{"tables": {"github_issues": {"from": "jira.issues", "where": "project = 'CORE'",
                              "columns": {"number": "key_no", "title": "summary", "milestone": null,
                                          "labels": {"expr": "splitByChar(',', labels)"}}}}}
```

- `from` is `table` or `database.table`, in backticks where a name needs them; without it the contract's own name is meant.
- A column is the name of a source column, an expression, or null for an optional column that the source does not have.
  Columns that are not listed are found by name and alias.
- `where` takes rows away. What a namespace may read is decided outside of the mapped table, so no mapping widens it.
- Columns in expressions are those of the source table; expressions do not see each other.
"""
EXPRESSIONS = f"""An expression is one ClickHouse expression of at most {MOST_CHARACTERS:,} characters: columns, parts of
columns (`payload.user.login`), constants, the functions below, `+ - * / % DIV ||`, comparisons, `LIKE`, `ILIKE`, `BETWEEN`,
`IN (1, 2)` with constants, `IS NULL`, `AND`, `OR`, `NOT`, `CASE`, `a ? b : c`, `CAST` and `::`, arrays, tuples, `array[1]`,
`tuple.1`, `INTERVAL 1 DAY`, and lambdas as arguments. Where sqlglot and ClickHouse might order operators differently,
brackets are asked for.

Sub-queries, table functions, dictionaries, settings, parameters, aggregates, window functions, aliases, `*`, comments,
several statements and everything else that is not named here are refused, with the place. What ClickHouse gets is written
anew from the checked tree, never the text itself."""
READY = (
    "Each is a mapping to copy and to change. `tracker.source.inspect` recognises their tables and proposes them. Tables of "
    "several can stand in one mapping."
)


def pages() -> dict[str, str]:
    """File name under docs -> text."""
    files = {f"trackers/{made.name}.json": _json(made) for made in ready_mappings()}
    return {"trackers/contract.md": contract(), "trackers/mappings.md": mappings(), **files}


def contract() -> str:
    """Tables, columns, families, features and view templates, out of the contract's own description."""
    described = describe()
    sections = [_table(part) for part in described["tables"]]
    return page(
        "The record contract",
        CONTRACT,
        RULES,
        f"## Families\n\n{_families(described['families'])}",
        f"## Features\n\n{_features(described['features'])}",
        *sections,
    )


def mappings() -> str:
    """What a mapping may hold, and the ready ones."""
    ready = "\n\n".join(_ready(made) for made in ready_mappings())
    functions = codes(sorted(FUNCTIONS.values(), key=str.lower))
    return page(
        "Mappings",
        MAPPING.rstrip(),
        f"## Expressions\n\n{EXPRESSIONS}",
        f"### Functions\n\nIn any case: {functions}.",
        f"## Ready mappings\n\n{READY}\n\n{ready}",
    )


def _table(part: dict[str, Any]) -> str:
    marks = [word for word in ("required", "restricted") if part[word]]
    head = f"## {part['name']}\n\n{part['meaning']}" + "".join(f" **{mark.capitalize()}.**" for mark in marks)
    rows = [
        [
            code(column["name"]),
            column["family"],
            "**yes**" if column["required"] else "",
            prose(column["meaning"]) + (f": {codes(column['values'])}" if column["values"] else ""),
            codes(column["aliases"]),
        ]
        for column in part["columns"]
    ]
    view = f"<details><summary>View template</summary>\n\n```sql\n{part['view']}\n```\n\n</details>"
    return f"{head}\n\n{table(['column', 'family', 'required', 'meaning', 'aliases'], rows)}\n\n{view}"


def _families(parts: list[dict[str, Any]]) -> str:
    rows = ([code(part["name"]), prose(part["takes"]), code(part["type"])] for part in parts)
    return table(["family", "takes", "is read as"], rows)


def _features(parts: list[dict[str, Any]]) -> str:
    rows = (
        [
            code(part["name"]),
            prose(part["meaning"]),
            codes(part["all_of"]),
            codes(part["any_of"]),
            codes(part["better_with"]),
        ]
        for part in parts
    )
    return table(["feature", "what it answers", "needs", "and one of", "better with"], rows)


def _ready(made: Ready) -> str:
    notes = "\n".join(f"- {prose(note)}" for note in made.notes)
    return f"### {made.title}\n\n[{made.name}.json]({made.name}.json): {codes(made.tables)}. {prose(made.about)}\n\n{notes}"


def _json(made: Ready) -> str:
    return json.dumps(made.mapping(), indent=2, ensure_ascii=False) + "\n"
