"""Foreign failures become ours here, at the seam where they enter.

The text of a ClickHouse error quotes statements and rows, so of an error with a code only the code and its symbolic
name are logged. Text is logged for failures of the network alone.
"""

import errno
import logging
import re

from clickhouse_connect.driver.exceptions import ClickHouseError, DatabaseError, OperationalError

from runtime.errors import INTERNAL_MESSAGE, LoomError, internal

logger = logging.getLogger("loom.store")

# TIMEOUT_EXCEEDED, TOO_SLOW, TOO_SLOW_PARSING
_LATE = frozenset({159, 160, 718})

# Of an insert: the rows do not fit the table. Text, numbers, dates, enums, lengths, nulls, constraints.
_ROWS = frozenset(
    {
        *(6, 25, 26, 27, 38, 41, 53, 69, 70, 72, 117, 120, 128, 130, 131, 190),
        *(321, 349, 376, 467, 469, 563, 632, 675, 676, 691),
    }
)

# No room: on the disk, by a quota, by a limit on files. Reads go on, so whoever says so is well, and it is told apart
# from STORAGE_UNAVAILABLE by a status for which neither a breaker nor Envoy takes a replica out.
_NO_ROOM = frozenset({243})
_NO_ROOM_ERRNO = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_ERRNO = re.compile(r"\berrno: (\d+)")

# The engine's surroundings fail.
_SURROUNDINGS = frozenset(
    {
        *(32, 33, 40, 226, 227, 228, 231, 246, 271),  # damaged files
        *(
            74,
            75,
            76,
            77,
            87,
            88,
            107,
            172,
            204,
            214,
            294,
            400,
            425,
            458,
            531,
            566,
            586,
            641,
            1000,
            1001,
            1002,
        ),  # files
        *(173, 241, 439, 776, 777, 778, 1020),  # memory, threads
        *(202, 203, 252, 364, 373, 394, 700, 749, 762, 1019),  # too much at once, shutting down
        *(95, 96, 198, 209, 210, 279, 297, 499, 904),  # network
        *(225, 236, 242, 244, 254, 285, 286, 289, 319, 369, 415, 774, 999),  # replicas
        *(164, 192, 193, 194, 497, 516, 720),  # credentials and grants
    }
)


class RowsRefused(LoomError):
    """Rows that the table cannot take: a defect of the writer of these rows, which says nothing about others'."""

    def __init__(self) -> None:
        super().__init__("INTERNAL", INTERNAL_MESSAGE)


class StatementRefused(LoomError):
    """A statement of ours that ClickHouse refuses, with ClickHouse's code for it: a defect, INTERNAL to callers."""

    def __init__(self, clickhouse_code: int) -> None:
        super().__init__("INTERNAL", INTERNAL_MESSAGE)
        self.clickhouse_code = clickhouse_code


def unavailable() -> LoomError:
    return LoomError("STORAGE_UNAVAILABLE", "the storage engine does not answer", retry_after_s=1.0)


def full() -> LoomError:
    return LoomError("STORAGE_FULL", "the storage has no room left", retry_after_s=5.0)


def late() -> LoomError:
    return LoomError("DEADLINE_EXCEEDED", "the storage engine did not finish within the deadline")


def translate(error: Exception, name: str, *, insert: bool = False) -> LoomError:
    """The error that a caller sees for `error`, which the statement called `name` ran into; logs what happened.

    Of an insert, errors about its rows are RowsRefused.
    """
    if isinstance(error, LoomError):
        return error
    if isinstance(error, TimeoutError):
        logger.warning("%s: outlived its deadline", name)
        return late()
    if isinstance(error, ClickHouseError):
        return _translate_clickhouse(error, name, insert=insert)
    if isinstance(error, OSError):
        logger.error("%s: %s, errno %s", name, type(error).__name__, error.errno)
        return full() if error.errno in _NO_ROOM_ERRNO else unavailable()
    logger.error("%s: failed before it reached ClickHouse (%s)", name, type(error).__name__)
    return internal()


def _translate_clickhouse(error: ClickHouseError, name: str, *, insert: bool) -> LoomError:
    code, symbol = getattr(error, "code", None), getattr(error, "name", None)
    if code is None:
        return _without_code(error, name)
    logger.warning("%s: ClickHouse error %s %s", name, code, symbol or "")
    if code in _LATE:
        return late()
    if code in _NO_ROOM or (code in _SURROUNDINGS and _errno(error) in _NO_ROOM_ERRNO):
        return full()
    if code in _SURROUNDINGS:
        return unavailable()
    return RowsRefused() if insert and code in _ROWS else StatementRefused(code)


def _errno(error: ClickHouseError) -> int:
    """The operating system's own number, which ClickHouse puts into its text; 0 where there is none."""
    found = _ERRNO.search(str(error))
    return int(found[1]) if found else 0


def _without_code(error: ClickHouseError, name: str) -> LoomError:
    # An OperationalError is the network's; a bare DatabaseError is a proxy's answer or an engine that broke down.
    # The other classes are the client library's own refusals of what we passed it.
    if isinstance(error, OperationalError):
        logger.error("%s: no answer from ClickHouse: %s", name, error)
        return unavailable()
    logger.error("%s: failed without a ClickHouse code (%s)", name, type(error).__name__)
    return unavailable() if type(error) is DatabaseError else internal()
