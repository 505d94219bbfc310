"""tracker.item: the record of issues and pull requests by number, with what surrounds them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from runtime.identity import Caller
from services.tracker import graph
from services.tracker.ci import Ci, latest
from services.tracker.graph import Graph, Node
from services.tracker.ops.asking import Asking
from services.tracker.ops.records import CHECKS, ISSUES, KIND, NEAR_ISSUES, NEAR_PRS, PRS, item_of
from services.tracker.outcome import BODY_CHARS, Common, Item, address, cut, word, words
from services.tracker.reads import OK, Reading, together

FAILED = 20


@dataclass(slots=True)
class Beside:
    """A pull request beside an item."""

    number: int
    source_id: str
    title: str
    state: str
    relation: str
    base_ref: str
    merged_at: datetime | None
    release: str
    backport_state: str
    ci: str
    failed_checks: list[str]
    report_url: str
    url: str


@dataclass(slots=True)
class Related:
    """One step of the graph."""

    source: str
    target: str
    relation: str
    steps: int
    title: str
    state: str
    kind: str


@dataclass(slots=True)
class Record(Item):
    """An item with everything that its record says."""

    body: str = ""
    body_clipped: bool = False
    labels: list[str] = field(default_factory=list)
    author: str = ""
    updated_at: datetime | None = None
    closed_at: datetime | None = None
    merged_at: datetime | None = None
    milestone: str = ""
    version: str = ""
    state_reason: str = ""
    error_codes: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    affected_branches: list[str] = field(default_factory=list)
    bisect_verdict: str = ""
    triage_reproduces_on: list[str] = field(default_factory=list)
    triage_clean_on: list[str] = field(default_factory=list)
    base_ref: str = ""
    head_ref: str = ""
    merge_sha: str = ""
    paths: list[str] = field(default_factory=list)
    pull_requests: list[Beside] = field(default_factory=list)
    graph: list[Related] = field(default_factory=list)


@dataclass(slots=True)
class Found:
    items: list[Record]
    missing: list[int]
    common: Common


class ItemOp:
    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def execute(self, org: str, namespace: str, numbers: Sequence[int], repo: str, caller: Caller) -> Found:
        """What was found, in the order of the numbers; of a number in several repositories every one."""
        asked = await self._asking.primary(org, namespace, caller)
        reading, wanted = asked.primary, list(dict.fromkeys(numbers))
        params = {"numbers": wanted, "repo": f"{repo}#" if repo else ""}
        rows = await together(reading.rows("items", ISSUES, params), reading.rows("items", PRS, params))
        known = Graph()
        found = known.add([row for some in rows for row in some])
        ci = await _surroundings(reading, known, found)
        edges = known.edges()
        records = [_record(reading.tracker_namespace, known, node, edges, ci) for node in found]
        records.sort(key=lambda each: (wanted.index(each.number), each.source_id))
        answered = reading.leg_status.get("items") == OK and "items" not in reading.clipped
        missing = [n for n in wanted if answered and n not in {node[1] for node in found}]
        return Found(records, missing, asked.common())


async def _surroundings(reading: Reading, known: Graph, found: list[Node]) -> dict[int, Ci]:
    """Reads two steps around the items, and the CI of the pull requests one step away."""
    new = await _step(reading, known, found)
    near = [node[1] for node in (*found, *new) if known.rows[node][KIND] == "pr"]
    _, ci = await together(_step(reading, known, new), _checks(reading, known, near))
    return ci


async def _step(reading: Reading, known: Graph, nodes: list[Node]) -> list[Node]:
    """Reads what these point to and what points to them. The nodes that are new, of the same repositories alone."""
    if not nodes:
        return []
    repos = {node[0] for node in nodes}
    params = {
        "wanted": [node[1] for node in known.unread(nodes)],
        "issues": [node[1] for node in nodes if known.rows[node][KIND] == "issue"],
        "prs": [node[1] for node in nodes if known.rows[node][KIND] == "pr"],
    }
    rows = await together(reading.rows("graph", NEAR_ISSUES, params), reading.rows("graph", NEAR_PRS, params))
    return known.add([row for some in rows for row in some if graph.node_of(row)[0] in repos])


async def _checks(reading: Reading, known: Graph, numbers: list[int]) -> dict[int, Ci]:
    if not numbers:
        return {}
    rows = await reading.rows("ci", CHECKS, {"numbers": numbers})
    heads = {node[1]: row.get("head_sha") or "" for node, row in known.rows.items() if row[KIND] == "pr"}
    return latest(rows, heads)


def _record(namespace: str, known: Graph, node: Node, edges: Sequence[graph.Edge], ci: dict[int, Ci]) -> Record:
    row = known.rows[node]
    body, clipped = cut(row.get("body") or "", BODY_CHARS)
    record = Record(**item_of(namespace, row), body=body, body_clipped=clipped)
    for name in _COPIED:
        if row.get(name):
            setattr(record, name, _bounded(row[name]))
    record.version = word(row.get("version") or row.get("release"))
    record.paths = words(row.get("affected_file_paths"))
    record.graph = [_related(known, edge, steps) for edge, steps in graph.around(node, edges)]
    record.pull_requests = _beside(known, node, edges, ci)
    return record


_COPIED = (
    *("labels", "author", "updated_at", "closed_at", "merged_at", "milestone", "state_reason", "error_codes", "tests"),
    *("affected_branches", "bisect_verdict", "triage_reproduces_on", "triage_clean_on", "base_ref", "head_ref"),
    "merge_sha",
)


def _bounded(value: Any) -> Any:
    if isinstance(value, list):
        return words(value)
    return word(value) if isinstance(value, str) else value


def _related(known: Graph, edge: graph.Edge, steps: int) -> Related:
    source, target, relation = edge
    row = known.rows[target]
    item = item_of("", row)
    return Related(_id(known, source), _id(known, target), relation, steps, item["title"], item["state"], row[KIND])


def _beside(known: Graph, node: Node, edges: Sequence[graph.Edge], ci: dict[int, Ci]) -> list[Beside]:
    is_pr = known.rows[node][KIND] == "pr"
    fixing = [node] if is_pr else graph.fixes(node, edges)
    named = [("self" if is_pr else "fix", each) for each in fixing]
    named += [("backport", each) for each in graph.backports(fixing, edges) if each not in fixing]
    return [_pull_request(known.rows[each], how, ci) for how, each in named if known.rows[each][KIND] == "pr"]


def _pull_request(row: Any, relation: str, ci: dict[int, Ci]) -> Beside:
    state = ci.get(row["number"], Ci())
    return Beside(
        number=row["number"],
        source_id=word(row["source_id"]),
        title=item_of("", row)["title"],
        state=word(row["state"]),
        relation=relation,
        base_ref=word(row.get("base_ref")),
        merged_at=row.get("merged_at"),
        release=word(row.get("release")),
        backport_state=word(row.get("backport_state")),
        ci=state.verdict,
        failed_checks=words(state.failed)[:FAILED],
        report_url=address(state.report_url),
        url=address(row.get("url")),
    )


def _id(known: Graph, node: Node) -> str:
    return word(known.rows[node]["source_id"])
