-- What search reads (docs/adr/0010-memory-search.md). A text goes in as one row of memory_index_input, which keeps
-- nothing; views make of it postings, words and a row of numbers. An entry without its revision is never shown.
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

-- The inverted index. count is weighted (a word in the title counts twice), length that of the whole text.
CREATE TABLE IF NOT EXISTS memory_terms {{on_cluster}} (
    org String,
    namespace String,
    user_id String,
    term String,
    id UInt64,
    revision_id UInt64,
    count UInt8,
    length UInt16,
    episode UInt32
)
ENGINE = {{engine:ReplacingMergeTree}}
ORDER BY (org, namespace, user_id, term, id, revision_id)
SETTINGS {{durable}}, index_granularity = 1024, old_parts_lifetime = 1, cleanup_delay_period = 1,
    cleanup_delay_period_random_add = 0, max_cleanup_delay_period = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS memory_terms_view {{on_cluster}} TO memory_terms AS
SELECT org, namespace, user_id, term, id, revision_id, count, length, episode
FROM memory_index_input ARRAY JOIN terms AS term, counts AS count;

-- A user's words, for questions that have only part of one. The id is of one memory that has the word.
CREATE TABLE IF NOT EXISTS memory_words {{on_cluster}} (
    org String,
    namespace String,
    user_id String,
    term String,
    id UInt64
)
ENGINE = {{engine:ReplacingMergeTree}}
ORDER BY (org, namespace, user_id, term)
SETTINGS {{durable}}, index_granularity = 1024, old_parts_lifetime = 1, cleanup_delay_period = 1,
    cleanup_delay_period_random_add = 0, max_cleanup_delay_period = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS memory_words_view {{on_cluster}} TO memory_words AS
SELECT org, namespace, user_id, term, any(id) AS id
FROM memory_index_input ARRAY JOIN terms AS term
GROUP BY org, namespace, user_id, term;

-- One row of numbers per text, in the order in which the texts of a session were said. An episode is a session's day.
CREATE TABLE IF NOT EXISTS memory_documents {{on_cluster}} (
    org String,
    namespace String,
    user_id String,
    episode UInt32,
    said_at DateTime64(6, 'UTC'),
    position UInt64,
    id UInt64,
    revision_id UInt64,
    kind LowCardinality(String),
    length UInt16
)
ENGINE = {{engine:ReplacingMergeTree}}
ORDER BY (org, namespace, user_id, episode, said_at, position, revision_id)
SETTINGS {{durable}}, index_granularity = 1024, old_parts_lifetime = 1, cleanup_delay_period = 1,
    cleanup_delay_period_random_add = 0, max_cleanup_delay_period = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS memory_documents_view {{on_cluster}} TO memory_documents AS
SELECT org, namespace, user_id, episode, said_at, position, id, revision_id, kind, length
FROM memory_index_input;

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
SETTINGS {{durable}}, index_granularity = 256, old_parts_lifetime = 1, cleanup_delay_period = 1,
    cleanup_delay_period_random_add = 0, max_cleanup_delay_period = 1;
