"""The memory plane's servicer: request to op, result to response."""

from dataclasses import dataclass

from loom.memory.v1 import memory_pb2 as pb
from loom.private import strip_text
from runtime.call import Call
from runtime.errors import LoomError, invalid_field
from services.instants import format_instant
from services.memory.messages import (
    compact,
    detail,
    filters,
    import_item,
    memory,
    optional,
    record,
    revision,
    save_input,
    save_item,
    saved,
    scope,
    search_input,
    session_context,
)
from services.memory.model import Draft
from services.memory.ops.context import Context, SessionStart
from services.memory.ops.delete import Delete
from services.memory.ops.drafts import draft_of, public_text, summary_draft
from services.memory.ops.reads import Reads
from services.memory.ops.save import Change, Save
from services.memory.ops.sessions import SessionEnd
from services.memory.ops.transfer import Export, Import
from services.memory.ports import Search
from services.memory.topics import suggest
from services.memory.types import Types


@dataclass(frozen=True, slots=True)
class Ops:
    """What the rpcs are served by."""

    save: Save
    reads: Reads
    start: SessionStart
    end: SessionEnd
    context: Context
    delete: Delete
    export: Export
    bring_in: Import
    search: Search
    types: Types


class MemoryService:
    """Public rpcs; each is an op."""

    def __init__(self, ops: Ops) -> None:
        self._ops = ops

    async def SessionStart(self, request: pb.SessionStartRequest, call: Call) -> pb.SessionStartResponse:
        started = await self._ops.start.execute(scope(request), call.remaining())
        return pb.SessionStartResponse(
            session_id=started.session.session_id,
            is_new=started.is_new,
            sessions_context=[session_context(session) for session in started.past],
            memories=compact(started.memories),
        )

    async def SessionEnd(self, request: pb.SessionEndRequest, call: Call) -> pb.SessionEndResponse:
        summary = public_text("summary", request.summary)
        session = await self._ops.end.execute(scope(request), summary, call.remaining())
        return pb.SessionEndResponse(
            session_id=session.session_id,
            started_at=format_instant(session.started_at),
            ended_at=format_instant(session.ended_at or session.last_active_at),
            summary=session.summary,
            is_auto_generated=session.is_auto_generated,
        )

    async def SessionSummary(self, request: pb.SessionSummaryRequest, call: Call) -> pb.SessionSummaryResponse:
        answer = await self._ops.save.execute(scope(request), summary_draft(request.summary), call.remaining())
        return pb.SessionSummaryResponse(**saved(answer))

    async def Save(self, request: pb.SaveRequest, call: Call) -> pb.SaveResponse:
        draft = draft_of(save_input(request), self._ops.types)
        return pb.SaveResponse(**saved(await self._ops.save.execute(scope(request), draft, call.remaining())))

    async def SaveBatch(self, request: pb.SaveBatchRequest, call: Call) -> pb.SaveBatchResponse:
        drafts = [save_item(item, index, self._ops.types) for index, item in enumerate(request.items)]
        good = [draft for draft in drafts if isinstance(draft, Draft)]
        answers = iter(await self._ops.save.execute_many(scope(request), good, call.remaining()))
        results = [
            pb.SaveResult(**saved(next(answers)))
            if isinstance(draft, Draft)
            else pb.SaveResult(detail=detail(draft, call))
            for draft in drafts
        ]
        return pb.SaveBatchResponse(results=results)

    async def List(self, request: pb.ListRequest, call: Call) -> pb.ListResponse:
        rows, token = await self._ops.reads.page(
            scope(request), filters(request, self._ops.types), request.page_size, call.remaining()
        )
        return pb.ListResponse(observations=compact(rows), next_page_token=token)

    async def Search(self, request: pb.SearchRequest, call: Call) -> pb.SearchResponse:
        given = search_input(request, self._ops.types)
        found = await self._ops.search.execute(scope(request), given, call.remaining())
        return pb.SearchResponse(hits=compact(found.hits), leg_status=found.leg_status)

    async def GetObservation(self, request: pb.GetObservationRequest, call: Call) -> pb.GetObservationResponse:
        found = await self._ops.reads.get(scope(request), request.observation_id, call.remaining())
        return pb.GetObservationResponse(found=found is not None, observation=memory(found) if found else None)

    async def Timeline(self, request: pb.TimelineRequest, call: Call) -> pb.TimelineResponse:
        id_ = request.observation_id
        rows = await self._ops.reads.timeline(scope(request), id_, request.before, request.after, call.remaining())
        return pb.TimelineResponse(observations=compact(rows))

    async def Revisions(self, request: pb.RevisionsRequest, call: Call) -> pb.RevisionsResponse:
        rows = await self._ops.reads.revisions(scope(request), request.observation_id, call.remaining())
        return pb.RevisionsResponse(revisions=[revision(number, row) for number, row in rows])

    async def Context(self, request: pb.ContextRequest, call: Call) -> pb.ContextResponse:
        made, used = await self._ops.context.block(scope(request), request.budget_chars, call.remaining())
        return pb.ContextResponse(text=made.text, truncated=made.truncated, memories=compact(used))

    async def SuggestTopicKey(self, request: pb.SuggestTopicKeyRequest, call: Call) -> pb.SuggestTopicKeyResponse:
        if not self._ops.types.may_be_asked_for(request.type):
            raise invalid_field("type", self._ops.types.expected)
        title, content = public_text("title", request.title), strip_text(request.content)
        return pb.SuggestTopicKeyResponse(topic_key=suggest(request.type, title, content))

    async def Update(self, request: pb.UpdateRequest, call: Call) -> pb.UpdateResponse:
        change = Change(*(optional(request, name) for name in ("content", "type", "title")))
        id_ = request.observation_id
        return pb.UpdateResponse(**saved(await self._ops.save.update(scope(request), id_, change, call.remaining())))

    async def Delete(self, request: pb.DeleteRequest, call: Call) -> pb.DeleteResponse:
        id_ = request.observation_id
        deleted = await self._ops.delete.execute(scope(request), id_, call.remaining(), hard=request.hard)
        return pb.DeleteResponse(deleted=deleted is not None, evidence=deleted.evidence if deleted else [])

    async def Stats(self, request: pb.StatsRequest, call: Call) -> pb.StatsResponse:
        counts = await self._ops.reads.stats(scope(request), call.remaining())
        return pb.StatsResponse(observations=counts.observations, sessions=counts.sessions, by_type=counts.by_type)

    async def Export(self, request: pb.ExportRequest, call: Call) -> pb.ExportResponse:
        token = request.page_token
        records, token = await self._ops.export.execute(scope(request), token, request.page_size, call.remaining())
        return pb.ExportResponse(records=[record(one) for one in records], next_page_token=token)

    async def ImportBatch(self, request: pb.ImportBatchRequest, call: Call) -> pb.ImportBatchResponse:
        records = [import_item(one, index, self._ops.types) for index, one in enumerate(request.records)]
        answers = await self._ops.bring_in.execute(scope(request), records, call.remaining())
        results = [
            pb.ImportResult(detail=detail(answer, call))
            if isinstance(answer, LoomError)
            else pb.ImportResult(id=answer[0], added=answer[1])
            for answer in answers
        ]
        return pb.ImportBatchResponse(results=results)
