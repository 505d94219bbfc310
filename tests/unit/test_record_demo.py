"""The demo record: one record for a seed, consistent in itself, and with something to find for every question."""

import re
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from itertools import combinations, pairwise
from typing import Any

import pytest

from services.tracker.contract.families import Family
from services.tracker.contract.tables import TABLES
from services.tracker.record.batch import Batch
from services.tracker.record.demo.build import SEED, demo
from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.model import Kind
from services.tracker.record.demo.size import DEMO, Size
from services.tracker.record.demo.world import World, plan

NOW = datetime(2026, 5, 1, 12, 30, 15, tzinfo=UTC)
SMALL = Size(issues=220, changes=200, check_rows=5_000, tests=60)
ITEMS = ("github_issues", "github_prs")
Rows = dict[str, list[dict[str, Any]]]


def rows_of(batches: list[Batch]) -> Rows:
    found: Rows = defaultdict(list)
    for batch in batches:
        found[batch.table] += [dict(zip(batch.names, row, strict=True)) for row in batch.rows()]
    return found


@pytest.fixture(scope="module")
def record() -> Rows:
    return rows_of(list(demo(NOW)))


@pytest.fixture(scope="module")
def world() -> World:
    return plan(DEMO, SEED)


def test_the_same_seed_and_now_make_the_same_rows() -> None:
    first, second = (rows_of(list(demo(NOW, SMALL, seed=3))) for _ in range(2))
    assert first == second
    assert first != rows_of(list(demo(NOW, SMALL, seed=4)))


def test_another_day_moves_instants_and_changes_nothing_else() -> None:
    first, later = (rows_of(list(demo(now, SMALL))) for now in (NOW, NOW + timedelta(days=40, seconds=7)))
    for table, rows in first.items():
        for row, moved in zip(rows, later[table], strict=True):
            for name, value in row.items():
                shift = timedelta(days=40, seconds=7) if isinstance(value, datetime) else None
                assert moved[name] == (value + shift if shift else value)


def test_a_now_without_an_offset_is_refused() -> None:
    with pytest.raises(ValueError, match="offset"):
        next(demo(datetime(2026, 5, 1)))


def test_it_is_as_big_as_promised(record: Rows) -> None:
    assert set(record) == set(TABLES)
    assert len(record["github_issues"]) >= 1_500
    assert len(record["github_prs"]) >= 1_000
    assert len(record["checks"]) >= 60_000
    assert min(len(rows) for rows in record.values()) >= 40


def test_columns_and_values_are_the_contracts(record: Rows) -> None:
    kinds: dict[Family, type | tuple[type, ...]] = {
        Family.INTEGER: int,
        Family.NUMBER: (int, float),
        Family.FLAG: int,
        Family.DATETIME: datetime,
        Family.STRINGS: list,
        Family.INTEGERS: list,
        Family.REFERENCES: list,
        Family.VERSIONS: list,
    }
    for table, rows in record.items():
        known = TABLES[table].columns
        assert set(rows[0]) <= set(known)
        assert {column.name for column in TABLES[table].required_columns} <= set(rows[0])
        for name in rows[0]:
            allowed = kinds.get(known[name].family, str)
            wrong = [row[name] for row in rows if not isinstance(row[name], allowed)]
            assert set(map(type, wrong)) <= ({type(None)} if not known[name].required else set())


def test_everything_is_in_the_past(record: Rows) -> None:
    instants = [
        value for rows in record.values() for row in rows for value in row.values() if isinstance(value, datetime)
    ]
    assert max(instants) <= NOW
    assert min(row["created_at"] for row in record["github_issues"]) > NOW - timedelta(days=541)
    assert min(row["check_start_time"] for row in record["checks"]) > NOW - timedelta(days=62)


def test_numbers_are_unique_among_issues_and_changes_of_a_repository(record: Rows) -> None:
    ids = [row["source_id"] for table in ITEMS for row in record[table]]
    assert len(set(ids)) == len(ids)
    assert all(row["source_id"].endswith(f"#{row['number']}") for table in ITEMS for row in record[table])
    created = sorted(
        (row["created_at"], row["number"])
        for table in ITEMS
        for row in record[table]
        if "clients" not in row["source_id"]
    )
    numbers = [number for _, number in created]
    assert sum(a > b for a, b in pairwise(numbers)) <= 3  # within one second


def test_references_lead_to_items_of_the_repository(record: Rows) -> None:
    issues, changes = ({row["source_id"]: row for row in record[table]} for table in ITEMS)

    def there(row: dict[str, Any], number: int | None, among: dict[str, Any]) -> bool:
        return number is None or f"{row['source_id'].partition('#')[0]}#{number}" in among

    for row in issues.values():
        assert there(row, row["duplicate_of"], issues)
        assert all(there(row, each, changes) for each in [*row["fixed_by"], *row["caused_by"]])
        assert all(each in issues or each in changes for each in row["mentions"])
    for row in changes.values():
        assert there(row, row["backport_of"], changes)
        assert all(there(row, each, issues) for each in row["closes"])


def test_a_duplicate_repeats_an_older_issue_and_some_repeat_a_duplicate(record: Rows) -> None:
    issues = {row["source_id"]: row for row in record["github_issues"]}
    targets = [
        (row, issues[f"{row['source_id'].partition('#')[0]}#{row['duplicate_of']}"])
        for row in issues.values()
        if row["duplicate_of"] is not None
    ]
    assert len(targets) > 120
    assert all(target["created_at"] <= row["created_at"] for row, target in targets)
    assert sum(target["duplicate_of"] is not None for _, target in targets) >= 5


def test_duplicates_are_worded_anew_and_strangers_do_not_look_alike(record: Rows, world: World) -> None:
    shingles = [_shingles(f"{row['title']} {row['body']}") for row in record["github_issues"]]
    place = {(issue.repo, issue.number): at for at, issue in enumerate(world.issues)}
    repeats = [(at, place[issue.repo, issue.root.number]) for at, issue in enumerate(world.issues) if issue.root]
    likeness = sorted(_likeness(shingles[a], shingles[b]) for a, b in repeats)
    assert likeness[len(likeness) // 2] < 0.4
    chosen = Dice(1, "pairs").some([at for at, each in enumerate(world.issues) if each.kind is not Kind.PROCESS], 260)
    strangers = [
        (a, b)
        for a, b in combinations(chosen, 2)
        if (one := world.issues[a].defect) is None or (two := world.issues[b].defect) is None or one.salt != two.salt
    ]
    assert max(_likeness(shingles[a], shingles[b]) for a, b in strangers) < 0.65


def test_a_twin_differs_by_its_platform_or_client_alone(record: Rows, world: World) -> None:
    rows = {row["source_id"]: row for row in record["github_issues"]}
    twins = [(rows[each.source_id]["title"], rows[each.twin.source_id]["title"]) for each in world.issues if each.twin]
    for one, other in twins:
        assert one != other
        assert one.partition(": ")[2].split(" `")[0].split()[:2] == other.partition(": ")[2].split(" `")[0].split()[:2]


def test_fixes_that_say_nothing_leave_no_link(record: Rows, world: World) -> None:
    issues, changes = ({row["source_id"]: row for row in record[table]} for table in ITEMS)
    silent = [each for each in world.changes if each.kind is Kind.FIX and not each.linked]
    assert len(silent) > 30
    for change in silent:
        row = changes[change.source_id]
        assert row["closes"] == []
        assert all(f"#{issue.number}" not in row["title"] + row["body"] + row["head_ref"] for issue in change.fixes)
        assert all(change.number not in issues[issue.source_id]["fixed_by"] for issue in change.fixes)


def test_merged_fixes_say_which_issue_they_close(record: Rows) -> None:
    linked = [row for row in record["github_prs"] if row["closes"] and row["state"] == "merged"]
    said = re.compile(r"(?i)(clos|fix|resolv)\w*:? ?\S*(#|/issues/)(\d+)")
    assert all(int(said.search(row["body"])[3]) in row["closes"] for row in linked)  # type: ignore[index]


def test_backports_follow_their_original_into_a_release_branch(record: Rows) -> None:
    changes = {row["source_id"]: row for row in record["github_prs"]}
    backports = [row for row in changes.values() if row["backport_of"] is not None]
    assert len(backports) > 100
    for row in backports:
        original = changes[f"{row['source_id'].partition('#')[0]}#{row['backport_of']}"]
        assert row["base_ref"].startswith("release/")
        assert original["base_ref"] == "main"
        assert original["merged_at"] < row["created_at"]
    assert {row["backport_state"] for row in changes.values()} >= {"", "done", "missing", "in_flight", "partial"}


def test_few_rows_are_private_and_what_hangs_on_them_is_too(record: Rows) -> None:
    private = [row for row in record["github_issues"] if row["is_private"]]
    assert 10 < len(private) < 120
    fixes = {(row["source_id"].partition("#")[0], number) for row in private for number in row["fixed_by"]}
    rows = {(row["source_id"].partition("#")[0], row["number"]): row for row in record["github_prs"]}
    assert all(rows[fix]["is_private"] for fix in fixes)


def test_authors_are_handles_and_nobody_is_named(record: Rows) -> None:
    authors = {row["author"] for table in ITEMS for row in record[table]}
    assert all(re.fullmatch(r"dev-\d+", author) for author in authors)


def test_health_snapshots_count_the_blockers_of_their_day(record: Rows) -> None:
    blockers = [
        row for row in record["github_issues"] if row["milestone"] == "3.2.0" and "release-blocker" in row["labels"]
    ]
    snapshots = [row for row in record["release_health"] if row["version"] == "3.2.0"]
    assert snapshots
    for row in snapshots:
        at = row["snapshot_at"]
        opened = [
            each
            for each in blockers
            if each["created_at"] <= at and (each["closed_at"] is None or each["closed_at"] > at)
        ]
        assert row["blockers_open"] == len(opened)


def test_every_merged_change_of_a_branch_is_in_one_build_of_it_first(record: Rows) -> None:
    changes = {row["number"]: row for row in record["github_prs"] if "clients" not in row["source_id"]}
    seen = Counter((row["version"], row["pr_number"]) for row in record["version_history"])
    assert set(seen.values()) == {1}
    for row in record["version_history"]:
        assert row["sha"] == changes[row["pr_number"]]["merge_sha"]
        assert row["built_at"] >= changes[row["pr_number"]]["merged_at"]


def test_a_record_too_small_to_be_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least"):
        Size(issues=10)


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9_]+", text.lower())
    return frozenset(tuple(words[at : at + 3]) for at in range(len(words) - 2))


def _likeness(one: frozenset[Any], other: frozenset[Any]) -> float:
    return len(one & other) / max(len(one | other), 1)
