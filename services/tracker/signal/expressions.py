"""ClickHouse expressions that count at the source exactly what `cells_of` counts here. Column names are the
contract's.

`counts_statement` fetches the cells of tests, one row each (`rollup.cells_from_counts` reads them); `jobs_statement`
what storms are found in (`storms.jobs_of`). Output columns are not named as columns of `checks`, as ClickHouse would
then put the one for the other.

A source that lacks an optional column of `checks` puts NULL in its place.
"""

from services.tracker.signal.cells import COLUMNS
from services.tracker.signal.statuses import BOTH, FAILED, PASSED, SKIPPED

OFTEN = 0.2  # share of failures from which on a test says nothing about storms

HOUR = "toUInt32(intDiv(toUnixTimestamp(check_start_time), 3600))"
_NUMBER = "toInt64(ifNull(pull_request_number, 0))"
PR = f"greatest({_NUMBER}, 0)"
_HEAD, _BASE = "ifNull(toString(head_ref), '')", "ifNull(toString(base_ref), '')"
_REF = f"multiIf({_NUMBER} > 0, if({_BASE} != '', {_BASE}, {_HEAD}), if({_HEAD} != '', {_HEAD}, {_BASE}))"
BRANCH = rf"replaceRegexpOne({_REF}, '^(refs/heads/)?(refs/remotes/)?(origin/)?', '')"
SHA = "ifNull(toString(commit_sha), '')"
CHECK_NAME = "ifNull(toString(check_name), '')"
RUNNER = "ifNull(toString(runner), '')"


def folded(column: str) -> str:
    """A word of a state as `statuses.fold` makes it."""
    return f"replaceRegexpAll(lower(ifNull(toString({column}), '')), '[^a-z]', '')"


FOLDED = folded("test_status")


def _one_of(words: frozenset[str]) -> str:
    return "(" + ", ".join(f"'{word}'" for word in sorted(words)) + ")"


PASS_WORDS, FAIL_WORDS = _one_of(PASSED | BOTH), _one_of(FAILED | BOTH)
IS_PASSED = f"{FOLDED} IN {PASS_WORDS}"
IS_FAILED = f"{FOLDED} IN {FAIL_WORDS}"
_NONE = "trimBoth(ifNull(toString(test_status), '')) = ''"
IS_SKIPPED = f"({FOLDED} IN {_one_of(SKIPPED)} OR {_NONE})"
IS_OTHER = f"NOT ({_NONE}) AND {FOLDED} NOT IN {_one_of(PASSED | FAILED | SKIPPED | BOTH)}"


def counts_statement(table: str, where: str) -> str:
    """The statement above over a relation that has every column of COLUMNS and test_name, with a condition of the
    caller's.

    `table` and `where` are text that the caller's statement builder made; nothing of a user goes in here.
    """
    return f"""SELECT test_name, {HOUR} AS hour, {BRANCH} AS branch, {PR} AS pr, {SHA} AS sha, {CHECK_NAME} AS check,
    {RUNNER} AS machine, countIf({IS_PASSED}) AS passes, countIf({IS_FAILED}) AS fails, countIf({IS_SKIPPED}) AS skips,
    countIf({IS_OTHER}) AS other, {_micro("min")} AS first_us, {_micro("max")} AS last_us
FROM (SELECT DISTINCT test_name, {", ".join(COLUMNS)} FROM {table} WHERE ({where}) AND check_start_time IS NOT NULL)
GROUP BY test_name, hour, branch, pr, sha, check, machine"""


def jobs_statement(table: str, where: str) -> str:
    """The aggregate over all tests of `storms`, over the same kind of relation; `where` spans three days or more."""
    often = f"""SELECT test_name FROM {table} WHERE {where} GROUP BY test_name
    HAVING countIf({IS_FAILED}) > {OFTEN} * countIf({IS_FAILED} OR {IS_PASSED})"""
    return f"""SELECT {HOUR} AS hour, {BRANCH} AS branch, {PR} AS pr, {SHA} AS sha, {CHECK_NAME} AS check, {RUNNER} AS machine,
    uniqExact(test_name) AS tests, uniqExactIf(test_name, {IS_FAILED} AND test_name NOT IN ({often})) AS failed
FROM {table} WHERE ({where}) AND check_start_time IS NOT NULL
GROUP BY hour, branch, pr, sha, check, machine"""


def _micro(which: str) -> str:
    return f"toUnixTimestamp64Micro(toDateTime64({which}(check_start_time), 6, 'UTC'))"
