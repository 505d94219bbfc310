"""View templates: what a team pastes into its own ClickHouse."""

import pytest

from services.tracker.contract.describe import verdict_data
from services.tracker.contract.quoting import quoted
from services.tracker.contract.tables import TABLES
from services.tracker.contract.verdict import judge
from services.tracker.contract.views import blank, drafted, drafts
from services.tracker.mapping.model import SourceTable
from services.tracker.mapping.parse import parse
from services.tracker.mapping.relation import relation
from tests.support.record_engine import described, record_engine


@pytest.mark.parametrize("table", TABLES)
def test_a_blank_template_names_every_column_and_comments_out_the_optional_ones(table: str) -> None:
    lines = {line.lstrip().partition("  -- ")[0].rpartition(" ")[2]: line for line in blank(table).splitlines()}
    for column in TABLES[table].columns.values():
        assert lines[column.name].startswith("    -- , ") != column.required
    assert blank(table).endswith("\nFROM your_table")


@pytest.mark.parametrize("table", TABLES)
def test_a_template_can_be_run_with_any_of_its_optional_lines(table: str) -> None:
    first, *rest = blank(table).splitlines()[2:-1]
    assert first.startswith("      ")
    assert all(line.startswith(("    , ", "    -- , ")) for line in rest)


def test_a_draft_uses_what_the_table_has_and_says_what_is_left_to_do() -> None:
    columns = {"iid": "UInt32", "title": "String", "description": "Nullable(String)", "labels": "String"}
    draft = drafted("github_issues", SourceTable("issues", "db"), columns)
    assert "    , `iid` AS number\n" in draft
    assert "    , `title`\n" in draft
    assert "    , ifNull(`description`, '') AS body  -- String" in draft
    assert "    , `labels` AS labels  -- to convert: it is String. Array(String): Labels\n" in draft
    assert "    -- , '' AS component  -- String" in draft
    assert draft.endswith("\nFROM `db`.`issues`")


def test_nothing_becomes_public_by_a_template_that_nobody_filled_in() -> None:
    assert "\n    , 1 AS is_private  -- UInt8" in blank("github_issues")
    assert "ifNull(`confidential`, 1) AS is_private" in drafted(
        "github_prs", SourceTable("t"), {"confidential": "Nullable(Bool)"}
    )


def test_a_name_cannot_leave_its_quotes_and_a_type_cannot_leave_its_comment() -> None:
    assert quoted("a`; DROP\\") == "`a\\x60\\x3B DROP\\x5C`"
    draft = drafted("releases", SourceTable("t"), {"state": "Int8\n, evil", "version": "String"})
    assert "evil" not in [line.strip() for line in draft.splitlines()]
    assert "to convert: it is Int8 , evil." in draft


def test_a_draft_never_replaces_the_table_that_it_reads() -> None:
    own = drafted("releases", SourceTable("releases"), {"version": "String"})
    assert own.startswith("CREATE OR REPLACE VIEW `your_views`.`releases` AS") and own.endswith("FROM `releases`")
    assert "VIEW `your_views`.`releases`" in drafted("releases", SourceTable("releases", "db"), {"version": "String"})
    assert "VIEW `releases` AS" in drafted("releases", SourceTable("tags"), {"version": "String"})


def test_each_failing_table_gets_a_draft_of_what_is_there_or_a_blank_one() -> None:
    record = {"jira.items": {"key_no": "String", "summary": "String"}, "releases": {"version": "String"}}
    mapping = parse({"tables": {"github_issues": {"from": "jira.items"}}})
    made = drafts(judge(record, mapping), record, mapping)
    assert made.keys() == {"github_issues", "github_prs"}
    assert "`summary` AS title" in made["github_issues"] and made["github_issues"].endswith("FROM `jira`.`items`")
    assert made["github_prs"] == blank("github_prs")


def test_a_verdict_is_told_as_plain_data() -> None:
    data = verdict_data(judge({"releases": {"tag": "String", "state": "UInt8"}}))
    releases = next(table for table in data["tables"] if table["name"] == "releases")
    assert not data["ok"] and releases["usable"] and releases["columns"] == {"version": "tag"}
    assert [(wrong["column"], wrong["found"], wrong["fatal"]) for wrong in releases["wrong_types"]] == [
        ("state", "UInt8", False)
    ]
    assert {
        "name": "releases",
        "provided": True,
        "missing": ["releases.state", "releases.released_at", "releases.branch"],
    } in data["features"]


async def test_the_engine_takes_the_blank_templates_and_they_keep_the_contract_to_the_last_column() -> None:
    filled = [blank(table).replace("-- , ", ", ").replace("your_table", "system.one") for table in TABLES]
    async with record_engine(*filled) as store:
        verdict = judge(await described(store, *TABLES))
        assert verdict.ok and verdict.problems == () and not verdict.not_provided(*TABLES)
        for name, binding in verdict.bindings.items():
            assert binding.columns.keys() == TABLES[name].columns.keys()
            assert len(await store.query(relation(binding))) == 1
