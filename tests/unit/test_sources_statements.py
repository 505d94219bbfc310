"""The one place where statements to sources are built."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tracker.reads import CLIP_MARK, Relation, Scope, ScopeError, Statement, TemplateError
from tests.support.tracked import INCIDENTS, SHAPE, checks, issues

ONE = Statement("one", "SELECT number FROM {github_issues(number)} AS i WHERE state = {state:String} LIMIT 5")
OFFERED = {"github_issues": issues(), "checks": checks(), "core_incidents": INCIDENTS}

STANDARD = Scope(("Org/repo",))


def built(sql: str, scope: Scope = STANDARD, **offered: Relation) -> str:
    return Statement("t", sql).build(SHAPE, offered or OFFERED, scope, {}).sql


def test_filters_stand_outside_the_sources_own_table() -> None:
    found = ONE.build(SHAPE, OFFERED, Scope(("Org/repo", "Other")), {"state": "open"})
    inside = issues().sql
    assert (
        f"FROM (\n{inside}\n) WHERE is_private = 0 AND (startsWith(source_id, {{loom_repo_0:String}}) OR " in found.sql
    )
    assert found.params == {"state": "open", "loom_repo_0": "Org/repo#", "loom_repo_1": "Other/"}


def test_a_restricted_namespace_reads_private_rows_of_its_repositories_alone() -> None:
    sql = built("SELECT number FROM {github_issues(number)}", Scope(("Org/repo",), restricted=True))
    assert "is_private" not in sql.rsplit(")", 2)[-2]
    assert "startsWith(source_id" in sql


def test_a_standard_namespace_is_refused_the_three_tables() -> None:
    statement = Statement("t", "SELECT id FROM {core_incidents(id)}")
    refused = statement.build(SHAPE, OFFERED, Scope(("Org/repo",)), {})
    assert (refused.refused, refused.empty) == (("core_incidents",), True)
    assert "incidents" not in refused.sql
    assert not statement.build(SHAPE, OFFERED, Scope(("Org/repo",), restricted=True), {}).refused


def test_a_scope_without_repositories_reads_nothing_of_items() -> None:
    assert built("SELECT number FROM {github_issues(number)}", Scope(())).endswith(
        "AND 0 AND number BETWEEN 1 AND 9007199254740991)"
    )


def test_a_column_repo_is_filtered_where_a_source_offers_it() -> None:
    sql = "SELECT test_name FROM {checks(test_name)}"
    assert "startsWith(concat(repo, '#'), {loom_repo_0:String})" in built(sql, checks=checks(repo=True))
    assert "repo" not in built(sql, checks=checks())


def test_what_a_source_does_not_offer_is_stood_in_for_and_named() -> None:
    statement = Statement(
        "t",
        "SELECT i.labels, i.closed_at, c.test_name FROM {github_issues(number, labels, closed_at)} AS i"
        " LEFT JOIN {checks(test_name, pull_request_number)} AS c ON c.pull_request_number = i.number",
    )
    found = statement.build(
        SHAPE, {"github_issues": issues(["source_id", "number", "is_private"])}, Scope(("O/r",)), {}
    )
    assert found.not_provided == ("github_issues.labels", "github_issues.closed_at", "checks")
    assert "CAST([], 'Array(String)') AS labels" in found.sql
    assert not found.empty
    assert statement.build(SHAPE, {}, Scope(("O/r",)), {}).empty


def test_long_text_is_clipped_with_a_mark() -> None:
    assert CLIP_MARK in built("SELECT body FROM {github_issues(body)}")
    assert CLIP_MARK not in built("SELECT state FROM {github_issues(state)}")


def test_a_callers_parameter_cannot_take_the_place_of_a_filter() -> None:
    with pytest.raises(ValueError, match="loom_"):
        ONE.build(SHAPE, OFFERED, Scope(("Org/repo",)), {"loom_repo_0": ""})


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "SELECT * FROM {github_issues}",
        "SELECT * FROM {github_issues()}",
        "SELECT * FROM {github_issues(number, number)}",
        "SELECT * FROM {github_issues(number; DROP)}",
    ],
)
def test_a_placeholder_that_cannot_be_read_is_refused_at_once(sql: str) -> None:
    with pytest.raises(TemplateError):
        Statement("t", sql)


@pytest.mark.parametrize(
    "rest",
    [
        ", system.tables",
        " JOIN team.issues USING number",
        " JOIN issues AS i ON 1",
        " UNION ALL SELECT * FROM remote('h', 'd', 't')",
        " WHERE number IN (SELECT number FROM other)",
        " WHERE number IN other",
        " WHERE number = dictGet('d', 'a', number)",
        " WHERE number = joinGet('d', 'a', number)",
        " WHERE title = currentUser()",
        " SETTINGS readonly = 0",
        " FORMAT JSON",
        "; SELECT 1",
        " JOIN numbers(10) AS n ON 1",
        " JOIN url('http://x', CSV) AS n ON 1",
        " WHERE (",
    ],
)
def test_a_template_that_reads_anything_but_its_placeholders_is_refused(rest: str) -> None:
    with pytest.raises(TemplateError):
        Statement("t", "SELECT number FROM {github_issues(number)}" + rest).check(SHAPE)


@pytest.mark.parametrize("asked", ["nothing(number)", "github_issues(secret)", "github_issues(number, repo)"])
def test_a_template_asks_what_the_contract_has(asked: str) -> None:
    with pytest.raises(TemplateError, match="contract"):
        Statement("t", f"SELECT 1 FROM {{{asked}}}").check(SHAPE)


@pytest.mark.parametrize(
    "sql",
    [
        "WITH a AS (SELECT number FROM {github_issues(number)}) SELECT * FROM a WHERE number IN a",
        "SELECT number FROM {github_issues(number)} WHERE number IN {n:Array(Int64)}",
        "SELECT number FROM {github_issues(number, labels)} ARRAY JOIN labels AS l WHERE has(labels, l) LIMIT 1 BY number",
        "SELECT count() FROM {github_issues(number)} AS a ASOF JOIN {checks(pull_request_number)} AS b"
        " ON a.number >= b.pull_request_number",
        "SELECT argMax(title, number), uniqExact(state) FROM {github_issues(title, number, state)} GROUP BY state"
        " HAVING count() > 1 ORDER BY 1 DESC LIMIT 3",
    ],
)
def test_what_ops_write_passes(sql: str) -> None:
    Statement("t", sql).check(SHAPE)


@pytest.mark.parametrize(
    ("entry", "covered", "not_covered"),
    [
        ("Org/repo", ["Org/repo#1"], ["Org/repo2#1", "Org/repo/x#1", "org/repo#1", "Org/repo", "XOrg/repo#1"]),
        ("Org", ["Org/a#1", "Org/b/c#2"], ["Organic/a#1", "Org#1"]),
        ("Org/group/", ["Org/group/a#1"], ["Org/group2/a#1", "Org/group#1"]),
        ("O%/_'\\", ["O%/_'\\#1"], ["Ox/_'\\#1", "O%/x'\\#1"]),
    ],
)
def test_an_entry_covers_its_repositories_up_to_the_separator(
    entry: str, covered: list[str], not_covered: list[str]
) -> None:
    scope = Scope((entry,))
    assert all(scope.covers(one) for one in covered)
    assert not any(scope.covers(one) for one in not_covered)


@pytest.mark.parametrize(
    "entry", ["", " Org/repo", "Org/repo#1", "#", "/", "/secret", "Org//secret", "Org\0/x", "x" * 301]
)
def test_what_names_no_repository_is_refused_without_being_repeated(entry: str) -> None:
    with pytest.raises(ScopeError, match=r"repos\[1\]") as caught:
        Scope(("Org/fine", entry))
    assert "secret" not in str(caught.value)


@given(st.lists(st.from_regex(r"[A-Za-z'\\%]{1,6}(/[a-z'\\_]{1,6}){0,2}", fullmatch=True), min_size=1, max_size=4))
def test_no_entry_ever_gets_into_the_statements_text(repos: list[str]) -> None:
    found = ONE.build(SHAPE, OFFERED, Scope(tuple(repos)), {"state": "open"})
    same = ONE.build(SHAPE, OFFERED, Scope(("a/b",) * len(repos)), {"state": "open"})
    assert found.sql == same.sql
