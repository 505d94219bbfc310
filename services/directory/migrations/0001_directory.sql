-- One row per generation of a name; the greatest generation is the one that counts.
CREATE TABLE IF NOT EXISTS directory_namespaces {{on_cluster}} (
    org String,
    name String,
    generation UInt32,
    id String,
    kind LowCardinality(String),
    join_policy LowCardinality(String),
    restricted Bool,
    created_by String,
    created_at DateTime64(6, 'UTC'),
    state LowCardinality(String),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, name, generation)
SETTINGS {{durable}};

-- Direct grants, of a namespace's id or (`*`) of the organisation. An empty role is a revoked grant.
CREATE TABLE IF NOT EXISTS directory_grants {{on_cluster}} (
    org String,
    namespace_id String,
    subject String,
    role LowCardinality(String),
    granted_by String,
    granted_at DateTime64(6, 'UTC'),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, namespace_id, subject)
SETTINGS {{durable}};

CREATE TABLE IF NOT EXISTS directory_join_requests {{on_cluster}} (
    org String,
    namespace_id String,
    subject String,
    role LowCardinality(String),
    state LowCardinality(String),
    requested_at DateTime64(6, 'UTC'),
    answered_by String,
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, namespace_id, subject)
SETTINGS {{durable}};

CREATE TABLE IF NOT EXISTS directory_revoked_tokens {{on_cluster}} (
    org String,
    jti String,
    revoked_by String,
    revoked_at DateTime64(6, 'UTC'),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, jti)
SETTINGS {{durable}};

-- Only ever added to.
CREATE TABLE IF NOT EXISTS directory_audit {{on_cluster}} (
    org String,
    seq UInt64,
    id String,
    at DateTime64(6, 'UTC'),
    actor String,
    action LowCardinality(String),
    namespace String,
    subject String,
    role LowCardinality(String),
    detail String,
    request_id String
)
ENGINE = {{engine:MergeTree}}
ORDER BY (org, seq, id)
SETTINGS {{durable}};
