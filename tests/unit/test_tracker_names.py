"""Names of repositories and sources, severity, CI states, and the operator's links."""

from datetime import UTC, datetime
from typing import Any

import pytest

from services.tracker.ci import Ci, latest
from services.tracker.names import bindings_of, bound_by_operator, covers, is_repo, repo_of
from services.tracker.severity import rank

AT = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize("name", ["acme/app", "a/b.c", "group/sub/repo"])
def test_a_repository_is_an_owner_and_a_name(name: str) -> None:
    assert is_repo(name)


@pytest.mark.parametrize("name", ["app", "/app", "acme/", "acme/app#1", "acme/a pp", "a/b/c/d/e/f", "acme/app\n", ""])
def test_what_is_no_repository_is_refused(name: str) -> None:
    assert not is_repo(name)


def test_the_repository_of_an_item_ends_at_its_last_mark() -> None:
    assert repo_of("acme/app#12") == "acme/app"


def test_a_repository_covers_itself_alone_whatever_its_case() -> None:
    assert covers(["Acme/App"], "acme/app")
    assert not covers(["acme/app"], "acme/app2")


def test_the_name_itself_wins_over_a_pattern() -> None:
    bindings = bindings_of('{"web-*": "one", "web-main": ["two", "three", "two"]}')
    assert bound_by_operator(bindings, "web-main") == ("two", "three")
    assert bound_by_operator(bindings, "web-x") == ("one",)
    assert bound_by_operator(bindings, "api") == ()


@pytest.mark.parametrize("text", ["[]", "nonsense", '{"a": 1}', '{"a": [""]}', '{"a": {}}'])
def test_bindings_of_another_shape_are_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"^must "):
        bindings_of(text)


@pytest.mark.parametrize(
    ("word", "degree"), [("Critical", 0), ("sev: 1", 5), ("P1 - High", 1), ("minor", 3), ("", 5), ("wild", 5)]
)
def test_words_of_severity_have_degrees(word: str, degree: int) -> None:
    assert rank(word) == degree


def check(sha: str, name: str, status: str, minute: int = 0, report: str = "") -> dict[str, Any]:
    return {
        "pull_request_number": 7,
        "commit_sha": sha,
        "check_name": name,
        "status": status,
        "at": AT.replace(minute=minute),
        "report": report,
    }


def test_checks_of_an_older_commit_say_nothing() -> None:
    rows = [check("old", "unit", "failure"), check("new", "unit", "success")]
    assert latest(rows, {7: "new"}) == {7: Ci("passed")}
    assert latest(rows, {7: "newest"}) == {7: Ci()}


def test_without_a_head_the_commit_that_ran_last_counts() -> None:
    rows = [check("a", "unit", "success", 1), check("b", "unit", "FAILED", 2, "https://ci/1")]
    assert latest(rows, {}) == {7: Ci("failed", ["unit"], "https://ci/1")}


def test_a_check_in_an_unknown_state_is_still_running() -> None:
    assert latest([check("a", "unit", "queued"), check("a", "lint", "ok")], {7: "a"})[7].verdict == "running"


@pytest.mark.parametrize("word", ["Timed out", "FAILED", "action_required", "cancelled", "startup_failure"])
def test_a_check_that_holds_a_merge_up_has_failed_however_it_is_spelt(word: str) -> None:
    assert latest([check("a", "unit", word)], {7: "a"})[7].verdict == "failed"


@pytest.mark.parametrize("word", ["SUCCESS", "passed", "neutral", "skipped"])
def test_a_check_that_holds_nothing_up_has_passed(word: str) -> None:
    assert latest([check("a", "unit", word)], {7: "a"})[7].verdict == "passed"
