"""The journal of rows on their way: what was appended is read back, and nothing that was torn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.store.journal import Journal, Record

COLUMNS = ("a", "b")


def record(body: bytes) -> Record:
    return Record("t", COLUMNS, body)


def read_all(folder):
    journal = Journal(folder, fsync=False)
    return [found for number in journal.left for found in journal.read(number)]


@given(bodies=st.lists(st.binary(min_size=1, max_size=50), max_size=6), turns=st.sets(st.integers(0, 5)))
def test_what_was_appended_is_read_back_in_order(tmp_path_factory, bodies, turns):
    folder = tmp_path_factory.mktemp("journal")
    journal = Journal(folder, fsync=False)
    for place, body in enumerate(bodies):
        journal.append(record(body))
        if place in turns:
            journal.turn()
    assert [found.body for found in read_all(folder)] == bodies
    assert all(found[:2] == ("t", [*COLUMNS]) for found in read_all(folder))


@given(cut=st.integers(2, 60))
def test_a_record_that_was_torn_off_is_not_read(tmp_path_factory, cut):
    folder = tmp_path_factory.mktemp("journal")
    journal = Journal(folder, fsync=True)
    journal.append(record(b"whole"))
    [path] = folder.iterdir()
    whole = path.stat().st_size
    journal.append(record(b"torn " * 20))
    with path.open("r+b") as file:
        file.truncate(max(path.stat().st_size - cut, whole))
    assert [found.body for found in read_all(folder)] == [b"whole"]


def test_a_changed_byte_ends_the_file(tmp_path):
    journal = Journal(tmp_path, fsync=False)
    for body in (b"one", b"two"):
        journal.append(record(body))
    [path] = tmp_path.iterdir()
    path.write_bytes(path.read_bytes().replace(b"two", b"twO"))
    assert [found.body for found in read_all(tmp_path)] == [b"one"]


def test_dropped_files_are_gone_and_later_ones_stay(tmp_path):
    journal = Journal(tmp_path, fsync=True)
    journal.append(record(b"one"))
    journal.append(record(b"two"))
    last = journal.turn()
    journal.append(record(b"three"))
    journal.drop(last)
    assert [found.body for found in read_all(tmp_path)] == [b"three"]


def test_a_new_start_never_writes_into_an_old_file(tmp_path):
    Journal(tmp_path, fsync=False).append(record(b"one"))
    second = Journal(tmp_path, fsync=False)
    second.append(record(b"two"))
    assert second.left == [1]
    assert len([*tmp_path.iterdir()]) == 2


def test_after_a_failed_write_the_next_record_goes_to_another_file(tmp_path, monkeypatch):
    journal = Journal(tmp_path, fsync=True)
    journal.append(record(b"one"))

    def fail(file: int) -> None:
        raise OSError(28, "no space")

    with monkeypatch.context() as patched:
        patched.setattr("os.fdatasync", fail)
        with pytest.raises(OSError, match="no space"):
            journal.append(record(b"two"))
    journal.append(record(b"three"))
    assert [found.body for found in read_all(tmp_path)] in ([b"one", b"three"], [b"one", b"two", b"three"])


def test_files_are_the_owners_alone(tmp_path):
    folder = tmp_path / "journal"
    Journal(folder, fsync=False).append(record(b"one"))
    assert folder.stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())
