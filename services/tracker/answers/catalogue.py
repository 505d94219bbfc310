"""Templates of tracker.answer: one file each, with its name, the anchors that it needs, its statement and its wording."""

from collections.abc import Collection

from services.tracker.answers import (
    backport_status,
    causes,
    component_open_issues,
    component_risk,
    duplicates_of,
    first_release,
    first_release_of_pr,
    fix_in_version,
    fix_of_issue,
    fixed_by_pr,
    flaky_verdict,
    incidents,
    item_status,
    open_prs_of_path,
    regressions_of_version,
    release_blockers,
    release_health,
    support_cases,
    test_history,
    who_fixed,
)
from services.tracker.answers.model import Template

TEMPLATES: tuple[Template, ...] = (
    backport_status.TEMPLATE,
    causes.TEMPLATE,
    component_open_issues.TEMPLATE,
    component_risk.TEMPLATE,
    duplicates_of.TEMPLATE,
    first_release.TEMPLATE,
    first_release_of_pr.TEMPLATE,
    fix_in_version.TEMPLATE,
    fix_of_issue.TEMPLATE,
    fixed_by_pr.TEMPLATE,
    flaky_verdict.TEMPLATE,
    incidents.TEMPLATE,
    item_status.TEMPLATE,
    open_prs_of_path.TEMPLATE,
    regressions_of_version.TEMPLATE,
    release_blockers.TEMPLATE,
    release_health.TEMPLATE,
    support_cases.TEMPLATE,
    test_history.TEMPLATE,
    who_fixed.TEMPLATE,
)


def runnable(template: Template, restricted: bool, tables: Collection[str]) -> bool:
    """Whether a namespace may run the template over a source that offers these tables."""
    return (restricted or not template.restricted) and all(table in tables for table in template.tables)
