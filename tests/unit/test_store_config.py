import pytest

from runtime.store import StoreConfig
from runtime.store.config import chdb_folder, http_target, identifier


def test_the_dsn_is_never_shown():
    config = StoreConfig(dsn="http://loom:hunter2@db.internal:8123/loom")
    assert "hunter2" not in repr(config)
    assert "hunter2" not in repr(http_target(config.dsn))


def test_chdb_uses_the_data_folder_unless_the_dsn_names_one(tmp_path):
    assert chdb_folder(StoreConfig(data_dir=str(tmp_path))) == tmp_path
    assert str(chdb_folder(StoreConfig(dsn="chdb:///srv/loom", data_dir="x"))) == "/srv/loom"
    assert chdb_folder(StoreConfig(dsn="chdb://:memory:")) is None


def test_a_chdb_folder_must_be_absolute():
    with pytest.raises(ValueError, match="chdb:///abs/path"):
        chdb_folder(StoreConfig(dsn="chdb://relative/path"))


def test_a_chdb_folder_must_not_read_as_a_pattern(tmp_path):
    with pytest.raises(ValueError, match="pattern"):
        chdb_folder(StoreConfig(data_dir=str(tmp_path / "{a,b}")))


def test_a_server_dsn_is_taken_apart_and_keeps_its_options():
    target = http_target("https://u:p%2Fq@h:8443/team_a?verify=false")
    assert (target.scheme, target.database) == ("https", "team_a")
    assert target.dsn == "https://u:p%2Fq@h:8443?verify=false"
    assert http_target("http://h:8123").database == "default"


@pytest.mark.parametrize("dsn", ["mysql://u:secret@h/db", "http://", "secret", "http://u:secret@h/a`b"])
def test_an_unusable_dsn_is_refused_without_being_shown(dsn):
    with pytest.raises(ValueError) as caught:
        http_target(dsn)
    assert "secret" not in str(caught.value)


def test_names_that_go_into_statements_are_plain():
    assert identifier("a_1", "x") == "a_1"
    for text in ("", "1a", "a-b", "a b", "a`", "é"):
        with pytest.raises(ValueError, match="the thing must be"):
            identifier(text, "the thing")
