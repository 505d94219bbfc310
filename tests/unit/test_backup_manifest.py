"""A manifest comes back as it was written, and no change of it goes unseen."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from standalone.backup import BackupError
from standalone.backup.manifest import FileInfo, Manifest, TableInfo, parse

names = st.from_regex(r"[a-z_][a-z0-9_]{0,12}", fullmatch=True)
texts = st.text(max_size=12)
files = st.builds(
    FileInfo,
    st.builds("{}.{}.native.zst".format, names, st.integers(0, 99)),
    st.integers(0, 2**50),
    st.text("0123456789abcdef"),
)
tables = st.builds(
    TableInfo,
    st.dictionaries(names, texts, max_size=3),
    st.integers(0, 2**50),
    texts,
    st.lists(files, max_size=3).map(tuple),
)
manifests = st.builds(
    Manifest,
    id=texts,
    installation=texts,
    made_at=texts,
    loom=texts,
    engine=texts,
    migrations=st.dictionaries(names, st.dictionaries(texts, texts, max_size=2), max_size=2),
    tables=st.dictionaries(names, tables, max_size=3),
    left_out=st.lists(names, max_size=2).map(tuple),
)
ONE = Manifest(
    "i", "n", "t", "1", "26", {}, {"t": TableInfo({"a": "String"}, 1, "x", (FileInfo("t.0.native.zst", 1, "ab"),))}
)


@given(manifests)
def test_a_manifest_comes_back_as_it_was_written(manifest: Manifest) -> None:
    assert parse(manifest.text()) == manifest


def test_a_manifest_of_the_form_before_is_read() -> None:
    older = dataclasses.replace(ONE, format=1)
    assert parse(older.text()) == older


@given(manifests, st.data())
def test_a_changed_byte_is_found(manifest: Manifest, data: st.DataObject) -> None:
    text = manifest.text()
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != text[at]))
    changed = text[:at] + bytes([other]) + text[at + 1 :]
    try:
        same = json.loads(changed) == json.loads(text)
    except ValueError:
        same = False
    if not same:
        with pytest.raises(BackupError):
            parse(changed)


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"{}", b'{"digest": 1}', b"null", b"\xff", b'{"digest":"", "format": "1"}']
)
def test_what_is_no_manifest_is_no_backup(text: bytes) -> None:
    with pytest.raises(BackupError):
        parse(text)


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/abs.0.native.zst", "t.native.zst", "t.0.native.zst/..", "t.0.native"]
)
def test_no_file_of_a_manifest_leads_out_of_the_folder(name: str) -> None:
    table = TableInfo({"a": "String"}, 1, "x", (FileInfo(name, 1, "ab"),))
    with pytest.raises(BackupError):
        parse(Manifest("i", "n", "t", "1", "26", {}, {"t": table}).text())


def test_no_table_of_a_manifest_is_sql() -> None:
    assert parse(ONE.text()) == ONE
    with pytest.raises(BackupError):
        parse(Manifest("i", "n", "t", "1", "26", {}, {"t`; DROP TABLE x": ONE.tables["t"]}).text())
    assert parse(Manifest("i", "n", "t", "1", "26", {}, {"d.t": ONE.tables["t"]}).text())
    with pytest.raises(BackupError):
        parse(Manifest("i", "n", "t", "1", "26", {}, {"c.d.t": ONE.tables["t"]}).text())
