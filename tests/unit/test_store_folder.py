import os
import resource
import stat

import pytest

from runtime.store import DataFolderBusy
from runtime.store.folder import DataFolder, DataFolderUnusable


@pytest.fixture
def folder(tmp_path):
    held = DataFolder(tmp_path / "data")
    yield held
    held.release()


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_the_folder_is_its_owners_alone(folder):
    data = folder.engine_path.parent
    assert mode(data) == mode(folder.engine_path) == 0o700
    assert all(mode(path) == 0o600 for path in data.iterdir() if path.is_file())


def test_a_folder_that_others_could_read_is_closed_to_them(tmp_path):
    tmp_path.chmod(0o755)
    DataFolder(tmp_path).release()
    assert mode(tmp_path) == 0o700


def test_a_held_folder_names_its_process(folder):
    with pytest.raises(DataFolderBusy, match=f"in use by process {os.getpid()};"):
        DataFolder(folder.engine_path.parent)


def test_a_folder_can_be_held_again_after_its_release(tmp_path):
    for _ in range(2):
        DataFolder(tmp_path).release()


def test_there_is_room_on_a_disk_with_room_and_none_stays_taken(folder):
    folder.assure_room(1000)
    assert sum(path.stat().st_size for path in folder.engine_path.parent.iterdir() if path.is_file()) < 100


def test_a_file_system_that_takes_no_more_is_noticed(folder):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(OSError, match="large"):
            folder.assure_room(0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    folder.assure_room(0)


def test_a_file_system_that_cannot_tell_is_trusted(folder, monkeypatch):
    def unsupported(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "posix_fallocate", unsupported)
    folder.assure_room(0)


def test_without_the_call_room_is_taken_by_writing(folder, monkeypatch):
    monkeypatch.delattr(os, "posix_fallocate")
    folder.assure_room(0)
    assert (folder.engine_path.parent / "loom.scratch").stat().st_size == 0


@pytest.mark.parametrize("below", ["", "sub"])
def test_a_folder_that_cannot_be_made_is_named_with_the_reason(tmp_path, below):
    (tmp_path / "file").write_text("x")
    path = tmp_path / "file" / below
    with pytest.raises(DataFolderUnusable, match=r"cannot be used \((File exists|Not a directory)\)") as caught:
        DataFolder(path)
    assert str(path) in str(caught.value)
