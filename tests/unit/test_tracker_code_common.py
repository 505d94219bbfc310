"""What the code ops share: whose builds are whose, and what is said where there are too many."""

import pytest

from services.tracker.ops.code.common import of_repository, only_newest
from services.tracker.ops.code.statements import MOST_BUILDS

OWN, OTHER, UNSAID = {"version": "1", "repo": "Acme/db"}, {"version": "2", "repo": "acme/db2"}, {"version": "3"}


@pytest.mark.parametrize("prefix", ["acme/db#", "Acme/DB#"])
def test_builds_of_another_repository_are_not_a_changes_own(prefix: str) -> None:
    assert of_repository([OWN, OTHER, UNSAID, {**UNSAID, "repo": ""}], prefix) == [OWN, UNSAID, {**UNSAID, "repo": ""}]


def test_without_a_repository_every_build_counts() -> None:
    assert of_repository([OWN, OTHER, UNSAID], "") == [OWN, OTHER, UNSAID]


def test_a_history_that_is_cut_off_is_said_to_be() -> None:
    assert only_newest([OWN]) == []
    assert "15,000" in only_newest([OWN] * MOST_BUILDS)[0]
