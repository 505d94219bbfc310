-- How far background passes came with a source: small texts by name, replaced by a greater version.
CREATE TABLE IF NOT EXISTS tracker_marks {{on_cluster}} (
    org String,
    source_id String,
    name String,
    mark String,
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, source_id, name)
SETTINGS {{durable}};
