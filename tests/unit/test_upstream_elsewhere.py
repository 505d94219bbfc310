"""A retry may go on to another replica on its way, a first attempt may not: the edge does what the gateway decides."""

from google.protobuf.empty_pb2 import Empty

from runtime.call import ELSEWHERE
from runtime.errors import LoomError
from tests.support.upstreams import Bench


async def test_only_a_retry_may_go_on_to_another_replica_on_its_way() -> None:
    down = LoomError("STORAGE_UNAVAILABLE", "storage does not answer")
    bench = Bench(down, down, Empty())
    await bench.call()
    assert bench.transport.metadata == [{}, ELSEWHERE, ELSEWHERE]
