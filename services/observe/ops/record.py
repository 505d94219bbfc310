"""observe.record and observe.record_batch: compose rows, commit them, answer."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import UTC, date, datetime

from runtime import jsontext
from runtime.clock import Clock
from runtime.errors import LoomError, invalid_field, missing_field
from services.instants import parse_day, parse_instant
from services.observe.recipe import Composed, ToolCall, compose, strip_call
from services.observe.skips import Blacklist
from services.observe.store import ObserveStore, Row

# Above this many characters in one call, composing leaves the event loop: it takes milliseconds then.
INLINE_CHARS = 64 << 10
LAST_PRECEDENCE = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class RecordInput:
    """One tool call as it was sent: `tool_input` and `tool_output` are JSON text, empty for nothing."""

    org: str
    namespace: str
    agent: str
    user_id: str
    session_id: str
    run_id: str
    tool_name: str
    tool_input: str
    tool_output: str
    file_paths: Sequence[str]
    error: str
    tags: Sequence[str]
    observation_date: str
    action_type: str
    observed_at: str

    @property
    def chars(self) -> int:
        return len(self.tool_input) + len(self.tool_output) + len(self.error)


class Record:
    """Both ops. A refused item of a batch is answered by its LoomError in its place."""

    def __init__(self, store: ObserveStore, blacklist: Blacklist, clock: Clock, heavy: Executor) -> None:
        self._store, self._blacklist, self._clock, self._heavy = store, blacklist, clock, heavy

    async def execute(self, item: RecordInput, timeout_s: float | None) -> Composed:
        """Stores one call. Raises LoomError."""
        [outcome] = await self.execute_many([item], timeout_s)
        if isinstance(outcome, LoomError):
            raise outcome
        return outcome

    async def execute_many(
        self, items: Sequence[RecordInput | LoomError], timeout_s: float | None
    ) -> list[Composed | LoomError]:
        """Stores those that can be stored, and says of each what became of it, in order."""
        prepared = await self._prepare(items)
        rows = [entry[1] for entry in prepared if not isinstance(entry, LoomError)]
        if rows:
            await self._store.add(rows, timeout_s)
        return [entry if isinstance(entry, LoomError) else entry[0] for entry in prepared]

    async def _prepare(self, items: Sequence[RecordInput | LoomError]) -> list[tuple[Composed, Row] | LoomError]:
        now = self._clock.now()
        if sum(item.chars for item in items if isinstance(item, RecordInput)) <= INLINE_CHARS:
            return self._prepare_all(items, now)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._heavy, self._prepare_all, items, now)

    def _prepare_all(
        self, items: Sequence[RecordInput | LoomError], now: datetime
    ) -> list[tuple[Composed, Row] | LoomError]:
        return [self._prepare_one(item, now) for item in items]

    def _prepare_one(self, item: RecordInput | LoomError, now: datetime) -> tuple[Composed, Row] | LoomError:
        if isinstance(item, LoomError):
            return item
        try:
            observed_at, valid_at = _observed_at(item.observed_at, now), _valid_at(item.observation_date)
            composed = compose(tool_call(item), self._blacklist)
        except LoomError as error:
            return error
        return composed, to_row(item, composed, observed_at, now, valid_at)


def tool_call(item: RecordInput) -> ToolCall:
    """The call with private text taken out, parsed and in canonical form. Raises INVALID_FIELD."""
    call = ToolCall(
        org=item.org,
        namespace=item.namespace,
        agent=item.agent,
        user_id=item.user_id,
        session_id=item.session_id,
        run_id=item.run_id,
        tool_name=item.tool_name,
        tool_input=_parsed(item.tool_input, "tool_input"),
        tool_output=_parsed(item.tool_output, "tool_output"),
        file_paths=item.file_paths,
        error=item.error,
        tags=item.tags,
        action_type=item.action_type,
        observed_at=item.observed_at,
    )
    stripped = strip_call(call, jsontext.canonical)
    if not stripped.tool_name:  # nothing but tags
        raise missing_field("tool_name")
    return stripped


def _parsed(text: str, field: str) -> object:
    if not text:
        return None
    try:
        return jsontext.loads(text)
    except jsontext.JsonTextError:
        raise invalid_field(field, "JSON text") from None


def _observed_at(text: str, now: datetime) -> datetime:
    if not text:
        return now
    try:
        return parse_instant(text)
    except ValueError as error:
        raise LoomError("INVALID_FIELD", f"observed_at {error}", field="observed_at") from None


def _valid_at(text: str) -> date | None:
    if not text:
        return None
    try:
        return parse_day(text)
    except ValueError as error:
        raise LoomError("INVALID_FIELD", f"observation_date {error}", field="observation_date") from None


def to_row(item: RecordInput, composed: Composed, observed_at: datetime, now: datetime, valid_at: date | None) -> Row:
    """The stored row. Its precedence falls with the time of recording, so that the first record of a call stands."""
    return Row(
        org=item.org,
        namespace=item.namespace,
        session_id=item.session_id,
        memory_key=composed.memory_key,
        agent=item.agent,
        user_id=item.user_id,
        run_id=item.run_id,
        kind=composed.kind,
        tool_name=composed.tool_name,
        narrative=composed.narrative,
        error=composed.error,
        has_error=composed.has_error,
        tags=composed.tags,
        file_paths=composed.file_paths,
        content_sha256=composed.content_sha256,
        skipped_reason=composed.skipped_reason,
        observed_at=observed_at,
        recorded_at=now,
        valid_at=valid_at,
        precedence=LAST_PRECEDENCE - int(now.astimezone(UTC).timestamp() * 1_000_000),
    )
