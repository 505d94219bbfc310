"""Lines to try on a loaded record, as a shell takes them."""

import json
import shlex
from collections.abc import Sequence
from typing import Any

from services.tracker.record.demo.landmarks import LANDMARKS
from standalone.loading.worth import Worth

MOST = 3
Question = tuple[str, dict[str, Any]]
"""An op and its arguments."""

DEMO_QUESTION = f"Which issues block {LANDMARKS.release_with_blockers}?"


def demo_questions() -> list[Question]:
    return [
        ("tracker.answer", {"question": DEMO_QUESTION}),
        ("tracker.item", {"numbers": [LANDMARKS.fixed_issue]}),
        ("tracker.flaky", {"test_name": LANDMARKS.flaky_test}),
    ]


def questions(worth: Worth) -> list[Question]:
    """Up to three that this record has an answer to."""
    found: list[Question] = []
    if worth.issue:
        found += [
            ("tracker.answer", {"question": f"What became of #{worth.issue}?"}),
            ("tracker.item", {"numbers": [worth.issue]}),
        ]
    if worth.component:
        found.append(("tracker.component", {"component": worth.component}))
    if worth.test:
        found.append(("tracker.flaky", {"test_name": worth.test}))
    if worth.version:
        found.append(("tracker.release", {"version": worth.version}))
    return [*found, ("tracker.binding", {})][:MOST]


def commands(asked: Sequence[Question], namespace: str, base_url: str = "") -> list[str]:
    """Each as a line of `loom call`; `base_url` where it is not the default."""
    before = f"LOOM_BASE_URL={shlex.quote(base_url)} " if base_url else ""
    return [before + _command(op, {"namespace": namespace, **fields}) for op, fields in asked]


def curl(base: str, op: str, fields: dict[str, Any], header: str = "") -> str:
    """The call as a line of curl."""
    body = shlex.quote(json.dumps(fields, ensure_ascii=False))
    return f"curl -s {base}/v1/{op} {header}-H 'content-type: application/json' -d {body}"


def _command(op: str, fields: dict[str, Any]) -> str:
    shown = [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in fields.items()]
    return f"loom call {op} {' '.join(shlex.quote(each) for each in shown)}"
