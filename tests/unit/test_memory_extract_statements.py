"""Which sentences are explicit statements, and where they may stand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.memory.extract.calls import Observed
from services.memory.extract.statements import statements

PREFERENCES = [
    "We always run the linter before pushing.",
    "I prefer tabs over spaces",
    "Please always use pnpm, never npm.",
    "Never commit secrets to the repo!",
    "From now on, write docs in English",
    "Use httpx instead of requests",
    "The team prefers squash merges",
    "Our preferred editor is vim",
    "I'd rather have small commits",
    "- Always write tests first",
    "We never deploy on Fridays",
    "Don't ever force push",
    "The user prefers dark mode",
    "prefer composition to inheritance",
    "I like to keep functions short",
    "Always use type hints in Python code",
    "I always want German answers",
    "You should never log tokens",
    "Remember to always sign the tags",
    "Don’t use global state",
    "I use vim for everything",
]
DECISIONS = [
    "We use PostgreSQL for storage",
    "we decided to drop Redis",
    "Decided to use ruff for linting.",
    "Let's go with chDB.",
    "We've settled on gRPC",
    "This project uses uv for packaging",
    "It was decided that we ship on Friday",
    "we don't use mocks here",
    "We agreed on a timeout of 24 hours",
    "We're going with Kafka",
    "we are moving to Kubernetes",
    "Decision: the API stays on version 2",
    "Our backend no longer uses Celery",
    "They chose blue for the logo",
]
NO_STATEMENTS = [
    "Always returns the value",
    "Should we use Redis?",
    "How do we use the API",
    "What if we always use Redis for that?",
    "def always(x): return x",
    "const prefer = useState()",
    "// we use this to cache",
    "# we use X here",
    "never mind",
    "the function is never called",
    "It always fails on CI",
    "Fix the bug in cart.py",
    "return always + never;",
    "let users = await we.use(x)",
    "the value never changes",
    "We moved to the next step",
    "we use it",
    "if we always retry(x) then",
    "If you prefer, run it again",
    "We use {a: 1} for that",
    "",
]


def row(narrative: str, kind: str = "tool_use", tool: str = "UserPrompt", **more: object) -> Observed:
    return Observed("obs:s:1", "2026-03-02T09:00:00.000000Z", kind, tool, narrative, **more)  # type: ignore[arg-type]


def said(narrative: str, kind: str = "tool_use", tool: str = "UserPrompt", **more: object) -> list[tuple[str, str]]:
    return [(found.type, found.content) for found in statements([row(narrative, kind, tool, **more)], "")]


@pytest.mark.parametrize("text", PREFERENCES)
def test_a_stated_preference_is_one(text: str) -> None:
    [(kind, content)] = said(f"UserPrompt: {text}")
    assert kind == "preference"
    assert content.rstrip(".") == text.lstrip("- ").rstrip(".!")


@pytest.mark.parametrize("text", DECISIONS)
def test_a_stated_decision_is_one(text: str) -> None:
    assert [kind for kind, _ in said(f"UserPrompt: {text}")] == ["decision"]


@pytest.mark.parametrize("text", NO_STATEMENTS)
def test_what_nobody_stated_is_nothing(text: str) -> None:
    assert said(f"UserPrompt: {text}") == []


def test_a_statement_among_other_sentences_is_found_alone() -> None:
    text = "UserPrompt: Fix the cart. We use integer cents for money, e.g. 119. Then run the tests!\nThanks"
    assert said(text) == [("decision", "We use integer cents for money, e.g. 119.")]


def test_an_output_and_an_error_are_never_read_for_statements() -> None:
    assert said("Fetcher: x\nOutput: We always use tabs.\nWe decided to stop.\nError: never use this tool") == []


def test_a_file_that_was_read_states_nothing() -> None:
    assert said("Read: /a.md\nOutput: We always use tabs.", "file_read", "Read") == []


def test_code_that_is_written_states_nothing_and_prose_does() -> None:
    text = "Write: /src/{}\ncontent: We always use tabs here\nindent = 4"
    assert said(text.format("app.py"), "file_edit", "Write", file_paths=["/src/app.py"]) == []
    found = said(text.format("NOTES.md"), "file_edit", "Write", file_paths=["/src/NOTES.md"])
    assert found == [("preference", "We always use tabs here")]


def test_what_an_edit_replaces_is_not_stated() -> None:
    text = "Edit: /NOTES.md\nold_string: We always use tabs\nnew_string: We never use tabs"
    assert said(text, "file_edit", "Edit", file_paths=["/NOTES.md"]) == [("preference", "We never use tabs")]


def test_of_a_command_its_quoted_texts_and_its_description_are_read() -> None:
    assert said('Bash: git commit -m "We use cents for money"', "command_run", "Bash") == [
        ("decision", "We use cents for money")
    ]
    assert said("Bash: always use this flag", "command_run", "Bash") == []
    assert said("Bash: make\ndescription: We never build in place", "command_run", "Bash") == [
        ("preference", "We never build in place")
    ]


def test_a_fenced_block_states_nothing() -> None:
    assert said("UserPrompt: Look:\n```\nWe always use tabs\n```\nand fix it") == []


def test_a_statement_that_was_cut_is_left_out() -> None:
    assert said("UserPrompt: We always use tabs in all of our…") == []


def test_a_statement_said_twice_is_one_with_its_first_evidence() -> None:
    rows = [
        Observed("obs:s:1", "2026-03-02T09:00:00.000000Z", "tool_use", "Ask", "Ask: We use tabs here."),
        Observed("obs:s:2", "2026-03-02T09:01:00.000000Z", "tool_use", "Ask", "Ask: we use TABS here"),
    ]
    [found] = statements(rows, "")
    assert (found.content, found.evidence) == ("We use tabs here.", ("obs:s:1",))
    assert statements(rows[1:], "")[0].topic_key == found.topic_key


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read_without_fail(text: str) -> None:
    said(f"UserPrompt: {text}")


@pytest.mark.parametrize("piece", ["we ", "always never ", "decided ", "a" * 50 + " ", "- " * 3, '"', "\\", "((("])
def test_a_long_text_is_read_in_one_go(piece: str) -> None:
    said("UserPrompt: " + piece * (2000 // len(piece)), "command_run", "Bash")
    said("UserPrompt: " + piece * (2000 // len(piece)))
