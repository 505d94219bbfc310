"""Reading the JSON of a mapping: strict, and every fault with its place."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.tracker.contract.tables import TABLES
from services.tracker.mapping.model import Expression, Mapping, SourceTable
from services.tracker.mapping.parse import parse, parse_text
from services.tracker.mapping.problems import MappingError, Problem

SPEC = """
{"tables": {"github_issues": {"from": "jira.issues", "where": "project = 'CORE'",
  "columns": {"number": "key_no", "title": "summary", "labels": {"expr": "splitByChar(',', labels)"}, "severity": null}}}}
"""


def issues(**parts: Any) -> dict[str, Any]:
    return {"tables": {"github_issues": parts}}


def problems(value: object) -> tuple[Problem, ...]:
    with pytest.raises(MappingError) as refused:
        parse(value)
    assert "secret" not in str(refused.value)
    assert all(problem.reason and problem.fix for problem in refused.value.problems)
    return refused.value.problems


def places(value: object) -> list[str]:
    return [problem.place for problem in problems(value)]


def test_the_documented_mapping_is_read() -> None:
    mapped = parse_text(SPEC).tables["github_issues"]
    assert mapped.source == SourceTable("issues", "jira") and mapped.source.key == "jira.issues"
    assert mapped.where is not None and mapped.where.sql == "(_loom_source.`project` = 'CORE')"
    assert {k: v for k, v in mapped.columns.items() if k != "labels"} == {
        "number": "key_no",
        "title": "summary",
        "severity": None,
    }
    labels = mapped.columns["labels"]
    assert isinstance(labels, Expression) and labels.names == {("labels",)}


@pytest.mark.parametrize(
    ("written", "source"),
    [
        ("issues", SourceTable("issues")),
        (" jira . issues ", SourceTable("issues", "jira")),
        ("`my db`.`weird ``t\\`x`", SourceTable("weird `t`x", "my db")),
        ('"a.b"."c d"', SourceTable("c d", "a.b")),
        ("`it''s`", SourceTable("it''s")),
    ],
)
def test_a_source_table_is_named_with_or_without_a_database_and_quotes(written: str, source: SourceTable) -> None:
    assert parse(issues(**{"from": written})).tables["github_issues"].source == source


@pytest.mark.parametrize(
    "written",
    [
        *(
            "merge('db', '.*')",
            "remote('h', db.t)",
            "url('http://x')",
            "file('x')",
            "(SELECT 1)",
            "a.b.c",
            "a b",
            "a, b",
        ),
        *(
            "t FINAL",
            "t -- x",
            "t /* x */",
            "t; DROP",
            "",
            " ",
            "`a",
            "a`",
            "``",
            '""',
            "1t",
            "a-b",
            "t SETTINGS x = 1",
        ),
        *("{x:Identifier}", "$$t$$", "`a\x00`", "system.tables", "`SYSTEM`.`query_log`", "INFORMATION_SCHEMA.tables"),
        *("dictionary(d)", "`a\\x41`", "a" * 600, "t\ud800", 7, None, ["t"]),
    ],
)
def test_anything_but_a_table_of_the_record_is_no_source(written: object) -> None:
    assert places(issues(**{"from": written})) == ["$.tables.github_issues.from"]


def test_unknown_tables_columns_and_keys_are_placed_by_position_and_met_with_the_nearest_names() -> None:
    found = problems(
        {
            "tables": {
                "github_issue": {},
                "github_prs": {"form": "x", "columns": {"titel": "a", "secretzzz": "b"}},
                "checks": {"from": "c"},
            },
            "secret": 1,
        }
    )
    for fault, (place, fix) in zip(
        found,
        [
            ("$.tables[0]", "did you mean github_issues"),
            ("$.tables.github_prs[0]", "did you mean from"),
            ("$.tables.github_prs.columns[0]", "did you mean title"),
        ],
        strict=False,
    ):
        assert (fault.place, fault.fix[: len(fix)]) == (place, fix)
    assert [p.place for p in found[3:]] == ["$.tables.github_prs.columns[1]", "$[1]"]


def test_every_fault_is_reported_at_once_in_the_order_of_the_mapping() -> None:
    found = places(
        issues(columns={"title": 5, "labels": {"expr": "f("}, "number": None}, where="a --", **{"from": "a.b.c"})
    )
    assert [place.removeprefix("$.tables.github_issues.") for place in found] == [
        "columns.title",
        "columns.labels.expr",
        "columns.number",
        "where",
        "from",
    ]


@pytest.mark.parametrize("value", [None, [], "x", 1, {}, {"tables": []}, {"tables": None}, {"tables": {"checks": []}}])
def test_a_mapping_of_another_shape_is_refused(value: object) -> None:
    assert len(problems(value)) == 1


@pytest.mark.parametrize(
    "value", [1, True, [], {}, "", {"expr": 1}, {"expr": None}, {"expression": "a"}, "a\x00", "\ud800", "x" * 300]
)
def test_a_column_is_a_name_an_expression_or_null(value: object) -> None:
    assert len(problems(issues(columns={"labels": value}))) == 1


def test_columns_that_decide_what_may_be_read_cannot_be_left_out() -> None:
    both = {
        "tables": {"releases": {"columns": {"is_private": None, "branch": None}}, "checks": {"columns": {"repo": None}}}
    }
    assert places(both) == ["$.tables.releases.columns.is_private", "$.tables.checks.columns.repo"]
    assert places(issues(columns={"source_id": None})) == ["$.tables.github_issues.columns.source_id"]


def test_an_expression_is_refused_at_its_place_with_its_reason() -> None:
    (found,) = problems(issues(columns={"labels": {"expr": "(SELECT token FROM secrets)"}}))
    assert str(found).startswith("$.tables.github_issues.columns.labels.expr: holds a sub-query; ")


def test_a_text_that_is_no_json_or_names_something_twice_is_refused() -> None:
    for text in (
        "{",
        "",
        "[" * 100_000,
        '{"tables": {"checks": {}, "checks": {}}}',
        '{"tables": {}, "tables": {}}',
        "x" * 600_000,
    ):
        with pytest.raises(MappingError) as refused:
            parse_text(text)
        assert refused.value.problems[0].place == "$"


def test_a_table_whose_name_has_dots_is_not_mistaken_for_one_of_another_database() -> None:
    assert SourceTable("a.b").key != SourceTable("b", "a").key


def test_the_source_tables_of_a_mapping_are_listed_once() -> None:
    tables = {"github_issues": {"from": "b.x"}, "github_prs": {"from": "b.x"}, "checks": {}}
    assert [source.key for source in parse({"tables": tables}).sources()] == ["b.x", "checks"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["a", "a.b", "lower(a)", "a --"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["tables", "from", "where", "columns", "expr", "title", "number", "secret", *TABLES])
            | st.text(max_size=4),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


@given(JSON | JSON.map(lambda part: {"tables": part}) | JSON.map(lambda part: {"tables": {"checks": part}}))
@settings(max_examples=300, deadline=None)
def test_no_json_breaks_the_reader(value: object) -> None:
    for read, given_value in ((parse, value), (parse_text, json.dumps(value))):
        try:
            assert isinstance(read(given_value), Mapping)
        except MappingError as error:
            assert error.problems
