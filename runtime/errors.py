"""Errors: the registry of codes, the one exception that may reach a caller, and the one shape it is shown in.

A `LoomError` carries a code of the registry, a message that is safe to show, and typed metadata. Messages never contain
what the caller sent or what a foreign library said: the first may be private, the second may name hosts and statements.
docs/errors.md is generated from the registry.
"""

from dataclasses import dataclass
from typing import Any

DOMAIN = "loom"


@dataclass(frozen=True, slots=True)
class Code:
    """One code of the registry.

    `grpc` is the name of the gRPC status on the wire, `http` the status of the HTTP door, `retryable` says whether the
    same call may succeed later, `hint` tells a person what to do. `ops` are the ops that may fail with it, a plane's
    all by its name and a dot; none means any op.
    """

    name: str
    grpc: str
    http: int
    category: str
    retryable: bool
    hint: str
    ops: tuple[str, ...] = ()

    def is_of(self, op: str) -> bool:
        """Whether that op may fail with it, as far as its name tells."""
        return not self.ops or any(op == each or (each.endswith(".") and op.startswith(each)) for each in self.ops)


_KNOWN_SOURCE = ("tracker.source.remap", "tracker.source.rotate")
_FIT_SOURCE = ("tracker.source.add", *_KNOWN_SOURCE)
_OF_OPS: dict[str, tuple[str, ...]] = {
    "LAST_ADMIN": ("namespace.grant", "namespace.revoke"),
    "NOT_A_TRACKER_NAMESPACE": ("tracker.", "code."),
    "SOURCE_CONTRACT_FAILED": _FIT_SOURCE,
    "SOURCE_UNREACHABLE": (*_FIT_SOURCE, "tracker.source.check"),
    "SOURCE_WRITABLE": _FIT_SOURCE,
    "SOURCE_NOT_FOUND": (*_KNOWN_SOURCE, "tracker.source.check"),
    "QUOTA_EXCEEDED": ("tracker.source.add",),
    "ALREADY_EXISTS": (
        "tracker.source.add",
        "tracker.load",
        "code.repo.add",
        "code.repo.add_branch",
        "namespace.create",
    ),
    "SESSION_NOT_FOUND": ("memory.session_end",),
    "OBSERVATION_NOT_FOUND": ("memory.update",),
}


def _codes(grpc: str, http: int, category: str, retryable: bool, **hints: str) -> list[Code]:
    return [Code(name, grpc, http, category, retryable, hint, _OF_OPS.get(name, ())) for name, hint in hints.items()]


REGISTRY: dict[str, Code] = {
    code.name: code
    for code in [
        *_codes(
            "INVALID_ARGUMENT",
            400,
            "invalid",
            False,
            MALFORMED_REQUEST="The bytes are no HTTP request: unknown method, bad framing, a head over 64 KiB, or no end.",
            INVALID_JSON="The body is not one JSON object. Send an object, in UTF-8.",
            INVALID_FIELD="A field holds a value that the op does not take; metadata.field names it.",
            MISSING_FIELD="A required field is empty; metadata.field names it.",
            FIELD_TOO_LONG="A field is over its limit; metadata names the field, the limit and the size.",
        ),
        *_codes(
            "UNAUTHENTICATED",
            401,
            "auth",
            False,
            TOKEN_MISSING="Send `Authorization: Bearer <token>`; an admin of the organisation makes tokens.",  # noqa: S106 - no password
            TOKEN_INVALID="The token was not made for this installation, is damaged or was revoked. Ask for another one.",  # noqa: S106 - no password
            TOKEN_EXPIRED="The token has ended. Ask for another one.",  # noqa: S106 - no password
        ),
        *_codes(
            "PERMISSION_DENIED",
            403,
            "auth",
            False,
            ORIGIN_FORBIDDEN="The Host or Origin header names a host that is not served; LOOM_ALLOWED_HOSTS lists them.",
            NAMESPACE_FORBIDDEN="You may not, or there is no such namespace. Ask its admins for a token and a grant.",
            ROLE_REQUIRED="Your role is too small for the op; metadata.required names the one it needs.",
        ),
        *_codes(
            "FAILED_PRECONDITION",
            400,
            "precondition",
            False,
            LAST_ADMIN="The subject is the only admin. Make another one first, or remove the namespace.",
            NOT_A_TRACKER_NAMESPACE="The namespace reads no tracker that you may read. tracker.binding says what it is.",
            SOURCE_CONTRACT_FAILED="The source lacks parts of the record contract. Try with dry_run: it drafts the views.",
            SOURCE_UNREACHABLE="The source does not answer, or refuses the login; metadata.reason says which.",
            SOURCE_WRITABLE="The login can write. Make one that can only read, and give that.",
        ),
        *_codes(
            "NOT_FOUND",
            404,
            "not_found",
            False,
            UNKNOWN_OP="There is no op of that name; metadata.nearest names the nearest ones.",
            SOURCE_NOT_FOUND="There is no source of that name that you administer. tracker.source.list shows them.",
            SESSION_NOT_FOUND="The user has no active session; memory.session_start begins one.",
            OBSERVATION_NOT_FOUND="The user has no memory of that id, or it is deleted.",
            ROUTE_NOT_FOUND="Nothing is served at this path; ops are at POST /v1/<op>.",
        ),
        *_codes("ALREADY_EXISTS", 409, "conflict", False, ALREADY_EXISTS="The name is taken. Choose another one."),
        *_codes("INVALID_ARGUMENT", 405, "invalid", False, METHOD_NOT_ALLOWED="Use the method that `Allow` names."),
        *_codes(
            "INVALID_ARGUMENT",
            413,
            "invalid",
            False,
            BODY_TOO_LARGE="The body is over the limit; metadata.limit_bytes names it. Nothing was stored.",
        ),
        *_codes(
            "INVALID_ARGUMENT",
            415,
            "invalid",
            False,
            UNSUPPORTED_MEDIA_TYPE="Send JSON with `Content-Type: application/json`.",
        ),
        *_codes(
            "RESOURCE_EXHAUSTED",
            429,
            "overload",
            True,
            OVERLOADED="The concurrency limit is reached. Try again after retry_after_s.",
            QUOTA_EXCEEDED="The organisation has as many as it may. Remove one, or ask whoever runs the installation.",
            RATE_LIMITED="Too many calls of this caller in a short time. Try again after retry_after_s.",
            STORAGE_FULL="The storage has no room, so writes are refused; reads go on. Make room, and send the call again.",
        ),
        *_codes(
            "DEADLINE_EXCEEDED",
            504,
            "timeout",
            True,
            DEADLINE_EXCEEDED="The call did not finish within its deadline. Writes are idempotent: send it again.",
        ),
        *_codes(
            "UNAVAILABLE",
            503,
            "unavailable",
            True,
            UPSTREAM_UNAVAILABLE="The plane that serves the op does not answer. Try again after retry_after_s.",
            CIRCUIT_OPEN="The plane failed repeatedly and is not asked for a while. Try again after retry_after_s.",
            STORAGE_UNAVAILABLE="The storage engine does not answer. Nothing was acknowledged: send the call again.",
            SHUTTING_DOWN="The process is stopping. Send the call again, to another one.",
        ),
        *_codes(
            "UNIMPLEMENTED",
            501,
            "unsupported",
            False,
            FEATURE_DISABLED="This installation has the feature switched off, or does not serve the plane.",
        ),
        *_codes("INTERNAL", 500, "internal", False, INTERNAL="A defect of Loom. The log has it under the request id."),
    ]
}

INTERNAL_MESSAGE = "internal error"


class LoomError(Exception):
    """A failure that the caller may know about.

    `code` is a name of the registry, `message` is safe to show, `metadata` holds details by name (`field`, `limit`).
    """

    def __init__(self, code: str, message: str, *, retry_after_s: float | None = None, **metadata: Any) -> None:
        super().__init__(message)
        self.code = REGISTRY[code]
        self.message = message
        self.retry_after_s = retry_after_s
        self.metadata = {name: str(value) for name, value in metadata.items()}

    def under(self, prefix: str) -> "LoomError":
        """The same error about a field of a nested message; messages about a field begin with its name."""
        if "field" not in self.metadata:
            return self
        metadata = {**self.metadata, "field": prefix + self.metadata["field"]}
        return LoomError(self.code.name, prefix + self.message, retry_after_s=self.retry_after_s, **metadata)

    def detail(self, request_id: str) -> dict[str, Any]:
        """The envelope's `detail`."""
        return {
            "code": self.code.name,
            "category": self.code.category,
            "message": self.message,
            "retryable": self.code.retryable,
            "retry_after_s": self.retry_after_s,
            "request_id": request_id,
            "metadata": self.metadata,
        }


def internal() -> LoomError:
    """What a caller sees of a defect: a constant."""
    return LoomError("INTERNAL", INTERNAL_MESSAGE)


def forbidden() -> LoomError:
    """The one answer to "you may not" and to "there is none", wherever existence is a secret: equal bytes, no metadata."""
    return LoomError("NAMESPACE_FORBIDDEN", "you may not, or there is no such namespace")


def invalid_field(field: str, expected: str) -> LoomError:
    """A field holds a value that the op does not take; `expected` completes "must be …"."""
    return LoomError("INVALID_FIELD", f"{field} must be {expected}", field=field)


def missing_field(field: str) -> LoomError:
    """A required field is empty."""
    return LoomError("MISSING_FIELD", f"{field} is required", field=field)


def field_too_long(field: str, limit: int, size: int, unit: str) -> LoomError:
    """A field is over its limit, in `unit` (`characters`, `entries`)."""
    message = f"{field} has {size} {unit}; at most {limit} are taken"
    return LoomError("FIELD_TOO_LONG", message, field=field, limit=limit, size=size)
