"""The servicer of the code ops: request to op, result to response."""

from dataclasses import dataclass

from loom.code.v1 import code_pb2 as pb
from runtime.call import Call
from services.tracker.history.evidence import Report
from services.tracker.ops.code.backports import BackportGapOp, BackportGapsOp
from services.tracker.ops.code.bisect import BisectOp, Wanted
from services.tracker.ops.code.context_pack import ContextPackOp
from services.tracker.ops.code.first_build import FirstBuildOp
from services.tracker.ops.code.history import HistoryOp
from services.tracker.ops.code.pr_check import Draft, PrCheckOp
from services.tracker.plain import plain
from services.tracker.service import caller


@dataclass(frozen=True, slots=True)
class CodeOps:
    """What the rpcs are served by."""

    bisect: BisectOp
    backport_gap: BackportGapOp
    backport_gaps: BackportGapsOp
    first_build: FirstBuildOp
    history: HistoryOp
    pr_check: PrCheckOp
    context_pack: ContextPackOp


class CodeService:
    """Public rpcs; each is an op. A number that is 0 is not given: it means its default."""

    def __init__(self, ops: CodeOps) -> None:
        self._ops = ops

    async def BisectCandidates(self, request: pb.BisectCandidatesRequest, call: Call) -> pb.BisectCandidatesResponse:
        report = Report(
            request.text, list(request.frames), list(request.paths), list(request.symbols), request.component
        )
        issue = request.issue_number if request.HasField("issue_number") else None
        wanted = Wanted(request.repo, issue, list(request.good), list(request.bad), report, request.top_k)
        found = await self._ops.bisect.execute(request.org, call.namespace, wanted, caller(call))
        return pb.BisectCandidatesResponse(**plain(found))

    async def BackportGap(self, request: pb.BackportGapRequest, call: Call) -> pb.BackportGapResponse:
        found = await self._ops.backport_gap.execute(
            request.org,
            call.namespace,
            caller(call),
            repo=request.repo,
            issue_number=request.issue_number if request.HasField("issue_number") else None,
            pr_number=request.pr_number if request.HasField("pr_number") else None,
            branches=list(request.branches),
        )
        return pb.BackportGapResponse(**plain(found))

    async def BackportGaps(self, request: pb.BackportGapsRequest, call: Call) -> pb.BackportGapsResponse:
        found = await self._ops.backport_gaps.execute(
            request.org,
            call.namespace,
            caller(call),
            repo=request.repo,
            pr_numbers=list(request.pr_numbers),
            days=request.days,
            branches=list(request.branches),
            limit=request.limit,
        )
        return pb.BackportGapsResponse(**plain(found))

    async def FirstBuild(self, request: pb.FirstBuildRequest, call: Call) -> pb.FirstBuildResponse:
        number = request.pr_number if request.HasField("pr_number") else None
        found = await self._ops.first_build.execute(
            request.org, call.namespace, caller(call), repo=request.repo, pr_number=number, sha=request.sha
        )
        return pb.FirstBuildResponse(**plain(found))

    async def History(self, request: pb.HistoryRequest, call: Call) -> pb.HistoryResponse:
        found = await self._ops.history.execute(
            request.org,
            call.namespace,
            caller(call),
            paths=list(request.paths),
            symbols=list(request.symbols),
            days=request.days,
            limit=request.limit,
        )
        return pb.HistoryResponse(**plain(found))

    async def PrCheck(self, request: pb.PrCheckRequest, call: Call) -> pb.PrCheckResponse:
        draft = Draft(
            title=request.title,
            body=request.body,
            paths=list(request.paths),
            symbols=list(request.symbols),
            frames=list(request.frames),
            component=request.component,
            issue_numbers=list(request.issue_numbers),
            days=request.days,
            top_k=request.top_k,
        )
        found = await self._ops.pr_check.execute(request.org, call.namespace, draft, caller(call))
        return pb.PrCheckResponse(**plain(found))

    async def ContextPack(self, request: pb.ContextPackRequest, call: Call) -> pb.ContextPackResponse:
        found = await self._ops.context_pack.execute(
            request.org,
            call.namespace,
            request.issue_number,
            caller(call),
            repo=request.repo,
            max_chars=request.max_chars,
        )
        return pb.ContextPackResponse(**plain(found))
