"""Statements over issues, pull requests, builds and releases that the code ops share. Instants are in microseconds."""

from services.tracker.reads import Statement

# Characters of a diff that are looked at: what a person would read of it.
DIFF_CHARS = 16_000
MOST_DIFFS = 400
MOST_LIGHT = 3_000
MOST_BUILDS = 15_000

_ISSUE = (
    "source_id, number, title, body, state, created_at, updated_at, closed_at, component, version, labels, frames, "
    "fixed_by, caused_by, duplicate_of, tests, affected_branches, triage_reproduces_on, triage_clean_on, error_codes"
)
_PULL = (
    "source_id, number, title, body, state, created_at, updated_at, merged_at, base_ref, head_ref, head_sha, merge_sha, "
    "labels, component, closes, backport_of, backport_state, affected_file_paths, release"
)
_LIGHT = "source_id, number, title, state, updated_at, merged_at, merge_sha, component, affected_file_paths"
_OF_REPO = "startsWith(source_id, {repo:String})"
_SINCE = "fromUnixTimestamp64Micro({since:Int64}, 'UTC')"
_UNTIL = "fromUnixTimestamp64Micro({until:Int64}, 'UTC')"
_DIFF = f"leftUTF8(diff, {DIFF_CHARS}) AS diff"

ISSUES = Statement(
    "code.issues",
    f"SELECT {_ISSUE} FROM {{github_issues({_ISSUE})}} WHERE number IN {{numbers:Array(Int64)}} AND {_OF_REPO} "
    "ORDER BY updated_at DESC, source_id LIMIT 200",
)
PULLS = Statement(
    "code.pulls",
    f"SELECT {_PULL} FROM {{github_prs({_PULL})}} WHERE (number IN {{numbers:Array(Int64)}} "
    f"OR hasAny(closes, {{issues:Array(Int64)}})) AND {_OF_REPO} ORDER BY updated_at DESC, source_id LIMIT 500",
)
FIXES = Statement(
    "code.fixes",
    f"SELECT {_LIGHT}, {_DIFF} FROM {{github_prs({_LIGHT}, closes, diff)}} WHERE (number IN {{numbers:Array(Int64)}} "
    f"OR hasAny(closes, {{issues:Array(Int64)}})) AND {_OF_REPO} ORDER BY updated_at DESC, source_id LIMIT 20",
)
OF_COMMITS = Statement(
    "code.of_commits",
    f"SELECT {_PULL} FROM {{github_prs({_PULL})}} WHERE {_OF_REPO} AND "
    "(arrayExists(sha -> startsWith(lower(merge_sha), sha), {shas:Array(String)}) "
    "OR arrayExists(sha -> startsWith(lower(head_sha), sha), {shas:Array(String)})) "
    "ORDER BY updated_at DESC, source_id LIMIT 100",
)
# Whatever speaks of one of the fixes: which of it carries one to a branch, or takes it back, is judged here.
CARRIERS = Statement(
    "code.carriers",
    f"SELECT {_PULL} FROM {{github_prs({_PULL})}} WHERE {_OF_REPO} AND created_at >= {_SINCE} AND "
    "(backport_of IN {numbers:Array(Int64)} OR multiSearchAny(title, {names:Array(String)}) "
    "OR multiSearchAny(head_ref, {bare:Array(String)}) OR multiSearchAny(body, {names:Array(String)}) "
    "OR multiSearchAny(body, {shas:Array(String)})) ORDER BY updated_at DESC, source_id LIMIT 2000",
)
LATELY_FIXED = Statement(
    "code.lately_fixed",
    f"SELECT {_PULL} FROM {{github_prs({_PULL})}} WHERE {_OF_REPO} AND merged_at >= {_SINCE} AND notEmpty(closes) "
    "AND ifNull(backport_of, 0) = 0 ORDER BY merged_at DESC, source_id LIMIT {limit:UInt32}",
)
MERGED = Statement(
    "code.merged",
    f"SELECT {_LIGHT} FROM {{github_prs({_LIGHT})}} WHERE {_OF_REPO} AND merged_at > {_SINCE} AND merged_at <= {_UNTIL} "
    f"ORDER BY merged_at DESC, source_id LIMIT {MOST_LIGHT + 1}",
)
DIFFS = Statement(
    "code.diffs",
    f"SELECT source_id, number, {_DIFF} FROM {{github_prs(source_id, number, diff)}} "
    f"WHERE number IN {{numbers:Array(Int64)}} AND {_OF_REPO} LIMIT {MOST_DIFFS}",
)
BUILDS = Statement(
    "code.builds",
    "SELECT version, branch, sha, pr_number, built_at, repo "
    "FROM {version_history(version, branch, sha, pr_number, built_at, repo)} "
    f"ORDER BY built_at DESC, version, sha, pr_number LIMIT {MOST_BUILDS}",
)
RELEASES = Statement(
    "code.releases",
    "SELECT version, branch, state, released_at, repo FROM {releases(version, branch, state, released_at, repo)} "
    "ORDER BY released_at DESC, version LIMIT 3000",
)
TOUCHING = Statement(
    "code.touching",
    f"SELECT source_id, number, title, body, state, created_at, updated_at, merged_at, affected_file_paths, {_DIFF} "
    "FROM {github_prs(source_id, number, title, body, state, created_at, updated_at, merged_at, affected_file_paths, diff)} "
    f"WHERE updated_at >= {_SINCE} AND "
    "(arrayExists(path -> multiSearchAny(path, {paths:Array(String)}), affected_file_paths) "
    "OR multiSearchAny(diff, {names:Array(String)}) OR multiSearchAny(title, {symbols:Array(String)}) "
    "OR multiSearchAny(body, {symbols:Array(String)})) "
    "ORDER BY ifNull(merged_at, created_at) DESC, source_id LIMIT 400",
)
SAYING = Statement(
    "code.saying",
    "SELECT source_id, number, title, body, state, created_at, updated_at, closed_at, frames "
    "FROM {github_issues(source_id, number, title, body, state, created_at, updated_at, closed_at, frames)} "
    f"WHERE updated_at >= {_SINCE} AND (multiSearchAny(title, {{words:Array(String)}}) "
    "OR multiSearchAny(body, {words:Array(String)}) "
    "OR arrayExists(frame -> multiSearchAny(frame, {words:Array(String)}), frames)) "
    "ORDER BY ifNull(closed_at, created_at) DESC, source_id LIMIT 400",
)
ABOUT = Statement(
    "code.about",
    f"SELECT source_id, number, title, state, updated_at, merged_at, component, closes, affected_file_paths, {_DIFF} "
    "FROM {github_prs(source_id, number, title, state, updated_at, merged_at, component, closes, affected_file_paths, diff)} "
    f"WHERE (state = 'open' OR merged_at >= {_SINCE}) AND (hasAny(closes, {{issues:Array(Int64)}}) "
    "OR arrayExists(path -> multiSearchAny(path, {paths:Array(String)}), affected_file_paths) "
    "OR multiSearchAny(diff, {names:Array(String)}) OR multiSearchAnyCaseInsensitive(title, {words:Array(String)})) "
    "ORDER BY hasAny(closes, {issues:Array(Int64)}) DESC, state = 'open' DESC, updated_at DESC, source_id LIMIT 300",
)
