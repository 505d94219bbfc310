"""What the tables and columns of a record unlock."""

from collections.abc import Mapping
from types import MappingProxyType

from services.tracker.contract.model import Feature

FEATURES: Mapping[str, Feature] = MappingProxyType(
    {
        feature.name: feature
        for feature in (
            Feature(
                "items", "Issues and pull requests by number, and search over them", ("github_issues", "github_prs")
            ),
            Feature(
                "fix_graph",
                "Which change fixed an issue, and which one caused it",
                any_of=("github_issues.fixed_by", "github_prs.closes", "github_issues.caused_by"),
                better_with=("github_issues.duplicate_of", "github_prs.backport_of"),
            ),
            Feature(
                "components",
                "Open issues and risk of a component",
                ("github_issues.component",),
                better_with=(
                    "component_risk",
                    "component_risk.score",
                    "component_risk.snapshot_at",
                    "component_risk.trend",
                    "component_risk.owners",
                    "component_risk.open_severe",
                    "github_prs.component",
                ),
            ),
            Feature("severity", "Most severe first; blockers of a release", ("github_issues.severity",)),
            Feature("frames", "Equal crashes by their stack frames", ("github_issues.frames",)),
            Feature(
                "bisect",
                "Which changes may have caused an issue",
                any_of=("github_prs.diff", "github_prs.affected_file_paths"),
                better_with=(
                    "github_prs.merged_at",
                    "github_issues.triage_reproduces_on",
                    "github_issues.triage_clean_on",
                    "github_issues.bisect_verdict",
                ),
            ),
            Feature(
                "ci",
                "CI of a pull request; whether a test is flaky",
                ("checks",),
                ("checks.check_status", "checks.test_status"),
                (
                    "checks.test_name",
                    "checks.check_name",
                    "checks.pull_request_number",
                    "checks.commit_sha",
                    "checks.head_ref",
                    "checks.attempt",
                    "checks.runner",
                ),
            ),
            Feature("incidents", "Incidents, in restricted namespaces", ("core_incidents",)),
            Feature(
                "support",
                "Support cases of an issue, in restricted namespaces",
                ("support_cases",),
                better_with=("support_cases.issue_numbers",),
            ),
            Feature(
                "chat",
                "Chat threads of an issue, in restricted namespaces",
                ("slack_threads",),
                better_with=("slack_threads.issue_numbers",),
            ),
            Feature(
                "releases",
                "Releases and their state",
                ("releases",),
                better_with=("releases.state", "releases.released_at", "releases.branch"),
            ),
            Feature(
                "release_health",
                "Health of a release over time",
                ("release_health",),
                better_with=("release_health.snapshot_at", "release_health.status", "release_health.blockers_open"),
            ),
            Feature(
                "history",
                "First build that contains a change",
                ("version_history",),
                ("version_history.pr_number", "version_history.sha"),
                ("version_history.built_at", "version_history.branch"),
            ),
            Feature(
                "instances",
                "Which instances run a version",
                ("cloud_instances",),
                better_with=("cloud_instances.version", "cloud_instances.state", "instance_relations"),
            ),
        )
    }
)
