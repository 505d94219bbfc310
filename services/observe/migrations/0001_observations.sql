-- One row per tool call. A call sent again makes the same key; the row with the greatest precedence stands, and
-- precedence falls with time, so the first one does.
CREATE TABLE IF NOT EXISTS observations {{on_cluster}} (
    org String,
    namespace String,
    session_id String,
    memory_key String,
    agent String,
    user_id String,
    run_id String,
    kind LowCardinality(String),
    tool_name String,
    narrative String CODEC(ZSTD(3)),
    error String CODEC(ZSTD(3)),
    has_error Bool,
    tags Array(String),
    file_paths Array(String),
    content_sha256 String,
    skipped_reason LowCardinality(String),
    observed_at DateTime64(6, 'UTC'),
    recorded_at DateTime64(6, 'UTC'),
    valid_at Nullable(Date),
    precedence UInt64
)
ENGINE = {{engine:ReplacingMergeTree(precedence)}}
ORDER BY (org, namespace, session_id, memory_key)
SETTINGS {{durable}};

-- How far extraction has come with a row; no row here means pending. The greatest version stands: states only go
-- forward, whoever writes them (services/observe/states.py).
CREATE TABLE IF NOT EXISTS observation_states {{on_cluster}} (
    org String,
    namespace String,
    session_id String,
    memory_key String,
    state LowCardinality(String),
    claim_id String,
    attempt UInt16,
    lease_until DateTime64(6, 'UTC'),
    memories Array(String),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, namespace, session_id, memory_key)
SETTINGS {{durable}};
