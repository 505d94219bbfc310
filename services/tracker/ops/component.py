"""tracker.component: a component's risk, its open issues and recent incidents."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from runtime.errors import missing_field
from runtime.identity import Caller
from services.tracker.ops.asking import Asking
from services.tracker.ops.near import COMPONENTS, nearest
from services.tracker.ops.records import item_of, once
from services.tracker.outcome import LIST_ITEMS, Common, Item, cut, title_of, word, words
from services.tracker.reads import Reading, Statement, together
from services.tracker.severity import RANK_SQL

NOTES_CHARS = 2000

_IS_IT = "lower(component) = lower({component:String})"
ISSUES = Statement(
    "component.issues",
    "SELECT 'issue' AS kind, source_id, number, title, state, created_at, component, severity, url "
    "FROM {github_issues(source_id, number, title, state, created_at, component, severity, url)} "
    f"WHERE {_IS_IT} AND state = 'open' ORDER BY {RANK_SQL}, created_at DESC, source_id LIMIT {{limit:UInt32}}",
)
COUNT = Statement(
    "component.count",
    "SELECT uniqExactIf(source_id, state = 'open') AS open, count() AS all, any(component) AS name "
    f"FROM {{github_issues(source_id, component, state)}} WHERE {_IS_IT} LIMIT 1",
)
RISK = Statement(
    "component.risk",
    "SELECT component, snapshot_at, score, open_issues, open_severe, trend, owners, notes "
    "FROM {component_risk(component, snapshot_at, score, open_issues, open_severe, trend, owners, notes)} "
    f"WHERE {_IS_IT} ORDER BY snapshot_at DESC LIMIT 1",
)
INCIDENTS = Statement(
    "component.incidents",
    "SELECT id, title, severity, state, started_at, resolved_at, issue_numbers "
    "FROM {core_incidents(id, title, severity, state, started_at, resolved_at, component, issue_numbers)} "
    f"WHERE {_IS_IT} AND (started_at IS NULL OR started_at >= now() - INTERVAL 90 DAY) "
    "ORDER BY started_at DESC, id LIMIT {limit:UInt32}",
)


@dataclass(slots=True)
class Risk:
    """The latest snapshot, on the tracker's own scale."""

    snapshot_at: datetime | None
    score: float | None
    open_issues: int | None
    open_severe: int | None
    trend: str
    owners: list[str]
    notes: str


@dataclass(slots=True)
class Incident:
    id: str
    title: str
    severity: str
    state: str
    started_at: datetime | None
    resolved_at: datetime | None
    issue_numbers: list[int]


@dataclass(slots=True)
class Component:
    component: str
    risk: Risk | None
    items: list[Item]
    open_issues: int | None
    incidents: list[Incident]
    near: list[str]
    common: Common


class ComponentOp:
    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def execute(self, org: str, namespace: str, component: str, limit: int, caller: Caller) -> Component:
        """Names that look alike where the record has no such component. Raises MISSING_FIELD for a blank one."""
        if not component.strip():
            raise missing_field("component")
        asked = await self._asking.primary(org, namespace, caller)
        reading, params = asked.primary, {"component": component.strip(), "limit": limit}
        issues, count, risk, incidents = await together(
            reading.rows("issues", ISSUES, params),
            reading.rows("issues", COUNT, params),
            reading.rows("risk", RISK, params),
            reading.rows("incidents", INCIDENTS, params),
        )
        counted = count[0] if count else None
        name = risk[0]["component"] if risk else counted["name"] if counted and counted["all"] else ""
        return Component(
            component=word(name),
            risk=_risk(risk[0]) if risk else None,
            items=[Item(**item_of(asked.namespace, row)) for row in once(issues)],
            open_issues=int(counted["open"]) if counted else None,
            incidents=[incident_of(row) for row in incidents],
            near=[] if name or incidents else await near_components(reading, component),
            common=asked.common(),
        )


async def near_components(reading: Reading, component: str) -> list[str]:
    rows = await reading.rows("names", COMPONENTS)
    return nearest(component, [row["component"] for row in rows])


def _risk(row: dict[str, Any]) -> Risk:
    return Risk(
        snapshot_at=row["snapshot_at"],
        score=row["score"],
        open_issues=row["open_issues"],
        open_severe=row["open_severe"],
        trend=word(row["trend"]),
        owners=words(row["owners"]),
        notes=cut(row["notes"] or "", NOTES_CHARS)[0],
    )


def incident_of(row: dict[str, Any]) -> Incident:
    return Incident(
        id=word(row["id"]),
        title=title_of(row["title"] or ""),
        severity=word(row["severity"]),
        state=word(row["state"]),
        started_at=row["started_at"],
        resolved_at=row["resolved_at"],
        issue_numbers=list(row["issue_numbers"] or ())[:LIST_ITEMS],
    )
