"""Asks a tracker what one asks before a release, of the demo record or of your own.

    loom serve --demo                                      # in one terminal
    python examples/tracker_questions.py                   # in another
    python examples/tracker_questions.py tracker-local 2.4.0 --question "What caused #1234?"

It prints what holds the version up, the fix that each blocker has, and an answer in words with the items that it cites.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence

from loom import LoomError, SyncAgent

DEMO, DEMO_VERSION, DEMO_QUESTION = "code-demo", "3.2.0", "What caused #2533?"


def release(agent: SyncAgent, namespace: str, version: str) -> Iterator[str]:
    """What holds the version up, one line each."""
    found = agent.tracker.release(namespace=namespace, version=version)
    if found.tracker_unavailable:
        yield f"The tracker does not answer now ({found.unavailable_reason})."
        return
    yield found.answer
    if found.near:
        yield f"There is no such version; near it are {', '.join(found.near)}."
    for blocker in found.blockers:
        fixes = ", ".join(f"#{number}" for number in blocker.fixed_by) or "nobody yet"
        yield f"  #{blocker.number} {blocker.title} ({blocker.severity}): {blocker.status}, fixed by {fixes}"


def answer(agent: SyncAgent, namespace: str, question: str) -> Iterator[str]:
    """The answer, what it cites, and what to ask where there is none."""
    found = agent.tracker.answer(namespace=namespace, question=question)
    yield f"{question} {found.text or 'That is no question that a record answers. Try:'}"
    for citation in found.citations:
        yield f"  [{citation.index}] {citation.url or citation.source_id}"
    for suggestion in found.suggestions:
        yield f"  {suggestion.example}"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="what holds a release up, out of a tracker")
    parser.add_argument("namespace", nargs="?", default=DEMO, help=f"tracker or code namespace ({DEMO})")
    parser.add_argument("version", nargs="?", default=DEMO_VERSION, help=f"release to look at ({DEMO_VERSION})")
    parser.add_argument("--question", default=DEMO_QUESTION, help="asked in words")
    args = parser.parse_args(argv)
    try:
        with SyncAgent() as agent:  # LOOM_BASE_URL and LOOM_API_KEY say where and as whom
            for line in (*release(agent, args.namespace, args.version), *answer(agent, args.namespace, args.question)):
                print(line)
    except LoomError as error:
        print(f"tracker_questions: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
