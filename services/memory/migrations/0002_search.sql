-- What search reads (docs/adr/0010-memory-search.md). A text goes in as one row of memory_index_input, which keeps
-- nothing; a view makes its postings of it, so that a save costs one part more. An entry without its revision is never
-- shown. All of this can be made again from the texts, so no insert waits for the disk: what a power cut takes, a sweep
-- puts back (services/memory/reindex.py), and parts that it damaged do not keep the engine from starting.
CREATE TABLE IF NOT EXISTS memory_index_input {{on_cluster}} (
    org String,
    namespace String,
    user_id String,
    id UInt64,
    revision_id UInt64,
    kind String,
    said_at DateTime64(6, 'UTC'),
    position UInt64,
    episode UInt32,
    length UInt16,
    terms Array(String),
    counts Array(UInt8)
)
ENGINE = Null;

-- The inverted index. count is weighted (a word in the title counts twice), length that of the whole text. The empty term
-- stands once for each text: those rows are the list of a user's texts, in which position orders those of one instant. An
-- episode is a session's day.
CREATE TABLE IF NOT EXISTS memory_terms {{on_cluster}} (
    org String,
    namespace String,
    user_id String,
    term String,
    id UInt64,
    revision_id UInt64,
    count UInt8,
    length UInt16,
    episode UInt32,
    kind LowCardinality(String),
    said_at DateTime64(6, 'UTC'),
    position UInt64
)
ENGINE = {{engine:ReplacingMergeTree}}
ORDER BY (org, namespace, user_id, term, id, revision_id)
SETTINGS index_granularity = 1024, max_suspicious_broken_parts = 1000000,
    max_suspicious_broken_parts_bytes = 1000000000000, old_parts_lifetime = 1, cleanup_delay_period = 1,
    cleanup_delay_period_random_add = 0, max_cleanup_delay_period = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS memory_terms_view {{on_cluster}} TO memory_terms AS
SELECT org, namespace, user_id, term, id, revision_id, count, length, episode, kind, said_at, position
FROM memory_index_input
ARRAY JOIN arrayPushFront(terms, '') AS term, arrayPushFront(counts, toUInt8(0)) AS count;

-- Vectors of the chunks of texts, eight bits a number: number = vector[i] * scale. Vectors of two models are never
-- compared. An empty vector marks a text that the model refused.
CREATE TABLE IF NOT EXISTS memory_vectors {{on_cluster}} (
    org String,
    namespace String,
    user_id String,
    model LowCardinality(String),
    id UInt64,
    revision_id UInt64,
    chunk UInt16,
    scale Float32,
    vector Array(Int8) CODEC(LZ4)
)
ENGINE = {{engine:ReplacingMergeTree}}
ORDER BY (org, namespace, user_id, model, id, revision_id, chunk)
SETTINGS index_granularity = 256, max_suspicious_broken_parts = 1000000,
    max_suspicious_broken_parts_bytes = 1000000000000, old_parts_lifetime = 1, cleanup_delay_period = 1,
    cleanup_delay_period_random_add = 0, max_cleanup_delay_period = 1;
