-- What a test did on a day (UTC): parallel arrays, one place per cell (services/tracker/signal/rollup.py). `checks_key`
-- names the relation and the repositories that the runs were read through: nobody reads them through another one.
-- A row counts if its version is not below its day's in qa_test_days.
CREATE TABLE IF NOT EXISTS qa_test_daily {{on_cluster}} (
    org String,
    source_id String,
    checks_key String,
    test_name String,
    day Date,
    hours Array(UInt8),
    branches Array(String) CODEC(ZSTD(3)),
    prs Array(Int64) CODEC(ZSTD(3)),
    shas Array(String) CODEC(ZSTD(3)),
    checks Array(String) CODEC(ZSTD(3)),
    runners Array(String) CODEC(ZSTD(3)),
    passes Array(UInt32) CODEC(ZSTD(3)),
    fails Array(UInt32) CODEC(ZSTD(3)),
    skips Array(UInt32) CODEC(ZSTD(3)),
    others Array(UInt32) CODEC(ZSTD(3)),
    firsts Array(Int64) CODEC(ZSTD(3)),
    lasts Array(Int64) CODEC(ZSTD(3)),
    runs UInt32,
    failures UInt32,
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, checks_key, test_name, day)
SETTINGS {{durable}};

-- What all tests did on a day: failure storms, crowded jobs, and how many tests fail usually. A row is there for every
-- day that was rolled, also for one without runs.
CREATE TABLE IF NOT EXISTS qa_test_days {{on_cluster}} (
    org String,
    source_id String,
    checks_key String,
    day Date,
    storm_hours Array(UInt32),
    storm_checks Array(String),
    storm_changes Array(UInt32),
    storm_tests Array(UInt32),
    crowd_hours Array(UInt32),
    crowd_shas Array(String) CODEC(ZSTD(3)),
    crowd_checks Array(String) CODEC(ZSTD(3)),
    crowd_runners Array(String) CODEC(ZSTD(3)),
    level_checks Array(String) CODEC(ZSTD(3)),
    level_hours Array(UInt32),
    level_values Array(Float64),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, checks_key, day)
SETTINGS {{durable}};

-- From which day on runs are rolled, and up to which hour since the epoch (exclusive): a read fetches what comes after.
CREATE TABLE IF NOT EXISTS qa_test_marks {{on_cluster}} (
    org String,
    source_id String,
    checks_key String,
    covers_from Date,
    fresh_from UInt32,
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (org, checks_key)
SETTINGS {{durable}};
