-- One row per tracker namespace: its term statistics and its fit, both JSON text.
CREATE TABLE IF NOT EXISTS tracker_fits {{on_cluster}} (
    org String,
    namespace String,
    source_id String,
    fit String CODEC(ZSTD(3)),
    statistics String CODEC(ZSTD(3)),
    fitted_at DateTime64(6, 'UTC'),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, namespace)
SETTINGS {{durable}};

-- Recovered links: an issue, a pull request of the same source, and what speaks for it.
CREATE TABLE IF NOT EXISTS qa_link_candidates {{on_cluster}} (
    org String,
    source_id String,
    issue String,
    pr String,
    score Float64,
    written Bool,
    evidence String,
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, source_id, issue, pr)
SETTINGS {{durable}};

-- Vectors of items. `text_hash` tells whether the text is still the one that was embedded.
CREATE TABLE IF NOT EXISTS tracker_embeddings {{on_cluster}} (
    org String,
    source_id String,
    model LowCardinality(String),
    item String,
    kind LowCardinality(String),
    text_hash UInt64,
    changed_at DateTime64(3, 'UTC'),
    vector Array(Float32) CODEC(NONE),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, source_id, model, item)
SETTINGS {{durable}};
