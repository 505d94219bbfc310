"""The contract's tables around the items: incidents, support, releases, CI runs, instances. All of them may be absent."""

from services.tracker.contract.families import Family
from services.tracker.contract.items import PRIVATE, PRIVATE_ALIASES
from services.tracker.contract.model import Column, Table, needed, optional, table

_NUMBERS = "issues linked_issues related_issues issue_ids issue_iids"
_COMPONENT = "area module component_name subsystem service"
_REPOS = "repository repo_full_name repository_full_name full_name"


def _private() -> Column:
    return optional("is_private", Family.FLAG, PRIVATE, PRIVATE_ALIASES, guard=True)


def _repo() -> Column:
    meaning = "`Org/repo`: where the table has it, a namespace reads the rows of its own repositories only"
    return optional("repo", Family.STRING, meaning, _REPOS, guard=True)


INCIDENTS: Table = table(
    "core_incidents",
    "Incidents. Read in restricted namespaces only.",
    needed("id", Family.LABEL, "Names the incident", "incident_id key incident_key number"),
    needed("title", Family.STRING, "Title", "summary subject name headline"),
    optional("body", Family.STRING, "What happened", "description text content details postmortem"),
    optional("severity", Family.LABEL, "How bad it is", "sev priority severity_level urgency impact"),
    optional("state", Family.STRING, "Where it stands", "status incident_state incident_status"),
    optional(
        "started_at", Family.DATETIME, "When it began", "opened_at created_at started start_time began_at declared_at"
    ),
    optional("resolved_at", Family.DATETIME, "When it was over", "closed_at ended_at resolved end_time finished_at"),
    optional("component", Family.STRING, "Part of the product", _COMPONENT),
    optional("issue_numbers", Family.INTEGERS, "Numbers of the issues behind it", _NUMBERS),
    _private(),
    _repo(),
    hints="incidents incident outages postmortems",
)

SUPPORT_CASES: Table = table(
    "support_cases",
    "Cases of customers. Read in restricted namespaces only.",
    needed("id", Family.LABEL, "Names the case", "case_id case_number ticket_id key number"),
    needed("title", Family.STRING, "Title", "subject summary name headline"),
    optional("body", Family.STRING, "What the customer wrote", "description text content details"),
    optional("state", Family.STRING, "Where it stands", "status case_state case_status"),
    optional("opened_at", Family.DATETIME, "When it was opened", "created_at opened created created_date created_on"),
    optional("closed_at", Family.DATETIME, "When it was closed", "resolved_at solved_at closed closed_on closed_date"),
    optional("component", Family.STRING, "Part of the product", f"{_COMPONENT} product"),
    optional("issue_numbers", Family.INTEGERS, "Numbers of the issues behind it", _NUMBERS),
    _private(),
    hints="cases support_tickets customer_cases zendesk_tickets",
)

SLACK_THREADS: Table = table(
    "slack_threads",
    "Threads of the team's chat. Read in restricted namespaces only.",
    needed("id", Family.LABEL, "Names the thread", "thread_id thread_ts ts key"),
    needed("text", Family.STRING, "What was said", "body content message messages transcript"),
    optional("channel", Family.STRING, "Where it was said", "channel_name room conversation"),
    optional("started_at", Family.DATETIME, "When it began", "created_at posted_at sent_at started opened_at"),
    optional("issue_numbers", Family.INTEGERS, "Numbers of the issues that it names", _NUMBERS),
    _private(),
    hints="threads chat_threads conversations messages",
)

COMPONENT_RISK: Table = table(
    "component_risk",
    "How risky each component is, one row per component and snapshot.",
    needed("component", Family.STRING, "Part of the product", f"{_COMPONENT} name"),
    optional(
        "snapshot_at", Family.DATETIME, "When it was measured", "measured_at taken_at as_of updated_at computed_at"
    ),
    optional("score", Family.NUMBER, "Risk, the higher the worse", "risk risk_score value"),
    optional(
        "open_issues", Family.INTEGER, "How many issues are open", "open_count issues_open n_open open_issue_count"
    ),
    optional("open_severe", Family.INTEGER, "How many of them are severe", "severe_open open_critical open_blockers"),
    optional("trend", Family.LABEL, "Where the risk is going", "direction change delta"),
    optional("owners", Family.VERSIONS, "Who answers for it", "owner team teams codeowners maintainers"),
    optional("notes", Family.STRING, "What a reader should know", "note comment comments description summary"),
    _repo(),
    hints="component_risks risk risks component_health components",
)

RELEASES: Table = table(
    "releases",
    "Releases, planned and shipped.",
    needed("version", Family.STRING, "Version", "tag tag_name name release release_name release_version"),
    optional("branch", Family.STRING, "Branch that it is cut from", "release_branch target_commitish ref branch_name"),
    optional(
        "state", Family.STRING, "Where it stands, such as planned or released", "status release_state release_status"
    ),
    optional(
        "released_at", Family.DATETIME, "When it shipped", "published_at release_date shipped_at released released_on"
    ),
    _private(),
    _repo(),
    hints="release versions tags",
)

RELEASE_HEALTH: Table = table(
    "release_health",
    "How each release does, one row per version and snapshot.",
    needed("version", Family.STRING, "Version", "release tag release_version release_name"),
    optional(
        "snapshot_at", Family.DATETIME, "When it was measured", "measured_at taken_at as_of updated_at computed_at"
    ),
    optional("status", Family.STRING, "Verdict of the snapshot", "state health verdict"),
    optional("blockers_open", Family.INTEGER, "How many blockers are open", "open_blockers blockers blocker_count"),
    optional("ci_pass_rate", Family.NUMBER, "Share of CI runs that pass, 0 to 1", "pass_rate ci_rate success_rate"),
    optional("notes", Family.STRING, "What a reader should know", "note comment comments description summary"),
    _repo(),
    hints="release_status release_readiness",
)

VERSION_HISTORY: Table = table(
    "version_history",
    "Which builds contain which changes, one row per build and change.",
    needed("version", Family.STRING, "Version or build", "build build_version release tag"),
    optional("branch", Family.STRING, "Branch that it was built from", "ref build_branch branch_name"),
    optional("sha", Family.STRING, "Commit", "commit_sha commit commit_hash git_sha revision"),
    optional(
        "pr_number", Family.INTEGER, "Number of the pull request that it contains", "pull_request_number pr mr_iid"
    ),
    optional(
        "built_at", Family.DATETIME, "When it was built", "build_time created_at released_at timestamp build_date"
    ),
    _repo(),
    hints="builds build_history build_changes version_changes",
)

CHECKS: Table = table(
    "checks",
    "CI runs: one row per check, or per test of a check.",
    needed(
        "check_start_time", Family.DATETIME, "When the check began", "started_at start_time check_started_at created_at"
    ),
    optional("pull_request_number", Family.INTEGER, "Number of the pull request; 0 is none", "pr_number pr mr_iid"),
    optional(
        "commit_sha", Family.STRING, "Commit that was checked", "sha head_sha commit commit_hash git_sha revision"
    ),
    optional("check_name", Family.STRING, "Name of the check", "job_name workflow_name job name pipeline_name suite"),
    optional(
        "check_status", Family.STRING, "How the check ended", "conclusion status job_status check_conclusion result"
    ),
    optional(
        "test_name", Family.STRING, "Name of the test; empty is a row of the check", "test test_case testcase case_name"
    ),
    optional("test_status", Family.STRING, "How the test ended", "test_result test_outcome outcome case_status"),
    optional(
        "test_duration_ms",
        Family.NUMBER,
        "How long the test took, in milliseconds",
        "duration_ms test_time_ms elapsed_ms",
    ),
    optional("base_ref", Family.STRING, "Branch that the change goes into", "base_branch target_branch base"),
    optional("head_ref", Family.STRING, "Branch that was checked", "head_branch source_branch branch ref head"),
    optional("report_url", Family.STRING, "Page of the run", "url html_url details_url web_url link log_url"),
    optional("attempt", Family.INTEGER, "Attempt of the run, from 1", "run_attempt try retry_number attempt_number"),
    optional(
        "runner", Family.STRING, "Machine, or kind of machine, that ran it", "runner_name agent host machine node"
    ),
    _repo(),
    hints="ci_checks check_runs test_runs test_results ci_runs job_runs",
)

CLOUD_INSTANCES: Table = table(
    "cloud_instances",
    "Running instances of the product.",
    needed("instance_id", Family.LABEL, "Names the instance", "id uuid instance"),
    optional("name", Family.STRING, "Name", "instance_name display_name title"),
    optional("version", Family.STRING, "Version that it runs", "release build running_version product_version"),
    optional("region", Family.STRING, "Where it runs", "location zone data_center cloud_region"),
    optional("state", Family.STRING, "Where it stands", "status instance_state instance_status"),
    hints="instances deployments clusters services",
)

INSTANCE_RELATIONS: Table = table(
    "instance_relations",
    "How instances depend on each other.",
    needed("from_id", Family.LABEL, "Instance", "source_id from from_instance parent_id source"),
    needed("to_id", Family.LABEL, "Instance that it relates to", "target_id to to_instance child_id target"),
    optional("relation", Family.STRING, "How they relate", "type kind relation_type relationship"),
    hints="relations instance_links dependencies",
)
