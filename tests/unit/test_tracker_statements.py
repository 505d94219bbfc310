"""Every statement of the ops and of the answers' templates keeps the builder's rules, and runs on any record."""

import pytest

from services.tracker.answers.catalogue import TEMPLATES
from services.tracker.contract.families import CANONICAL
from services.tracker.contract.tables import TABLES
from services.tracker.reads import Relation, Scope
from tests.support.record_engine import record_engine
from tests.support.statements import ANCHORS, PARAMS, SHAPE, statements
from tests.support.team_record import PLAIN

FOUND = list(statements())
IDS = [statement.name for _, statement in FOUND]


def tables() -> list[str]:
    """A record with every table and no row."""
    made = []
    for name, columns in PLAIN.items():
        listed = ", ".join(f"`{at}` {kind}" for at, kind in columns.values())
        made.append(f"CREATE TABLE {name} ({listed}) ENGINE = MergeTree ORDER BY tuple()")
    return made


def test_the_walk_finds_the_statements_of_every_op_and_template() -> None:
    names = {statement.name for _, statement in FOUND}
    assert {template.statement.name for template in TEMPLATES} <= names
    assert {"item.issues", "release.fixes", "component.count", "flaky.issues", "near.tests"} <= names


@pytest.mark.parametrize("statement", [found for _, found in FOUND], ids=IDS)
def test_a_statement_reads_nothing_but_tables_and_columns_of_the_contract(statement) -> None:  # type: ignore[no-untyped-def]
    statement.check(SHAPE)


async def test_each_statement_runs_on_an_empty_record_whatever_columns_it_has() -> None:
    required = {
        name: [column.name for column in table.columns.values() if column.required] for name, table in TABLES.items()
    }
    async with record_engine(*tables()) as empty:
        for _, statement in FOUND:
            for kept in (PLAIN, required):
                relations = {
                    name: Relation(f"SELECT {', '.join(columns)} FROM {name}", frozenset(columns))
                    for name, columns in kept.items()
                }
                built = statement.build(SHAPE, relations, Scope(("Org/repo",), restricted=True), PARAMS)
                params = {name: value for name, value in built.params.items() if f"{{{name}:" in built.sql}
                rows = await empty.query(built.sql, params)
                assert all(not row.get("open") and not row.get("all") for row in rows), statement.name


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_a_template_says_nothing_of_no_rows_and_names_the_parameters_that_it_uses(template) -> None:  # type: ignore[no-untyped-def]
    assert list(template.wording([], ANCHORS)) == []
    params = template.params(ANCHORS, 10)
    assert all(f"{{{name}:" in template.statement.sql for name in params)
    assert {name for name in PARAMS if f"{{{name}:" in template.statement.sql} <= set(params)


def test_every_family_has_a_type_that_stands_for_a_column_that_is_not_offered() -> None:
    from services.tracker.reads.relation import nothing

    assert all(nothing(str(family)) for family in CANONICAL)
