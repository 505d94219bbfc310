"""What went wrong at a source, in our words: nothing that the source said gets any further than this module.

A fault has a kind, which the checks of a source show, and a reason, which callers of a read see. It `counts` where it
says that the source is unwell, so that the breaker hears of it; a statement that the source refuses does not.
"""

import re
from enum import StrEnum

from services.tracker.sources.silence import Reason


class Kind(StrEnum):
    """What happened. The value is shown to whoever may check the source."""

    HOST_REFUSED = "host_refused"
    NAME_UNKNOWN = "name_unknown"
    NO_CONNECTION = "no_connection"
    TLS = "tls"
    CREDENTIALS = "credentials"
    TIMEOUT = "timeout"
    OVERLOADED = "overloaded"
    NOT_CLICKHOUSE = "not_clickhouse"
    DENIED = "denied"
    SCHEMA = "schema"
    SETTINGS = "settings"
    LIMITED = "limited"


_REASONS = {
    Kind.TIMEOUT: Reason.TIMEOUT,
    Kind.DENIED: Reason.CONTRACT,
    Kind.SCHEMA: Reason.CONTRACT,
    Kind.SETTINGS: Reason.CONTRACT,
}
_WELL = frozenset({Kind.DENIED, Kind.SCHEMA, Kind.SETTINGS, Kind.LIMITED})
# TIMEOUT_EXCEEDED, TOO_SLOW, SOCKET_TIMEOUT, QUERY_WAS_CANCELLED
_CODES: dict[int, Kind] = {
    **dict.fromkeys((159, 160, 209, 394), Kind.TIMEOUT),
    **dict.fromkeys((192, 193, 194, 516, 195, 1038), Kind.CREDENTIALS),
    # Too many queries, memory, threads, space, network between servers, shutting down, quota.
    **dict.fromkeys(
        (201, 202, 203, 210, 236, 241, 243, 252, 279, 439, 700, 745, 999, 1000, 1001, 1002), Kind.OVERLOADED
    ),
    497: Kind.DENIED,
    # READONLY, UNKNOWN_SETTING, SETTING_CONSTRAINT_VIOLATION
    **dict.fromkeys((115, 164, 452), Kind.SETTINGS),
    # Limits of the login: rows, bytes, result.
    **dict.fromkeys((158, 307, 396, 290, 191), Kind.LIMITED),
}
_CODE = re.compile(rb"Code: (\d{1,5})")


class SourceFault(Exception):
    """A statement without an answer. `code` is ClickHouse's, where it gave one."""

    def __init__(self, kind: Kind, code: int | None = None) -> None:
        super().__init__(kind.value if code is None else f"{kind.value} (ClickHouse {code})")
        self.kind, self.code = kind, code

    @property
    def reason(self) -> Reason:
        return _REASONS.get(self.kind, Reason.UNREACHABLE)

    @property
    def counts(self) -> bool:
        return self.kind not in _WELL


def of_code(code: int) -> SourceFault:
    """The fault of an error that ClickHouse answered with: of one not listed, the statement does not fit its tables."""
    return SourceFault(_CODES.get(code, Kind.SCHEMA), code)


def of_status(status: int, exception_code: str | None) -> SourceFault:
    """The fault of an answer by HTTP that is no result."""
    if exception_code and exception_code.isdecimal() and len(exception_code) < 6:
        return of_code(int(exception_code))
    if status in (401, 403):
        return SourceFault(Kind.CREDENTIALS)
    return SourceFault(Kind.OVERLOADED if status in (429, 502, 503, 504) else Kind.NOT_CLICKHOUSE)


def of_text(text: bytes) -> SourceFault:
    """The fault of a result that turned into an error midway, as ClickHouse does once rows were sent."""
    found = _CODE.search(text)
    return of_code(int(found[1])) if found else SourceFault(Kind.NOT_CLICKHOUSE)
