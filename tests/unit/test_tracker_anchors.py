"""What a question names, and which templates it gets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tracker.answers.anchors import anchors_of, with_components
from services.tracker.answers.catalogue import TEMPLATES
from services.tracker.answers.picking import nearest, pick


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("what is #42?", (42,)),
        ("acme/app#42 and GH-7", (42, 7)),
        ("PR 57 and issue #3", (57, 3)),
        ("see https://example.com/acme/app/issues/99", (99,)),
        ("42 apples", ()),
        ("#0 and #99999999999999999", ()),
        ("colour #ff0042", ()),
    ],
)
def test_numbers_are_named_by_a_mark_or_a_word(question: str, numbers: tuple[int, ...]) -> None:
    assert anchors_of(question, {}).numbers == numbers


@pytest.mark.parametrize(
    ("question", "field", "value"),
    [
        ("what blocks v2.4.0?", "versions", ("v2.4.0",)),
        ("what blocks 2.4.0-rc1", "versions", ("2.4.0-rc1",)),
        ("is test_compaction_keeps_order flaky", "tests", ("test_compaction_keeps_order",)),
        ("is tests/storage/test_wal.py::test_replay[fast] flaky", "tests", ("test_replay[fast]",)),
        ("TestStore.Open failed", "tests", ("TestStore.Open",)),
        ("is internal/backup.TestCatalogKeepsOrder flaky?", "tests", ("internal/backup.TestCatalogKeepsOrder",)),
        ("why does wal::fsync::tests::wakes_waiters fail", "tests", ("wal::fsync::tests::wakes_waiters",)),
        (
            "web/src/a.test.ts > counts correctly is flaky, or is it?",
            "tests",
            ("web/src/a.test.ts > counts correctly",),
        ),
        ("who calls read_index::serve", "tests", ()),
        ("who touches src/storage/wal.rs", "paths", ("src/storage/wal.rs",)),
        ("which release has 1f3870be2a4c", "shas", ("1f3870be2a4c",)),
        ("issues of the storage component", "components", ("storage",)),
        ("1234567 is a number", "shas", ()),
        ("deadbeef is a word", "shas", ()),
    ],
)
def test_what_else_a_question_names(question: str, field: str, value: tuple[str, ...]) -> None:
    found = getattr(anchors_of(question, {}), field)
    assert found == value or (field == "tests" and value and any(value[0] in each for each in found))


def test_given_anchors_come_first_and_once() -> None:
    assert anchors_of("#2 and #1", {"numbers": [1, 9]}).numbers == (1, 9, 2)


def test_a_component_of_the_record_is_found_by_its_bare_name() -> None:
    question = "How risky is Write-Ahead Log now"
    held = with_components(anchors_of(question, {}), question, ["write-ahead log", "log"])
    assert held.components[0] == "write-ahead log"


@given(st.text(max_size=300))
def test_no_question_breaks_the_reading(question: str) -> None:
    anchors = anchors_of(question, {})
    pick(question, anchors, TEMPLATES)
    assert len(nearest(question, TEMPLATES, anchors)) == 3


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_each_template_is_picked_by_its_own_example(template: object) -> None:
    question = template.example  # type: ignore[attr-defined]
    anchors = with_components(anchors_of(question, {}), question, ["storage"])
    assert template.name in [each.template.name for each in pick(question, anchors, TEMPLATES)]  # type: ignore[attr-defined]


def test_a_question_without_a_usable_anchor_gets_no_guess() -> None:
    question = "how are things in general?"
    assert pick(question, anchors_of(question, {}), TEMPLATES) == []


def test_anchors_alone_get_the_plainest_template() -> None:
    assert [each.template.name for each in pick("#42", anchors_of("#42", {}), TEMPLATES)] == ["item_status"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What caused #42?", ["causes", "item_status"]),
        ("Is #42 in 3.1?", ["fix_in_version"]),
        ("Was #42 backported to 3.1?", ["fix_in_version"]),
        ("Has anyone reported #42 before?", ["duplicates_of"]),
        ("Is test_replay flaky?", ["flaky_verdict", "test_history"]),
        ("Which PR fixed issue 42?", ["fix_of_issue", "fixed_by_pr"]),
        ("What is the problem with #42?", ["item_status"]),
    ],
)
def test_the_words_of_a_question_say_what_it_asks(question: str, names: list[str]) -> None:
    assert [each.template.name for each in pick(question, anchors_of(question, {}), TEMPLATES)] == names


def test_what_is_suggested_speaks_for_the_words_that_few_templates_know() -> None:
    question = "What is blocking the next release?"
    assert "release_blockers" in [each.name for each in nearest(question, TEMPLATES, anchors_of(question, {}))]


def test_names_of_templates_are_unique() -> None:
    assert len({template.name for template in TEMPLATES}) == len(TEMPLATES) >= 17
