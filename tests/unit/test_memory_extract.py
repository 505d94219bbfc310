"""The deterministic extractor over a session's observations."""

import random
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.memory.extract.calls import Observed
from services.memory.extract.commands import core, program
from services.memory.extract.discoveries import telling
from services.memory.extract.found import MOST_EVIDENCE, Found
from services.memory.extract.rules import extract


class Session:
    """Rows of one session, a second apart, with the narratives that the observe plane would write."""

    def __init__(self) -> None:
        self.rows: list[Observed] = []
        self._numbers = count()

    def add(self, kind: str, tool: str, narrative: str, **more: Any) -> str:
        number = next(self._numbers)
        at = f"2026-03-02T09:{number // 60:02}:{number % 60:02}.000000Z"
        self.rows.append(Observed(f"obs:s:{number:03}", at, kind, tool, narrative, **more))
        return self.rows[-1].memory_key

    def run(self, command: str, error: str = "", output: str = "ok", **more: Any) -> str:
        tail = f"\nError: {error}" if error else f"\nOutput: {output}"
        return self.add("error" if error else "command_run", "Bash", f"Bash: {command}{tail}", error=error, **more)

    def edit(self, *paths: str, error: str = "", **more: Any) -> str:
        text = f"Edit: {paths[0]}\nother: {' '.join(paths[1:])}\nnew_string: x = 1" + (
            f"\nError: {error}" if error else ""
        )
        return self.add("error" if error else "file_edit", "Edit", text, error=error, file_paths=paths, **more)

    def found(self, kind: str = "", claimed: Sequence[str] | None = None) -> list[Found]:
        keys = [row.memory_key for row in self.rows] if claimed is None else claimed
        return [one for one in extract("s", self.rows, keys) if not kind or one.type == kind]


@pytest.fixture
def session() -> Session:
    return Session()


def test_an_error_followed_by_a_success_of_the_same_command_is_a_discovery(session: Session) -> None:
    failed = session.run("pytest -q", error="E   AssertionError: 100 != 119\n1 failed")
    session.add("file_read", "Read", "Read: /src/cart.py", file_paths=["/src/cart.py"])
    fix = session.edit("/src/cart.py")
    passed = session.run("pytest -q")
    [found] = session.found("discovery")
    assert found.title == "pytest -q: AssertionError: 100 != 119"
    assert found.content == "`pytest -q` failed: AssertionError: 100 != 119\nIt worked after: Edit cart.py."
    assert found.evidence == (failed, fix, passed)
    assert found.observed_at == session.rows[-1].observed_at


def test_an_error_followed_by_a_success_of_the_same_tool_on_the_same_file_is_a_discovery(session: Session) -> None:
    session.edit("/src/a.py", error="String to replace not found")
    session.edit("/src/b.py")
    session.edit("/src/a.py")
    [found] = session.found("discovery")
    assert "Edit a.py failed: String to replace not found" in found.content


@pytest.mark.parametrize("command", ["pytest tests/test_b.py", "cat tests/test_a.py", "ruff tests/test_a.py"])
def test_a_success_of_something_else_solves_nothing(session: Session, command: str) -> None:
    session.run("pytest tests/test_a.py", error="1 failed", file_paths=["tests/test_a.py"])
    session.run(command, file_paths=[command.split()[-1]])
    session.add("file_read", "Read", "Read: tests/test_a.py", file_paths=["tests/test_a.py"])
    assert session.found("discovery") == []


def test_a_changed_command_on_the_same_file_solves_the_error(session: Session) -> None:
    session.run("python3 tool.py", error="ModuleNotFoundError: No module named 'x'", file_paths=["tool.py"])
    session.run("python tool.py --local", file_paths=["tool.py"])
    [found] = session.found("discovery")
    assert found.content.endswith("It worked as `python tool.py --local`.")


def test_a_file_that_only_the_output_names_is_not_what_a_call_is_about(session: Session) -> None:
    session.add(
        "error", "Bash", "Bash: python a.py\nError: /lib/x.py broke", error="/lib/x.py broke", file_paths=["/lib/x.py"]
    )
    session.run("python b.py", output="/lib/x.py is fine", file_paths=["/lib/x.py"])
    assert session.found("discovery") == []


def test_errors_of_one_matter_before_one_success_are_one_discovery(session: Session) -> None:
    for number in range(5):
        session.run("make test", error=f"test {number} failed")
    session.run("make test")
    session.run("make test")
    [found] = session.found("discovery")
    assert len(found.evidence) == 4
    assert "test 4 failed" in found.content


def test_an_interruption_is_no_error_of_the_work(session: Session) -> None:
    session.run("make test", error="The user doesn't want to proceed with this tool use")
    session.edit("/a.py", error="File has not been read yet. Read it first before writing to it.")
    session.edit("/a.py")
    session.run("make test")
    assert session.found("discovery") == []


def test_a_command_run_three_times_is_a_pattern_and_twice_is_not(session: Session) -> None:
    keys = [session.run("cd /src && pytest -q 2>&1 | tail -5"), session.run("pytest -q")]
    assert session.found("pattern") == []
    keys.append(session.run("pytest -q > /tmp/out.txt"))
    [found] = session.found("pattern")
    assert (found.title, found.evidence) == ("Repeated command: pytest -q", tuple(keys))


def test_a_pattern_that_goes_on_stays_the_same_memory(session: Session) -> None:
    for _ in range(3):
        session.run("pytest -q")
    before = session.found("pattern")
    session.run("pytest -q")
    assert session.found("pattern") == before


@pytest.mark.parametrize("command", ["ls", "ls -la", "cd /src", "git status", "cat a.py", "cd /src && ls | wc -l"])
def test_looking_around_is_no_pattern(session: Session, command: str) -> None:
    for _ in range(9):
        session.run(command)
    assert session.found("pattern") == []


def test_files_that_change_together_three_times_are_a_pattern(session: Session) -> None:
    for _ in range(3):
        session.edit("/src/cart.py")
        session.edit("/tests/test_cart.py")
        session.run("pytest -q")
    groups = [found for found in session.found("pattern") if "together" in found.title]
    assert [found.title for found in groups] == ["Files that change together: cart.py, test_cart.py"]
    assert len(groups[0].evidence) == 6


def test_files_of_one_call_change_together(session: Session) -> None:
    for _ in range(3):
        session.edit("/a.py", "/b.py")
    [found] = session.found("pattern")
    assert found.content == "These files change together: /a.py, /b.py."


def test_one_long_round_of_edits_is_no_pattern(session: Session) -> None:
    for _ in range(6):
        session.edit("/a.py")
        session.edit("/b.py")
    assert session.found("pattern") == []


def test_a_session_gives_one_summary(session: Session) -> None:
    session.edit("/src/cart.py", agent="claude-code", tags=["observation", "project:shop"])
    session.run("pytest -q", error="1 failed", agent="claude-code")
    session.add("tool_use", "UserPrompt", "UserPrompt: We use cents for money", agent="claude-code")
    [found] = session.found("summary")
    assert found.title == "Session of 2026-03-02: changed cart.py; ran pytest -q"
    assert found.content == (
        "Session of 2026-03-02 09:00 to 09:00 UTC by claude-code in the project shop: 3 tool calls, 1 failed.\n"
        "Files changed: cart.py\n"
        "Commands run: `pytest -q`\n"
        "Still failing: `pytest -q`: 1 failed\n"
        "Stated: We use cents for money"
    )
    assert set(found.evidence) == {row.memory_key for row in session.rows}


def test_a_session_that_is_not_known_has_no_summary(session: Session) -> None:
    session.run("pytest -q")
    assert extract("-", session.rows, [session.rows[0].memory_key]) == []


def test_nothing_comes_of_rows_without_content(session: Session) -> None:
    for reason in ("self_referential", "blacklisted"):
        for _ in range(4):
            session.add("command_run", "Bash", "", skipped_reason=reason)
            session.add("command_run", "Bash", "Bash: pytest -q", skipped_reason=reason)
            session.add("tool_use", "loom_memory_save", "  ")
    assert session.found() == []
    assert extract("s", [], []) == []


def test_what_earlier_rows_gave_is_not_given_again_and_what_they_complete_is(session: Session) -> None:
    session.add("tool_use", "Ask", "Ask: We use tabs here.")
    session.run("make", error="boom")
    first = session.found()
    assert {found.type for found in first} == {"decision", "summary"}
    new = session.run("make")
    assert {found.type for found in session.found(claimed=[new])} == {"discovery", "summary"}


def test_evidence_is_bounded_and_of_the_session(session: Session) -> None:
    for number in range(60):
        session.edit(f"/src/f{number}.py")
        session.run(f"make t{number % 7}", error="failed" if number % 5 == 0 else "")
    keys = {row.memory_key for row in session.rows}
    for found in session.found():
        assert 1 <= len(found.evidence) <= MOST_EVIDENCE
        assert set(found.evidence) <= keys


CALLS = st.lists(
    st.tuples(
        st.sampled_from(["run", "edit", "ask"]),
        st.sampled_from(["pytest -q", "make test", "ls", "/src/a.py", "/src/b.py", "We use tabs.", "we always test"]),
        st.sampled_from(["", "", "boom", "E: 1 failed"]),
    ),
    max_size=40,
)


@settings(max_examples=60, deadline=None)
@given(CALLS, st.randoms(use_true_random=False))
def test_the_order_in_which_rows_arrive_and_their_repetition_change_nothing(
    calls: list[tuple[str, str, str]], rand: random.Random
) -> None:
    session = Session()
    for kind, text, error in calls:
        if kind == "run":
            session.run(text, error=error)
        elif kind == "edit":
            session.edit(text, error=error)
        else:
            session.add("tool_use", "Ask", f"Ask: {text}")
    expected = session.found()
    session.rows = session.rows * 2
    rand.shuffle(session.rows)
    assert session.found() == expected
    assert len({found.topic_key for found in expected if found.type == "summary"}) <= 1


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pytest -q", "pytest -q"),
        ("cd /a && pytest   -q 2>&1 | tail -20", "pytest -q"),
        ("bash -lc 'make test'", "make test"),
        ("FOO=1 make", "FOO=1 make"),
        ("git status && git push", "git push"),
        ("git -C /a log", ""),
        ("echo 'a && pytest'", ""),
        ("make a; make b || true", "make a && make b"),
        ("python - <<'EOF'\nprint(1)\nEOF", ""),
        ("x" * 300, ""),
        ("sudo ls", ""),
        ("", ""),
    ],
)
def test_the_core_of_a_command_is_what_works(command: str, expected: str) -> None:
    assert core(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [("FOO=1 /usr/bin/python3.11 a.py", "python"), ("sudo make", "make"), ("timeout 60 npm test", "npm"), ("", "")],
)
def test_a_program_is_known_by_its_name(command: str, expected: str) -> None:
    assert program(command) == expected


def test_the_line_that_names_the_error_is_the_telling_one() -> None:
    assert telling("Traceback (most recent call last):\n  File x\nValueError: no\n\nbye") == "ValueError: no"
    assert telling("\nfirst\nsecond") == "first"
    assert telling("collecting\n2 failed, 1 passed\nbye") == "2 failed, 1 passed"
    assert telling("") == ""


@pytest.mark.parametrize("piece", ["a;", "'", '"a', "&", "| ", "\\", "$(", "1>"])
def test_a_long_command_is_read_in_one_go(piece: str) -> None:
    core(piece * (2000 // len(piece)))
    core(piece * (200 // len(piece)))
