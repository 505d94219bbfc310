"""The servicer of tracker.similar and tracker.duplicate_check: request to op, result to response."""

from datetime import datetime

from loom.tracker.v1 import similar_pb2 as pb
from runtime.call import Call
from runtime.errors import LoomError
from services.instants import INSTANT, parse_instant
from services.tracker.checking.draft import Asked
from services.tracker.ops.duplicate_check import DuplicateCheck, Options
from services.tracker.ops.similar import SimilarOp
from services.tracker.plain import plain
from services.tracker.service import caller


class SimilarService:
    """Public rpcs; each is an op."""

    def __init__(self, similar: SimilarOp, check: DuplicateCheck) -> None:
        self._similar, self._check = similar, check

    async def Similar(self, request: pb.SimilarRequest, call: Call) -> pb.SimilarResponse:
        title, _, body = request.text.strip().partition("\n")
        # A text without a line of its own for a title is a title and a body at once.
        asked = Asked(title=title[:TITLE], body=body or title[TITLE:], frames=tuple(request.frames), repo=request.repo)
        number = request.issue_number if request.HasField("issue_number") else None
        found = await self._similar.execute(
            request.org, call.namespace, asked, number, list(request.kinds), request.top_k, caller(call)
        )
        return pb.SimilarResponse(**plain(found))

    async def DuplicateCheck(self, request: pb.DuplicateCheckRequest, call: Call) -> pb.DuplicateCheckResponse:
        asked = Asked(
            title=request.title,
            body=request.body,
            frames=tuple(request.frames),
            component=request.component,
            version=request.version,
            mentions=tuple(request.mentions),
            paths=tuple(request.paths),
            symbols=tuple(request.symbols),
            as_of=instant(request.as_of),
            repo=request.repo,
        )
        number = request.issue_number if request.HasField("issue_number") else None
        options = Options(request.top_k, request.related_prs, request.rerank, list(request.namespaces))
        found = await self._check.execute(request.org, call.namespace, asked, number, options, caller(call))
        return pb.DuplicateCheckResponse(**plain(found))


TITLE = 300


def instant(text: str) -> datetime | None:
    """None for none. Raises INVALID_FIELD."""
    if not text:
        return None
    try:
        return parse_instant(text)
    except ValueError:
        raise LoomError("INVALID_FIELD", f"as_of must be {INSTANT}", field="as_of") from None
