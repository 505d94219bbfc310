"""A long-running agent that can be killed at any moment and goes on where it was.

    python examples/long_running_agent.py --data ./mem         # without a server
    python examples/long_running_agent.py                      # on the server of LOOM_BASE_URL, else 127.0.0.1:7777

Kill it (Ctrl-C, kill -9, a power cut) and start it again. The job has memories of its own, under the user `job:<name>`:
one checkpoint under a topic key, which every step updates, and a summary now and then for whoever reads along.
"""

import argparse
import json
import os
from dataclasses import asdict, dataclass, replace

from loom.memory import Memory

CHECKPOINT = "job/checkpoint"
STEPS_PER_SUMMARY = 10


@dataclass(frozen=True)
class State:
    """All that the job needs to go on: how many steps are done, and what came of them."""

    done: int = 0
    total: int = 0


def work(state: State) -> State:
    """One step: what an agent's model and tools would do. It may run twice, so it must be harmless to repeat."""
    step = state.done + 1
    return State(done=step, total=state.total + step * step)


class Job:
    """One job and its memory."""

    def __init__(self, mem: Memory, name: str, steps: int) -> None:
        self._mem, self._user, self._steps = mem, f"job:{name}", steps

    def run(self) -> State:
        """Begins, or goes on after the last checkpoint, and returns the end."""
        state = self._restored()
        while state.done < self._steps:
            state = work(state)
            # The save is on disk when it returns. Killed before that, the step is done again; after it, never.
            self._keep(state)
            print(f"step {state.done} done", flush=True)
        self._mem.mem_session_end(
            user_id=self._user, summary=f"All {state.done} steps done; the total is {state.total}."
        )
        return state

    def _restored(self) -> State:
        started = self._mem.mem_session_start(user_id=self._user)
        # Recent, often revised and alone under its user, the checkpoint is among the ten memories of a session's start.
        for memory in started.memories:
            if memory.topic_key == CHECKPOINT:
                found = self._mem.mem_get_observation(user_id=self._user, observation_id=memory.id)
                if found is not None:
                    state = replace(State(), **json.loads(found.content))
                    print(f"going on after step {state.done}", flush=True)
                    return state
        return State()

    def _keep(self, state: State) -> None:
        self._mem.mem_save(
            user_id=self._user,
            type="decision",
            title=f"Checkpoint after step {state.done}",
            content=json.dumps(asdict(state)),
            topic_key=CHECKPOINT,
        )
        if state.done % STEPS_PER_SUMMARY == 0:
            self._mem.mem_session_summary(user_id=self._user, summary=f"{state.done} of {self._steps} steps are done.")


def main() -> None:
    parser = argparse.ArgumentParser(description="A job that survives being killed.")
    parser.add_argument("--data", help="folder of an embedded memory, in the place of a server")
    parser.add_argument(
        "--base-url", default=os.environ.get("LOOM_BASE_URL") or "http://127.0.0.1:7777", help="address"
    )
    parser.add_argument("--namespace", help="namespace of the job's memories")
    parser.add_argument("--name", default="squares")
    parser.add_argument("--steps", type=int, default=50)
    args = parser.parse_args()
    where = (
        Memory.from_path(args.data, namespace=args.namespace)
        if args.data
        else Memory.connect(args.base_url, namespace=args.namespace)
    )
    with where as mem:
        state = Job(mem, args.name, args.steps).run()
    print(f"total {state.total}")


if __name__ == "__main__":
    main()
