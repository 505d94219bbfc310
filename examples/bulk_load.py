"""Loads a file of tool calls, one JSON object a line, as fast as the server takes them, and goes on where it was stopped.

    loom serve                                        # in one terminal
    python examples/bulk_load.py calls.jsonl          # in another: progress to standard error, a summary at the end

A line has the fields of `observe.record` (tool_name, tool_input, session_id, observed_at, …). Loading twice adds nothing: the
same call has the same key. Lines that are refused go to `calls.jsonl.refused` with the reason, the others are in. How far
it came stands in `calls.jsonl.at`, so a run that was stopped goes on there.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loom import Agent, LoomError, RetryPolicy

# The server takes up to 500 records, and a body of a megabyte; a line over that is refused by itself.
MOST_RECORDS, MOST_BYTES = 500, 700_000
# Batches on their way at once. More do not help one server: it inserts what came together.
AT_ONCE = 4
PATIENT = RetryPolicy(attempts=8)

Line = tuple[int, str]


@dataclass
class Totals:
    stored: int = 0
    refused: int = 0


def batches(path: Path, start: int) -> Iterator[tuple[int, list[Line]]]:
    """Lines of the file from byte `start` on, in batches, each with the byte at which the next one begins."""
    batch: list[Line] = []
    size = 0
    with path.open("rb") as file:
        file.seek(start)
        while line := file.readline():
            text = line.decode("utf-8", "replace").strip()
            if text:
                batch.append((file.tell(), text))
                size += len(line)
            if len(batch) == MOST_RECORDS or size >= MOST_BYTES:
                yield file.tell(), batch
                batch, size = [], 0
        if batch:
            yield file.tell(), batch


class Loader:
    """One run over one file."""

    def __init__(self, agent: Agent, path: Path) -> None:
        self._agent, self._path = agent, path
        self._at, self._refused = Path(f"{path}.at"), Path(f"{path}.refused")
        self.totals = Totals()

    async def run(self) -> Totals:
        """Until the end of the file. Raises LoomError when the server goes on failing; what is in is noted."""
        window: list[tuple[int, asyncio.Task[None]]] = []
        try:
            for end, lines in batches(self._path, self._started_at()):
                window.append((end, asyncio.create_task(self._send(lines))))
                if len(window) == AT_ONCE:
                    await self._finish(window)
            while window:
                await self._finish(window)
        finally:
            for _, task in window:
                task.cancel()
            await asyncio.gather(*(task for _, task in window), return_exceptions=True)
        return self.totals

    def _started_at(self) -> int:
        return int(self._at.read_text()) if self._at.exists() else 0

    async def _finish(self, window: list[tuple[int, asyncio.Task[None]]]) -> None:
        """Waits for the oldest batch: only what is in without a gap before it counts as done."""
        end, task = window.pop(0)
        await task
        self._at.write_text(str(end))
        print(f"\r{self.totals.stored} in, {self.totals.refused} refused", end="", file=sys.stderr, flush=True)

    async def _send(self, lines: Sequence[Line]) -> None:
        records = []
        for _, text in lines:
            try:
                record = json.loads(text)
            except ValueError:
                record = None
            if isinstance(record, dict):
                records.append((text, record))
            else:
                self._refuse(text, "not a JSON object")
        if records:
            await self._record(records)

    async def _record(self, records: Sequence[tuple[str, dict[str, Any]]]) -> None:
        try:
            answer = await self._agent.call("observe.record_batch", {"records": [record for _, record in records]})
        except LoomError as error:
            if error.category != "invalid":
                raise
            await self._halves(records, error.code)
            return
        for (text, _), result in zip(records, answer["results"], strict=True):
            if result.get("detail"):
                self._refuse(text, result["detail"]["code"])
            else:
                self.totals.stored += 1

    async def _halves(self, records: Sequence[tuple[str, dict[str, Any]]], code: str) -> None:
        """One of them spoils the batch, or they are too large together: smaller ones find it."""
        if len(records) == 1:
            self._refuse(records[0][0], code)
            return
        middle = len(records) // 2
        await self._record(records[:middle])
        await self._record(records[middle:])

    def _refuse(self, text: str, reason: str) -> None:
        self.totals.refused += 1
        with self._refused.open("a") as file:
            file.write(json.dumps({"reason": reason, "line": text}) + "\n")


async def load(path: Path, base_url: str | None = None, namespace: str | None = None) -> Totals:
    async with Agent(agent="bulk-load", base_url=base_url, namespace=namespace, retry=PATIENT, timeout=120) as agent:
        return await Loader(agent, path).run()


def main() -> None:
    parser = argparse.ArgumentParser(description="Load a file of tool calls, one JSON object a line.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--base-url", help="address of Loom (default: LOOM_BASE_URL, else http://127.0.0.1:7777)")
    parser.add_argument("--namespace")
    args = parser.parse_args()
    try:
        totals = asyncio.run(load(args.file, args.base_url, args.namespace))
    except LoomError as error:
        print(f"\nstopped: {error.code}. Run it again to go on.", file=sys.stderr)
        sys.exit(1)
    print(f"\n{totals.stored} in, {totals.refused} refused", file=sys.stderr)


if __name__ == "__main__":
    main()
