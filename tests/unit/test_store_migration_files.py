import pytest

from runtime.store.migrations import Migration, MigrationError, compare, load
from tests.support.stores import sql_package


def test_files_are_read_in_the_order_of_their_numbers(tmp_path, monkeypatch):
    package = sql_package(tmp_path, monkeypatch, {"0002_b.sql": "B;", "0001_a.sql": "A;", "notes.txt": ""})
    assert [(migration.name, migration.text) for migration in load(package)] == [
        ("0001_a.sql", "A;"),
        ("0002_b.sql", "B;"),
    ]


@pytest.mark.parametrize("name", ["1_a.sql", "0001.sql", "a.sql", "0001-a.sql"])
def test_a_file_of_another_name_is_refused(tmp_path, monkeypatch, name):
    with pytest.raises(MigrationError, match=r"must be named like 0001_what_it_does\.sql"):
        load(sql_package(tmp_path, monkeypatch, {name: ""}))


def test_a_number_used_twice_is_refused(tmp_path, monkeypatch):
    with pytest.raises(MigrationError, match=r"0001_a\.sql and 0001_b\.sql have the same number"):
        load(sql_package(tmp_path, monkeypatch, {"0001_a.sql": "", "0001_b.sql": ""}))


def test_a_database_that_is_behind_or_level_is_fine():
    known = [Migration("0001_a.sql", "A"), Migration("0002_b.sql", "B")]
    compare(known, {}, "memory")
    compare(known, {migration.name: migration.checksum for migration in known}, "memory")


def test_a_changed_file_is_refused():
    applied = {"0001_a.sql": Migration("0001_a.sql", "before").checksum}
    with pytest.raises(MigrationError, match=r"memory's 0001_a\.sql was changed after it was applied"):
        compare([Migration("0001_a.sql", "after")], applied, "memory")


def test_a_database_of_a_newer_program_is_refused():
    with pytest.raises(MigrationError, match=r"memory's 0002_b\.sql, which this program does not know"):
        compare([Migration("0001_a.sql", "A")], {"0002_b.sql": "x"}, "memory")
