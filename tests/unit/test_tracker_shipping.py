"""Whether a release can ship."""

from datetime import UTC, datetime

import pytest

from services.tracker.shipping import Fix, answer, bare, fix_status, is_shipped, missing_to_ship

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def fix(number: int, state: str = "merged", base: str = "main", of: int | None = None, port: str = "") -> Fix:
    return Fix(number, state, base, of, port)


@pytest.mark.parametrize(
    ("fixes", "others", "status"),
    [
        ([], [], "no_fix"),
        ([fix(1, "open")], [], "fix_open"),
        ([fix(1, "closed")], [], "no_fix"),
        ([fix(1)], [], "fix_merged"),
        ([fix(1)], [fix(2, "open", "release-2", of=1)], "backport_open"),
        ([fix(1)], [fix(2, "open", "release-1", of=1)], "fix_merged"),
        ([fix(1)], [fix(2, "open", "release-1", of=1, port="pending")], "backport_open"),
        ([fix(1)], [fix(2, "merged", "release-2", of=1)], "on_branch"),
        ([fix(1, "merged", "release-2")], [], "on_branch"),
        ([fix(1)], [fix(2, "merged", "release-2", of=9)], "fix_merged"),
        ([fix(1)], [fix(2, "closed", "release-2", of=1)], "fix_merged"),
    ],
)
def test_where_the_fix_of_a_blocker_is(fixes: list[Fix], others: list[Fix], status: str) -> None:
    assert fix_status(fixes, [*fixes, *others], "release-2") == status


def test_without_a_branch_a_merged_fix_is_where_it_has_to_be() -> None:
    assert fix_status([fix(1)], [fix(1)], "") == "on_branch"


@pytest.mark.parametrize(
    ("version", "same"), [("v2.4.0", "2.4.0"), (" V2.4 ", "2.4"), ("vanilla", "vanilla"), ("2", "2")]
)
def test_a_leading_v_of_a_version_does_not_matter(version: str, same: str) -> None:
    assert bare(version) == same


def test_a_release_date_in_the_future_is_a_plan() -> None:
    assert not is_shipped("planned", NOW.replace(year=2027), NOW)
    assert is_shipped("", NOW, NOW)
    assert is_shipped("Released", None, NOW)


def test_a_fix_on_the_branch_stands_in_nobodys_way() -> None:
    assert missing_to_ship(["on_branch"], 0, None) == []


def test_every_thing_that_stands_in_the_way_is_said() -> None:
    said = missing_to_ship(["no_fix", "no_fix", "fix_merged"], 1, {"status": "Red"})
    assert said == [
        "2 blockers without a fix",
        "1 blocker fixed elsewhere and not on the release's branch",
        "1 merged fix waits for a backport",
        "the latest health snapshot is bad",
    ]
    assert answer("2.4.0", "blocked", said).startswith("2.4.0 is blocked: 2 blockers without a fix; ")
