"""tracker.links: what ties an issue to pull requests: first what the tracker has in writing, then what was recovered."""

from dataclasses import dataclass
from typing import Any

from runtime.errors import invalid_field
from runtime.identity import Caller
from services.tracker import graph
from services.tracker.graph import Graph, Node
from services.tracker.ops import recovered
from services.tracker.ops.asking import Asked, Asking
from services.tracker.ops.records import ISSUES, KIND, NEAR_ISSUES, NEAR_PRS, PRS, item_of
from services.tracker.ops.recovered import Recovered
from services.tracker.outcome import Common, Item
from services.tracker.reads import OK, Reading, together

EITHER = "given, or pr_number, and not both"
CANDIDATE = "candidate"
# Seen from the other end.
REVERSED = {
    graph.FIXED_BY: "fixes",
    graph.CAUSED_BY: "causes",
    graph.CLOSES: "fixed_by",
    graph.DUPLICATE_OF: "duplicated_by",
    graph.BACKPORT_OF: "backported_by",
}
FORWARD = {graph.CLOSES: "fixes"}
WHY = {
    "fixed_by": "the issue lists the pull request as its fix, or the pull request closes it",
    "fixes": "the issue lists the pull request as its fix, or the pull request closes it",
    "caused_by": "the issue names the pull request as its cause",
    "causes": "the issue names the pull request as its cause",
    "duplicate_of": "the tracker marks it as a duplicate",
    "duplicated_by": "the tracker marks it as a duplicate",
    "backport_of": "the tracker marks it as a backport",
    "backported_by": "the tracker marks it as a backport",
}


@dataclass(slots=True)
class Link(Item):
    written: bool = True
    relation: str = ""


@dataclass(slots=True)
class Links:
    items: list[Link]
    missing: int | None
    common: Common


class LinksOp:
    def __init__(self, asking: Asking, found: Recovered | None = None) -> None:
        self._asking, self._recovered = asking, found

    async def execute(
        self, org: str, namespace: str, issue: int | None, pr: int | None, repo: str, caller: Caller
    ) -> Links:
        """Raises INVALID_FIELD unless exactly one number is given."""
        if (issue is None) == (pr is None):
            raise invalid_field("issue_number", EITHER)
        number, statement = (issue, ISSUES) if issue is not None else (pr, PRS)
        asked = await self._asking.primary(org, namespace, caller)
        reading = asked.primary
        rows = await reading.rows("items", statement, {"numbers": [number], "repo": f"{repo}#" if repo else ""})
        known = Graph()
        found = known.add(rows)
        await _neighbours(reading, known, found)
        missing = number if not found and reading.leg_status.get("items") == OK else None
        links = written(asked.namespace, known, found)
        for node in found if self._recovered else []:
            links += await self._candidates(asked, node, known.rows[node][KIND], {link.source_id for link in links})
        return Links(links, missing, asked.common())

    async def _candidates(self, asked: Asked, node: Node, kind: str, known: set[str]) -> list[Link]:
        """What the pass recovered and nobody wrote, best first."""
        assert self._recovered is not None
        reading, bound = asked.primary, asked.bounds[0]
        found, state = await self._recovered.of(bound, node, kind)
        rows = await self._recovered.rows(reading, found, kind)
        asked.note(reading, recovered.LEG, reading.leg_status.get(recovered.LEG, state))
        links = []
        for each in found:
            id_ = each.pr if kind == "issue" else each.issue
            if id_ in rows and id_ not in known:
                fields = {**item_of(asked.namespace, rows[id_]), "score": round(min(1.0, each.score), 4)}
                links.append(Link(**fields, why=recovered.why(each), written=False, relation=CANDIDATE))
        return links


async def _neighbours(reading: Reading, known: Graph, found: list[Node]) -> None:
    if not found:
        return
    params = {
        "wanted": [node[1] for node in known.unread(found)],
        "issues": [node[1] for node in found if known.rows[node][KIND] == "issue"],
        "prs": [node[1] for node in found if known.rows[node][KIND] == "pr"],
    }
    rows = await together(reading.rows("links", NEAR_ISSUES, params), reading.rows("links", NEAR_PRS, params))
    repos = {node[0] for node in found}
    known.add([row for some in rows for row in some if graph.node_of(row)[0] in repos])


def written(namespace: str, known: Graph, starts: list[Node]) -> list[Link]:
    """Links of these items to others, each pair and relation once."""
    links: dict[tuple[Node, str], Link] = {}
    for source, target, relation in known.edges():
        for here, there, seen in (
            (source, target, FORWARD.get(relation, relation)),
            (target, source, REVERSED[relation]),
        ):
            if here in starts and there not in starts:
                links.setdefault((there, seen), _link(namespace, known.rows[there], seen))
    return sorted(links.values(), key=lambda each: (each.relation, each.source_id))


def _link(namespace: str, row: Any, relation: str) -> Link:
    return Link(**item_of(namespace, row), why=[WHY[relation]], written=True, relation=relation)
