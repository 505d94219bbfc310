-- Who works on a source, and until when: one row per claim, by the store's clock. The earliest live claim holds.
CREATE TABLE IF NOT EXISTS tracker_leases {{on_cluster}} (
    org String,
    source_id String,
    owner String,
    claimed_at DateTime64(6, 'UTC'),
    lease_until DateTime64(6, 'UTC'),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, source_id, owner)
TTL toDateTime(lease_until) + INTERVAL 1 DAY
SETTINGS {{durable}};

-- How far a pass has come with a source. `checkpoint` is the pass's own JSON text, empty where nothing is begun.
CREATE TABLE IF NOT EXISTS tracker_passes {{on_cluster}} (
    org String,
    source_id String,
    pass LowCardinality(String),
    checkpoint String,
    outcome LowCardinality(String),
    begun_at DateTime64(6, 'UTC'),
    ended_at DateTime64(6, 'UTC'),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, source_id, pass)
SETTINGS {{durable}};
