"""Imports a transcript of a coding agent, has memories drafted of it, and prints them with their evidence.

    loom serve                                          # in one terminal
    python examples/extract_transcript.py               # in another: the bundled transcript
    python examples/extract_transcript.py FILE          # or one of your own, such as ~/.claude/projects/…/….jsonl

Running it again adds nothing: the calls are the same rows, and the same rows give the same memories.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from loom import LoomError, SyncAgent
from loom.capture.records import build
from loom.capture.transcripts import Transcript

BUNDLED = Path(__file__).with_name("transcripts") / "shop.jsonl"
BATCH = 100
WAITING = ("pending", "ready", "claimed")
LINE_CHARS = 100


def record(agent: SyncAgent, path: Path) -> set[str]:
    """Records every finished tool call of the transcript; the sessions that they belong to."""
    with path.open("rb") as lines:
        records = [build(found.call, {}) for found in Transcript(path.name).read(lines)]
    for start in range(0, len(records), BATCH):
        answer = agent.call("observe.record_batch", {"records": records[start : start + BATCH]})
        for result in answer["results"]:
            if result["detail"]:
                print(f"not recorded: {result['detail']['message']}", file=sys.stderr)
    print(f"{len(records)} tool calls recorded")
    return {record["session_id"] for record in records}


def crystallize(agent: SyncAgent, session: str, patience_s: float) -> None:
    """Queues the session's calls and waits until the server has extracted them."""
    # One call queues at most 500.
    while agent.observe.crystallize(session_id=session).enqueued:
        pass
    ends = time.monotonic() + patience_s
    while waiting(agent, session):
        if time.monotonic() > ends:
            raise TimeoutError(f"the server has not extracted the session within {patience_s:.0f} s")
        time.sleep(0.1)


def waiting(agent: SyncAgent, session: str) -> int:
    """How many calls of the session are still to be extracted."""
    by_state = agent.observe.stats(session_id=session).by_state
    return sum(by_state.get(state, 0) for state in WAITING)


def memories(agent: SyncAgent) -> Iterator[int]:
    """Ids of all memories, newest first."""
    token = ""
    while True:
        page = agent.memory.list(page_size=100, page_token=token)
        yield from (memory.id for memory in page.observations)
        token = page.next_page_token
        if not token:
            return


def show(agent: SyncAgent, keys: set[str]) -> int:
    """Prints what was drafted of these observations; how many memories."""
    shown = 0
    for id_ in memories(agent):
        memory = agent.memory.get_observation(observation_id=id_).observation
        if memory is None or memory.source != "extracted" or keys.isdisjoint(memory.evidence):
            continue
        shown += 1
        print(f"\n{memory.type}: {memory.title}")
        print("\n".join(f"  {line}" for line in memory.content.splitlines()))
        for seen in agent.observe.get(memory_keys=memory.evidence).observations:
            text = " ".join(seen.narrative.split())
            print(f"    {seen.observed_at[11:19]}  {text[:LINE_CHARS]}{'…' if len(text) > LINE_CHARS else ''}")
    return shown


def keys_of(agent: SyncAgent, session: str) -> set[str]:
    """Keys of the session's observations."""
    keys: set[str] = set()
    token = ""
    while True:
        page = agent.observe.list(session_id=session, page_size=500, page_token=token)
        keys |= {row.memory_key for row in page.observations}
        token = page.next_page_token
        if not token:
            return keys


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=BUNDLED, help="a transcript, JSON lines")
    parser.add_argument("--base-url", help="address of the server (LOOM_BASE_URL)")
    parser.add_argument("--namespace", help="namespace to record in (the server's own)")
    parser.add_argument("--user", default="me", help="whose memories they become")
    parser.add_argument("--patience", type=float, default=60.0, help="seconds to wait for the extraction")
    args = parser.parse_args()
    with SyncAgent(base_url=args.base_url, namespace=args.namespace, user_id=args.user) as agent:
        try:
            keys: set[str] = set()
            for session in sorted(record(agent, args.file)):
                crystallize(agent, session, args.patience)
                keys |= keys_of(agent, session)
            print(f"\n{show(agent, keys)} memories drafted")
        except (LoomError, OSError) as error:
            print(error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
