"""The OpenAPI 3.1 document of the HTTP door, derived from the op table and the registry of errors."""

from collections.abc import Iterable, Iterator
from typing import Any

from google.protobuf.descriptor import Descriptor

from gateway.codec.fields import rules_of
from gateway.examples import example_request
from gateway.schema import ERROR_DETAIL, request_schema, response_schema
from loom import __version__
from loom.options.v1 import options_pb2
from runtime.errors import REGISTRY, Code
from runtime.optable import Op, comment_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"
JSON = "application/json"
INTRODUCTION = (
    "Every op is one POST with a JSON object. Arguments that Loom does not know are served and listed in "
    "`ignored_args` of the response. Every failure has the same envelope; `detail.code` is for programs."
)
# These codes answer calls that reach no op, so no op documents them.
NO_OP = {"MALFORMED_REQUEST", "METHOD_NOT_ALLOWED", "ROUTE_NOT_FOUND"}
# The doors refuse with these whatever the op asks of its caller.
BEFORE_ANY_OP = {"ORIGIN_FORBIDDEN"}
CONFLICT = 409
UNAUTHORIZED = 401
# Ops that are about one namespace.
NAMESPACE_ROLES = {"viewer", "writer", "admin"}

REQUEST_ID = {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"}
HEADERS = {
    "RequestId": {"description": "The id under which the call is logged and traced.", "schema": REQUEST_ID},
    "WwwAuthenticate": {"description": "The scheme of tokens: `Bearer`.", "schema": {"type": "string"}},
    "RetryAfter": {
        "description": "Seconds to wait before the next try; stands where `detail.retry_after_s` does.",
        "schema": {"type": "integer", "minimum": 0},
    },
}
PARAMETERS = {
    "RequestId": {
        "name": "X-Request-Id",
        "in": "header",
        # No pattern: a text that is no request id is not refused, the call gets an id of Loom's own.
        "schema": {"type": "string"},
        "description": "The caller's own id of the call: 1 to 64 of letters, digits, `.`, `_`, `-`.",
    }
}
BEARER = {"type": "http", "scheme": "bearer", "description": "A token of this installation."}


def openapi(ops: Iterable[Op], *, token_required: bool = False) -> dict[str, Any]:
    """The document of the given ops. Without `token_required` (single-user mode) a token may be left out."""
    served = sorted(ops, key=lambda op: op.name)
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": DIALECT,
        "info": {"title": "Loom", "version": __version__, "description": INTRODUCTION},
        "servers": [{"url": "/"}],
        "tags": _tags(served),
        "security": [{"bearer": []}] if token_required else [{"bearer": []}, {}],
        "paths": {f"/v1/{op.http_path}": {"post": _operation(op)} for op in served},
        "components": {
            "schemas": {"Error": _envelope(), **_schemas(served)},
            "responses": {_response_name(status): _failure(status) for status in _all_statuses()},
            "headers": HEADERS,
            "parameters": PARAMETERS,
            "securitySchemes": {"bearer": BEARER},
        },
    }


def codes_of(op: Op) -> list[Code]:
    """The codes that a call of the op may fail with, as far as the contract tells."""
    return [code for code in REGISTRY.values() if code.name not in NO_OP and _applies(code, op)]


def _applies(code: Code, op: Op) -> bool:
    if code.category == "auth":
        return op.role != "public" or code.name in BEFORE_ANY_OP
    if not code.is_of(op.name) or (code.http == CONFLICT and not op.writes):
        return False
    rules = list(_rules(op.request.DESCRIPTOR))
    match code.name:
        case "INVALID_FIELD":
            return bool(rules)
        case "MISSING_FIELD":
            return any(rule.required for rule in rules)
        case "FIELD_TOO_LONG":
            return any(rule.max_chars or rule.max_items for rule in rules)
        case "NOT_A_TRACKER_NAMESPACE":
            return op.role in NAMESPACE_ROLES
    return True


def _rules(message: Descriptor) -> Iterator[options_pb2.Field]:
    """The options of every field at any depth."""
    for field in message.fields:
        yield rules_of(field)
        if field.message_type is not None:
            yield from _rules(field.message_type)


def _all_statuses() -> list[int]:
    return sorted({code.http for code in REGISTRY.values() if code.name not in NO_OP})


def _tags(ops: list[Op]) -> list[dict[str, str]]:
    """A plane is described by the service of its own package; it may serve those of others too."""
    services: dict[str, str] = {}
    for op in ops:
        service = op.method.containing_service
        described = services.get(op.plane, "").startswith(f"loom.{op.plane}.")
        if not described and (service.file.package == f"loom.{op.plane}.v1" or op.plane not in services):
            services[op.plane] = service.full_name
    return [{"name": plane, "description": comment_of(service)} for plane, service in sorted(services.items())]


def _operation(op: Op) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": op.name.replace(".", "_"),
        "summary": op.doc.partition(". ")[0].rstrip("."),
        "description": op.doc,
        "tags": [op.plane],
        "parameters": [_ref("parameters", "RequestId")],
        "requestBody": {
            # An empty body is an empty object.
            "required": "required" in request_schema(op.request),
            "content": {JSON: {"schema": _ref("schemas", _name(op, "Request")), "example": example_request(op)}},
        },
        "responses": {
            "200": _success(op),
            **{str(s): _ref("responses", _response_name(s)) for s in sorted({c.http for c in codes_of(op)})},
        },
        "x-loom": {"op": op.name, "role": op.role, "writes": op.writes, "idempotent": op.idempotent},
    }
    return operation | ({"security": []} if op.role == "public" else {})


def _success(op: Op) -> dict[str, Any]:
    return {
        "description": comment_of(op.response.DESCRIPTOR.full_name),
        "headers": {"X-Request-Id": _ref("headers", "RequestId")},
        "content": {JSON: {"schema": _ref("schemas", _name(op, "Response"))}},
    }


def _failure(status: int) -> dict[str, Any]:
    codes = [code for code in REGISTRY.values() if code.http == status and code.name not in NO_OP]
    headers = {"X-Request-Id": _ref("headers", "RequestId")}
    if status == UNAUTHORIZED:
        headers["WWW-Authenticate"] = _ref("headers", "WwwAuthenticate")
    if any(code.retryable for code in codes):
        headers["Retry-After"] = _ref("headers", "RetryAfter")
    return {
        "description": " ".join(f"`{code.name}`: {code.hint}" for code in codes),
        "headers": headers,
        "content": {JSON: {"schema": _ref("schemas", "Error")}},
    }


def _envelope() -> dict[str, Any]:
    return {"type": "object", "properties": {"detail": ERROR_DETAIL}, "required": ["detail"]}


def _schemas(ops: list[Op]) -> dict[str, Any]:
    requests = {_name(op, "Request"): request_schema(op.request) for op in ops}
    return requests | {_name(op, "Response"): response_schema(op.response) for op in ops}


def _name(op: Op, side: str) -> str:
    """`ObserveRecordRequest`: two planes may each have a `ListRequest`."""
    return op.plane.title() + op.rpc + side


def _response_name(status: int) -> str:
    return f"Failure{status}"


def _ref(kind: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}
