"""The links of the server chain, in the order of runtime/chain.py."""

import asyncio
import logging
import time

from google.protobuf.message import Message

from runtime import ids
from runtime.call import AGENT_HINT, REQUEST_ID, SESSION_HINT, TRACEPARENT, TRACESTATE, Call, Handler
from runtime.chain import Chain
from runtime.clock import Clock
from runtime.deadline import Deadline
from runtime.errors import LoomError, internal
from runtime.identity import Authenticator
from runtime.logs import access, bind_request
from runtime.metrics import Metrics
from runtime.optable import DEFAULT_DEADLINE_S
from runtime.telemetry import Telemetry, extract
from runtime.validation import fill_identity, validator_for

log = logging.getLogger("loom.chain")


class Errors:
    """Lets nothing but a LoomError and a cancellation out; a defect is logged here and shown as a constant."""

    name = "errors"

    async def __call__(self, call: Call, proceed: Handler) -> Message:
        try:
            return await proceed(call)
        except (LoomError, asyncio.CancelledError):
            raise
        except Exception:
            log.exception("defect in %s", call.name, extra={"request_id": call.request_id})
            raise internal() from None


class RequestId:
    """Takes the caller's request id or makes one, and binds it to the log."""

    name = "request_id"

    async def __call__(self, call: Call, proceed: Handler) -> Message:
        call.request_id = ids.request_id(call.metadata.get(REQUEST_ID))
        bind_request(call.request_id)
        return await proceed(call)


class Tracing:
    """One server span per call, child of the caller's trace context."""

    name = "tracing"

    def __init__(self, telemetry: Telemetry, plane: str) -> None:
        self._telemetry, self._plane = telemetry, plane

    async def __call__(self, call: Call, proceed: Handler) -> Message:
        if self._telemetry.tracer is None:
            return await proceed(call)
        parent = extract(call.metadata.get(TRACEPARENT), call.metadata.get(TRACESTATE))
        attributes = {"rpc.system": "grpc", "rpc.method": call.method.path, "loom.request_id": call.request_id}
        with self._telemetry.span(f"{self._plane} {call.name}", parent=parent, kind="server", attributes=attributes):
            return await proceed(call)


class Access:
    """Counts and times every call; writes the access line, unless the gateway in this process writes it."""

    name = "access"

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    async def __call__(self, call: Call, proceed: Handler) -> Message:
        started, code = time.perf_counter(), "CANCELLED"
        try:
            response = await proceed(call)
            code = "OK"
            return response
        except LoomError as error:
            code = error.code.name
            raise
        except Exception:
            code = "INTERNAL"
            raise
        finally:
            seconds = time.perf_counter() - started
            self._metrics.request(call.name, call.door, code, seconds)
            if call.door != "inproc":
                access(call.name, code, seconds * 1000, call.door, call.request_id)


class Deadlines:
    """Ends a call at the caller's deadline or the op's, whichever is nearer."""

    name = "deadline"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def __call__(self, call: Call, proceed: Handler) -> Message:
        limit = getattr(call.method, "deadline_s", DEFAULT_DEADLINE_S)
        if call.timeout_s is not None:
            limit = min(limit, call.timeout_s)
        deadline = Deadline(self._clock, limit)
        call.remaining = deadline.remaining
        async with deadline.scope():
            return await proceed(call)


class Auth:
    """Says who calls, refuses who may not, and fills the identity fields that the caller left empty."""

    name = "auth"

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator

    async def __call__(self, call: Call, proceed: Handler) -> Message:
        identity = await self._authenticator.identify(call)
        agent, session = call.metadata.get(AGENT_HINT), call.metadata.get(SESSION_HINT)
        if agent or session:
            identity = identity.with_hints(agent, session)
        fill_identity(call.request, identity.fields)
        return await proceed(call)


class Validate:
    """Applies the contract's field options: defaults, required fields, limits; then does what auth left to do."""

    name = "validate"

    async def __call__(self, call: Call, proceed: Handler) -> Message:
        validator_for(type(call.request))(call.request)
        if call.admit is not None:
            await call.admit(call)
        return await proceed(call)


def server_chain(
    plane: str, *, telemetry: Telemetry, metrics: Metrics, authenticator: Authenticator, clock: Clock
) -> Chain:
    """The chain that every plane runs."""
    return Chain(
        [
            Errors(),
            RequestId(),
            Tracing(telemetry, plane),
            Access(metrics),
            Deadlines(clock),
            Auth(authenticator),
            Validate(),
        ]
    )
