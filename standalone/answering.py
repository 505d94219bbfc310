"""Ops answered in this process as the HTTP door answers them, without a door."""

import logging
from collections.abc import Mapping
from typing import Any

from gateway.codec import codec_for
from gateway.dispatch import IGNORED, answer_refused
from gateway.requests import json_object
from runtime import ids, jsontext
from runtime.call import REQUEST_ID, TRACEPARENT, TRACESTATE
from runtime.errors import LoomError, internal
from runtime.optable import load_ops
from runtime.transport import Transport

log = logging.getLogger("loom.embedded")

FORWARDED = (TRACEPARENT, TRACESTATE)


class Answering:
    """The ops of these planes. Calls run a plane's whole chain."""

    def __init__(self, planes: Mapping[str, Transport]) -> None:
        self._planes, self._table = planes, load_ops().of_planes(set(planes))

    async def answer(self, op: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        """HTTP status and body; header names are lower-case."""
        request_id = ids.request_id(headers.get(REQUEST_ID))
        try:
            return 200, jsontext.dump_bytes(await self._call(op, body, headers, request_id))
        except LoomError as error:
            failure = error
        except Exception:
            log.exception("defect in %s", op if self._table.get(op) else "a call", extra={"request_id": request_id})
            failure = internal()
        return failure.code.http, jsontext.dump_bytes({"detail": failure.detail(request_id)})

    async def _call(self, name: str, body: bytes, headers: Mapping[str, str], request_id: str) -> dict[str, Any]:
        op = self._table.get(name)
        if op is None:
            raise LoomError("UNKNOWN_OP", "there is no op of that name on a folder without a server")
        decoded = codec_for(op.request).decode(json_object(body))
        metadata = {REQUEST_ID: request_id, **{key: headers[key] for key in FORWARDED if key in headers}}
        message = await self._planes[op.plane].call(op, decoded.message, metadata, op.deadline_s)
        answer = codec_for(op.response).encode(message)
        if decoded.refused:
            answer_refused(op, decoded, answer, request_id)
        return {**answer, IGNORED: decoded.ignored} if decoded.ignored else answer
