"""The one mapping between LoomError and google.rpc.Status on the wire."""

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from runtime.errors import DOMAIN, REGISTRY, LoomError, internal

# A status without our details comes from the gRPC library or from a proxy, not from a plane.
BARE = {
    "UNAVAILABLE": ("UPSTREAM_UNAVAILABLE", "the plane does not answer"),
    "DEADLINE_EXCEEDED": ("DEADLINE_EXCEEDED", "the plane did not answer within the deadline"),
    "RESOURCE_EXHAUSTED": ("OVERLOADED", "the plane is at its limit"),
    "UNIMPLEMENTED": ("FEATURE_DISABLED", "the plane does not serve that op"),
    "CANCELLED": ("UPSTREAM_UNAVAILABLE", "the plane ended the call"),
}


def to_status(error: LoomError, request_id: str) -> grpc.Status:
    """Status with ErrorInfo and RequestInfo, plus RetryInfo and BadRequest where they apply."""
    status = status_pb2.Status(code=code_pb2.Code.Value(error.code.grpc), message=error.message)
    details = [
        error_details_pb2.ErrorInfo(reason=error.code.name, domain=DOMAIN, metadata=error.metadata),
        error_details_pb2.RequestInfo(request_id=request_id),
    ]
    if error.retry_after_s is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(int(error.retry_after_s * 1000))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    if "field" in error.metadata:
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=error.metadata["field"], description=error.message, reason=error.code.name
        )
        details.append(error_details_pb2.BadRequest(field_violations=[violation]))
    for detail in details:
        status.details.add().Pack(detail)
    return rpc_status.to_status(status)


def from_rpc_error(error: grpc.aio.AioRpcError) -> LoomError:
    """The LoomError that a plane raised, or the one that stands for what the gRPC library says."""
    status = rpc_status.from_call(error)
    info, retry_after_s = _details(status.details if status else [])
    if info is not None and info.reason in REGISTRY:
        return _rebuild(info, status.message, retry_after_s)
    bare = BARE.get(error.code().name)
    if bare is None:
        return internal()
    code, message = bare
    return LoomError(code, message, retry_after_s=1.0 if REGISTRY[code].retryable else None)


def _rebuild(info: error_details_pb2.ErrorInfo, message: str, retry_after_s: float | None) -> LoomError:
    error = LoomError(info.reason, message, retry_after_s=retry_after_s)
    error.metadata = dict(info.metadata)
    return error


def _details(packed: list[any_pb2.Any]) -> tuple[error_details_pb2.ErrorInfo | None, float | None]:
    info, retry_after_s = None, None
    for item in packed:
        if item.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            found = error_details_pb2.ErrorInfo()
            item.Unpack(found)
            info = found if found.domain == DOMAIN else info
        elif item.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            retry = error_details_pb2.RetryInfo()
            item.Unpack(retry)
            retry_after_s = retry.retry_delay.ToMilliseconds() / 1000
    return info, retry_after_s
