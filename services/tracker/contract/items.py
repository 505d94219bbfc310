"""The contract's tables of items: what was reported, and what was changed for it."""

from services.tracker.contract.families import Family
from services.tracker.contract.model import Table, needed, optional, table

PRIVATE = "1 where only readers of a restricted namespace may see the row"
PRIVATE_ALIASES = "private confidential is_confidential restricted is_restricted internal is_internal hidden is_hidden"
_REFERENCE = "`Org/repo#number`: names the item, and decides which namespaces may read it"
_REFERENCE_ALIASES = "source_ref source_reference full_reference full_ref external_reference external_ref item_ref"

ISSUES: Table = table(
    "github_issues",
    "Reports: bugs, requests, questions. One row each.",
    needed("source_id", Family.STRING, _REFERENCE, f"{_REFERENCE_ALIASES} issue_ref", guard=True),
    needed(
        "number", Family.INTEGER, "Number within its repository", "iid issue_number issue_iid issue_no num no key_no"
    ),
    needed("title", Family.STRING, "Title", "summary subject headline issue_title name"),
    needed("body", Family.STRING, "Text of the report", "description text content body_text issue_body details"),
    needed("state", Family.STRING, "Whether it is open", "status issue_state issue_status", values=("open", "closed")),
    needed(
        "created_at",
        Family.DATETIME,
        "When it was opened",
        "opened_at created opened reported_at created_on created_date date_created creation_date created_time opened_on",
    ),
    needed(
        "updated_at",
        Family.DATETIME,
        "When anything of it changed last",
        "updated modified_at last_updated last_updated_at modified last_modified last_modified_at changed_at updated_on "
        "updated_date date_updated date_modified last_activity_at updated_time",
    ),
    needed("is_private", Family.FLAG, PRIVATE, PRIVATE_ALIASES, guard=True),
    optional(
        "closed_at",
        Family.DATETIME,
        "When it was closed",
        "resolved_at completed_at closed_on closed_date date_closed resolution_date resolutiondate done_at closed resolved",
    ),
    optional(
        "author",
        Family.STRING,
        "Who opened it",
        "reporter creator author_login user_login opened_by created_by reported_by author_name author_username "
        "reporter_name creator_name username user",
    ),
    optional("labels", Family.STRINGS, "Labels", "label_names tags issue_labels label_list tag_names keywords"),
    optional("component", Family.STRING, "Part of the product", "area module component_name subsystem package team"),
    optional(
        "severity",
        Family.LABEL,
        "How bad it is",
        "priority sev severity_level priority_name severity_name priority_label prio importance impact",
    ),
    optional(
        "version",
        Family.STRING,
        "Version that it was seen in",
        "affects_version affected_version found_in_version found_in reported_version version_found product_version",
    ),
    optional(
        "error_codes", Family.REFERENCES, "Error codes in the report", "errors error_code_list exception_codes codes"
    ),
    optional(
        "frames",
        Family.STRINGS,
        "Stack frames, innermost first",
        "stack_frames stack stacktrace stack_trace backtrace traceback call_stack",
    ),
    optional(
        "duplicate_of",
        Family.INTEGER,
        "Number of the issue that it repeats",
        "duplicate_of_number duplicate_number dup_of duplicates canonical_number duplicated_to_id original_number",
    ),
    optional(
        "fixed_by",
        Family.INTEGERS,
        "Numbers of the pull requests that fix it",
        "fixed_by_prs fix_prs fixing_prs closed_by_prs closed_by_pull_requests resolved_by linked_prs fixed_in_prs "
        "pr_numbers pull_request_numbers",
    ),
    optional(
        "caused_by",
        Family.INTEGERS,
        "Numbers of the pull requests that brought it in",
        "caused_by_prs introduced_by regressed_by broken_by culprit_prs introduced_by_prs",
    ),
    optional(
        "mentions",
        Family.REFERENCES,
        "Items that the report names",
        "mentioned mentioned_items mentioned_numbers referenced_issues references related_issues cross_references",
    ),
    optional(
        "milestone", Family.LABEL, "Milestone", "milestone_title milestone_name sprint cycle iteration fix_version"
    ),
    optional("url", Family.STRING, "Page of the issue", "html_url web_url link permalink href issue_url"),
    optional(
        "comments",
        Family.INTEGER,
        "How many comments it has",
        "comments_count comment_count num_comments user_notes_count notes_count n_comments",
    ),
    optional(
        "state_reason",
        Family.STRING,
        "Why it was closed",
        "close_reason closed_reason resolution resolution_name reason",
    ),
    optional("tests", Family.STRINGS, "Tests that it names", "test_names failing_tests related_tests test_list"),
    optional(
        "affected_branches",
        Family.VERSIONS,
        "Branches that have the fault",
        "branches affects_branches affected_releases affects_versions affected_versions",
    ),
    optional(
        "triage_reproduces_on",
        Family.VERSIONS,
        "Versions, builds or commits where it was reproduced",
        "reproduces_on reproduced_on bad_versions bad_version first_bad",
    ),
    optional(
        "triage_clean_on",
        Family.VERSIONS,
        "Versions, builds or commits where it was tried and not seen",
        "clean_on not_reproduced_on good_versions good_version last_good",
    ),
    optional("bisect_verdict", Family.STRING, "What a bisection found", "bisect_result bisection bisect"),
    required=True,
    hints="issues issue tickets ticket bugs bug work_items reports",
)

PULL_REQUESTS: Table = table(
    "github_prs",
    "Changes: pull or merge requests. One row each.",
    needed("source_id", Family.STRING, _REFERENCE, f"{_REFERENCE_ALIASES} pr_ref", guard=True),
    needed(
        "number",
        Family.INTEGER,
        "Number within its repository",
        "iid pr_number pull_request_number pull_number mr_number mr_iid pr_no num no",
    ),
    needed("title", Family.STRING, "Title", "summary subject headline pr_title name"),
    needed("body", Family.STRING, "Description", "description text content body_text pr_body details"),
    needed(
        "state",
        Family.STRING,
        "Whether it is open, merged, or closed without a merge",
        "status pr_state pr_status",
        values=("open", "closed", "merged"),
    ),
    needed(
        "created_at",
        Family.DATETIME,
        "When it was opened",
        "opened_at created opened created_on created_date date_created creation_date created_time opened_on",
    ),
    needed(
        "updated_at",
        Family.DATETIME,
        "When anything of it changed last",
        "updated modified_at last_updated last_updated_at modified last_modified last_modified_at changed_at updated_on "
        "updated_date date_updated date_modified last_activity_at updated_time",
    ),
    needed("is_private", Family.FLAG, PRIVATE, PRIVATE_ALIASES, guard=True),
    optional("merged_at", Family.DATETIME, "When it was merged", "merge_date merged_on date_merged merged_time merged"),
    optional(
        "base_ref",
        Family.STRING,
        "Branch that it goes into",
        "base_branch target_branch base_ref_name base destination_branch into_branch",
    ),
    optional(
        "head_ref",
        Family.STRING,
        "Branch that it comes from",
        "head_branch source_branch head_ref_name head branch from_branch branch_name",
    ),
    optional("head_sha", Family.STRING, "Its newest commit", "head_commit head_ref_oid head_commit_sha head_oid sha"),
    optional(
        "merge_sha",
        Family.STRING,
        "Commit that merged it",
        "merge_commit_sha merge_commit merged_sha squash_commit_sha merged_commit merge_commit_oid",
    ),
    optional(
        "author",
        Family.STRING,
        "Who opened it",
        "creator author_login user_login opened_by created_by author_name author_username creator_name username user",
    ),
    optional("labels", Family.STRINGS, "Labels", "label_names tags pr_labels label_list tag_names"),
    optional("component", Family.STRING, "Part of the product", "area module component_name subsystem package team"),
    optional(
        "closes",
        Family.INTEGERS,
        "Numbers of the issues that it closes",
        "closes_issues closing_issues closed_issues fixes fixes_issues resolves issue_numbers linked_issues "
        "closing_issue_numbers closing_issues_references",
    ),
    optional(
        "affected_file_paths",
        Family.STRINGS,
        "Paths of the files that it changes",
        "file_paths files changed_files paths changed_paths touched_files affected_files filenames modified_files",
    ),
    optional("diff", Family.STRING, "Its changes as a unified diff", "patch diff_text unified_diff changes"),
    optional(
        "backport_of", Family.INTEGER, "Number of the pull request that it brings back", "backports backported_pr"
    ),
    optional("backport_state", Family.STRING, "How far its backports are", "backport_status backporting"),
    optional(
        "release", Family.STRING, "Release that it shipped in", "released_in shipped_in release_version fix_version"
    ),
    optional("url", Family.STRING, "Page of the pull request", "html_url web_url link permalink href pr_url"),
    required=True,
    hints="pull_requests pull_request prs pr merge_requests merge_request mrs pulls changes",
)
