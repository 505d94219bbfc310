"""What a language model is told, and what of its answer is believed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.memory.extract.answers import BadAnswerError, Question, believed, question
from services.memory.extract.calls import Observed

TYPES = ("decision", "discovery", "summary")


def row(number: int, narrative: str = "Bash: make") -> Observed:
    return Observed(f"obs:secret-session:{number}", f"2026-03-02T09:00:{number:02}.000000Z", "tool_use", "T", narrative)


ROWS = [row(1), row(2, "Bash: test"), row(3, "")]


def asked(most_chars: int = 10_000) -> Question:
    return question(TYPES, [row(0, "Bash: before")], ROWS, most_chars)


def memory(**changed: Any) -> dict[str, Any]:
    return {"type": "decision", "title": "T", "content": "C", "evidence": ["o1"], **changed}


def holds(*memories: Any) -> list[str]:
    return [found.title for found in believed(json.dumps({"memories": memories}), asked(), TYPES, "s")[0]]


def test_only_narratives_are_told() -> None:
    told = json.loads(asked().user)
    assert told == {
        "earlier": ["Bash: before"],
        "observations": [{"id": "o1", "text": "Bash: make"}, {"id": "o2", "text": "Bash: test"}],
    }
    assert "secret-session" not in asked().user + asked().system


def test_what_is_told_is_bounded() -> None:
    rows = [row(number, "x" * 2000) for number in range(50)]
    told = json.loads(question(TYPES, rows, rows, 20_000).user)
    assert sum(len(one["text"]) for one in told["observations"]) + sum(map(len, told["earlier"])) <= 20_000
    assert len(told["observations"]) == 50
    assert len(told["earlier"]) == 2


def test_a_good_answer_is_believed() -> None:
    answer = json.dumps({"memories": [memory(evidence=["o2", "o1", "o2"])]})
    [found], dropped = believed(answer, asked(), TYPES, "s")
    assert (found.type, found.title, found.content, dropped) == ("decision", "T", "C", 0)
    assert found.evidence == ("obs:secret-session:2", "obs:secret-session:1")
    assert found.observed_at == ROWS[1].observed_at
    assert found.topic_key.startswith("extracted/llm/")


def test_a_fenced_answer_is_read() -> None:
    answer = "```json\n" + json.dumps({"memories": [memory()]}) + "\n```"
    assert len(believed(answer, asked(), TYPES, "s")[0]) == 1


@pytest.mark.parametrize(
    "lie",
    [
        memory(evidence=["o9"]),
        memory(evidence=["o1", "obs:other:1"]),
        memory(evidence=[]),
        memory(evidence="o1"),
        memory(evidence=[1]),
        memory(evidence=None),
        memory(evidence=["o1"] * 30),
        memory(evidence=["o3"]),
        memory(type="profile"),
        memory(type=["decision"]),
        memory(type=None),
        memory(title=""),
        memory(title="x" * 201),
        memory(title=7),
        memory(content="  "),
        memory(content="x" * 4_001),
        memory(content=None),
        memory(content="\ud800"),
        "text",
        None,
        [],
    ],
)
def test_a_memory_that_does_not_hold_is_dropped(lie: Any) -> None:
    assert holds(lie, memory(title="true")) == ["true"]
    with pytest.raises(BadAnswerError):
        believed(json.dumps({"memories": [lie]}), asked(), TYPES, "s")


def test_there_is_one_summary_of_a_session() -> None:
    first, second = memory(type="summary", title="one"), memory(type="summary", title="two", evidence=["o2"])
    assert holds(first, second) == ["one"]


def test_two_memories_of_the_same_evidence_are_two() -> None:
    found, _ = believed(json.dumps({"memories": [memory(), memory(content="D")]}), asked(), TYPES, "s")
    assert len({one.topic_key for one in found}) == 2


def test_too_many_memories_are_cut() -> None:
    assert len(holds(*[memory(title=str(number)) for number in range(100)])) == 20


def test_nothing_worth_keeping_is_an_answer() -> None:
    assert believed('{"memories": []}', asked(), TYPES, "s") == ([], 0)


@pytest.mark.parametrize("answer", ["", "Sure! Here it is", "[]", "null", '{"memories": {}}', '{"memo', "[" * 5000])
def test_garbage_is_refused_without_being_quoted(answer: str) -> None:
    with pytest.raises(BadAnswerError) as refused:
        believed(answer, asked(), TYPES, "s")
    assert str(refused.value) in {"it is not JSON", "it has no list of memories"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["o1", "decision"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "title", "content", "evidence", "memories"]), inner, max_size=5)
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_json_is_believed_or_refused(value: Any) -> None:
    try:
        found, _ = believed(json.dumps(value), asked(), TYPES, "s")
    except BadAnswerError:
        return
    assert all(one.evidence and one.type in TYPES for one in found)
