import json
import math
import sys
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from runtime import jsontext
from runtime.jsontext import MAX_DEPTH, JsonTextError, canonical, dump_bytes, dumps, loads
from tests.support.messages import json_values

PLAIN = json_values()
HALVES = json_values(st.text(st.characters(categories=["L", "Cs", "Cc", "So"]), max_size=6))


def nested(levels: int, inner: str = "") -> str:
    return "[" * levels + inner + "]" * levels


def nested_value(levels: int) -> Any:
    value: Any = []
    for _ in range(levels - 1):
        value = [value]
    return value


@pytest.mark.parametrize("number", [2**53 + 1, 2**63, 2**64 - 1, 2**64, -(2**63) - 1, 10**40])
def test_whole_numbers_of_any_size_survive(number: int) -> None:
    assert loads(str(number)) == number
    assert type(loads(str(number))) is int
    assert dumps({"n": number}) == f'{{"n":{number}}}'


def test_keys_keep_their_order_and_the_last_of_equal_keys_counts() -> None:
    big = 10**20
    for text in ('{"b":1,"a":2,"b":3}', f'{{"b":1,"a":2,"b":{big}}}'):
        value = loads(text)
        assert list(value) == ["b", "a"]
        assert value["b"] in (3, big)
    assert dumps({"b": 1, "a": 2}) == '{"b":1,"a":2}'


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "[1e400]", "-1e400", "1" * 400 + ".0", "1" * 5000])
def test_numbers_that_json_or_a_double_has_no_room_for_are_refused(text: str) -> None:
    with pytest.raises(JsonTextError):
        loads(text)


def test_numbers_too_small_for_a_double_are_zero() -> None:
    assert loads("1e-400") == 0.0


def test_a_lone_surrogate_survives_as_an_escape() -> None:
    value = loads('{"\\ud800":"a\\udfffb"}')
    assert value == {"\ud800": "a\udfffb"}
    assert dumps(value) == '{"\\ud800":"a\\udfffb"}'
    assert dump_bytes(value) == canonical(value) == b'{"\\ud800":"a\\udfffb"}'


def test_two_halves_that_stand_together_are_one_character() -> None:
    assert dumps(["\ud83d\ude00", "\ud800"]) == '["😀","\\ud800"]'
    assert dumps({"\ud83d\ude00": "\ud800"}) == '{"😀":"\\ud800"}'


def test_a_byte_order_mark_in_front_is_skipped() -> None:
    assert loads(b"\xef\xbb\xbf[1]") == loads("\ufeff[1]") == [1]
    with pytest.raises(JsonTextError):
        loads("[\ufeff1]")


@pytest.mark.parametrize(
    "text",
    [
        nested(MAX_DEPTH),
        nested(MAX_DEPTH - 1, "{}"),
        nested(MAX_DEPTH, str(10**20)),
        '{"a":' * MAX_DEPTH + str(10**20) + "}" * MAX_DEPTH,
    ],
)
def test_the_deepest_nesting_is_read_and_written_again(text: str) -> None:
    assert dumps(loads(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        nested(MAX_DEPTH + 1),
        nested(MAX_DEPTH, "{}"),
        nested(MAX_DEPTH + 1, str(10**20)),
        '{"a":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1),
        nested(100_000),
        "[" * 100_000,
    ],
)
def test_deeper_nesting_is_an_error_and_no_crash(text: str) -> None:
    with pytest.raises(JsonTextError, match="deeper than 254 levels"):
        loads(text)
    with pytest.raises(JsonTextError, match="deeper than 254 levels"):
        loads(text.encode())


def test_many_shallow_values_are_not_deep() -> None:
    text = "[" + ",".join(["{}"] * 1000) + "]"
    assert dumps(loads(text)) == text


def test_a_value_too_deep_to_write_is_an_error() -> None:
    assert dumps(nested_value(MAX_DEPTH)) == nested(MAX_DEPTH)
    for levels in (MAX_DEPTH + 1, sys.getrecursionlimit() * 2):
        for write in (dumps, dump_bytes, canonical):
            with pytest.raises(JsonTextError):
                write(nested_value(levels))


@pytest.mark.parametrize(
    "data", ["", " ", "[1", "{'a':1}", "[1,]", "01", '"\\x"', '"a\nb"', b"\xff", b'"\xed\xa0\x80"', "[1] x"]
)
def test_what_is_not_json_is_refused(data: bytes | str) -> None:
    with pytest.raises(JsonTextError):
        loads(data)


@pytest.mark.parametrize(
    "data",
    [
        '{"secret": hunter2}',
        '{"secret": "hunter2"',
        b'"hunter2\xff"',
        '["hunter2", NaN]',
        '["hunter2", 1e999]',
        '["hunter2", ' + "1" * 5000 + "]",
        '["hunter2", ' + nested(2000) + "]",
    ],
)
def test_errors_never_hold_the_text(data: bytes | str) -> None:
    with pytest.raises(JsonTextError) as caught:
        loads(data)
    error: BaseException | None = caught.value
    while error is not None:
        assert "hunter2" not in repr(error) + str(vars(error))
        error = error.__context__


def test_errors_say_where() -> None:
    with pytest.raises(JsonTextError, match="not JSON at character 4"):
        loads("[1, x]")
    with pytest.raises(JsonTextError, match="not UTF-8 at byte 1"):
        loads(b'"\xff"')


def test_what_is_no_json_value_is_a_defect_of_the_caller() -> None:
    for value in ({1: 2}, {10**30}, [object(), 10**30], {"a": 10**30, 5: 1}):
        with pytest.raises(TypeError):
            dumps(value)


def test_canonical_sorts_keys_by_code_point_at_every_depth() -> None:
    keys = ["\U00010000", "\uffff", "a", "B", "é", ""]
    for extra in (1, 10**30):
        text = canonical({key: {"z": extra, "y": 0} for key in keys}).decode()
        assert list(json.loads(text)) == sorted(keys)
        assert text.startswith(f'{{"":{{"y":0,"z":{extra}}},"B":')


def test_canonical_tells_numbers_apart_that_are_written_apart() -> None:
    written = [canonical(loads(text)) for text in ("1", "1.0", "0", "-0.0", "0.0")]
    assert written == [b"1", b"1.0", b"0", b"-0.0", b"0.0"]
    assert canonical(loads("1.50e0")) == canonical(loads("1.5"))


@given(PLAIN)
@example(1e-5)
@example({"\U00010000": 1, "\uffff": 2})
def test_both_writers_give_the_same_text(value: Any) -> None:
    for option in (0, orjson.OPT_SORT_KEYS):
        try:
            expected = orjson.dumps(value, option=option)
        except TypeError:
            continue
        assert jsontext._write_slowly(value, option, 0) == expected


@given(PLAIN | HALVES)
def test_what_is_written_reads_back(value: Any) -> None:
    text = dumps(value)
    assert dump_bytes(value) == text.encode()
    again = loads(text)
    assert dumps(again) == text
    assert canonical(again) == canonical(value)
    assert canonical(loads(canonical(value))) == canonical(value)


@given(PLAIN)
def test_values_survive_exactly(value: Any) -> None:
    assert repr(loads(dumps(value))) == repr(value)


@given(PLAIN | HALVES, st.sampled_from([None, 1]), st.booleans())
def test_both_readers_give_the_same_value(value: Any, indent: int | None, escaped: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=escaped)
    expected = repr(jsontext._loads_slowly(text))
    assert repr(loads(text)) == expected
    if escaped or text.isascii():
        assert repr(loads(text.encode())) == expected


@given(st.text(max_size=12) | st.text('[]{}",:0123456789eE+-.\\u tfn', max_size=30))
def test_text_is_read_as_the_standard_library_reads_it_or_refused(text: str) -> None:
    try:
        expected = json.loads(text.removeprefix("\ufeff"))
    except ValueError:
        expected = JsonTextError
    try:
        found = loads(text)
    except JsonTextError:
        assert expected is JsonTextError or not _finite(expected)
    else:
        assert repr(found) == repr(expected)


@given(st.integers(-(2**80), 2**80), st.floats(allow_nan=False, allow_infinity=False))
def test_keys_order_does_not_change_the_canonical_text(whole: int, real: float) -> None:
    assert canonical({"a": whole, "b": [real]}) == canonical({"b": [real], "a": whole})


def _finite(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    entries = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return all(_finite(entry) for entry in entries)
