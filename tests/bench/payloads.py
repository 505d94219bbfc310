"""Tool calls as coding agents send them: four kinds in turn, about 0.9 kB on average, each call different."""

import json
from typing import Any

# Replaced by a number in twelve digits, so that every body of a kind has the same length and no call repeats another.
MARK = "@@@@@@@@@@@@"

_SOURCE = "\n".join(
    f"    def step_{i}(self, value: int) -> int:\n        return value * {i} + self.offset  # keeps order"
    for i in range(14)
)
_PYTEST = "\n".join(f"tests/unit/test_part_{i}.py ......... [{i * 8:3d}%]" for i in range(12))
_MATCHES = "\n".join(f"src/app/module_{i}.py:{10 + i}:    result = compute(value, retries={i})" for i in range(9))


def calls() -> list[dict[str, Any]]:
    """One call of each kind, with MARK in the input."""
    return [
        _call("Bash", {"command": f"pytest -q --run {MARK}", "timeout": 60000}, f"{_PYTEST}\n97 passed in 3.20s"),
        _call("Read", {"file_path": f"/src/app/f{MARK}.py", "limit": 200}, {"type": "text", "content": _SOURCE}),
        _call("Edit", {"file_path": f"/src/app/f{MARK}.py", "old_string": _SOURCE[:300], "new_string": "pass"}, "done"),
        _call("Grep", {"pattern": f"compute_{MARK}", "path": "src/app", "output_mode": "content"}, _MATCHES),
    ]


def _call(tool: str, tool_input: dict[str, Any], output: Any) -> dict[str, Any]:
    return {
        "agent": "bench",
        "session_id": "bench-session-1",
        "tool_name": tool,
        "tool_input": tool_input,
        "tool_output": output,
        "tags": ["bench"],
    }


def single() -> list[str]:
    """Bodies of observe.record."""
    return [json.dumps(call) for call in calls()]


def batch(size: int) -> list[str]:
    """One body of observe.record_batch, `size` records; each has MARK and its own place in the batch."""
    kinds = calls()
    records = [dict(kinds[i % len(kinds)], run_id=f"run-{i}") for i in range(size)]
    return [json.dumps({"records": records})]


def small() -> list[str]:
    """A small read."""
    return [json.dumps({"memory_key": f"obs:bench-session-1:{MARK}"})]
