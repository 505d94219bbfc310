"""Links that the tracker_links pass recovered, as the caller may see them: what they lead to is read anew."""

from collections.abc import Mapping, Sequence

from runtime.errors import LoomError
from services.tracker.checking.links_store import Candidate, LinkStore
from services.tracker.graph import Node
from services.tracker.ops.records import ISSUES, KIND, PRS
from services.tracker.reads import Reading
from services.tracker.rows import Bound

LEG = "recovered"
OK, UNREACHABLE = "ok", "unreachable"

WORDS: Mapping[str, str] = {
    "words": "both say the same",
    "frames": "the diff touches the stack frames",
    "identifiers": "the diff has identifiers of the issue",
    "component": "both are of one component",
    "mentioned": "the pull request names the issue",
    "closeness": "it was merged near the issue's end",
}


class Recovered:
    """Reads recovered links of one item."""

    def __init__(self, store: LinkStore) -> None:
        self._store = store

    async def of(self, bound: Bound, node: Node, kind: str) -> tuple[list[Candidate], str]:
        """Candidates, best first, and the leg's state."""
        org, source, item = bound.source.org, bound.source.id, f"{node[0]}#{node[1]}"
        try:
            if kind == "issue":
                return await self._store.of_issue(org, source, item), OK
            return await self._store.of_pr(org, source, item), OK
        except LoomError:
            return [], UNREACHABLE

    async def rows(self, reading: Reading, found: Sequence[Candidate], kind: str) -> dict[str, dict[str, object]]:
        """Rows of what the candidates lead to, by id, through the namespace's own filters."""
        ids = [each.pr if kind == "issue" else each.issue for each in found]
        if not ids:
            return {}
        numbers = sorted({int(id_.rpartition("#")[2]) for id_ in ids})
        statement = PRS if kind == "issue" else ISSUES
        rows = await reading.rows(LEG, statement, {"numbers": numbers, "repo": ""})
        return {row["source_id"]: row for row in rows if row["source_id"] in ids and row[KIND] != kind}


def why(candidate: Candidate) -> list[str]:
    """Its evidence in words, the strongest first."""
    strong = sorted(candidate.evidence.items(), key=lambda each: -each[1])
    return [WORDS.get(name, name) for name, value in strong if value > 0]
