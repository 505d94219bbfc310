"""Hashes that name an observation and its content."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.observe.keys import content_sha256, memory_key

CALL = {
    "org": "o",
    "namespace": "n",
    "agent": "a",
    "user_id": "u",
    "session_id": "s-1",
    "run_id": "r",
    "tool_name": "Bash",
    "canonical_input": b'{"command":"ls"}',
    "canonical_output": b'"ok"',
    "error": "",
    "observed_at": "2026-01-02T03:04:05Z",
}


def test_a_key_names_the_session_and_24_hex_digits():
    assert re.fullmatch(r"obs:s-1:[0-9a-f]{24}", memory_key(**CALL))


def test_the_same_call_has_the_same_key():
    assert memory_key(**CALL) == memory_key(**dict(CALL))


def test_keys_and_hashes_stay_what_they_were_in_earlier_versions():
    assert memory_key(**CALL) == "obs:s-1:1a09d00c7a5cf669d8a68655"
    assert (
        content_sha256("error", "Bash", "text", ["a.py"], "boom")
        == "53d625a997e68c39ce552a3d7d2a1856d8e6a368cbe4f694c093268dc6ee805b"
    )


@pytest.mark.parametrize("name", list(CALL))
def test_a_change_of_any_part_changes_the_key(name):
    other = CALL[name] + (b" " if isinstance(CALL[name], bytes) else " ")

    assert memory_key(**{**CALL, name: other}) != memory_key(**CALL)


def test_the_same_instant_written_otherwise_is_another_call():
    assert memory_key(**{**CALL, "observed_at": "2026-01-02T04:04:05+01:00"}) != memory_key(**CALL)


def test_text_that_moves_from_one_part_to_the_next_changes_the_key():
    names = [name for name, value in CALL.items() if isinstance(value, str)]
    for first, second in itertools.pairwise(names):
        left = memory_key(**{**CALL, first: "ab", second: "c", "session_id": "s"})
        right = memory_key(**{**CALL, first: "a", second: "bc", "session_id": "s"})
        assert left != right


def test_a_length_that_is_part_of_the_text_does_not_confuse_the_framing():
    assert memory_key(**{**CALL, "org": "a1:b", "namespace": ""}) != memory_key(
        **{**CALL, "org": "a", "namespace": "b"}
    )


def test_odd_session_ids_stand_in_the_key_as_they_are():
    session = "a:b/…" * 50

    assert memory_key(**{**CALL, "session_id": session}).startswith(f"obs:{session}:")


def test_half_surrogates_are_hashed_and_told_apart():
    assert memory_key(**{**CALL, "error": "\ud800"}) != memory_key(**{**CALL, "error": "\ud801"})


def test_the_content_hash_covers_every_part_and_the_order_of_paths():
    base = ("kind", "tool", "text", ["a", "b"], "error")
    others = [
        ("kin", "dtool", "text", ["a", "b"], "error"),
        ("kind", "tool", "text", ["b", "a"], "error"),
        ("kind", "tool", "text", ["ab"], "error"),
        ("kind", "tool", "text", ["a", "b", ""], "error"),
        ("kind", "tool", "text", ["a"], "error"),
        ("kind", "tool", "texta", ["b"], "error"),
        ("kind", "tool", "text", ["error", "a", "b"], ""),
        ("kind", "tool", "text", ["a", "b"], ""),
    ]

    hashes = {content_sha256(*parts) for parts in [base, *others]}

    assert len(hashes) == 1 + len(others)
    assert all(re.fullmatch(r"[0-9a-f]{64}", value) for value in hashes)


WORD = st.text(max_size=4)
PARTS = st.tuples(WORD, WORD, WORD, st.lists(WORD, max_size=3), WORD)


@given(PARTS, PARTS)
def test_different_contents_have_different_hashes(one, other):
    assert (content_sha256(*one) == content_sha256(*other)) == (one == other)
