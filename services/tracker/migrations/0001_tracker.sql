-- One row per source; of a name the greatest version counts. `login` is the encrypted user and password.
CREATE TABLE IF NOT EXISTS tracker_sources {{on_cluster}} (
    org String,
    name String,
    id String,
    kind LowCardinality(String),
    host String,
    port UInt16,
    secure Bool,
    database String,
    login String,
    key_id String,
    mapping String,
    namespaces String,
    state LowCardinality(String),
    added_by String,
    added_at DateTime64(6, 'UTC'),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, name)
SETTINGS {{durable}};

-- One row per code namespace, under its storage name. `trackers` are names, `tracker_ids` what they are stored under.
CREATE TABLE IF NOT EXISTS tracker_repos {{on_cluster}} (
    org String,
    namespace String,
    name String,
    repo String,
    branch String,
    root String,
    linked Bool,
    trackers Array(String),
    tracker_ids Array(String),
    created_by String,
    created_at DateTime64(6, 'UTC'),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, namespace)
SETTINGS {{durable}};
