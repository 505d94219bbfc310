"""What is asked of a source's `checks`. Spans are in microseconds since the epoch, `until` is not part of them."""

from services.tracker.reads import Statement
from services.tracker.signal.cells import COLUMNS
from services.tracker.signal.expressions import counts_statement, jobs_statement

# One row more than the least limit of an answer: what is cut off there shows.
MOST = 20_001

_COLUMNS = ", ".join(COLUMNS)
_RUNS = f"{{checks(test_name, {_COLUMNS})}}"
_SPAN = (
    "check_start_time >= fromUnixTimestamp64Micro({since:Int64}, 'UTC') "
    "AND check_start_time < fromUnixTimestamp64Micro({until:Int64}, 'UTC')"
)

ONE_TEST = Statement(
    "signal.runs", f"{counts_statement(_RUNS, f'test_name = {{name:String}} AND {_SPAN}')} LIMIT {MOST}"
)
SOME_TESTS = Statement(
    "signal.some_runs",
    counts_statement(
        _RUNS,
        "test_name != '' AND cityHash64(assumeNotNull(toString(test_name))) % {buckets:UInt32} = {bucket:UInt32} "
        f"AND {_SPAN}",
    )
    + f" LIMIT {MOST}",
)
_ALL_JOBS = jobs_statement(_RUNS, f"test_name != '' AND {_SPAN}")
# The span says which tests fail often; jobs of some of its hours are asked for.
JOBS = Statement(
    "signal.jobs",
    f"SELECT * FROM ({_ALL_JOBS}) WHERE hour >= {{from_hour:UInt32}} AND hour < {{until_hour:UInt32}} LIMIT {MOST}",
)
FIRST_RUN = Statement(
    "signal.first_run", "SELECT min(check_start_time) AS first_at FROM {checks(check_start_time)} LIMIT 1"
)
EVER = Statement("signal.ever", "SELECT 1 AS found FROM {checks(test_name)} WHERE test_name = {name:String} LIMIT 1")
NAMES = Statement(
    "signal.names",
    "SELECT test_name FROM (SELECT test_name FROM {checks(test_name, check_start_time)} "
    f"WHERE test_name != '' AND {_SPAN} GROUP BY test_name LIMIT 100000) "
    "ORDER BY ngramDistanceCaseInsensitive(test_name, {name:String}), test_name LIMIT 200",
)
ON_PULL = Statement(
    "signal.pull",
    f"SELECT DISTINCT {_COLUMNS} FROM {_RUNS} WHERE test_name = {{name:String}} "
    f"AND pull_request_number = {{pr:Int64}} AND {_SPAN} ORDER BY check_start_time DESC LIMIT 2000",
)
HEAD = Statement(
    "signal.head",
    "SELECT number, head_sha, base_ref FROM {github_prs(number, head_sha, base_ref, updated_at)} "
    "WHERE number = {pr:Int64} ORDER BY updated_at DESC LIMIT 1",
)
# Pull requests whose paths have a part of the test's name in them; which are its home is judged here.
TOUCHING = Statement(
    "signal.touching",
    "SELECT number, merged_at, affected_file_paths FROM {github_prs(number, merged_at, affected_file_paths)} "
    "WHERE merged_at >= fromUnixTimestamp64Micro({since:Int64}, 'UTC') "
    "AND arrayExists(path -> multiSearchAnyCaseInsensitive(path, {parts:Array(String)}), affected_file_paths) "
    "ORDER BY merged_at DESC LIMIT 300",
)
DIFFS = Statement(
    "signal.diffs",
    "SELECT number, diff FROM {github_prs(number, diff)} WHERE number IN {numbers:Array(Int64)} LIMIT 5",
)
BUILDS = Statement(
    "signal.builds",
    "SELECT version, branch, sha, pr_number, built_at FROM {version_history(version, branch, sha, pr_number, built_at)} "
    "WHERE built_at >= fromUnixTimestamp64Micro({since:Int64}, 'UTC') ORDER BY built_at DESC LIMIT 5000",
)
