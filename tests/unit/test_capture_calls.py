"""One tool call has one time, however often and wherever it is captured."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from loom.capture.calls import CALLS_PER_FOLDER, Calls, digest_of


@pytest.fixture
def calls(tmp_path: Path) -> Calls:
    return Calls(tmp_path / "spool" / "calls")


def test_the_first_capture_decides_the_time(calls):
    assert calls.first("ab" * 20, "2026-03-02T09:00:00.000000Z") == "2026-03-02T09:00:00.000000Z"
    assert calls.first("ab" * 20, "2026-03-02T10:00:00.000000Z") == "2026-03-02T09:00:00.000000Z"
    assert calls.known("ab" * 20)


def test_captures_at_the_same_moment_agree(calls):
    with ThreadPoolExecutor(8) as pool:
        times = list(pool.map(lambda number: calls.first("cd" * 20, f"time {number}"), range(32)))
    assert len(set(times)) == 1


def test_a_call_that_came_to_nothing_is_forgotten(calls):
    calls.first("ab" * 20, "one")
    calls.forget("ab" * 20)
    calls.forget("ab" * 20)
    assert not calls.known("ab" * 20)
    assert calls.first("ab" * 20, "two") == "two"


def test_the_oldest_calls_are_forgotten_when_there_are_many(calls, tmp_path):
    names = [f"ab{number:038x}" for number in range(CALLS_PER_FOLDER + 1)]
    for name in names:
        calls.first(name, "time")
    assert calls.known(names[-1])
    assert sum(map(calls.known, names)) == CALLS_PER_FOLDER + 1 - CALLS_PER_FOLDER // 2


def test_a_folder_that_cannot_be_used_gives_no_time(tmp_path):
    (tmp_path / "file").write_text("")
    assert Calls(tmp_path / "file" / "calls").first("ab" * 20, "time") == ""


def test_nobody_else_can_look_into_the_folder(calls, tmp_path):
    calls.first("ab" * 20, "time")
    for path in [tmp_path / "spool", *(tmp_path / "spool").rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_the_agents_own_id_names_a_call_whatever_else_it_holds():
    one = digest_of("codex", "s", "c1", {"tool_output": "a"})
    assert one == digest_of("codex", "s", "c1", {"tool_output": "b"})
    assert len({one, digest_of("codex", "s", "c2", {}), digest_of("codex", "t", "c1", {})}) == 3


def test_without_an_id_equal_records_are_one_call_and_others_are_not():
    one = digest_of("codex", "s", "", {"tool_name": "Bash", "tool_output": "a", "tags": ["x"]})
    assert one == digest_of("codex", "s", "", {"tool_output": "a", "tool_name": "Bash", "tags": ["y"]})
    assert one != digest_of("codex", "s", "", {"tool_name": "Bash", "tool_output": "b", "tags": ["x"]})
