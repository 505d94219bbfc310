"""Records that wait on disk."""

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from loom.capture import folder as folders
from loom.capture.spool import Spool
from tests.support.capture_home import pending


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "spool")


def test_records_come_back_oldest_first(spool):
    for number in range(5):
        assert spool.add({"n": number})
    assert [record["n"] for record in pending(spool)] == [0, 1, 2, 3, 4]
    assert len(spool.paths(2)) == 2


def test_nobody_else_can_read_what_waits(spool):
    spool.add({"n": 1})
    spool.refuse("INVALID_FIELD", record={"n": 2})
    with spool.sending():
        pass
    for path in spool.folder.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_a_shared_folder_keeps_its_permissions_and_the_parts_in_it_are_closed(tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    Spool(shared).add({"n": 1})
    assert stat.S_IMODE(shared.stat().st_mode) == 0o755
    assert stat.S_IMODE((shared / "pending").stat().st_mode) == 0o700


def test_a_folder_left_open_by_someone_is_closed(spool):
    (spool.folder / "pending").mkdir(parents=True, mode=0o755)
    spool.add({"n": 1})
    assert stat.S_IMODE((spool.folder / "pending").stat().st_mode) == 0o700


def test_a_folder_of_another_user_is_not_used(spool, monkeypatch):
    spool.add({"n": 1})
    monkeypatch.setattr(folders.os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(PermissionError):
        spool.add({"n": 2})


def test_a_link_in_place_of_the_lock_is_not_followed(spool, tmp_path):
    spool.add({"n": 1})
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (spool.folder / "lock").symlink_to(victim)
    with pytest.raises(OSError, match="lock"), spool.sending():
        pass
    assert victim.read_text() == "precious"


def test_a_full_spool_keeps_the_oldest_and_counts_the_loss(tmp_path):
    spool = Spool(tmp_path / "spool", max_bytes=100)
    kept = [spool.add({"n": number, "text": "x" * 20}) for number in range(5)]
    assert kept == [True, True, False, False, False]
    assert [record["n"] for record in pending(spool)] == [0, 1]
    assert spool.counts().lost == 3


def test_losses_at_the_same_moment_are_all_counted(tmp_path):
    spool = Spool(tmp_path / "spool", max_bytes=0)
    with ThreadPoolExecutor(8) as pool:
        assert not any(pool.map(lambda number: spool.add({"n": number}), range(40)))
    assert spool.counts().lost == 40


def test_refused_records_have_a_bound_of_their_own(tmp_path):
    spool = Spool(tmp_path / "spool", max_refused=10)
    assert not spool.refuse("INVALID_FIELD", record={"n": 1})
    assert spool.add({"n": 2})
    assert spool.counts()[2:] == (0, 1)


def test_a_record_that_is_set_aside_keeps_the_reason_and_no_longer_waits(spool):
    spool.add({"n": 1})
    spool.set_aside(spool.load(spool.paths())[0], "INVALID_FIELD: about it")
    (file,) = (spool.folder / "refused").iterdir()
    assert json.loads(file.read_text()) == {"reason": "INVALID_FIELD: about it", "record": {"n": 1}}
    assert spool.paths() == []


@pytest.mark.parametrize("content", ["", "{", "[]", '{"other": 1}', '{"record": 3}', "\0\0"])
def test_a_damaged_file_is_set_aside_and_stops_nothing(spool, content):
    spool.add({"n": 1})
    (spool.folder / "pending" / "00000000000000000001-aa.json").write_text(content)
    assert pending(spool) == [{"n": 1}]
    assert len(spool.paths()) == 1
    assert spool.counts().refused == 1


def test_a_file_that_is_half_written_is_not_seen(spool):
    spool.add({"n": 1})
    (spool.folder / "pending" / ".00000000000000000001-aa.json.part").write_text("{")
    assert pending(spool) == [{"n": 1}]


def test_a_write_that_fails_leaves_nothing_behind(spool, monkeypatch):
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    spool.add({"n": 1})
    monkeypatch.setattr(folders.os, "fsync", full)
    with pytest.raises(OSError, match="space"):
        spool.add({"n": 2})
    assert [path.name for path in (spool.folder / "pending").iterdir()] == [spool.paths()[0].name]


def test_only_one_sends_at_a_time(spool):
    spool.add({"n": 1})
    with spool.sending() as first, spool.sending() as second:
        assert (first, second) == (True, False)
    with spool.sending() as again:
        assert again


def test_an_unused_spool_is_empty_and_leaves_no_folder(spool):
    with spool.sending() as mine:
        assert not mine
    assert spool.counts() == (0, 0, 0, 0)
    assert not spool.folder.exists()


def test_the_folder_is_named_by_the_environment_else_lies_in_the_users_state(tmp_path):
    assert folders.default_folder({"LOOM_SPOOL_DIR": "/x"}) == Path("/x")
    assert folders.default_folder({"XDG_STATE_HOME": "/s", "HOME": "/h"}) == Path("/s/loom/spool")
    assert folders.default_folder({"HOME": "/h"}) == Path("/h/.local/state/loom/spool")
