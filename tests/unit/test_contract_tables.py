"""The contract as data: consistent with itself, and what the documentation promises of it."""

import re
from collections import Counter

import pytest

from services.tracker.contract.describe import describe
from services.tracker.contract.families import CANONICAL, TAKES, Family, accepts
from services.tracker.contract.features import FEATURES
from services.tracker.contract.matching import plain
from services.tracker.contract.tables import RESTRICTED, TABLES, column

SNAKE = re.compile(r"[a-z][a-z0-9_]*")
PROMISED = {
    "github_issues": "source_id number title body state created_at updated_at is_private closed_at author labels component "
    "severity version error_codes frames duplicate_of fixed_by caused_by mentions milestone url comments state_reason "
    "tests affected_branches triage_reproduces_on triage_clean_on bisect_verdict",
    "github_prs": "source_id number title body state created_at updated_at is_private merged_at base_ref head_ref head_sha "
    "merge_sha author labels component closes affected_file_paths diff backport_of backport_state release url",
    "core_incidents": "id title body severity state started_at resolved_at component issue_numbers is_private",
    "support_cases": "id title body state opened_at closed_at component issue_numbers is_private",
    "slack_threads": "id channel text started_at issue_numbers is_private",
    "component_risk": "component snapshot_at score open_issues open_severe trend owners notes",
    "releases": "version branch state released_at is_private",
    "release_health": "version snapshot_at status blockers_open ci_pass_rate notes",
    "version_history": "version branch sha pr_number built_at",
    "checks": "check_start_time pull_request_number commit_sha check_name check_status test_name test_status "
    "test_duration_ms base_ref head_ref report_url",
    "cloud_instances": "instance_id name version region state",
    "instance_relations": "from_id to_id relation",
}
PROMISED_FEATURES = (
    "items fix_graph components severity frames bisect ci incidents support chat releases release_health history "
    "instances"
)
EXTRA = {"repo": Family.STRING, "attempt": Family.INTEGER, "runner": Family.STRING}
REQUIRED = "source_id number title body state created_at updated_at is_private"


def test_every_promised_table_and_column_is_there_and_only_optional_ones_beside_them() -> None:
    assert TABLES.keys() == PROMISED.keys()
    for name, columns in PROMISED.items():
        extra = TABLES[name].columns.keys() - columns.split()
        assert set(columns.split()) <= TABLES[name].columns.keys()
        assert {key: TABLES[name].columns[key].family for key in extra} == {key: EXTRA[key] for key in extra}
        assert not any(TABLES[name].columns[key].required for key in extra)


def test_issues_and_pull_requests_are_required_with_the_same_eight_columns() -> None:
    assert {name for name, table in TABLES.items() if table.required} == {"github_issues", "github_prs"}
    for name in ("github_issues", "github_prs"):
        assert {column.name for column in TABLES[name].required_columns} == set(REQUIRED.split())


def test_columns_that_decide_what_may_be_read_are_guards_wherever_they_are() -> None:
    guards = {"source_id", "is_private", "repo"}
    for table in TABLES.values():
        assert {name for name, column in table.columns.items() if column.guard} == guards & table.columns.keys()


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_an_alias_names_one_column_of_its_table_and_never_a_column_of_the_contract(table: object) -> None:
    aliases = Counter(alias for column in table.columns.values() for alias in column.aliases)  # type: ignore[attr-defined]
    assert [alias for alias, count in aliases.items() if count > 1] == []
    assert aliases.keys() & table.columns.keys() == set()  # type: ignore[attr-defined]
    assert [alias for alias in aliases if plain(alias) != alias] == []


def test_names_are_in_snake_case_and_everything_says_what_it_means() -> None:
    for table in TABLES.values():
        assert SNAKE.fullmatch(table.name) and table.meaning
        for known in table.columns.values():
            assert SNAKE.fullmatch(known.name) and known.meaning
            assert column(table.name, known.name) is known


def test_features_name_tables_and_columns_of_the_contract() -> None:
    assert FEATURES.keys() >= set(PROMISED_FEATURES.split())
    for feature in FEATURES.values():
        assert feature.all_of or feature.any_of
        for name in (*feature.all_of, *feature.any_of, *feature.better_with):
            table, _, column_name = name.partition(".")
            assert not column_name or column_name in TABLES[table].columns
            assert table in TABLES


def test_each_family_reads_its_own_canonical_type() -> None:
    assert TAKES.keys() == CANONICAL.keys() == set(Family)
    assert all(accepts(family, CANONICAL[family], optional=False) for family in Family)


def test_the_description_is_plain_data_of_every_table_column_and_feature() -> None:
    described = describe()
    assert [table["name"] for table in described["tables"]] == list(TABLES)
    assert {table["name"] for table in described["tables"] if table["restricted"]} == RESTRICTED
    assert [feature["name"] for feature in described["features"]] == list(FEATURES)
    issues = described["tables"][0]
    number = next(column for column in issues["columns"] if column["name"] == "number")
    assert number["required"] and number["type"] == "Int64" and "iid" in number["aliases"]
    assert issues["view"].startswith("CREATE OR REPLACE VIEW `github_issues`")
