"""Tables as sync tools create them in ClickHouse, with rows that have their shapes: statements for an engine in memory.

Values are SQL. Columns that a row does not name are NULL.
"""


def columns(**names_by_type: str) -> dict[str, str]:
    """Column -> Nullable type; the names of a type are separated by blanks. `when` is a DateTime64(3)."""
    types = {"text": "String", "whole": "Int64", "real": "Float64", "yes": "Bool", "when": "DateTime64(3)"}
    return {name: f"Nullable({types[kind]})" for kind, names in names_by_type.items() for name in names.split()}


def table(name: str, kinds: dict[str, str], *rows: dict[str, str]) -> list[str]:
    """CREATE and INSERT of a table."""
    listed = ", ".join(f"`{column}` {kind}" for column, kind in kinds.items())
    create = f"CREATE TABLE {name} ({listed}) ENGINE = ReplacingMergeTree ORDER BY tuple()"
    return [create, *(f"INSERT INTO {name} (`{'`, `'.join(row)}`) VALUES ({', '.join(row.values())})" for row in rows)]


OPENED, DONE = "'2024-01-02 03:04:05'", "'2024-01-03 04:05:06'"
TIMES = {"created_at": OPENED, "updated_at": DONE}
ITEM = columns(text="title state", when="created_at updated_at closed_at")

_HUB = {
    "repository": "'Org/repo'",
    "user": """'{"login": "ann"}'""",
    "labels": """'[{"name": "bug"}, {"name": "ui"}]'""",
}
_ISSUE = {"number": "7", "title": "'T'", "state": "'open'", "comments": "3", **TIMES, **_HUB}
_PULL = {"number": "8", "title": "'P'", "state": "'closed'", **TIMES, **_HUB}
_RELEASE = {
    "tag_name": "'v1'",
    "target_commitish": "'main'",
    "draft": "false",
    "prerelease": "true",
    "published_at": DONE,
}
_JOB = {
    "run_id": "1",
    "run_attempt": "2",
    "head_sha": "'abc'",
    "name": "'test'",
    "status": "'completed'",
    "conclusion": "'failure'",
    "started_at": OPENED,
    "runner_name": "'r1'",
}


def github(objects: str = "Nullable(String)") -> list[str]:
    """Airbyte's GitHub streams, with objects as text or as JSON: issue 7, requests 8 (merged) and 10, which are issues too."""
    shared = ITEM | columns(text="body repository html_url author_association labels", whole="number")
    shared |= dict.fromkeys(("user", "milestone"), objects)
    issues = shared | columns(text="state_reason", whole="comments") | {"pull_request": objects}
    pulls = shared | columns(text="merge_commit_sha", when="merged_at") | dict.fromkeys(("head", "base"), objects)
    merged = {
        **_PULL,
        "body": "'Fixes #7 and closes: #12; see #1'",
        "head": """'{"ref": "topic", "sha": "abc"}'""",
        "base": """'{"ref": "main"}'""",
        "merge_commit_sha": "'def'",
        "merged_at": DONE,
    }
    releases = columns(text="repository tag_name target_commitish", yes="draft prerelease", when="published_at")
    jobs = columns(
        text="repository head_sha head_branch name status conclusion runner_name html_url",
        whole="run_id run_attempt",
        when="started_at",
    )
    return [
        *table(
            "issues",
            issues,
            {**_ISSUE, "milestone": """'{"title": "M1"}'"""},
            {**_ISSUE, "number": "8", "pull_request": """'{"url": "https://github.example/Org/repo/pull/8"}'"""},
        ),
        *table("pull_requests", pulls, merged, {**_PULL, "number": "10"}),
        *table("releases", releases, {**_RELEASE, "repository": "'Org/repo'"}),
        *table("workflow_jobs", jobs, {**_JOB, "repository": "'Org/repo'"}),
    ]


def flattened() -> list[str]:
    """GitHub with user.login as user__login: issue 7 and request 8, which is an issue too."""
    shared = ITEM | columns(text="body html_url user__login author_association", whole="number")
    issues = shared | columns(text="milestone__title state_reason", whole="comments")
    pulls = shared | columns(text="head__ref head__sha base__ref merge_commit_sha", when="merged_at")
    issue = {
        "number": "7",
        "title": "'T'",
        "state": "'open'",
        **TIMES,
        "html_url": "'https://github.example/Org/repo/issues/7'",
    }
    pull = {**issue, "number": "8", "state": "'closed'", "html_url": "'https://github.example/Org/repo/pull/8'"}
    merged = {**pull, "user__login": "'ann'", "body": "'resolves #7'", "base__ref": "'main'", "merged_at": DONE}
    return [*table("issues", issues, issue, pull), *table("pull_requests", pulls, merged)]


def gitlab() -> list[str]:
    """Airbyte's GitLab streams: issues 7 (public), 9 (confidential), 10 (unsaid, closed), requests 8 (merged) and 11."""
    shared = ITEM | columns(text="description labels author milestone web_url references", whole="iid project_id")
    both = {"title": "'T'", **TIMES, "labels": """'["bug", "ui"]'""", "author": """'{"username": "ann"}'"""}
    issue = {**both, "iid": "7", "state": "'opened'", "references": """'{"full": "group/sub/app#7"}'"""}
    request = {**both, "iid": "8", "state": "'merged'", "references": """'{"full": "group/sub/app!8"}'"""}
    merged = {"description": "'Closes #7'", "target_branch": "'main'", "squash_commit_sha": "'def'", "merged_at": DONE}
    requests = columns(text="source_branch target_branch sha merge_commit_sha squash_commit_sha", when="merged_at")
    jobs = columns(text="name stage status ref web_url pipeline runner", yes="allow_failure", when="started_at")
    job = {"name": "'test'", "status": "'failed'", "pipeline": """'{"sha": "abc"}'""", "started_at": OPENED}
    return [
        *table(
            "issues",
            shared | columns(text="severity", yes="confidential", whole="user_notes_count"),
            {**issue, "confidential": "false"},
            {**issue, "confidential": "true", "iid": "9"},
            {**issue, "iid": "10", "state": "'closed'", "closed_at": DONE},
        ),
        *table(
            "merge_requests", shared | requests, {**request, **merged}, {**request, "iid": "11", "state": "'opened'"}
        ),
        *table("jobs", jobs, job, {"name": "'waiting'", "status": "'created'"}),
    ]


_FIELDS = """{
 "summary": "T", "description": {"type": "doc", "content": [
   {"content": [{"type": "text", "text": "It \\\\"breaks\\\\""}]}, {"content": [{"type": "text", "text": "often"}]}]},
 "status": {"name": "Done", "statusCategory": {"key": "done"}}, "created": "2024-01-02T05:04:05.000+0200",
 "updated": "2024-01-03T04:05:06.000+0000", "resolutiondate": "2024-01-03T04:05:06.000+0000",
 "reporter": {"displayName": "Ann"}, "labels": ["bug", "ui"], "components": [{"name": "core"}, {"name": "net"}],
 "priority": {"name": "High"}, "versions": [{"name": "1.0"}, {"name": "1.1"}], "resolution": {"name": "Duplicate"},
 "security": {"name": "staff"}, "issuelinks": [
   {"type": {"name": "Duplicate"}, "outwardIssue": {"key": "CORE-5"}},
   {"type": {"name": "Relates"}, "inwardIssue": {"key": "CORE-6"}}]}"""
_NEW = """{"summary": "U", "description": "plain", "security": null, "status": {"statusCategory": {"key": "new"}}}"""


def jira() -> list[str]:
    """Airbyte's Jira stream: CORE-12 (done, a duplicate, with a security level) and CORE-13."""
    kinds = columns(text="key projectKey fields")
    rows = ({"key": "'CORE-12'", "fields": f"'{_FIELDS}'"}, {"key": "'CORE-13'", "fields": f"'{_NEW}'"})
    return table("issues", kinds, *rows)


def linear() -> list[str]:
    """Airbyte's Linear stream: ENG-12, and ENG-13, which was canceled."""
    kinds = columns(
        text="identifier title description priorityLabel url",
        real="number",
        when="createdAt updatedAt completedAt canceledAt",
    )
    row = {"identifier": "'ENG-12'", "number": "12", "title": "'T'", "createdAt": OPENED, "updatedAt": DONE}
    canceled = {**row, "identifier": "'ENG-13'", "number": "13", "canceledAt": DONE, "priorityLabel": "'Urgent'"}
    return table("issues", kinds, row, canceled)
