"""Templates of statements: SQL in which each table is a placeholder that lists the columns it needs.

    SELECT number, title FROM {github_issues(number, title, state)} AS i WHERE state = {state:String}

`{table(columns)}` cannot be taken for a ClickHouse parameter, which has a colon, `{name:Type}`. Everything else in a
template is constant SQL. A template may read nothing but its placeholders, its own WITH names and sub-selects: no table
by name, no table function, no dictionary, no setting. `checked` parses it with sqlglot to make sure.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

PLACEHOLDER = re.compile(r"\{\s*([a-z][a-z0-9_]*)\s*\(([^(){}]*)\)\s*\}")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_BARE = re.compile(r"\{\s*[A-Za-z_][A-Za-z0-9_]*\s*\}")
_ELSEWHERE = re.compile(
    r"^(dict(get|has|is)\w*|joinget\w*|getsetting\w*|currentuser|user|currentroles|enabledroles|defaultroles|hostname"
    r"|file|url|s3|remote\w*|cluster\w*|merge|input|numbers\w*|zeros\w*|generaterandom|executable|sleep\w*|catboost\w*"
    r"|getmacro|getserverport|getserversetting|initializeaggregation|showcertificate|displayname|fqdn|hascolumnintable)$",
    re.IGNORECASE,
)
_STAND_IN = "loom_placeholder_"


class TemplateError(ValueError):
    """A template of ours that breaks the rules; a defect, found by the test that checks every template."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A placeholder: a table and the columns of it that the template reads."""

    table: str
    columns: tuple[str, ...]


def asked(sql: str) -> tuple[Asked, ...]:
    """The placeholders, in order; TemplateError where there are none or one cannot be read."""
    found = tuple(Asked(match[1], _columns(match)) for match in PLACEHOLDER.finditer(sql))
    if not found:
        raise TemplateError("a template reads at least one table, as {table(columns)}")
    if bare := _BARE.search(PLACEHOLDER.sub("", sql)):
        raise TemplateError(
            f"{bare[0]}: a table lists its columns, {{table(column, …)}}; a parameter has a type, {{name:Type}}"
        )
    return found


def _columns(match: re.Match[str]) -> tuple[str, ...]:
    columns = tuple(part.strip() for part in match[2].split(","))
    for column in columns:
        if not _NAME.fullmatch(column):
            raise TemplateError(f"{match[1]}: list the columns that are read, by the contract's names")
    if len(set(columns)) < len(columns):
        raise TemplateError(f"{match[1]}: a column is listed twice")
    return columns


@lru_cache(maxsize=1024)
def checked(sql: str) -> tuple[Asked, ...]:
    """The placeholders of a template that keeps the rules; TemplateError otherwise. Costs milliseconds, once a text."""
    found = asked(sql)
    _check_tree(PLACEHOLDER.sub(f"{_STAND_IN}0", sql))
    return found


def _check_tree(sql: str) -> None:
    # Imported here: a start has no use for the parser, the first statement has.
    import sqlglot
    from sqlglot import exp

    try:
        trees = sqlglot.parse(sql, dialect="clickhouse")
    except sqlglot.errors.SqlglotError as error:
        raise TemplateError(f"not a statement: {error}") from None
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        raise TemplateError("a template is one SELECT")
    tree = trees[0]
    own = {cte.alias for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        plain = isinstance(table.this, exp.Identifier) and not table.args.get("db")
        if not plain or not (table.name.startswith(_STAND_IN) or table.name in own):
            raise TemplateError("a template names its tables as placeholders alone")
    for test in tree.find_all(exp.In):
        # `x IN t` reads the table t.
        field = test.args.get("field")
        if isinstance(field, exp.Column | exp.Identifier | exp.Table | exp.Dot) and field.name not in own:
            raise TemplateError("a template writes IN (SELECT … FROM {table(column)}), or IN with a parameter")
    if any(node.args.get("settings") or node.args.get("format") for node in tree.find_all(exp.Query)):
        raise TemplateError("a template has neither SETTINGS nor FORMAT")
    for function in tree.find_all(exp.Func):
        name = function.name if isinstance(function, exp.Anonymous) else function.sql_name()
        if _ELSEWHERE.match(name):
            raise TemplateError(f"{name}: a template reads nothing but its tables")
