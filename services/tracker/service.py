"""The servicer of the question ops: request to op, result to response."""

from dataclasses import dataclass

from loom.tracker.v1 import tracker_pb2 as pb
from runtime.call import Call
from runtime.identity import Caller
from services.tracker.ops.answer import AnswerOp
from services.tracker.ops.binding import BindingOp
from services.tracker.ops.component import ComponentOp
from services.tracker.ops.contract import contract
from services.tracker.ops.flaky import FlakyOp
from services.tracker.ops.item import ItemOp
from services.tracker.ops.links import LinksOp
from services.tracker.ops.release import ReleaseOp
from services.tracker.plain import plain


@dataclass(frozen=True, slots=True)
class Questions:
    """What the rpcs are served by."""

    item: ItemOp
    links: LinksOp
    flaky: FlakyOp
    release: ReleaseOp
    component: ComponentOp
    answer: AnswerOp
    binding: BindingOp


class TrackerService:
    """Public rpcs; each is an op. Namespaces are named as the caller knows them."""

    def __init__(self, ops: Questions) -> None:
        self._ops = ops

    async def Item(self, request: pb.ItemRequest, call: Call) -> pb.ItemResponse:
        found = await self._ops.item.execute(
            request.org, call.namespace, list(request.numbers), request.repo, caller(call)
        )
        return pb.ItemResponse(**plain(found))

    async def Links(self, request: pb.LinksRequest, call: Call) -> pb.LinksResponse:
        issue = request.issue_number if request.HasField("issue_number") else None
        pr = request.pr_number if request.HasField("pr_number") else None
        found = await self._ops.links.execute(request.org, call.namespace, issue, pr, request.repo, caller(call))
        return pb.LinksResponse(**plain(found))

    async def Flaky(self, request: pb.FlakyRequest, call: Call) -> pb.FlakyResponse:
        found = await self._ops.flaky.execute(
            request.org, call.namespace, request.test_name, caller(call), include_signal=request.include_signal
        )
        return pb.FlakyResponse(**plain(found))

    async def Release(self, request: pb.ReleaseRequest, call: Call) -> pb.ReleaseResponse:
        found = await self._ops.release.execute(request.org, call.namespace, request.version, caller(call))
        return pb.ReleaseResponse(**plain(found))

    async def Component(self, request: pb.ComponentRequest, call: Call) -> pb.ComponentResponse:
        found = await self._ops.component.execute(
            request.org, call.namespace, request.component, request.limit, caller(call)
        )
        return pb.ComponentResponse(**plain(found))

    async def Answer(self, request: pb.AnswerRequest, call: Call) -> pb.AnswerResponse:
        given = {field.name: list(value) for field, value in request.anchors.ListFields()}
        found = await self._ops.answer.execute(
            request.org, call.namespace, request.question, given, request.explain_only, request.limit, caller(call)
        )
        return pb.AnswerResponse(**plain(found))

    async def Binding(self, request: pb.BindingRequest, call: Call) -> pb.BindingResponse:
        found = await self._ops.binding.execute(request.org, request.namespace, caller(call))
        return pb.BindingResponse(**plain(found))

    async def Contract(self, request: pb.ContractRequest, call: Call) -> pb.ContractResponse:
        return pb.ContractResponse(**contract())


def caller(call: Call) -> Caller:
    """Who calls."""
    if call.caller is None:
        raise RuntimeError("the auth link did not say who calls")
    return call.caller
