"""What Envoy answers by itself, in the words and the one shape of Loom: the envelope, or over gRPC the status with details.

Both are made from the registry of errors, so that they cannot differ from what the gateway says.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from gateway.envoy.parts import Json, header
from runtime.errors import INTERNAL_MESSAGE, LoomError
from runtime.wire import to_status

REQUEST_ID = "%REQ(x-request-id)%"
FRESH_ID = "%UNIQUE_ID%"
GRPC_STATUS = {
    "INVALID_ARGUMENT": 3,
    "DEADLINE_EXCEEDED": 4,
    "NOT_FOUND": 5,
    "RESOURCE_EXHAUSTED": 8,
    "UNAVAILABLE": 14,
}
INTERNAL_STATUS = 13


@dataclass(frozen=True, slots=True)
class Reply:
    """One error, and when it is the answer: at any of these response flags of Envoy's, or at any of these statuses."""

    error: LoomError
    flags: Sequence[str] = ()
    statuses: Sequence[int] = ()


def replies(max_body: int) -> list[Reply]:
    """The first one that fits is sent; `max_body` is the limit of bodies, in bytes."""
    return [
        Reply(
            LoomError("OVERLOADED", "as many calls are running as may run at once", retry_after_s=1.0),
            flags=("UO", "OM", "RL"),
        ),
        Reply(LoomError("DEADLINE_EXCEEDED", "no answer came within the deadline"), flags=("UT",), statuses=(504,)),
        Reply(
            LoomError("UPSTREAM_UNAVAILABLE", "nothing that serves this answers", retry_after_s=1.0),
            flags=("UH", "UF", "UC", "UR", "LR", "URX", "NC", "UPE", "LH"),
        ),
        Reply(
            LoomError("BODY_TOO_LARGE", f"the body is over {max_body} bytes; nothing was stored", limit_bytes=max_body),
            statuses=(413,),
        ),
        Reply(LoomError("ROUTE_NOT_FOUND", "nothing is served here"), flags=("NR",), statuses=(404,)),
        Reply(
            LoomError("MALFORMED_REQUEST", "no whole HTTP request with a head of the allowed size came in time"),
            statuses=(400, 408, 426, 431),
        ),
        Reply(LoomError("UPSTREAM_UNAVAILABLE", "nothing serves this now", retry_after_s=1.0), statuses=(503,)),
        Reply(LoomError("INTERNAL", INTERNAL_MESSAGE)),
    ]


def envelopes(max_body: int) -> Json:
    """For a listener of HTTP. A gRPC call is answered with the status, by the mappers that stand first."""
    made = [mapper for reply in replies(max_body) for mapper in (_grpc(reply, calls_alone=True), *_envelope(reply))]
    return {"mappers": made}


def statuses(max_body: int) -> Json:
    """For a listener of gRPC alone."""
    return {"mappers": [_grpc(reply, calls_alone=False) for reply in replies(max_body)]}


def _envelope(reply: Reply) -> list[Json]:
    """With the request's id; and without, for what was so bad that it had none."""
    named = _answer(reply, REQUEST_ID, [header("x-request-id", REQUEST_ID)])
    nameless = _answer(reply, "", [])
    return [{**named, "filter": _all(named["filter"], _HAS_ID)}, nameless]


def _answer(reply: Reply, request_id: str, headers: list[Json]) -> Json:
    error = reply.error
    if error.retry_after_s is not None:
        headers.append(header("retry-after", f"{error.retry_after_s:.0f}"))
    return {
        "filter": _when(reply),
        "status_code": error.code.http,
        "body_format_override": {
            "json_format": {"detail": {**error.detail(""), "request_id": request_id}},
            "content_type": "application/json",
        },
        "headers_to_add": headers,
    }


def _grpc(reply: Reply, *, calls_alone: bool) -> Json:
    error = reply.error
    # Without the call's request id: the bytes are made beforehand. It stands in the metadata.
    packed = dict(to_status(error, "").trailing_metadata)["grpc-status-details-bin"]
    number = GRPC_STATUS.get(error.code.grpc, INTERNAL_STATUS)
    return {
        "filter": _all(_when(reply), _IS_GRPC) if calls_alone else _when(reply),
        "status_code": error.code.http,
        "body_format_override": {"text_format_source": {"inline_string": error.message}},
        "headers_to_add": [
            header("x-request-id", REQUEST_ID),
            header("grpc-status", str(number)),
            header("grpc-status-details-bin", base64.b64encode(packed).decode().rstrip("=")),
        ],
    }


_IS_GRPC: Json = {
    "header_filter": {"header": {"name": "content-type", "string_match": {"prefix": "application/grpc"}}},
}

_HAS_ID: Json = {"header_filter": {"header": {"name": "x-request-id", "present_match": True}}}


def _when(reply: Reply) -> Json:
    options: list[Json] = [status_is(status) for status in reply.statuses]
    if reply.flags:
        options.append({"response_flag_filter": {"flags": list(reply.flags)}})
    if not options:
        return {"not_health_check_filter": {}}
    return options[0] if len(options) == 1 else {"or_filter": {"filters": options}}


def _all(*filters: Json) -> Json:
    return {"and_filter": {"filters": list(filters)}}


def status_is(number: int) -> Json:
    """A filter for one status."""
    value = {"default_value": number, "runtime_key": f"loom.local_reply.{number}"}
    return {"status_code_filter": {"comparison": {"op": "EQ", "value": value}}}
