"""A nightly job's last step: for each test that failed, file an issue, or say it under the issue that is there already.

    python examples/ci/report_failure.py --namespace engine-tracker --junit results/*.xml > actions.jsonl

It files nothing itself. One line of JSON for each failure says what to do, and nightly.yml beside this does it with `gh`:

    {"do": "file", "title": "…", "body": "…"}
    {"do": "comment", "issue": 4711, "body": "…"}

When Loom does not answer, or a leg of its check was silent, the failure is filed: a duplicate costs a minute, a lost one
more. LOOM_BASE_URL and LOOM_API_KEY say where Loom is and who asks.
"""

import argparse
import json
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loom import LoomError, SyncAgent

OP = "tracker.duplicate_check"
# What tells one failure from another stands at the end of a trace.
MOST_CHARS = 8_000
NEAREST = 3


@dataclass(frozen=True)
class Failure:
    """A test that failed."""

    test: str
    message: str
    trace: str

    @property
    def title(self) -> str:
        first = self.message.strip().splitlines()[0] if self.message.strip() else "fails"
        return f"{self.test}: {first}"[:200]

    @property
    def body(self) -> str:
        return f"`{self.test}` failed.\n\n```\n{self.trace[-MOST_CHARS:]}\n```"


def failures(path: Path) -> Iterator[Failure]:
    """The failed tests of a report in JUnit's form."""
    for case in ElementTree.parse(path).getroot().iter("testcase"):  # noqa: S314 - of our own job
        for found in [*case.findall("failure"), *case.findall("error")]:
            name = ".".join(filter(None, [case.get("classname"), case.get("name")]))
            yield Failure(name, found.get("message") or "", found.text or "")


def decide(failure: Failure, answer: Mapping[str, Any] | None) -> dict[str, Any]:
    """What to do about a failure, given what Loom says of it; None where it says nothing."""
    if answer is None:
        return filed(failure, "Not checked for duplicates: Loom did not answer.")
    items = answer.get("items") or []
    if answer.get("verdict") == "duplicate_of" and items:
        said = f"It failed again.\n\n{failure.body}\n\n{answer.get('answer', '')}".strip()
        return {"do": "comment", "issue": items[0]["number"], "body": said}
    if answer.get("epistemic") in ("degraded", "unavailable"):
        return filed(failure, "Checked for duplicates in part: some of the record was silent.")
    return filed(failure, related([*items, *(answer.get("nearest") or [])]))


def filed(failure: Failure, note: str) -> dict[str, Any]:
    return {"do": "file", "title": failure.title, "body": f"{failure.body}\n\n{note}".strip()}


def related(items: list[Mapping[str, Any]]) -> str:
    lines = [f"- #{item['number']} {item.get('title', '')}".strip() for item in items[:NEAREST]]
    return "\n".join(["Perhaps related:", *lines]) if lines else ""


def ask(agent: SyncAgent, failure: Failure) -> Mapping[str, Any] | None:
    """What Loom says of a failure; None when it does not answer."""
    try:
        return agent.call(OP, {"title": failure.title, "body": failure.body})
    except LoomError as error:
        print(f"not checked: {error.code}", file=sys.stderr)
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description="Say what to do about failed tests: file them, or comment.")
    parser.add_argument("--namespace", required=True, help="the tracker's namespace in Loom")
    parser.add_argument("--junit", type=Path, nargs="+", required=True, help="reports in JUnit's form")
    args = parser.parse_args()
    seen: set[str] = set()
    with SyncAgent(agent="nightly", namespace=args.namespace) as agent:
        for failure in (each for path in args.junit for each in failures(path)):
            if failure.test not in seen:
                seen.add(failure.test)
                print(json.dumps(decide(failure, ask(agent, failure))), flush=True)


if __name__ == "__main__":
    main()
