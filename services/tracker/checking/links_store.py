"""Recovered links between issues and pull requests of a source."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import orjson

from runtime.store import Store

TABLE = "qa_link_candidates"


class Candidate(NamedTuple):
    """One recovered link; `issue` and `pr` are `Org/repo#number`, `evidence` is name -> strength."""

    issue: str
    pr: str
    score: float
    written: bool
    evidence: Mapping[str, float]


class LinkStore:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def put(self, org: str, source_id: str, links: Sequence[Candidate], version: int) -> None:
        """Replaces links of the same pair that an earlier pass found; `version` grows with every pass."""
        rows = [
            [
                org,
                source_id,
                each.issue,
                each.pr,
                each.score,
                each.written,
                orjson.dumps(dict(each.evidence)).decode(),
                version,
            ]
            for each in links
        ]
        columns = ["org", "source_id", "issue", "pr", "score", "written", "evidence", "version"]
        await self._store.insert(TABLE, columns, rows)

    async def of_issue(self, org: str, source_id: str, issue: str) -> list[Candidate]:
        return await self._read("issue", org, source_id, issue)

    async def of_pr(self, org: str, source_id: str, pr: str) -> list[Candidate]:
        return await self._read("pr", org, source_id, pr)

    async def least(self, org: str, source_id: str, issues: Sequence[str], most: int) -> dict[str, float]:
        """By issue, the score of the last of its `most` best links; issues with fewer links are left out."""
        rows = await self._store.query(
            f"SELECT issue, arrayReverseSort(groupArray(score)) AS scores FROM {TABLE} FINAL "
            "WHERE org = {org:String} AND source_id = {source:String} AND issue IN {issues:Array(String)} "
            "GROUP BY issue HAVING count() >= {most:UInt32}",
            {"org": org, "source": source_id, "issues": list(issues), "most": most},
            name="tracker.least_links",
        )
        return {str(row["issue"]): float(row["scores"][most - 1]) for row in rows}

    async def erase(self, org: str, source_id: str, before: int | None = None) -> None:
        """Removes the source's links, or those that passes before the version `before` found and no later one did."""
        older = "" if before is None else " AND version < {before:UInt64}"
        await self._store.command(
            f"ALTER TABLE {TABLE} DELETE WHERE org = {{org:String}} AND source_id = {{source:String}}{older}",
            {"org": org, "source": source_id, **({} if before is None else {"before": before})},
            name="tracker.erase_links",
        )

    async def _read(self, column: str, org: str, source_id: str, item: str) -> list[Candidate]:
        rows = await self._store.query(
            f"SELECT issue, pr, score, written, evidence FROM {TABLE} FINAL WHERE org = {{org:String}} "
            f"AND source_id = {{source:String}} AND {column} = {{item:String}} ORDER BY score DESC, issue, pr LIMIT 50",
            {"org": org, "source": source_id, "item": item},
            name="tracker.links",
        )
        return [
            Candidate(row["issue"], row["pr"], row["score"], bool(row["written"]), orjson.loads(row["evidence"]))
            for row in rows
        ]
