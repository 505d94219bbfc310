"""Sends records to a server, and judges what its answers mean for each of them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from loom.capture import jsontext
from loom.capture.fit import MAX_BYTES, fit, size
from loom.cli.door import Answer, Door

MAX_ITEMS = 500
INVALID = "invalid"
# Statuses by which a server refuses what was sent; with another one, `invalid` means that the address is wrong.
REFUSING = (400, 413)


class Verdict(NamedTuple):
    """What became of one record.

    `stored`: the server has it. `refused`: it never will, so sending again is useless. Neither: it may be sent later.
    `code` is the error code, empty for a stored record, and `message` the server's, where there is one. `retryable`:
    time alone may change the answer.
    """

    stored: bool
    refused: bool
    code: str
    message: str = ""
    retryable: bool = False
    retry_after_s: float | None = None

    @property
    def reason(self) -> str:
        """Code and message."""
        return ": ".join(filter(None, (self.code, self.message)))


T = TypeVar("T")

STORED = Verdict(True, False, "")


def send(door: Door, record: dict[str, Any], seconds: float) -> Verdict:
    """Sends one record; one that is over the server's body limit is cut to it and sent again.

    UnreachableError when no answer comes.
    """
    answer = door.post("observe.record", jsontext.dumps(record), seconds)
    smaller = _smaller(answer, record)
    if smaller is not None:
        answer = door.post("observe.record", jsontext.dumps(smaller), seconds)
    return STORED if answer.ok else judge(answer.detail(), answer.status)


def send_batch(door: Door, records: list[dict[str, Any]], seconds: float) -> list[Verdict]:
    """Sends records in one call and judges each. A batch that is refused as a whole is sent again in halves, so that
    one bad record costs no good one. UnreachableError when no answer comes."""
    if len(records) == 1:
        return [send(door, records[0], seconds)]
    answer = door.post("observe.record_batch", jsontext.dumps({"records": records}), seconds)
    if answer.ok:
        return _each(answer, len(records))
    verdict = judge(answer.detail(), answer.status)
    if not verdict.refused:
        return [verdict] * len(records)
    half = len(records) // 2
    return send_batch(door, records[:half], seconds) + send_batch(door, records[half:], seconds)


def _each(answer: Answer, expected: int) -> list[Verdict]:
    value = answer.value()
    results = value.get("results") if isinstance(value, dict) else None
    if not isinstance(results, list) or len(results) != expected:
        return [Verdict(False, False, "UNEXPECTED_ANSWER")] * expected
    return [_result(result) for result in results]


def _result(result: Any) -> Verdict:
    if not isinstance(result, dict):
        return Verdict(False, False, "UNEXPECTED_ANSWER")
    detail = result.get("detail")
    return STORED if detail is None else judge(detail if isinstance(detail, dict) else None, REFUSING[0])


def judge(detail: dict[str, Any] | None, status: int) -> Verdict:
    """The verdict that an error envelope's `detail` stands for; None means that the answer was not Loom's.

    Refused are only records that the server calls invalid. What a person can put right (a token, an address, a plane
    that is switched off) must not cost records.
    """
    if detail is None:
        return Verdict(False, False, f"HTTP_{status}", retryable=status >= 500 or status == 429)
    refused = detail.get("category") == INVALID and not detail.get("retryable") and status in REFUSING
    after = detail.get("retry_after_s")
    return Verdict(
        stored=False,
        refused=refused,
        code=str(detail.get("code"))[:64],
        message=str(detail.get("message") or "")[:1000],
        retryable=detail.get("retryable") is True,
        retry_after_s=float(after) if isinstance(after, int | float) else None,
    )


def _smaller(answer: Answer, record: dict[str, Any]) -> dict[str, Any] | None:
    """The record cut to the limit that a 413 names; None when that is not the trouble, or no cut helps."""
    if answer.status != 413:
        return None
    metadata = (answer.detail() or {}).get("metadata")
    named = str(metadata.get("limit_bytes", "")) if isinstance(metadata, dict) else ""
    if not named.isdecimal() or int(named) >= size(record):
        return None
    cut = fit(record, int(named))
    return cut if size(cut) <= int(named) else None


def batches(items: Iterable[T], size_of: Callable[[T], int], max_bytes: int = MAX_BYTES) -> Iterator[list[T]]:
    """`items` in order, in groups that each fit into one call."""
    group: list[T] = []
    held = 0
    for item in items:
        needed = size_of(item) + 1
        if group and (held + needed > max_bytes or len(group) == MAX_ITEMS):
            yield group
            group, held = [], 0
        group.append(item)
        held += needed
    if group:
        yield group
