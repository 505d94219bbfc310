"""The observe plane's servicers: request to op, result to response."""

from collections.abc import Iterable, Mapping
from typing import Any

from loom.common.v1 import error_pb2
from loom.observe.v1 import extraction_pb2 as xpb
from loom.observe.v1 import observe_pb2 as pb
from runtime.call import Call
from runtime.errors import LoomError
from runtime.validation import validator_for
from services.instants import format_instant, parse_instant
from services.observe.ops.crystallize import Crystallize
from services.observe.ops.extraction import ClaimReady, Complete, Completion, Earlier
from services.observe.ops.get import Get
from services.observe.ops.pages import ListPage, decode_token
from services.observe.ops.record import Record, RecordInput
from services.observe.ops.stats import Stats
from services.observe.recipe import Composed
from services.observe.store import Filters, Scope

IDENTITY = ("org", "namespace", "agent", "user_id", "session_id", "run_id")
COMPOSED = (
    "memory_key",
    "kind",
    "tags",
    "file_paths",
    "content_sha256",
    "tool_name",
    "has_error",
    "skipped_reason",
)


class ObserveService:
    """Public rpcs; each is an op."""

    def __init__(self, *, record: Record, crystallize: Crystallize, pages: ListPage, get: Get, stats: Stats) -> None:
        self._record, self._crystallize = record, crystallize
        self._pages, self._get, self._stats = pages, get, stats

    async def Record(self, request: pb.RecordRequest, call: Call) -> pb.RecordResponse:
        composed = await self._record.execute(record_input(request), call.remaining())
        return pb.RecordResponse(**answer(composed))

    async def RecordBatch(self, request: pb.RecordBatchRequest, call: Call) -> pb.RecordBatchResponse:
        items = [batch_item(record, index, request) for index, record in enumerate(request.records)]
        outcomes = await self._record.execute_many(items, call.remaining())
        results = [
            batch_result(item, outcome, index, call)
            for index, (item, outcome) in enumerate(zip(items, outcomes, strict=True))
        ]
        return pb.RecordBatchResponse(results=results)

    async def Crystallize(self, request: pb.CrystallizeRequest, call: Call) -> pb.CrystallizeResponse:
        enqueued = await self._crystallize.execute(scope(request), request.max_observations, call.remaining())
        return pb.CrystallizeResponse(enqueued=enqueued, session_id=request.session_id)

    async def List(self, request: pb.ListRequest, call: Call) -> pb.ListResponse:
        rows, token = await self._pages.execute(scope(request), filters(request), request.page_size, call.remaining())
        return pb.ListResponse(observations=[observation(row) for row in rows], next_page_token=token)

    async def Get(self, request: pb.GetRequest, call: Call) -> pb.GetResponse:
        single = [request.memory_key] if request.memory_key else []
        rows, missing = await self._get.execute(
            Scope(request.org, request.namespace, user_id=request.user_id),
            [*single, *request.memory_keys],
            call.remaining(),
        )
        found = {row["memory_key"]: observation(row) for row in rows}
        many = dict.fromkeys(request.memory_keys)
        return pb.GetResponse(
            found=not missing,
            observation=found.get(request.memory_key),
            observations=[found[key] for key in many if key in found],
            missing=missing,
        )

    async def Stats(self, request: pb.StatsRequest, call: Call) -> pb.StatsResponse:
        counts = await self._stats.execute(scope(request), call.remaining())
        return pb.StatsResponse(
            observations=counts.observations,
            sessions=counts.sessions,
            by_kind=counts.by_kind,
            by_state=counts.by_state,
            by_session=[session_stats(row) for row in counts.recent],
        )


class ExtractionService:
    """Internal rpcs for the memory plane's worker."""

    def __init__(self, claim: ClaimReady, complete: Complete, earlier: Earlier) -> None:
        self._claim, self._complete, self._earlier = claim, complete, earlier

    async def ClaimReady(self, request: xpb.ClaimReadyRequest, call: Call) -> xpb.ClaimReadyResponse:
        claim_id, rows = await self._claim.execute(request.limit, request.lease_s, call.remaining())
        claimed = [
            xpb.ClaimedObservation(org=org, namespace=namespace, observation=extraction_view(row))
            for (org, namespace), row in rows
        ]
        return xpb.ClaimReadyResponse(claim_id=claim_id, observations=claimed)

    async def Complete(self, request: xpb.CompleteRequest, call: Call) -> xpb.CompleteResponse:
        completions = [
            Completion(item.org, item.namespace, item.memory_key, tuple(item.memories)) for item in request.completions
        ]
        done = await self._complete.execute(completions, call.remaining())
        return xpb.CompleteResponse(completed=done, ignored=len(completions) - done)

    async def Earlier(self, request: xpb.EarlierRequest, call: Call) -> xpb.EarlierResponse:
        place = (_instant(request, "observed_at"), request.memory_key)
        rows = await self._earlier.execute(scope(request), place, request.limit, call.remaining())
        return xpb.EarlierResponse(observations=[extraction_view(row) for row in rows])


def record_input(request: pb.RecordRequest | pb.BatchRecord, top: Any = None) -> RecordInput:
    """The op's input; an empty identity field takes the value of `top`, the batch."""
    if top is None:
        identity = [getattr(request, name) for name in IDENTITY]
    else:
        identity = [getattr(request, name) or getattr(top, name) for name in IDENTITY]
    return RecordInput(
        *identity,
        tool_name=request.tool_name,
        tool_input=request.tool_input,
        tool_output=request.tool_output,
        file_paths=list(request.file_paths),
        error=request.error,
        tags=list(request.tags),
        observation_date=request.observation_date,
        action_type=request.action_type,
        observed_at=request.observed_at,
    )


def batch_item(record: pb.BatchRecord, index: int, batch: pb.RecordBatchRequest) -> RecordInput | LoomError:
    try:
        validator_for(pb.BatchRecord)(record, f"records[{index}].")
    except LoomError as error:
        return error
    return record_input(record, batch)


def answer(composed: Composed) -> dict[str, Any]:
    """The output fields of a stored call."""
    return {
        **{name: getattr(composed, name) for name in COMPOSED},
        "narrative_chars": len(composed.narrative),
    }


def batch_result(
    item: RecordInput | LoomError, outcome: Composed | LoomError, index: int, call: Call
) -> pb.BatchResult:
    if not isinstance(outcome, LoomError):
        return pb.BatchResult(**answer(outcome))
    # What the validator refused has its path already; the op knows a single call only.
    error = outcome if outcome is item else outcome.under(f"records[{index}].")
    return pb.BatchResult(detail=error_pb2.ErrorDetail(**error.detail(call.request_id)))


def scope(request: Any) -> Scope:
    return Scope(request.org, request.namespace, request.agent, request.user_id, request.session_id)


def filters(request: pb.ListRequest) -> Filters:
    return Filters(
        kind=request.kind,
        tag=request.tag,
        path=request.path,
        state=request.state,
        since=_instant(request, "since"),
        until=_instant(request, "until"),
        after=decode_token(request.page_token),
    )


def _instant(request: Any, field: str) -> Any:
    text = getattr(request, field)
    if not text:
        return None
    try:
        return parse_instant(text)
    except ValueError as error:
        raise LoomError("INVALID_FIELD", f"{field} {error}", field=field) from None


# Columns that a response shows as they are stored.
EXTRACTION_COLUMNS = (
    "memory_key",
    "agent",
    "user_id",
    "session_id",
    "run_id",
    "kind",
    "tool_name",
    "narrative",
    "error",
    "tags",
    "file_paths",
    "skipped_reason",
)
PLAIN_COLUMNS = (*EXTRACTION_COLUMNS, "has_error", "content_sha256", "state")


def observation(row: Mapping[str, Any]) -> pb.Observation:
    valid_at = row["valid_at"]
    return pb.Observation(
        **_columns(row, PLAIN_COLUMNS),
        observed_at=format_instant(row["observed_at"]),
        recorded_at=format_instant(row["recorded_at"]),
        valid_at=valid_at.isoformat() if valid_at else None,
    )


def extraction_view(row: Mapping[str, Any]) -> xpb.ExtractionObservation:
    return xpb.ExtractionObservation(
        **_columns(row, EXTRACTION_COLUMNS), observed_at=format_instant(row["observed_at"])
    )


def _columns(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}


def session_stats(row: Mapping[str, Any]) -> pb.SessionStats:
    return pb.SessionStats(
        **_columns(row, ("session_id", "observations", "pending", "errors")),
        first_at=format_instant(row["first_at"]),
        last_at=format_instant(row["last_at"]),
    )
