"""The one place where statements to a source are built.

Each placeholder of a template becomes a sub-select that puts the namespace's filters outside the source's (perhaps
mapped) table, so that neither a template nor a mapping can widen what a namespace may read:

    (SELECT <columns> FROM (<relation>) WHERE is_private = 0 AND (startsWith(source_id, {loom_repo_0:String}) OR …))

- `is_private = 0` for standard namespaces, wherever the table has the column; a NULL is private.
- Numbers of items that are none (0 and less, beyond 2^53) in neither of the two tables.
- Repositories by `source_id` in `github_issues` and `github_prs`; by `repo` in any other table where the source offers
  that column. A table without either is the source's own and not filtered by repository.
- A table that the source does not offer, or that is refused to the namespace, becomes an empty one of the right types;
  a column likewise becomes a typed NULL or empty value. Both are named in the result.
- Long text is clipped to `CLIPS` characters and ends in `CLIP_MARK` then.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.tracker.reads.relation import Relation, Shape, nothing
from services.tracker.reads.scope import Scope
from services.tracker.reads.templates import PLACEHOLDER, Asked, TemplateError, asked, checked

CLIP_MARK = " […]"
# Free text alone: an index at the source serves a plain column, never an expression.
CLIPS: Mapping[str, int] = {"title": 2_000, "body": 60_000, "text": 60_000, "notes": 20_000, "diff": 400_000}
MAX_NUMBER = 9007199254740991
_BY_SOURCE_ID = frozenset({"github_issues", "github_prs"})
_OWN_PREFIX = "loom_"


@dataclass(frozen=True, slots=True)
class Built:
    """A statement to send, and what of it could not be had.

    `not_provided` names tables and `table.column`s that the source does not offer, `refused` tables that are closed to
    the namespace. `empty` where no table is left: there is nothing to send then.
    """

    sql: str
    params: Mapping[str, Any]
    not_provided: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    empty: bool = False


class Statement:
    """A named template. TemplateError where it is malformed; its SQL is checked in full when it is first built.

    `name` stands for the statement in logs and spans: constant, of letters, digits, dots and underscores. `whole` are
    columns that the template searches and never returns: they are not clipped, which would copy every text first.
    """

    __slots__ = ("name", "sql", "tables", "whole")

    def __init__(self, name: str, sql: str, *, whole: tuple[str, ...] = ()) -> None:
        self.name, self.sql, self.tables, self.whole = name, sql, asked(sql), frozenset(whole)

    def check(self, shape: Shape) -> None:
        """TemplateError where the template reads anything but its placeholders, or they ask what no contract has."""
        for want in checked(self.sql):
            if want.table not in shape:
                raise TemplateError(f"{self.name}: the contract has no table {want.table}")
            if unknown := [column for column in want.columns if column not in shape[want.table]]:
                raise TemplateError(f"{self.name}: {want.table} has no column {unknown[0]} in the contract")

    def build(self, shape: Shape, relations: Mapping[str, Relation], scope: Scope, params: Mapping[str, Any]) -> Built:
        """The statement for one namespace. ValueError where `params` has a name that is the builder's own."""
        self.check(shape)
        if any(name.startswith(_OWN_PREFIX) for name in params):
            raise ValueError(f"{self.name}: parameters that start with {_OWN_PREFIX} are the builder's")
        draft = _Draft(shape, relations, scope, self.whole)
        parts = iter([draft.sub_select(want) for want in self.tables])
        sql = PLACEHOLDER.sub(lambda _: next(parts), self.sql)
        return Built(sql, {**params, **draft.params}, tuple(draft.missing), tuple(draft.refused), not draft.reads)


@dataclass(slots=True)
class _Draft:
    shape: Shape
    relations: Mapping[str, Relation]
    scope: Scope
    whole: frozenset[str] = frozenset()
    params: dict[str, str] = field(default_factory=dict)
    missing: dict[str, None] = field(default_factory=dict)
    refused: dict[str, None] = field(default_factory=dict)
    reads: bool = False

    def sub_select(self, want: Asked) -> str:
        families = self.shape[want.table]
        if self.scope.refuses(want.table):
            self.refused[want.table] = None
            return _empty(want, families)
        relation = self.relations.get(want.table)
        if relation is None:
            self.missing[want.table] = None
            return _empty(want, families)
        self.reads = True
        columns = ", ".join(self._column(want.table, column, relation) for column in want.columns)
        conditions = " AND ".join(self._conditions(want.table, relation))
        # The line ends keep a comment in a relation, should one ever get there, from swallowing the filters.
        return f"(SELECT {columns} FROM (\n{relation.sql}\n) WHERE {conditions or '1'})"

    def _column(self, table: str, column: str, relation: Relation) -> str:
        if column not in relation.columns:
            self.missing[f"{table}.{column}"] = None
            return f"{nothing(self.shape[table][column])} AS {column}"
        limit = CLIPS.get(column)
        if limit and column not in self.whole and self.shape[table][column] == "string":
            clipped = f"concat(leftUTF8({column}, {limit}), '{CLIP_MARK}')"
            # Bytes first: they are stored, and characters are counted.
            is_long = f"length({column}) > {limit} AND lengthUTF8({column}) > {limit}"
            return f"if({is_long}, {clipped}, {column}) AS {column}"
        return column

    def _conditions(self, table: str, relation: Relation) -> Iterator[str]:
        if not self.scope.restricted and "is_private" in relation.columns:
            yield "is_private = 0"
        if table in _BY_SOURCE_ID:
            condition, params = self.scope.by_source_id()
        elif "repo" in relation.columns:
            condition, params = self.scope.by_repo()
        else:
            return
        self.params.update(params)
        yield condition
        if table in _BY_SOURCE_ID and "number" in relation.columns:
            yield f"number BETWEEN 1 AND {MAX_NUMBER}"


def _empty(want: Asked, families: Mapping[str, str]) -> str:
    columns = ", ".join(f"{nothing(families[column])} AS {column}" for column in want.columns)
    return f"(SELECT {columns} WHERE 0)"
