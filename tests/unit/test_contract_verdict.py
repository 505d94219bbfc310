"""What the verdict says of a record."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.tracker.contract.families import CANONICAL
from services.tracker.contract.features import FEATURES
from services.tracker.contract.tables import TABLES
from services.tracker.contract.verdict import judge
from services.tracker.mapping.model import Expression, MappedTable, Mapping, SourceTable

FULL = {
    table.name: {column.name: CANONICAL[column.family] for column in table.columns.values()}
    for table in TABLES.values()
}
REQUIRED = {
    table.name: {column.name: CANONICAL[column.family] for column in table.required_columns}
    for table in TABLES.values()
    if table.required
}
OPTIONAL = sorted(
    [
        *(name for name, table in TABLES.items() if not table.required),
        *(f"{t.name}.{c.name}" for t in TABLES.values() for c in t.columns.values() if not c.required),
    ]
)


def record(**changes: dict[str, str]) -> dict[str, dict[str, str]]:
    """The required tables, with columns added or changed."""
    return {name: {**REQUIRED.get(name, {}), **changes.get(name, {})} for name in {**REQUIRED, **changes}}


def without(names: set[str]) -> dict[str, dict[str, str]]:
    return {
        table: {column: kind for column, kind in columns.items() if f"{table}.{column}" not in names}
        for table, columns in FULL.items()
        if table not in names
    }


def mapped(table: str, where: Expression | None = None, **columns: object) -> Mapping:
    return Mapping({table: MappedTable(SourceTable(table), where, columns)})  # type: ignore[arg-type]


def test_a_full_record_is_ok_and_unlocks_everything() -> None:
    verdict = judge(FULL)
    assert verdict.ok and verdict.problems == ()
    assert verdict.bindings.keys() == TABLES.keys()
    assert all(feature.provided and not feature.missing for feature in verdict.features.values())
    assert list(verdict.bindings["checks"].columns) == list(TABLES["checks"].columns)


def test_the_required_tables_alone_are_ok_and_serve_items() -> None:
    verdict = judge(record())
    assert verdict.ok and verdict.problems == ()
    assert [name for name, feature in verdict.features.items() if feature.provided] == ["items"]
    assert verdict.not_provided("github_prs", "checks", "github_issues.severity") == [
        "checks",
        "github_issues.severity",
    ]


@pytest.mark.parametrize("table", REQUIRED)
def test_a_record_without_a_required_table_or_column_is_not_ok(table: str) -> None:
    missing_table = {name: columns for name, columns in record().items() if name != table}
    assert not judge(missing_table).ok
    assert judge(missing_table).problems == (f"{table}: the source has no such table; offer it as a view, or map it",)
    for column in REQUIRED[table]:
        verdict = judge({**record(), table: {name: kind for name, kind in REQUIRED[table].items() if name != column}})
        assert not verdict.ok and table not in verdict.bindings
        assert verdict.tables[table].missing_required == (column,)
        assert verdict.problems == (f"{table}.{column}: missing; offer it in a view, or map it",)


def test_a_required_column_of_another_family_or_with_null_is_named_with_what_was_expected_and_found() -> None:
    verdict = judge(record(github_issues={"number": "String", "title": "Nullable(String)"}))
    assert not verdict.ok
    assert verdict.problems == (
        "github_issues.number: must be integer: any Int or UInt, not Nullable; it is String",
        "github_issues.title: must be string: String, FixedString or Enum, not Nullable; it is Nullable(String)",
    )
    assert [wrong.fatal for wrong in verdict.tables["github_issues"].wrong_types] == [True, True]


def test_an_optional_column_of_another_family_is_not_provided_and_nothing_else_changes() -> None:
    verdict = judge(record(github_issues={"labels": "String", "severity": "String"}))
    assert verdict.ok and verdict.has("github_issues.severity")
    assert verdict.not_provided("github_issues.labels") == ["github_issues.labels"]
    assert verdict.problems == ("github_issues.labels: must be strings: Array(String); it is String",)


@pytest.mark.parametrize(("column", "kind"), [("is_private", "String"), ("repo", "UInt64"), ("confidential", "String")])
def test_a_table_whose_guard_cannot_be_read_is_not_read_at_all(column: str, kind: str) -> None:
    verdict = judge(record(releases={"version": "String", column: kind}))
    assert verdict.ok and "releases" not in verdict.bindings
    assert verdict.tables["releases"].wrong_types[0].fatal


def test_an_alias_stands_in_for_a_column_that_is_not_there() -> None:
    columns = {"iid": "UInt32", "description": "String", "opened_at": "DateTime", "area": "String", "priority": "UInt8"}
    issues = {k: v for k, v in REQUIRED["github_issues"].items() if k not in ("number", "body", "created_at")}
    verdict = judge({**record(), "github_issues": {**issues, **columns}})
    bound = verdict.bindings["github_issues"].columns
    assert verdict.ok
    assert {name: bound[name].origin for name in ("number", "body", "created_at", "component", "severity")} == {
        "number": "iid",
        "body": "description",
        "created_at": "opened_at",
        "component": "area",
        "severity": "priority",
    }


def test_an_alias_never_shadows_the_contracts_own_name() -> None:
    verdict = judge(
        record(github_issues={"description": "String", "iid": "UInt32", "severity": "UInt8", "priority": "String"})
    )
    bound = verdict.bindings["github_issues"].columns
    assert (bound["body"].origin, bound["number"].origin, bound["severity"].origin) == ("body", "number", "severity")
    wrong = judge(record(github_issues={"labels": "String", "tags": "Array(String)"}))
    assert wrong.tables["github_issues"].wrong_types[0].source == "labels"


def test_of_several_aliases_the_first_listed_one_whose_type_fits_is_taken() -> None:
    aliases = TABLES["github_issues"].columns["labels"].aliases
    both = judge(record(github_issues={aliases[1]: "Array(String)", aliases[0]: "Array(String)"}))
    assert both.bindings["github_issues"].columns["labels"].origin == aliases[0]
    fits = judge(record(github_issues={aliases[0]: "String", aliases[1]: "Array(String)"}))
    assert fits.bindings["github_issues"].columns["labels"].origin == aliases[1]
    neither = judge(record(github_issues={aliases[0]: "String", aliases[1]: "UInt8"}))
    (hint,) = neither.tables["github_issues"].wrong_types
    assert (hint.source, hint.hint, neither.problems) == (aliases[0], True, ())


def test_other_spellings_of_a_name_are_that_name() -> None:
    spelled = {"sourceId": "String", "Number": "UInt32", "TITLE": "String", "body": "String", "State": "String"}
    rest = {"createdAt": "DateTime", "Updated At": "DateTime", "isPrivate": "Bool", "htmlURL": "String"}
    verdict = judge({**record(), "github_issues": {**spelled, **rest}})
    bound = verdict.bindings["github_issues"].columns
    assert verdict.ok
    assert (bound["created_at"].origin, bound["updated_at"].origin, bound["url"].origin) == (
        "createdAt",
        "Updated At",
        "htmlURL",
    )


def test_a_mapping_goes_before_names_and_may_say_that_a_column_is_not_there() -> None:
    verdict = judge(
        record(github_issues={"headline": "String", "labels": "Array(String)"}),
        mapped(
            "github_issues",
            title="headline",
            labels=None,
            version=Expression("upper(_source.`body`)", frozenset([("body",)])),
        ),
    )
    binding = verdict.bindings["github_issues"]
    assert binding.columns["title"].origin == "headline" and not binding.has("labels")
    assert binding.columns["version"].type == ""


def test_a_mapping_may_read_a_table_of_another_database() -> None:
    mapping = Mapping({"github_issues": MappedTable(SourceTable("items", "jira"))})
    verdict = judge({"jira.items": REQUIRED["github_issues"], "github_prs": REQUIRED["github_prs"]}, mapping)
    assert verdict.ok and verdict.tables["github_issues"].source == "jira.items"
    lost = judge(record(), mapping)
    assert lost.problems == ("github_issues: the mapping reads a table that the source lacks",)


def test_the_type_of_an_expression_is_checked_where_it_is_known() -> None:
    mapping = mapped("github_issues", number=Expression("_source.`title`", frozenset([("title",)])))
    assert judge(record(), mapping).ok
    verdict = judge(record(), mapping, {"github_issues": {"number": "String"}})
    assert not verdict.ok and verdict.tables["github_issues"].wrong_types[0].source == "(expression)"


@pytest.mark.parametrize(
    ("mapping", "ok"),
    [
        (mapped("github_issues", title="gone"), False),
        (mapped("github_issues", title=Expression("_source.`gone`", frozenset([("gone",)]))), False),
        (mapped("github_issues", where=Expression("_source.`gone` = 1", frozenset([("gone",)]))), False),
        (mapped("github_issues", severity="gone"), True),
    ],
)
def test_a_mapping_that_reads_an_absent_column_is_named_by_place_and_fails_where_it_matters(
    mapping: Mapping, ok: bool
) -> None:
    verdict = judge(record(), mapping)
    assert verdict.ok is ok
    assert len(verdict.problems) == 1 and "gone" not in verdict.problems[0]


def test_an_expression_may_read_into_a_column_of_the_table_only() -> None:
    into = mapped("github_issues", author=Expression("_source.`payload`.`user`", frozenset([("payload", "user")])))
    nested = mapped("github_issues", labels=Expression("_source.`tag.name`", frozenset([("tag", "name")])))
    assert judge(record(github_issues={"payload": "JSON"}), into).has("github_issues.author")
    assert judge(record(github_issues={"tag.name": "Array(String)"}), nested).has("github_issues.labels")
    assert not judge(record(), into).has("github_issues.author")


@given(st.sets(st.sampled_from(OPTIONAL)))
@settings(max_examples=60, deadline=None)
def test_any_optional_part_may_be_missing_and_exactly_it_is_not_provided(gone: set[str]) -> None:
    verdict = judge(without(gone))
    assert verdict.ok and verdict.problems == ()
    names = [name for name in OPTIONAL if not (name in gone or name.partition(".")[0] in gone)]
    assert verdict.not_provided(*OPTIONAL) == [name for name in OPTIONAL if name not in names]
    for name, feature in FEATURES.items():
        needed = verdict.has(*feature.all_of) and (not feature.any_of or any(map(verdict.has, feature.any_of)))
        assert verdict.features[name].provided == needed
        parts = (*feature.all_of, *feature.any_of, *feature.better_with)
        assert list(verdict.features[name].missing) == verdict.not_provided(*parts)


@given(st.randoms(use_true_random=False), st.sets(st.sampled_from(OPTIONAL)))
@settings(max_examples=40, deadline=None)
def test_the_order_of_tables_and_columns_changes_nothing(shuffle: random.Random, gone: set[str]) -> None:
    described = without(gone)
    for columns in described.values():
        columns.update(
            {"tags": "Array(String)", "label_names": "String", "Iid": "UInt8", "iid": "UInt8", "IID": "String"}
        )
    shuffled = {
        table: dict(shuffle.sample([*described[table].items()], len(described[table])))
        for table in shuffle.sample([*described], len(described))
    }
    assert judge(shuffled) == judge(described)
