import pytest

from runtime.store import StoreConfig
from runtime.store.macros import expand, statements

ALONE = StoreConfig()
CLUSTER = StoreConfig(cluster="main", fsync=False)


def test_a_cluster_gets_the_replicated_engine():
    text = "ENGINE = {{engine:ReplacingMergeTree(version)}}"
    assert expand(text, ALONE) == "ENGINE = ReplacingMergeTree(version)"
    assert expand(text, CLUSTER) == "ENGINE = ReplicatedReplacingMergeTree(version)"
    assert expand("{{engine:MergeTree}}", CLUSTER) == "ReplicatedMergeTree()"


def test_durable_tables_sync_unless_the_setting_says_no():
    assert expand("SETTINGS {{durable}}", ALONE) == "SETTINGS fsync_after_insert = 1, fsync_part_directory = 1"
    assert expand("SETTINGS {{durable}}", CLUSTER) == "SETTINGS fsync_after_insert = 0, fsync_part_directory = 0"


def test_on_cluster_is_there_on_a_cluster_only():
    assert expand("a {{on_cluster}} b", ALONE) == "a  b"
    assert expand("a {{on_cluster}} b", CLUSTER) == "a ON CLUSTER `main` b"


def test_a_cluster_name_cannot_carry_sql():
    with pytest.raises(ValueError, match="cluster"):
        expand("{{on_cluster}}", StoreConfig(cluster="a` DROP"))


@pytest.mark.parametrize("text", ["{{speed}}", "{{engine:}}", "{{engine}}", "{{engine:Memory}}", "{{durable:1}}"])
def test_an_unknown_macro_is_refused(text):
    with pytest.raises(ValueError, match="unknown macro"):
        expand(text, ALONE)


def test_placeholders_of_statements_are_left_alone():
    assert expand("SELECT {name:String}, {'a': 1}", ALONE) == "SELECT {name:String}, {'a': 1}"


def test_statements_end_with_a_semicolon_at_the_end_of_a_line():
    text = "-- a note; with one;\nSELECT 'a;b',\n  1;\n\n  -- another;\nSELECT 2 ;  \nSELECT 3"
    assert statements(text, ALONE) == ["SELECT 'a;b',\n  1", "SELECT 2", "SELECT 3"]
    assert statements("-- nothing\n;\n", ALONE) == []
