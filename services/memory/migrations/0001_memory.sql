-- Every text that a memory ever had, one row each; nothing is updated in place. The current text of a memory is the
-- greatest (said_at, written_at, revision_id); a row with deleted > 0 ends it (1: hidden, 2: to be erased from disk).
-- The same save written twice makes the same revision_id, and the first row stands. lookup finds the memories that a
-- new text may belong to (services/memory/identity.py). Outdated parts go within seconds, so that erased text does: every
-- table with text of a memory needs the last four settings. A merged part is synced, since those it was made of go that soon.
CREATE TABLE IF NOT EXISTS memory_revisions {{on_cluster}} (
    org String,
    namespace String,
    user_id String,
    id UInt64,
    revision_id UInt64,
    lookup UInt64,
    type LowCardinality(String),
    title String CODEC(ZSTD(3)),
    content String CODEC(ZSTD(3)),
    topic_key String,
    content_hash String,
    session_id String,
    source LowCardinality(String),
    evidence Array(String),
    said_at DateTime64(6, 'UTC'),
    written_at DateTime64(6, 'UTC'),
    deleted UInt8,
    precedence UInt64
)
ENGINE = {{engine:ReplacingMergeTree(precedence)}}
ORDER BY (org, namespace, user_id, id, revision_id)
SETTINGS {{durable}}, min_rows_to_fsync_after_merge = 1, index_granularity = 1024, old_parts_lifetime = 1,
    cleanup_delay_period = 1, cleanup_delay_period_random_add = 0, max_cleanup_delay_period = 1;

-- Sessions of users. The greatest version stands: an end beats activity, later activity beats earlier, and of two ends
-- the first one stands (services/memory/sessions.py).
CREATE TABLE IF NOT EXISTS memory_sessions {{on_cluster}} (
    org String,
    namespace String,
    user_id String,
    session_id String,
    started_at DateTime64(6, 'UTC'),
    last_active_at DateTime64(6, 'UTC'),
    ended_at Nullable(DateTime64(6, 'UTC')),
    summary String CODEC(ZSTD(3)),
    is_auto_generated Bool,
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, namespace, user_id, session_id)
SETTINGS {{durable}}, index_granularity = 1024;
