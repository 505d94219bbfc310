"""The graph of fixes, causes, duplicates and backports around items, out of rows. Numbers belong to one repository.

A row is a dict of contract columns. Cycles and repeated rows are harmless: an edge is kept once, a node is visited once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MOST = 100
Row = Mapping[str, Any]
Node = tuple[str, int]
"""Repository and number."""
Edge = tuple[Node, Node, str]

FIXED_BY, CAUSED_BY, CLOSES, DUPLICATE_OF, BACKPORT_OF = (
    "fixed_by",
    "caused_by",
    "closes",
    "duplicate_of",
    "backport_of",
)


def node_of(row: Row) -> Node:
    repo, _, _ = str(row["source_id"]).rpartition("#")
    return repo, int(row["number"])


def edges_of(row: Row) -> Iterator[Edge]:
    """What a row says of others; of a list that nobody wrote by hand, its beginning."""
    here = node_of(row)
    for name in (FIXED_BY, CAUSED_BY, CLOSES):
        for number in (row.get(name) or ())[:MOST]:
            yield here, (here[0], int(number)), name
    for name in (DUPLICATE_OF, BACKPORT_OF):
        number = row.get(name)
        if number:
            yield here, (here[0], int(number)), name


@dataclass(slots=True)
class Graph:
    """Rows that were read, by node, and the edges between them."""

    rows: dict[Node, Row] = field(default_factory=dict)

    def add(self, rows: Iterable[Row]) -> list[Node]:
        """Takes rows in; of one node the one that changed last. The nodes that are new."""
        new = []
        for row in rows:
            node = node_of(row)
            before = self.rows.get(node)
            if before is None:
                new.append(node)
            if before is None or _changed(row) > _changed(before):
                self.rows[node] = row
        return new

    def edges(self) -> list[Edge]:
        """Between rows that were read, each once."""
        found = dict.fromkeys(edge for row in self.rows.values() for edge in edges_of(row))
        return [edge for edge in found if edge[0] != edge[1] and edge[1] in self.rows]

    def unread(self, nodes: Iterable[Node]) -> list[Node]:
        """What the rows of these nodes point to and nobody has read."""
        wanted = (edge[1] for node in nodes if node in self.rows for edge in edges_of(self.rows[node]))
        return [node for node in dict.fromkeys(wanted) if node not in self.rows]


def around(start: Node, edges: Sequence[Edge], steps: int = 2) -> list[tuple[Edge, int]]:
    """The edges within so many steps of a node, either way along them, each with its distance; nearest first."""
    neighbours: dict[Node, list[Edge]] = {}
    for edge in edges:
        neighbours.setdefault(edge[0], []).append(edge)
        neighbours.setdefault(edge[1], []).append(edge)
    seen, reached, found = {start}, [start], dict[Edge, int]()
    for step in range(1, steps + 1):
        following: list[Node] = []
        for node in reached:
            for edge in neighbours.get(node, ()):
                found.setdefault(edge, step)
                other = edge[1] if edge[0] == node else edge[0]
                if other not in seen:
                    seen.add(other)
                    following.append(other)
        reached = following
    return list(found.items())


def fixes(start: Node, edges: Iterable[Edge]) -> list[Node]:
    """Pull requests that fix an issue by what either side says."""
    said = {edge[1] for edge in edges if edge[0] == start and edge[2] == FIXED_BY}
    return sorted(said | {edge[0] for edge in edges if edge[1] == start and edge[2] == CLOSES})


def backports(of: Iterable[Node], edges: Iterable[Edge]) -> list[Node]:
    """Backports of any of these pull requests."""
    wanted = set(of)
    return sorted({edge[0] for edge in edges if edge[1] in wanted and edge[2] == BACKPORT_OF})


def _changed(row: Row) -> Any:
    at = row.get("updated_at")
    return at.timestamp() if at else 0.0
