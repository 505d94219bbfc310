"""Logs: what is on every line, and what is on none."""

import asyncio
import enum
import io
import json
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from runtime import logs
from runtime.clock import ManualClock
from runtime.errors import LoomError, internal
from runtime.frames import describe_exception, short_path
from runtime.redaction import foreign_text, is_private

SECRET = "hunter2-s3cr3t"
ours = logging.getLogger("loom.test")
foreign = logging.getLogger("somelibrary.server")


class Lines:
    """A log stream that reads itself back."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def all(self) -> list[dict]:
        return [json.loads(line) for line in self.text.splitlines()]

    @property
    def last(self) -> dict:
        return self.all[-1]


@pytest.fixture
def start() -> Iterator[Callable[..., Lines]]:
    root, loom = logging.getLogger(), logging.getLogger("loom")
    before = root.handlers[:], root.level, loom.level, structlog.get_config(), logs._Access.log

    def begin(level: str = "info", **options: bool) -> Lines:
        lines = Lines()
        clock = ManualClock(datetime(2026, 3, 4, 5, 6, 7, 89, tzinfo=UTC))
        logs.setup(level, lines.stream, clock=clock, **options)
        return lines

    with logs.bound(""):
        yield begin
    root.handlers[:] = before[0]
    root.setLevel(before[1])
    loom.setLevel(before[2])
    structlog.configure(**before[3])
    logs._Access.log = before[4]


@pytest.fixture
def lines(start: Callable[..., Lines]) -> Lines:
    return start()


def test_a_line_is_one_json_object_that_begins_with_time_level_and_event(lines: Lines) -> None:
    logs.get("loom.test").info("serving", port=7700)
    assert lines.text == (
        '{"ts":"2026-03-04T05:06:07.000089Z","level":"info","event":"serving","component":"loom.test","port":7700}\n'
    )


def test_the_standard_library_logs_the_same_lines(lines: Lines) -> None:
    ours.warning("slow %s", "insert", extra={"table": "rows", "ms": 12})
    line = {"level": "warning", "event": "slow insert", "component": "loom.test", "table": "rows", "ms": 12}
    assert lines.last == {"ts": "2026-03-04T05:06:07.000089Z"} | line


def test_lines_inside_a_call_carry_its_ids(lines: Lines) -> None:
    with logs.bound("req-1", "a" * 32):
        ours.info("inside")
        foreign.error("inside")
    ours.info("outside")
    inside, library, outside = lines.all
    assert (inside["request_id"], inside["trace_id"]) == ("req-1", "a" * 32)
    assert (library["request_id"], library["trace_id"]) == ("req-1", "a" * 32)
    assert "request_id" not in outside
    assert "trace_id" not in outside


async def test_concurrent_calls_do_not_share_ids(lines: Lines) -> None:
    both_bound = asyncio.Barrier(2)

    async def call(request_id: str) -> None:
        logs.bind_request(request_id)
        await both_bound.wait()
        ours.info(f"from {request_id}")

    await asyncio.gather(call("one"), call("two"))
    assert {(line["event"], line["request_id"]) for line in lines.all} == {("from one", "one"), ("from two", "two")}


@pytest.mark.parametrize(("level", "seen"), [("debug", 4), ("info", 3), ("warning", 2), ("error", 1)])
def test_lines_below_the_level_are_not_written(start: Callable[..., Lines], level: str, seen: int) -> None:
    lines = start(level)
    for name in ("debug", "info", "warning", "error"):
        getattr(ours, name)("standard")
        getattr(logs.get("loom.test"), name)("fast")
    assert [line["event"] for line in lines.all] == ["standard", "fast"] * seen


def test_libraries_start_at_warning_whatever_our_level(start: Callable[..., Lines]) -> None:
    lines = start("debug")
    foreign.info("chatter")
    foreign.warning("trouble")
    assert [line["event"] for line in lines.all] == ["trouble"]


def test_the_access_line_names_the_call(lines: Lines) -> None:
    logs.access("observe.extract", "OK", 12.3456, "grpc", "req-1", bytes=5)
    call = {"op": "observe.extract", "code": "OK", "ms": 12.35, "door": "grpc", "request_id": "req-1", "bytes": 5}
    assert lines.last == {"ts": "2026-03-04T05:06:07.000089Z", "level": "info", "event": "call"} | call


@pytest.fixture
def alone() -> Callable[[], None]:
    """Takes pytest's own handlers off: they raise for what the test logs on purpose."""

    def take_off() -> None:
        root = logging.getLogger()
        root.handlers[:] = [handler for handler in root.handlers if isinstance(handler, logs._Bridge)]

    return take_off


PRIVATE = [
    "authorization",
    "Authorization",
    "token",
    "access_token",
    "accessToken",
    "password",
    "db.password",
    "narrative",
    "content",
    "query",
    "query_text",
    "title",
    "api_key",
    "apiKey",
    "x-api-key",
    "LOOM_SECRET_KEY",
    "set-cookie",
    "body",
    "arguments",
]
PUBLIC = [
    "op",
    "code",
    "content_type",
    "body_bytes",
    "query_ms",
    "token_id",
    "title_length",
    "key",
    "table",
    "rows",
    "",
]


@pytest.mark.parametrize("key", PRIVATE)
def test_private_keys_are_masked_at_any_depth(lines: Lines, key: str) -> None:
    ours.info("x", extra={key: SECRET, "nested": [{"deeper": {key: SECRET}}]})
    assert SECRET not in lines.text
    assert lines.last[key] == "***"
    assert lines.last["nested"] == [{"deeper": {key: "***"}}]


@pytest.mark.parametrize("key", PUBLIC)
def test_names_and_measures_are_not_masked(key: str) -> None:
    assert not is_private(key)


def test_an_access_line_masks_too(lines: Lines) -> None:
    logs.access("observe.extract", "OK", 1.0, "grpc", "req-1", token=SECRET)
    assert SECRET not in lines.text


def test_a_foreign_exception_is_shown_as_class_and_frames_without_its_message(lines: Lines) -> None:
    try:
        int(SECRET)
    except ValueError:
        ours.exception("defect")
    (shown,) = lines.last["exception"]
    assert SECRET not in lines.text
    assert shown["type"] == "ValueError"
    where = "tests/unit/test_logs.py:", "test_a_foreign_exception_is_shown_as_class_and_frames_without_its_message"
    assert shown["frames"][-1].startswith(where[0])
    assert shown["frames"][-1].endswith(where[1])


def test_the_fast_logger_shows_exceptions_in_the_same_form(lines: Lines) -> None:
    try:
        raise KeyError(SECRET)
    except KeyError:
        logs.get("loom.test").exception("defect")
    assert lines.last["exception"][0]["type"] == "KeyError"
    assert SECRET not in lines.text


def test_our_error_is_shown_as_its_code_and_what_it_came_from() -> None:
    try:
        try:
            raise OSError(28, SECRET)
        except OSError as error:
            raise internal() from error
    except LoomError as error:
        ours_shown, cause = describe_exception(error)
    assert ours_shown == {"type": "LoomError", "code": "INTERNAL"}
    assert (cause["type"], cause["errno"]) == ("OSError", "ENOSPC")
    assert SECRET not in json.dumps(cause)


def test_a_suppressed_context_is_not_shown() -> None:
    try:
        try:
            int(SECRET)
        except ValueError:
            raise internal() from None
    except LoomError as error:
        assert describe_exception(error) == [{"type": "LoomError", "code": "INTERNAL"}]


def test_the_members_of_a_group_are_shown() -> None:
    group = ExceptionGroup("several", [ValueError(SECRET), TypeError(SECRET)])
    assert [shown["type"] for shown in describe_exception(group)] == ["ExceptionGroup", "ValueError", "TypeError"]


def test_an_exception_that_caused_itself_ends() -> None:
    error = ValueError()
    error.__cause__ = error
    assert len(describe_exception(error)) == 1


def test_only_the_innermost_frames_of_a_deep_recursion_are_shown() -> None:
    def dive() -> None:
        dive()

    with pytest.raises(RecursionError) as caught:
        dive()
    assert len(describe_exception(caught.value)[0]["frames"]) == 25


def test_paths_are_shown_below_their_import_folder() -> None:
    assert short_path(asyncio.tasks.__file__) == "asyncio/tasks.py"
    assert short_path(structlog.__file__) == "structlog/__init__.py"
    assert short_path(__file__) == "tests/unit/test_logs.py"
    assert short_path("<string>") == "<string>"


class Status(enum.Enum):
    UNAVAILABLE = (14, SECRET)


FOREIGN = [
    ("Failed to export %s to %s, error code: %s in %.2f s", ("traces", SECRET, Status.UNAVAILABLE, 1.5)),
    ("Invalid Host header: " + SECRET, ()),
    (f'Tool name validation warning for "{SECRET}":', ()),
    (f"Task exception was never retrieved\nfuture: <Task exception=ValueError('{SECRET}')>", ()),
    ("%d is not a number", (SECRET,)),
    ("%(name)s failed", ({"name": SECRET},)),
    (ValueError(SECRET), ()),
]
FOREIGN_SHOWN = [
    "Failed to export … to …, error code: UNAVAILABLE in 1.50 s",
    "Invalid Host header",
    "Tool name validation warning for",
    "Task exception was never retrieved",
    "%d is not a number",
    "%(name)s failed",
    "<ValueError>",
]


@pytest.mark.parametrize(("message", "shown"), list(zip(FOREIGN, FOREIGN_SHOWN, strict=True)))
def test_a_librarys_line_is_cut_to_its_constant_part(
    lines: Lines, alone: Callable[[], None], message: tuple[object, tuple[object, ...]], shown: str
) -> None:
    alone()
    foreign.error(message[0], *message[1], extra={"request": SECRET})
    assert lines.last["event"] == shown
    assert lines.last["place"].startswith("tests/unit/test_logs.py:")
    assert SECRET not in lines.text


@given(st.lists(st.sampled_from(["%s", "%r", "%d", "%", " to ", "%(x)s", "%.1f"])), st.lists(st.text(min_size=1)))
def test_no_argument_text_is_ever_in_a_librarys_line(template: list[str], args: list[str]) -> None:
    marked = tuple(f"\u2603{arg}" for arg in args)
    assert "\u2603" not in foreign_text("".join(template), marked)


def test_our_own_message_whose_arguments_do_not_fit_is_written_without_them(
    lines: Lines, alone: Callable[[], None]
) -> None:
    alone()
    ours.info("rows: %d", SECRET)
    assert lines.last["event"] == "rows: %d"
    assert SECRET not in lines.text


def test_a_value_that_json_has_no_form_for_is_shown_by_type(lines: Lines) -> None:
    ours.info("x", extra={"value": ValueError(SECRET), "raw": SECRET.encode(), "many": {1: object()}})
    assert lines.last["value"] == "<ValueError>"
    assert lines.last["raw"] == "<bytes>"
    assert lines.last["many"] == {"1": "<object>"}


@pytest.mark.parametrize("value", [2**70, "\ud800"])
def test_a_value_that_json_cannot_hold_does_not_lose_the_line(lines: Lines, value: object) -> None:
    ours.info("x", extra={"value": value})
    assert lines.last["value"] == f"<{type(value).__name__}>"


def test_a_line_never_spreads_over_two(lines: Lines) -> None:
    ours.info("x", extra={"value": "a\nb\u2028c"})
    assert lines.text.count("\n") == 1


def test_a_closed_stream_fails_no_call(lines: Lines) -> None:
    lines.stream.close()
    logs.access("observe.extract", "OK", 1.0, "grpc", "req-1")
    ours.error("nobody reads this")


def test_a_reader_that_went_away_fails_no_call(start: Callable[..., Lines]) -> None:
    class Broken(io.StringIO):
        def write(self, _text: str) -> int:
            raise BrokenPipeError

    start()
    logs.setup("info", Broken())
    ours.error("nobody reads this")


def test_the_text_format_is_for_people(start: Callable[..., Lines]) -> None:
    lines = start(json=False)
    ours.info("serving", extra={"port": 7700, "token": SECRET})
    assert "serving" in lines.text
    assert "port=7700" in lines.text
    assert SECRET not in lines.text


def test_a_logger_follows_a_later_setup(start: Callable[..., Lines]) -> None:
    log, first = logs.get("loom.test"), start()
    second = start()
    log.info("x")
    logs.access("observe.extract", "OK", 1.0, "grpc", "req-1")
    assert first.text == ""
    assert [line["event"] for line in second.all] == ["x", "call"]


def test_what_would_end_in_a_traceback_is_logged_in_our_form(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    logs.install_hooks()

    def fail() -> None:
        raise ValueError(SECRET)

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join(5)
    sys.excepthook(ValueError, ValueError(SECRET), None)
    assert [line["event"] for line in lines.all] == ["uncaught exception in a thread", "uncaught exception"]
    assert [line["exception"][0]["type"] for line in lines.all] == ["ValueError", "ValueError"]
    assert SECRET not in lines.text
