"""Fixes and backports by number, within one repository."""

from typing import Any

from services.tracker import shipping
from services.tracker.fixes import Fixes


def pull(number: int, repo: str = "o/r", **more: Any) -> dict[str, Any]:
    row = {"source_id": f"{repo}#{number}", "number": number, "state": "merged", "base_ref": "main", "closes": []}
    return row | {"backport_of": None, "backport_state": ""} | more


def issue(number: int, *fixed_by: int, repo: str = "o/r") -> dict[str, Any]:
    return {"source_id": f"{repo}#{number}", "number": number, "fixed_by": list(fixed_by)}


def numbers(fixes: Fixes, of: dict[str, Any]) -> list[int]:
    return [row["number"] for row in fixes.of(of)]


def test_a_fix_is_named_by_either_side_once() -> None:
    fixes = Fixes([pull(12, closes=[1]), pull(11, closes=[1]), pull(13)])
    assert numbers(fixes, issue(1, 11, 13, 99)) == [11, 12, 13]
    assert numbers(fixes, issue(2)) == []


def test_numbers_of_another_repository_are_other_numbers() -> None:
    fixes = Fixes([pull(11, "o/other", closes=[1]), pull(12, backport_of=11), pull(11)])
    assert numbers(fixes, issue(1, 11)) == [11]
    assert fixes.of(issue(1, 11))[0]["source_id"] == "o/r#11"
    assert numbers(fixes, issue(1, repo="o/other")) == [11]
    assert fixes.backport_of(pull(11, "o/other")) is None
    assert fixes.backport_of(pull(11))["number"] == 12  # type: ignore[index]


def test_a_status_sees_the_backports_of_these_fixes_alone() -> None:
    rows = [
        pull(11),
        pull(12, base_ref="rel", state="open", backport_of=11),
        pull(20),
        pull(21, base_ref="rel", backport_of=20),
    ]
    fixes = Fixes(rows)
    assert fixes.status(fixes.of(issue(1, 11)), "rel") == shipping.BACKPORT_OPEN
    assert fixes.status(fixes.of(issue(2, 20)), "rel") == shipping.ON_BRANCH
    assert fixes.status([], "rel") == shipping.NO_FIX


def test_of_a_number_that_stands_twice_the_first_row_counts() -> None:
    fixes = Fixes([pull(11, state="open"), pull(11, closes=[7])])
    assert [row["state"] for row in fixes.of(issue(1, 11))] == ["open"]
    assert numbers(fixes, issue(7)) == []
