"""Requests as a team of agents sends them: records above all, then memories, searches and reads."""

import json
from typing import Any

from tests.bench.payloads import MARK, calls

USERS = 8
NAMESPACE = "bench"


def mixed() -> tuple[list[str], list[str]]:
    """Paths and bodies, in turn; of 20 requests 8 record, 3 save, 3 list, 3 search, 2 get and 1 counts."""
    kinds = calls()
    found: list[tuple[str, dict[str, Any]]] = []
    for user in range(USERS):
        where = {"namespace": NAMESPACE, "user_id": f"u{user}"}
        save = {"title": f"fact {MARK}", "content": f"what was found out about part {MARK}", "type": "discovery"}
        turn = [
            *(("observe.record", {**kinds[number % len(kinds)], **where}) for number in range(8)),
            *[("memory.save", {**save, **where})] * 3,
            *[("observe.list", {**where, "page_size": 20})] * 3,
            *[("memory.search", {**where, "query": "found out part", "limit": 5})] * 3,
            *[("observe.get", {**where, "memory_keys": ["obs:-:0123456789abcdef01234567"]})] * 2,
            ("memory.stats", where),
        ]
        # Not in the order of the list: neighbours in time are of different kinds.
        found += [turn[(7 * place) % len(turn)] for place in range(len(turn))]
    return [f"/v1/{op}" for op, _ in found], [json.dumps(body) for _, body in found]
