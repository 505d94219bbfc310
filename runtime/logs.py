"""Logs: one JSON object a line on stderr, from our own code and from every library, with request id and trace id.

Log lines never hold what a caller sent. Code keeps to that by logging names and numbers; the backstop is here: keys
with a private name are masked, exceptions appear as class and frames without their message, and a library's line is cut
down to its constant part. A line that cannot be written is dropped: logging fails no call.

Code logs through the standard library, `logging.getLogger("loom.<part>")` with a constant message and `extra`. Loggers
of other names are libraries' and start at `warning`. `get` and `access` skip the standard library where time counts.
"""

import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TextIO

import orjson
import structlog
from structlog.typing import EventDict, FilteringBoundLogger

from runtime.clock import Clock, SystemClock
from runtime.frames import describe_exception, short_path
from runtime.redaction import MASK, foreign_text, is_private, masked, type_name

# A call is a task, so a link of its chain may just set these; code that serves several calls in a task uses `bound`.
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
TRACE_ID: ContextVar[str] = ContextVar("trace_id", default="")

_OURS = "loom"
_RECORD_FIELDS = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}
_ORJSON = orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS


def setup(level: str = "info", stream: TextIO | None = None, *, json: bool = True, clock: Clock | None = None) -> None:
    """Sends every log line of the process to `stream` (stderr by default), from `level` (`debug` … `error`) on."""
    stream = stream or sys.stderr
    number = logging.getLevelNamesMapping()[level.upper()]
    render = _render if json else structlog.dev.ConsoleRenderer(colors=stream.isatty(), timestamp_key="ts")
    structlog.configure(
        processors=[_Stamp(clock or SystemClock()), _exceptions, _mask, render],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=lambda *_: _Sink(stream),
        context_class=dict,
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    root.handlers[:] = [_Bridge()]
    root.setLevel(max(number, logging.WARNING))
    logging.getLogger(_OURS).setLevel(number)
    _Access.log = structlog.get_logger().bind()


def install_hooks() -> None:
    """Logs, in our form, what would otherwise end in a traceback on stderr: a traceback shows messages."""
    log = get("loom.process")
    sys.excepthook = lambda _type, error, _tb: log.critical("uncaught exception", exc_info=error)
    sys.unraisablehook = lambda found: log.error("unraisable exception", exc_info=found.exc_value)
    threading.excepthook = lambda found: log.error("uncaught exception in a thread", exc_info=found.exc_value)


def get(name: str) -> FilteringBoundLogger:
    """A logger; `name` is on its lines as `component`. It follows a later `setup`."""
    return structlog.get_logger(component=name)


def bind_request(request_id: str) -> None:
    """Puts the request id on every line that the task of the call logs from here on."""
    REQUEST_ID.set(request_id)


@contextmanager
def bound(request_id: str, trace_id: str = "") -> Iterator[None]:
    """Puts the ids on every line that is logged inside."""
    tokens = REQUEST_ID.set(request_id), TRACE_ID.set(trace_id)
    try:
        yield
    finally:
        REQUEST_ID.reset(tokens[0])
        TRACE_ID.reset(tokens[1])


class _Access:
    log: FilteringBoundLogger = structlog.get_logger()


def access(op: str, code: str, ms: float, door: str, request_id: str, **more: str | int | float) -> None:
    """The one line that every call gets: the op as the op table names it, `OK` or the error code, milliseconds."""
    _Access.log.info("call", op=op, code=code, ms=round(ms, 2), door=door, request_id=request_id, **more)


class _Stamp:
    """Puts first what is on every line."""

    def __init__(self, clock: Clock) -> None:
        self._now = clock.now

    def __call__(self, _logger: Any, method: str, event: EventDict) -> EventDict:
        line: EventDict = {"ts": self._now(), "level": method, "event": event.pop("event", "")}
        if request_id := REQUEST_ID.get():
            line["request_id"] = request_id
        if trace_id := TRACE_ID.get():
            line["trace_id"] = trace_id
        line.update(event)
        return line


def _exceptions(_logger: Any, _method: str, event: EventDict) -> EventDict:
    found = event.pop("exc_info", None)
    if found is True:
        found = sys.exc_info()
    if isinstance(found, tuple):
        found = found[1]
    if isinstance(found, BaseException):
        event["exception"] = describe_exception(found)
    return event


def _mask(_logger: Any, _method: str, event: EventDict) -> EventDict:
    for key, value in event.items():
        if is_private(key):
            event[key] = MASK
        elif isinstance(value, dict | list | tuple):
            event[key] = masked(value)
    return event


def _render(_logger: Any, _method: str, event: EventDict) -> str:
    try:
        return orjson.dumps(event, type_name, _ORJSON).decode()
    except TypeError:  # a whole number over 64 bits, half of a surrogate pair
        return orjson.dumps({key: type_name(value) for key, value in event.items()}).decode()


class _Sink:
    """Writes whole lines; one `write` a line keeps the lines of several threads apart."""

    def __init__(self, stream: TextIO) -> None:
        self._write, self._flush = stream.write, stream.flush

    def msg(self, line: str) -> None:
        try:
            self._write(line + "\n")
            self._flush()
        except (OSError, ValueError):  # a reader that went away, a closed stream
            return

    debug = info = warning = error = critical = msg


class _Bridge(logging.Handler):
    """Takes what is logged through the standard library into the same lines."""

    def emit(self, record: logging.LogRecord) -> None:
        log = structlog.get_logger().bind(**{"component": record.name} | _extra(record))
        level = min(max(record.levelno // 10 * 10, logging.DEBUG), logging.CRITICAL)
        if record.name.partition(".")[0] == _OURS:
            log.log(level, _text(record), exc_info=record.exc_info)
        else:
            place = f"{short_path(record.pathname)}:{record.lineno}:{record.funcName}"
            log.log(level, foreign_text(record.msg, record.args), exc_info=record.exc_info, place=place)


def _text(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError):  # arguments that do not fit: the standard library would print them
        return str(record.msg)


def _extra(record: logging.LogRecord) -> dict[str, Any]:
    # A library's extras are its own objects (a request, a connection): none is worth its risk.
    ours = record.name.partition(".")[0] == _OURS
    return {key: value for key, value in record.__dict__.items() if key not in _RECORD_FIELDS} if ours else {}
