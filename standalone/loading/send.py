"""Batches of rows as calls of tracker.load, each within the size that a server takes."""

from collections import Counter
from collections.abc import Iterator, Sequence

import orjson

from services.tracker.record.batch import Batch
from standalone.loading.line import Line, RefusedError

# Below the default of LOOM_MAX_BODY_BYTES, with room for the other fields. A server that takes less says so.
MOST_BYTES, MOST_ROWS = 1_000_000, 5_000
AROUND = 2_048
OP = "tracker.load"


class Sender:
    """One load. `refused` counts rows that were left out, by reason."""

    def __init__(self, line: Line, namespace: str, load_id: str) -> None:
        self._line, self._namespace, self._load_id = line, namespace, load_id
        self._most = MOST_BYTES
        self.refused: Counter[str] = Counter()
        self.stored: Counter[str] = Counter()

    def send(self, batch: Batch) -> None:
        """RefusedError, UnreachableError: nothing of the load is shown then."""
        names = batch.names
        rows = [orjson.dumps(dict(zip(names, row, strict=True))) for row in batch.rows()]
        self._send_all(batch.table, rows)

    def finish(self, repos: Sequence[str], *, replace: bool) -> None:
        """Shows the load."""
        fields = {"namespace": self._namespace, "load_id": self._load_id, "finish": True}
        self._line.ask(OP, {**fields, "repos": list(repos), "replace": replace})

    def _send_all(self, table: str, rows: Sequence[bytes]) -> None:
        for chunk in chunks(rows, self._most - AROUND, MOST_ROWS):
            try:
                self._send(table, chunk)
            except RefusedError as refusal:
                if refusal.code != "BODY_TOO_LARGE":
                    raise
                self._shrink(refusal, chunk)
                if len(chunk) == 1:
                    self.refused[f"longer than the {self._most:,} bytes that the server takes at once"] += 1
                else:
                    self._send_all(table, chunk)

    def _shrink(self, refusal: RefusedError, chunk: Sequence[bytes]) -> None:
        limit = refusal.metadata.get("limit_bytes", "")
        smaller = int(limit) if limit.isdigit() else sum(map(len, chunk)) // 2
        # A proxy in front may take less than the server: each refusal makes the next call smaller.
        self._most = max(AROUND + 1, min(smaller, self._most - 1, sum(map(len, chunk)) + AROUND))

    def _send(self, table: str, rows: Sequence[bytes]) -> None:
        head = orjson.dumps({"namespace": self._namespace, "table": table, "load_id": self._load_id})
        answer = self._line.ask_bytes(OP, head[:-1] + b',"rows":[' + b",".join(rows) + b"]}")
        self.stored[table] += int(answer["stored"])
        told = answer["refused"]
        self.refused.update(each["reason"] for each in told)
        if more := int(answer["refused_count"]) - len(told):
            self.refused["for these and other reasons"] += more


def chunks(rows: Sequence[bytes], most_bytes: int, most_rows: int) -> Iterator[Sequence[bytes]]:
    """Runs of rows, in order, of so many bytes and rows at most; a longer row is a run of its own."""
    start, size = 0, 0
    for at, row in enumerate(rows):
        if at > start and (size + len(row) + 1 > most_bytes or at - start >= most_rows):
            yield rows[start:at]
            start, size = at, 0
        size += len(row) + 1
    if start < len(rows):
        yield rows[start:]
