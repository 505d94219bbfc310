"""What forges' own tools export, as it is."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from services.tracker.record.load.read import Reader
from services.tracker.record.load.report import FileReport
from tests.support.record_files import written

ISSUE: dict[str, Any] = {
    "author": {"id": "U_1", "is_bot": False, "login": "dev-1", "name": ""},
    "body": "It breaks.",
    "closedAt": "2026-02-03T10:00:00Z",
    "comments": [{"author": {"login": "dev-2"}, "body": "Thanks.\r\nDuplicate of #3"}, {"body": "ok"}],
    "createdAt": "2026-02-01T10:00:00Z",
    "id": "I_1",
    "labels": [
        {"id": "L", "name": "bug", "description": "", "color": "f00"},
        {"name": "area: storage"},
        {"name": "priority/high"},
    ],
    "milestone": {"number": 4, "title": "v2", "description": "", "dueOn": None},
    "number": 7,
    "state": "CLOSED",
    "stateReason": "NOT_PLANNED",
    "title": "Broken",
    "updatedAt": "2026-02-03T10:00:01Z",
    "url": "https://forge.example/Org/repo/issues/7",
    "closedByPullRequestsReferences": [{"number": 9, "url": "https://forge.example/Org/repo/pull/9"}],
}
CHANGE: dict[str, Any] = {
    "author": {"login": "dev-1"},
    "baseRefName": "main",
    "body": "Fixes #7",
    "closingIssuesReferences": [
        {
            "id": "I_1",
            "number": 7,
            "repository": {"name": "repo", "owner": {"login": "Org"}},
            "url": "https://forge.example/Org/repo/issues/7",
        },
        {"number": 5, "url": "https://forge.example/Org/other/issues/5"},
    ],
    "createdAt": "2026-02-02T10:00:00Z",
    "files": [
        {"path": "src/a.rs", "additions": 1, "deletions": 0},
        {"path": "src/b, c.rs", "additions": 1, "deletions": 0},
    ],
    "headRefName": "fix/7",
    "headRefOid": "a" * 40,
    "isDraft": False,
    "labels": [],
    "mergeCommit": {"oid": "b" * 40},
    "mergedAt": "2026-02-03T12:00:00+02:00",
    "number": 9,
    "state": "MERGED",
    "title": "Mend it",
    "updatedAt": "2026-02-03T10:00:00Z",
    "url": "https://forge.example/Org/repo/pull/9",
}


def load(path: Path, **options: Any) -> tuple[dict[str, list[dict[str, Any]]], FileReport]:
    reader = Reader([path], **options)
    found: dict[str, list[dict[str, Any]]] = {}
    for batch in reader:
        found.setdefault(batch.table, []).extend(dict(zip(batch.names, row, strict=True)) for row in batch.rows())
    return found, reader.reports[0]


def test_a_list_of_issues_of_gh_is_read_as_it_is(tmp_path: Path) -> None:
    found, report = load(written(tmp_path, "issues.json", json.dumps([ISSUE])))
    [row] = found["github_issues"]
    assert (row["source_id"], row["number"], row["state"]) == ("Org/repo#7", 7, "closed")
    assert (row["author"], row["milestone"], row["comments"], row["state_reason"]) == ("dev-1", "v2", 2, "NOT_PLANNED")
    assert row["labels"] == ["bug", "area: storage", "priority/high"]
    assert (row["component"], row["severity"]) == ("storage", "high")
    assert (row["fixed_by"], row["duplicate_of"], row["is_private"]) == ([9], 3, 0)
    assert row["closed_at"] == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert report.unknown_columns == {"id"}


def test_a_list_of_pull_requests_of_gh_is_read_as_it_is(tmp_path: Path) -> None:
    found, report = load(written(tmp_path, "list.json", json.dumps([CHANGE])))
    [row] = found["github_prs"]
    assert (row["source_id"], row["state"], row["base_ref"], row["head_ref"]) == (
        "Org/repo#9",
        "merged",
        "main",
        "fix/7",
    )
    assert (row["merge_sha"], row["head_sha"]) == ("b" * 40, "a" * 40)
    assert row["merged_at"] == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert row["affected_file_paths"] == ["src/a.rs", "src/b, c.rs"]
    assert row["closes"] == [7]  # the other one is in another repository
    assert report.unknown_columns == {"isDraft"}


def test_a_short_list_of_either_is_told_apart_by_its_addresses(tmp_path: Path) -> None:
    few = ("number", "title", "state", "createdAt", "url")
    for name, item, table in (("a.json", ISSUE, "github_issues"), ("b.json", CHANGE, "github_prs")):
        found, _ = load(written(tmp_path, name, json.dumps([{key: item[key] for key in few}])))
        assert list(found) == [table]


def without(item: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name not in names}


SHORT = ("number", "title", "state", "createdAt")
# What `gh … --json` gives for the same fields, with addresses, without them, and with few fields.
PAIRS = [
    (ISSUE, CHANGE),
    (without(ISSUE, "url"), without(CHANGE, "url", "closingIssuesReferences")),
    ({key: ISSUE[key] for key in (*SHORT, "url")}, {key: CHANGE[key] for key in (*SHORT, "url")}),
    ({key: ISSUE[key] for key in SHORT}, {key: CHANGE[key] for key in (*SHORT, "isDraft")}),
]


@pytest.mark.parametrize("pair", PAIRS, ids=["whole", "without addresses", "short", "told by a draft's mark"])
@pytest.mark.parametrize("order", [(0, 1, 0), (1, 0, 1)], ids=["issue first", "pull request first"])
@pytest.mark.parametrize("form", ["lists", "one list", "lines"])
def test_issues_and_pull_requests_in_one_file_are_told_apart_one_by_one(
    tmp_path: Path, pair: tuple[dict[str, Any], dict[str, Any]], order: tuple[int, ...], form: str
) -> None:
    records = [{**pair[kind], "number": pair[kind]["number"] + 100 * place} for place, kind in enumerate(order)]
    texts = {
        "lists": "\n".join(json.dumps([record]) for record in records),
        "one list": json.dumps(records),
        "lines": "\n".join(map(json.dumps, records)),
    }
    found, report = load(written(tmp_path, "all.json", texts[form]), repo="Org/repo")
    assert report.stopped == "" and not report.skipped
    numbers = {table: [row["number"] for row in rows] for table, rows in found.items()}
    for kind, table in enumerate(("github_issues", "github_prs")):
        assert numbers[table] == [r["number"] for r, of in zip(records, order, strict=True) if of == kind]


def test_a_csv_of_both_is_told_apart_by_what_is_filled(tmp_path: Path) -> None:
    text = (
        "number,title,state,created_at,merged_at,base_ref,severity\r\n"
        "1,Change,merged,2026-01-01,2026-01-02,main,\r\n2,Issue,open,2026-01-01,,,high\r\n3,Change,open,2026-01-01,,main,\r\n"
    )
    found, _ = load(written(tmp_path, "all.csv", text), repo="Org/repo")
    assert {table: [row["number"] for row in rows] for table, rows in found.items()} == {
        "github_prs": [1, 3],
        "github_issues": [2],
    }


def test_a_table_that_the_caller_names_is_that_of_every_record(tmp_path: Path) -> None:
    path = written(tmp_path, "all.json", json.dumps([ISSUE, CHANGE]))
    found, _ = load(path, table="github_issues")
    assert [row["number"] for row in found["github_issues"]] == [7, 9]


def test_items_without_an_address_need_a_repository(tmp_path: Path) -> None:
    item = {key: value for key, value in ISSUE.items() if key != "url"}
    path = written(tmp_path, "issues.json", json.dumps([item]))
    found, report = load(path)
    assert found == {}
    assert report.skipped["the record names no repository, and none was given"].places == ["record 1"]
    found, _ = load(path, repo="Group/sub/project")
    assert found["github_issues"][0]["source_id"] == "Group/sub/project#7"


def test_an_export_that_lacks_what_is_needed_says_what(tmp_path: Path) -> None:
    _, report = load(
        written(tmp_path, "issues.json", json.dumps([{"number": 1, "url": ISSUE["url"]}])), table="github_issues"
    )
    assert report.stopped == "github_issues needs title and created_at: export that too"


def test_pages_of_the_rest_interface_hold_issues_and_pull_requests(tmp_path: Path) -> None:
    common = {
        "url": "https://api.forge.example/repos/Org/repo/issues/7",
        "repository_url": "https://api.forge.example/repos/Org/repo",
        "user": {"login": "dev-1"},
        "labels": [{"name": "bug"}],
        "comments": 3,
        "created_at": "2026-02-01T10:00:00Z",
        "updated_at": "2026-02-01T10:00:00Z",
        "closed_at": None,
        "state": "open",
        "body": None,
    }
    issue = {**common, "number": 7, "title": "Issue", "html_url": "https://forge.example/Org/repo/issues/7"}
    change = {
        **common,
        "number": 8,
        "title": "Change",
        "html_url": "https://forge.example/Org/repo/pull/8",
        "pull_request": {"merged_at": "2026-02-02T00:00:00Z"},
    }
    pages = json.dumps([issue]) + json.dumps([change])  # as `gh api --paginate` prints them
    found, report = load(written(tmp_path, "all.json", pages))
    assert found["github_issues"][0]["source_id"] == "Org/repo#7"
    assert found["github_issues"][0]["url"] == "https://forge.example/Org/repo/issues/7"
    assert (found["github_prs"][0]["state"], found["github_prs"][0]["body"]) == ("merged", "")
    assert report.stopped == ""


def test_a_pull_request_of_the_rest_interface_has_its_branches_in_objects(tmp_path: Path) -> None:
    change = {
        "number": 8,
        "title": "Change",
        "state": "closed",
        "html_url": "https://forge.example/Org/repo/pull/8",
        "created_at": "2026-02-01T10:00:00Z",
        "merged_at": None,
        "merge_commit_sha": "c" * 40,
        "base": {"ref": "main", "sha": "d" * 40},
        "head": {"ref": "topic", "sha": "e" * 40},
    }
    found, _ = load(written(tmp_path, "pulls.json", json.dumps([change])))
    [row] = found["github_prs"]
    assert (row["base_ref"], row["head_ref"], row["head_sha"]) == ("main", "topic", "e" * 40)
    assert (row["state"], row["merge_sha"]) == ("closed", "")  # the commit is of a trial merge


def test_an_answer_around_a_list_is_opened(tmp_path: Path) -> None:
    answer = {"data": {"repository": {"issues": {"pageInfo": {"hasNextPage": False}, "nodes": [ISSUE]}}}}
    found, _ = load(written(tmp_path, "answer.json", json.dumps(answer)))
    assert len(found["github_issues"]) == 1
    found, _ = load(
        written(tmp_path, "search.json", json.dumps({"total_count": 1, "incomplete_results": False, "items": [ISSUE]}))
    )
    assert len(found["github_issues"]) == 1


def test_a_csv_of_another_tracker_is_read_by_aliases(tmp_path: Path) -> None:
    text = "IID;Summary;Description;Status;Opened At;Tags;Area\r\n"
    text += '12;"Broken; badly";"two\r\nlines";In Progress;2026-02-01 10:00;a, b;core\r\n'
    found, _ = load(written(tmp_path, "\ufefftickets.csv", "\ufeff" + text), repo="Org/repo")
    [row] = found["github_issues"]
    assert (row["number"], row["title"], row["body"]) == (12, "Broken; badly", "two\r\nlines")
    assert (row["state"], row["labels"], row["component"]) == ("open", ["a", "b"], "core")
    assert row["created_at"] == datetime(2026, 2, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("To Do", "open"),
        ("Won't Fix", "closed"),
        ("DONE", "closed"),
        ("In Review", "open"),
        ("opened", "open"),
        ("Resolved", "closed"),
    ],
)
def test_words_of_other_trackers_for_states_are_known(word: str, expected: str, tmp_path: Path) -> None:
    item = {**ISSUE, "state": {"name": word}, "closedAt": None}
    found, _ = load(written(tmp_path, "issues.json", json.dumps([item])))
    assert found["github_issues"][0]["state"] == expected


def test_a_checks_file_gets_the_repository_that_the_caller_names(tmp_path: Path) -> None:
    text = "started_at,job_name,conclusion,test_name,test_status\n2026-02-01T10:00:00Z,unit,success,t,OK\n"
    found, _ = load(written(tmp_path, "checks.csv", text), repo="Org/repo")
    assert found["checks"][0]["repo"] == "Org/repo"
    found, _ = load(written(tmp_path, "checks.csv", text))
    assert "repo" not in found["checks"][0]  # an empty one would hide the rows from every namespace


def test_columns_that_tell_no_table_are_named_a_table(tmp_path: Path) -> None:
    _, report = load(written(tmp_path, "some.json", json.dumps([{"a": 1, "b": 2}])))
    assert report.stopped.startswith("the columns do not tell which table this is: name it, one of github_issues, ")


def test_an_unknown_table_and_a_malformed_repository_are_refused() -> None:
    with pytest.raises(ValueError, match="table must be one of github_issues"):
        Reader([], table="issues")
    with pytest.raises(ValueError, match="repo must be like Org/repo"):
        Reader([], repo="just-a-name")
