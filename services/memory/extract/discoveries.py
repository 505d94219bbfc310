"""An error followed by a success of the same tool on the same files: what went wrong, and after what it worked."""

import re
from collections.abc import Sequence

from services.memory.extract.calls import Observed, base_name
from services.memory.extract.commands import program
from services.memory.extract.found import DISCOVERY, Found, evidence, line, topic

ERROR_CHARS, STEP_CHARS, TITLE_CHARS = 300, 120, 100
MOST_STEPS, MOST_ERRORS = 5, 3
# Steps of an agent's own protocol, and people who changed their mind: nothing was wrong with the work.
_NO_MATTER = re.compile(
    r"has not been read yet|read it first|modified since (?:it was )?read|doesn't want to proceed|"
    r"(?:request|tool use) (?:was )?(?:interrupted|rejected|cancell?ed|aborted)|interrupted by user|permission to use",
    re.IGNORECASE,
)
# What names an error, best first.
_TELLING = (
    re.compile(r"\b[\w.]*(?:Error|Exception|Panic)\b|\bpanic\b|\b(?:fatal|error(?:\[\w+\])?):"),
    re.compile(r"\berror\b|\bfailed\b|\bfailure\b|not found|\bcannot\b|denied|undefined|no such", re.IGNORECASE),
)
_LEAD = re.compile(r"^(?:E\s+|>+\s+)")
_NUMBERS = re.compile(r"0x[0-9a-f]+|\d+", re.IGNORECASE)


def discoveries(rows: Sequence[Observed], project: str) -> tuple[list[Found], list[Observed]]:
    """Discoveries in the order of the successes, and the errors after which the same matter never succeeded.

    Errors of one matter that came before one success are one discovery.
    """
    found: list[Found] = []
    unsolved: list[tuple[int, Observed]] = []
    for place, row in enumerate(rows):
        if row.failed:
            if row.error.strip() and not _NO_MATTER.search(row.error):
                unsolved.append((place, row))
            continue
        solved = [(at, error) for at, error in unsolved if same_matter(error, row)]
        if solved:
            places = {at for at, _ in solved}
            unsolved = [pair for pair in unsolved if pair[0] not in places]
            found.append(_discovery([error for _, error in solved], rows[solved[-1][0] + 1 : place], row, project))
    return found, [error for _, error in unsolved]


def same_matter(error: Observed, success: Observed) -> bool:
    """Whether both are calls of one tool on the same files, or of one command."""
    if error.tool_name != success.tool_name:
        return False
    shared = not error.file_set.isdisjoint(success.file_set)
    if not error.runs_command:
        return shared
    before, after = error.work, success.work
    if before and before == after:
        return True
    return shared and bool(after) and program(before or error.given.chief) == program(after)


def telling(error: str) -> str:
    """The line of an error text that says most: the last one that names an error, else the first."""
    lines = [_LEAD.sub("", text.strip()) for text in error.splitlines() if text.strip()]
    named = (text for rule in _TELLING for text in reversed(lines) if rule.search(text))
    return line(next(named, lines[0] if lines else ""), ERROR_CHARS)


def about(row: Observed) -> str:
    """What a call was about, in a few words: the command, or tool and files."""
    if row.runs_command:
        return f"`{line(row.work or row.given.chief, STEP_CHARS)}`"
    names = ", ".join(dict.fromkeys(base_name(path) for path in row.files))
    return line(f"{row.tool_name} {names}" if names else row.tool_name, STEP_CHARS)


def _discovery(errors: Sequence[Observed], between: Sequence[Observed], success: Observed, project: str) -> Found:
    last = errors[-1]
    message, subject = telling(last.error), about(last)
    steps = [row for row in between if not row.failed and _is_step(row)][-MOST_STEPS:]
    told = list(dict.fromkeys(about(row) for row in steps))
    content = f"{subject} failed: {message}\n" + _solution(told, last, success)
    if project:
        content += f"\nProject: {project}"
    keys = [row.memory_key for row in (*errors[-MOST_ERRORS:], *steps, success)]
    signature = _NUMBERS.sub("#", message.casefold())
    key = topic("discovery", project, last.tool_name, subject, signature)
    title = line(f"{subject.strip('`')}: {message}", TITLE_CHARS)
    return Found(DISCOVERY, title, content, key, evidence(keys), success.observed_at)


def _solution(steps: Sequence[str], error: Observed, success: Observed) -> str:
    changed = about(success) if success.given.chief != error.given.chief and about(success) != about(error) else ""
    if steps:
        return f"It worked after: {'; '.join(steps)}." + (f" It was then run as {changed}." if changed else "")
    return f"It worked as {changed}." if changed else "It worked at a later try, with nothing changed in between."


def _is_step(row: Observed) -> bool:
    return row.edits_files or bool(row.work)
