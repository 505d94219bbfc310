"""Live reads: how ops ask a source, and the one place where statements are built.

An op declares its statements once, as constants, each table a placeholder that lists the columns it reads:

    ITEMS = Statement(
        "item.records",
        "SELECT number, title, state, labels FROM {github_issues(number, title, state, labels)} AS i"
        " WHERE number IN {numbers:Array(Int64)} ORDER BY number LIMIT 10",
    )

and reads through a `Reading`, which belongs to one call and one namespace:

    reading = live.reading(binding)                 # Live, NamespaceBinding (client, scope, relations)
    items, checks = await together(
        reading.rows("items", ITEMS, {"numbers": [1, 2]}),
        reading.rows("ci", CHECKS, {"since": since}),
    )                                               # lists of dicts; [] where a leg has no answer
    reading.leg_status                              # {"items": "ok", "ci": "timeout"}
    reading.unavailable_reason                      # None as soon as one leg was answered, else "timeout", …
    reading.not_provided                            # ["checks", "github_issues.labels"]: asked for, not offered
    reading.refused, reading.clipped, reading.timings_ms
    reading.provides("checks", "test_name")         # before asking

Rules of a template (`templates.py`): one SELECT; tables as `{table(column, …)}` placeholders, WITH names and sub-selects
alone; values as bound parameters `{name:Type}`, whose names do not start with `loom_`; no SETTINGS, no FORMAT. Give the
placeholder an alias (`AS i`) where columns are qualified. A column that the source does not offer reads as a typed NULL
(integer, number, datetime) or as empty (string, strings, integers, flag 0), a table as an empty one, so a template works
for any subset; a statement of which no table is left is not sent. Always LIMIT: what is past the client's limits of rows
and bytes is cut off, and the leg named in `clipped`.
"""

from services.tracker.reads.reader import (
    NOT_PROVIDED,
    OK,
    REFUSED,
    SKIPPED,
    Live,
    NamespaceBinding,
    Reading,
    together,
)
from services.tracker.reads.relation import Relation, Shape, shape_of
from services.tracker.reads.scope import REFUSED_TO_STANDARD, Scope, ScopeError
from services.tracker.reads.statement import CLIP_MARK, Built, Statement
from services.tracker.reads.templates import TemplateError
from services.tracker.sources.model import Answer, LiveClient

__all__ = [
    "CLIP_MARK",
    "NOT_PROVIDED",
    "OK",
    "REFUSED",
    "REFUSED_TO_STANDARD",
    "SKIPPED",
    "Answer",
    "Built",
    "Live",
    "LiveClient",
    "NamespaceBinding",
    "Reading",
    "Relation",
    "Scope",
    "ScopeError",
    "Shape",
    "Statement",
    "TemplateError",
    "shape_of",
    "together",
]
