"""`Memory` on a folder: what only a folder has, an injected clock among it."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from loom.memory import Memory
from tests.support.memory_library import PREFERENCE, Bound, Moved
from tests.support.server import clean_environ


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("library") / "mem"


@pytest.fixture(scope="module")
def embedded(folder: Path) -> Iterator[Memory]:
    with Memory.from_path(folder) as mem:
        yield mem


@pytest.fixture
def clock() -> Moved:
    return Moved()


@pytest.fixture
def timed(embedded: Memory, folder: Path, namespace: str, clock: Moved) -> Iterator[Bound]:
    with Memory.from_path(folder, clock=clock) as mem:
        yield Bound(mem, namespace)


def test_a_session_lasts_until_nothing_happened_for_24_hours(timed: Bound, clock: Moved) -> None:
    first = timed.mem_session_start()
    clock.advance(hours=23, minutes=59)
    assert timed.mem_session_start().session_id == first.session_id
    clock.advance(hours=23, minutes=59)
    assert timed.mem_save(**PREFERENCE).session_id == first.session_id
    clock.advance(hours=24)
    after = timed.mem_session_start()
    assert (after.is_new, after.session_id == first.session_id) == (True, False)
    [past] = after.sessions_context
    assert past.is_auto_generated
    assert "1 preference" in past.summary
    assert past.date == "2026-03-03T11:58:00.000000Z"


def test_a_save_after_the_end_of_a_session_opens_another_one(timed: Bound, clock: Moved) -> None:
    first = timed.mem_session_start()
    clock.advance(days=2)
    saved = timed.mem_save(**PREFERENCE)
    assert saved.session_id != first.session_id
    assert timed.mem_session_start().session_id == saved.session_id


def test_the_given_clock_dates_what_is_saved(timed: Bound, clock: Moved) -> None:
    saved = timed.mem_save(**PREFERENCE)
    assert timed.mem_get_observation(observation_id=saved.id).created_at == "2026-03-01T12:00:00.000000Z"


def test_a_clock_without_a_zone_is_refused(embedded: Memory, folder: Path) -> None:
    with pytest.raises(ValueError, match="clock must give instants with a zone"):
        Memory.from_path(folder, clock=lambda: datetime(2026, 1, 1))


def test_what_was_saved_in_a_folder_is_there_when_it_is_opened_again(
    embedded: Memory, folder: Path, namespace: str
) -> None:
    saved = Bound(embedded, namespace).mem_save(**PREFERENCE)
    with Memory.from_path(str(folder), namespace=namespace) as again:
        assert again.mem_get_observation(user_id="alice", observation_id=saved.id) is not None
    assert Bound(embedded, namespace).mem_stats().observations == 1


def test_a_program_that_forgets_to_close_ends_quietly_and_keeps_what_it_saved(tmp_path: Path) -> None:
    program = """
from loom.memory import Memory
mem = Memory.from_path("mem")
saved = mem.mem_save(user_id="ada", type="decision", title="T", content="We use uv.")
print(mem.mem_stats(user_id="ada").observations, len(mem.mem_search(user_id="ada", query="uv")), saved.outcome)
"""
    for outcome in ("created", "deduped"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env=clean_environ(),
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, f"1 1 {outcome}\n", "")


def test_a_second_folder_at_the_same_time_is_refused_with_the_reason(embedded: Memory, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="one at a time"):
        Memory.from_path(tmp_path / "other")
    assert embedded.mem_stats(user_id="nobody").observations == 0


def test_a_path_that_is_a_file_is_a_runtime_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RuntimeError, match="cannot be opened"):
        Memory.from_path(tmp_path / "file")


def test_a_wrong_setting_is_told_by_its_name(embedded: Memory, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOM_MEMORY_SESSION_TIMEOUT_HOURS", "soon")
    with pytest.raises(RuntimeError, match="LOOM_MEMORY_SESSION_TIMEOUT_HOURS must be"):
        Memory.from_path(folder)


def test_a_memory_that_is_closed_twice_lets_go_of_its_folder_and_refuses_calls(embedded: Memory, folder: Path) -> None:
    mem = Memory.from_path(folder)
    mem.close()
    mem.close()
    with pytest.raises(RuntimeError, match="closed"):
        mem.mem_stats(user_id="alice")
    assert embedded.mem_stats(user_id="nobody").observations == 0


def test_calls_that_a_close_overtakes_end(embedded: Memory, folder: Path, namespace: str) -> None:
    mem = Memory.from_path(folder, namespace=namespace)
    started, errors = threading.Barrier(5), []

    def save(n: int) -> None:
        started.wait()
        for turn in range(50):
            try:
                mem.mem_save(**{**PREFERENCE, "content": f"{n}.{turn}"}, user_id="alice")
            except RuntimeError as error:
                errors.append(error)
                return

    threads = [threading.Thread(target=save, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    started.wait()
    mem.close()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert len(errors) == 4
