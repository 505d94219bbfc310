"""The servicer of signals out of CI runs."""

from loom.tracker.v1 import signal_pb2 as pb
from runtime.call import Call
from services.tracker.ops.test_signal import TestSignalOp
from services.tracker.plain import plain
from services.tracker.service import caller


class SignalService:
    """Public rpcs; each is an op."""

    def __init__(self, test_signal: TestSignalOp) -> None:
        self._test_signal = test_signal

    async def TestSignal(self, request: pb.TestSignalRequest, call: Call) -> pb.TestSignalResponse:
        found = await self._test_signal.execute(
            request.org,
            call.namespace,
            request.test_name,
            caller(call),
            window_days=request.window_days,
            pr_number=request.pr_number if request.HasField("pr_number") else None,
            branch=request.branch,
        )
        return pb.TestSignalResponse(**plain(found))
