"""Stack frames and errors in reports."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tracker.similar.errors import contradict, errors
from services.tracker.similar.frame_match import application, similarity
from services.tracker.similar.frames import MOST_FRAMES, frames, given_frames

TRACES = {
    "java": (
        "java.lang.IllegalStateException: closed\n"
        "\tat com.acme.io.Reader.lambda$read$12(Reader.java:44)\n"
        "\tat app//com.acme.io.Pool$1.run(Pool.java)\n"
        "\tat java.base/java.lang.Thread.run(Thread.java:829)",
        ["com.acme.io.Reader.read.lambda", "com.acme.io.Pool.run"],
    ),
    "csharp": (
        "   at Acme.Shop.Cart.<AddAsync>d__12.MoveNext() in C:\\src\\Cart.cs:line 88\n"
        "   at Acme.Shop.Repo`1.Find[T](Int32 id, Func`2 f)\n"
        "   at System.Linq.Enumerable.First[TSource](IEnumerable`1 source)",
        ["Acme.Shop.Cart.AddAsync", "Acme.Shop.Repo.Find"],
    ),
    "javascript": (
        "TypeError: x is not a function\n"
        "    at Cart.render [as cb] (/app/src/cart.js:10:15)\n"
        "    at async loadAll (file:///app/src/load.mjs:3:1)\n"
        "    at /app/src/index.js:1:1\n"
        "    at Module._compile (node:internal/modules/cjs/loader:1105:14)\n"
        "    at next (/app/node_modules/express/lib/router/route.js:137:13)",
        ["Cart.render", "load.mjs:loadAll", "index.js:anonymous"],
    ),
    "firefox": ("render@http://localhost/static/app.js?v=1:10:15", ["app.js:render"]),
    "python": (
        "Traceback (most recent call last):\n"
        '  File "/app/acme/main.py", line 10, in start\n    run()\n'
        '  File "/app/acme/job.py", line 22, in run\n    x()\n'
        '  File "/usr/lib/python3.11/asyncio/base_events.py", line 1, in run_forever\n',
        ["job.py:run", "main.py:start"],
    ),
    "go": (
        "goroutine 1 [running]:\n"
        "main.(*Server).handle.func1(0xc000012345, {0x1, 0x2})\n\t/home/me/server.go:42 +0x1d\n"
        "github.com/acme/kv/store.Get[...](...)\n\t/home/me/store/get.go:9\n"
        "net/http.HandlerFunc.ServeHTTP(0x0)\n\t/usr/local/go/src/net/http/server.go:2084 +0x2f",
        ["main.Server.handle.lambda", "github.com/acme/kv/store.Get"],
    ),
    "rust": (
        "stack backtrace:\n"
        "   0: rust_begin_unwind\n             at /rustc/abc/library/std/src/panicking.rs:645:5\n"
        "   1: core::panicking::panic_fmt\n"
        "   2: acme::parser::Parser<T>::next::{{closure}}::h0123456789abcdef\n             at ./src/parser.rs:10:9\n"
        "   3:     0x5581 - <acme::lexer::Lexer as core::iter::Iterator>::next",
        ["acme::parser::Parser::next::lambda", "acme::lexer::Lexer::next"],
    ),
    "cpp": (
        "#0  0x00007f in __GI_raise (sig=6) at raise.c:50\n"
        "#1  0x000055 in acme::Pool<std::vector<int> >::take(int, char const*) (this=0x0, n=2) at pool.cpp:12\n"
        "#2  0x000055 in acme::run () from libacme.so\n"
        "    #3 0x4a1 in acme::Loop::step(int) /src/loop.cc:12:3\n"
        "acme!Foo::bar+0x12",
        ["acme::Pool::take", "acme::run", "acme::Loop::step", "acme!Foo::bar"],
    ),
}


@pytest.mark.parametrize("language", TRACES)
def test_frames_of_each_language_lose_what_varies(language: str) -> None:
    trace, own = TRACES[language]
    assert application(frames(trace)) == own


@pytest.mark.parametrize("language", TRACES)
def test_frames_of_another_build_are_the_same(language: str) -> None:
    trace, own = TRACES[language]
    for old, new in (
        (":44)", ":51)"),
        ("0x000055", "0x0000aa"),
        ("line 22", "line 29"),
        ("$12", "$13"),
        (":42", ":99"),
    ):
        trace = trace.replace(old, new)
    assert application(frames(trace)) == own


@pytest.mark.parametrize(
    "text",
    [
        "We meet at noon (see the list).\n# 1. Open the app (in the emulator)\n#1 Tap (twice)",
        "mail me@example.com:12:13 wow! great",
        "1: do that\n2: std is bad",
        "",
    ],
)
def test_prose_has_no_frames(text: str) -> None:
    assert frames(text) == []


@given(st.text() | st.from_regex(r"(\s*(at|#\d+|\d+:|File) [\w.<>():/$@! ]*\n)*", fullmatch=True))
def test_no_text_breaks_the_parsers(text: str) -> None:
    assert len(frames(text)) <= MOST_FRAMES
    given_frames([text])
    errors(text)


def test_a_whole_trace_may_be_one_of_the_given_frames() -> None:
    trace = "\n".join(f"  at acme.deep.Call{place}.step(Call{place}.java:{place})" for place in range(MOST_FRAMES))
    assert given_frames([trace]) == frames(trace)
    assert len(given_frames([trace])) == MOST_FRAMES


def test_a_given_list_may_hold_lines_or_names() -> None:
    found = given_frames(["acme::Pool<int>::take(int)", "  at a.B.c(B.java:3)", "", "com.acme.Foo.bar"])
    assert [frame.key for frame in found] == ["acme::Pool::take", "a.B.c", "com.acme.Foo.bar"]


@pytest.mark.parametrize(
    "listed",
    [
        "acme/kv/store.(*Table).Get at store/table.go:59",
        "acme/kv/store.(*Table).Get at store/table.go:61:7",
        "acme/kv/store.(*Table).Get (store/table.go:60)",
        "acme/kv/store.(*Table).Get(store/table.go:60)",
        "acme/kv/store.(*Table).Get in /home/me/store/table.go:12",
        "acme/kv/store.(*Table).Get store/table.go:12",
        "acme/kv/store.(*Table).Get@store/table.go:12",
        "acme/kv/store.(*Table).Get",
    ],
)
def test_a_given_frame_is_the_same_in_another_build_and_as_its_language_prints_it(listed: str) -> None:
    printed = frames("acme/kv/store.(*Table).Get(0xc000, {0x1, 0x2})\n\t/home/me/store/table.go:59 +0x3b")
    assert given_frames([listed]) == printed and printed[0].key == "acme/kv/store.Table.Get"


def test_a_given_place_alone_is_its_file() -> None:
    found = given_frames(["src/merge.rs:10", "src/merge.rs:12", "render at static/app.js:3", "site-packages/x/y.py:3"])
    assert [frame.key for frame in found] == ["merge.rs:anonymous", "app.js:render", "y.py:anonymous"]
    assert [frame.is_library for frame in found] == [False, False, True]


def test_a_list_of_frames_with_places_is_compared_as_a_printed_stack_is() -> None:
    stack = ["acme::wal::append at src/wal.rs:10", "acme::raft::apply at src/raft.rs:40", "std::thread::run at x.rs:1"]
    moved = [line.replace(":1", ":7").replace(":4", ":9") for line in stack]
    assert similarity(given_frames(stack), given_frames(moved), lambda key: 1.0) == 1.0


def _stack(*names: str) -> list:
    return given_frames([f"acme::{name}" for name in names])


def test_a_small_reorder_costs_nothing_that_decides() -> None:
    stack, swapped = _stack("a", "b", "c", "d"), _stack("b", "a", "c", "d")
    assert similarity(stack, stack, lambda key: 1.0) == 1.0
    assert similarity(stack, swapped, lambda key: 1.0) > 0.8


def test_innermost_frames_count_most() -> None:
    stack = _stack("a", "b", "c", "d")
    inner, outer = _stack("a", "b", "x", "y"), _stack("x", "y", "c", "d")
    assert similarity(stack, inner, lambda key: 1.0) > similarity(stack, outer, lambda key: 1.0)


def test_rare_frames_count_more_than_frequent_ones() -> None:
    stack, other = _stack("rare", "x"), _stack("rare", "y")
    assert similarity(stack, other, lambda key: 1.0 if "rare" in key else 0.1) > similarity(
        stack, other, lambda key: 0.5
    )


def test_frames_of_runtimes_are_no_evidence() -> None:
    stack = frames("\tat java.lang.Thread.run(Thread.java:8)\n\tat org.junit.runner.Run.go(Run.java:3)")
    assert stack and similarity(stack, stack, lambda key: 1.0) == 0.0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("IllegalStateException: pool closed", "IndexOutOfBoundsException: pool closed"),
        ("IOError: no space left on device", "IOError: permission denied by policy"),
        ("failed with ECONNREFUSED", "failed with ETIMEDOUT"),
        ("status code: 404", "HTTP 503"),
        ("thread 'main' panicked at 'index out of bounds'", "thread 'main' panicked at 'divide by zero'"),
    ],
)
def test_another_message_or_code_contradicts(one: str, other: str) -> None:
    assert contradict(errors(one), errors(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("IOError: cannot open /tmp/a1 (77)", "IOError: cannot open /var/b (12)"),
        ("failed with ECONNREFUSED", "nothing is said here"),
        ("WrapperException: x\nCaused by: IOError: disk full", "IOError: disk full"),
        ("status code: 404", "HTTP 404"),
    ],
)
def test_what_varies_in_a_message_does_not_contradict(one: str, other: str) -> None:
    assert not contradict(errors(one), errors(other))
