"""JSON text, instants and cuts."""

import contextlib
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.capture import jsontext
from loom.capture.fit import CUT_TAG, MAX_BYTES, cut_text, fit, shorten, size
from loom.capture.times import now, rfc3339

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_json_comes_back_as_it_went(value):
    assert jsontext.loads(jsontext.dumps(value)) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_json_or_a_value_error(data):
    with contextlib.suppress(ValueError):
        json.loads(jsontext.dumps(jsontext.loads(data)))


@pytest.mark.parametrize(
    ("text", "value"),
    [("NaN", "NaN"), ("-Infinity", "-Infinity"), ("1e999", "1e999"), ("9" * 5000, "9" * 5000), ("1e2", 100.0)],
)
def test_a_number_that_strict_json_does_not_know_becomes_its_text(text, value):
    assert jsontext.loads(text) == value
    assert jsontext.loads(f'{{"a": [{text}]}}') == {"a": [value]}


def test_integers_of_any_usual_size_are_kept():
    assert jsontext.dumps(jsontext.loads("9007199254740993")) == b"9007199254740993"


def test_json_nested_too_deep_is_a_value_error():
    with pytest.raises(ValueError, match="deep"):
        jsontext.loads("[" * 100_000)


def test_a_lone_surrogate_does_not_stop_a_record():
    assert jsontext.dumps(jsontext.loads('"a\\ud800b"')) == b'"a?b"'


def test_bytes_that_are_not_utf8_and_a_byte_order_mark_are_read():
    assert jsontext.loads(b'\xef\xbb\xbf"a\xff"') == "a\ufffd"


@pytest.mark.parametrize(
    ("value", "instant"),
    [
        ("2026-03-02T09:00:00.25Z", "2026-03-02T09:00:00.250000Z"),
        ("2026-03-02T10:00:00+01:00", "2026-03-02T09:00:00.000000Z"),
        ("2026-03-02T09:00:00", "2026-03-02T09:00:00.000000Z"),
        ("2026-03-02T09:00:00.123456789Z", "2026-03-02T09:00:00.123456Z"),
        (1772442000, "2026-03-02T09:00:00.000000Z"),
        (1772442000250, "2026-03-02T09:00:00.250000Z"),
    ],
)
def test_an_instant_is_read_in_the_forms_that_programs_write(value, instant):
    assert rfc3339(value) == instant


@pytest.mark.parametrize("value", ["", "soon", None, [], {}, True, math.inf, math.nan, 1e30, -1e30, "9999-99-99"])
def test_what_is_no_instant_is_no_time(value):
    assert rfc3339(value) == ""


def test_now_is_a_time_that_reads_as_itself():
    instant = now()
    assert rfc3339(instant) == instant


def test_a_record_that_fits_is_sent_as_it_is():
    record = {"tool_output": "x", "tags": ["a"]}
    assert fit(record) is record


def test_an_output_over_the_body_limit_is_cut_with_a_visible_mark_and_nothing_else_is_touched():
    record = {"tool_name": "Bash", "tool_input": {"command": "cat big"}, "tool_output": "é" * 2_000_000, "tags": ["a"]}
    cut = fit(record)
    assert size(cut) <= MAX_BYTES
    assert cut["tool_output"].startswith("é" * 100)
    assert "[cut by loom capture: 200,000 of 2,000,000 characters kept]" in cut["tool_output"]
    assert cut["tool_input"] == record["tool_input"]
    assert cut["tags"] == ["a", CUT_TAG]
    assert record["tags"] == ["a"]


def test_a_large_input_keeps_its_shape_and_its_short_values():
    record = {"tool_input": {"file_path": "/a/b.py", "content": "x" * 2_000_000}, "tags": []}
    cut = fit(record)
    assert cut["tool_input"]["file_path"] == "/a/b.py"
    assert "characters kept" in cut["tool_input"]["content"]


def test_a_value_of_many_small_parts_is_cut_as_text():
    cut = shorten(list(range(1_000_000)), 1000)
    assert cut.startswith("[0,1,2")
    assert "characters kept" in cut


@settings(deadline=None, max_examples=50)
@given(JSON, JSON, st.text(), st.integers(6000, 9000))
def test_every_record_fits_after_the_cut(given_, output, error, limit):
    record = {"tool_name": "t", "tool_input": given_, "tool_output": output, "error": error, "tags": []}
    wide = {**record, "tool_input": [given_] * 300, "tool_output": [output] * 300, "error": error * 300}
    for each in (record, wide):
        assert size(fit(each, limit)) <= limit
        assert fit(each, limit) == fit(each, limit)


def test_a_deep_value_is_cut_without_error():
    deep: object = "x" * 300
    for _ in range(600):
        deep = [deep]
    assert "characters kept" in json.dumps(shorten(deep, 1000))


@given(st.text(max_size=50), st.integers(1, 60))
def test_a_cut_keeps_the_head_of_the_text(text, keep):
    cut = cut_text(text, keep)
    assert cut == text if len(text) <= keep else cut.startswith(text[:keep] + "…")
