"""The contract: every table by its name, in the order of the documentation."""

from collections.abc import Mapping
from types import MappingProxyType

from services.tracker.contract import around, items
from services.tracker.contract.model import Column, Table

TABLES: Mapping[str, Table] = MappingProxyType(
    {
        table.name: table
        for table in (
            items.ISSUES,
            items.PULL_REQUESTS,
            around.INCIDENTS,
            around.SUPPORT_CASES,
            around.SLACK_THREADS,
            around.COMPONENT_RISK,
            around.RELEASES,
            around.RELEASE_HEALTH,
            around.VERSION_HISTORY,
            around.CHECKS,
            around.CLOUD_INSTANCES,
            around.INSTANCE_RELATIONS,
        )
    }
)

# Tables that a standard namespace never reads.
RESTRICTED: frozenset[str] = frozenset({"core_incidents", "support_cases", "slack_threads"})


def column(table: str, name: str) -> Column:
    """The column; KeyError for what the contract does not have."""
    return TABLES[table].columns[name]
