"""What a session was about, in a few lines: files changed, commands run, errors, statements."""

from collections import Counter
from collections.abc import Iterable, Sequence

from services.memory.extract.calls import UNKNOWN_SESSION, Observed, base_name
from services.memory.extract.discoveries import about, telling
from services.memory.extract.found import SUMMARY, Found, evidence, line, topic

MOST_FILES, MOST_COMMANDS, MOST_ERRORS, MOST_SAID = 10, 8, 3, 5
TITLE_CHARS = 80


def summary(
    session_id: str, rows: Sequence[Observed], others: Sequence[Found], unsolved: Sequence[Observed], project: str
) -> list[Found]:
    """One summary; none of nothing, and none where the session is not known. `others` is what else was found.

    `unsolved` are the errors that nothing solved.
    """
    if not rows or session_id in {"", UNKNOWN_SESSION}:
        return []
    edits = [row for row in rows if row.edits_files and not row.failed and row.files]
    runs = [row for row in rows if row.work]
    failures = unsolved[-MOST_ERRORS:]
    files = _counted(base_name(path) for row in edits for path in row.files)
    commands = _counted(row.work for row in runs)
    lines = [
        _opening(rows, project),
        _listed("Files changed", [name for name, _ in files[:MOST_FILES]], len(files) - MOST_FILES),
        _listed("Commands run", [f"`{text}`" for text, _ in commands[:MOST_COMMANDS]], len(commands) - MOST_COMMANDS),
        _listed("Solved", [found.title for found in others if found.type == "discovery"][-MOST_ERRORS:]),
        _listed("Still failing", [f"{about(row)}: {telling(row.error)}" for row in failures]),
        _listed("Stated", [found.title for found in others if found.type in ("decision", "preference")][:MOST_SAID]),
    ]
    named = [row.memory_key for row in (*_last_of_each(edits), *failures)]
    keys = [*named, *(key for found in others for key in found.evidence), *(row.memory_key for row in runs)]
    return [
        Found(
            SUMMARY,
            line(_title(rows, files, commands), TITLE_CHARS),
            "\n".join(text for text in lines if text),
            topic("session", session_id),
            evidence(keys or [rows[0].memory_key, rows[-1].memory_key]),
            rows[-1].observed_at,
        )
    ]


def _opening(rows: Sequence[Observed], project: str) -> str:
    start, end = rows[0].observed_at, rows[-1].observed_at
    until = end[11:16] if start[:10] == end[:10] else f"{end[:10]} {end[11:16]}"
    agents = ", ".join(dict.fromkeys(row.agent for row in rows if row.agent not in ("", "-")))
    by = f" by {agents}" if agents else ""
    where = f" in the project {project}" if project else ""
    failed = sum(row.failed for row in rows)
    calls = f"{len(rows)} tool {'call' if len(rows) == 1 else 'calls'}" + (f", {failed} failed" if failed else "")
    return f"Session of {start[:10]} {start[11:16]} to {until} UTC{by}{where}: {calls}."


def _title(rows: Sequence[Observed], files: list[tuple[str, int]], commands: list[tuple[str, int]]) -> str:
    names, runs = ", ".join(name for name, _ in files[:3]), ", ".join(text for text, _ in commands[:2])
    did = "; ".join(part for part in (names and f"changed {names}", runs and f"ran {runs}") if part)
    tools = ", ".join(name for name, _ in _counted(row.tool_name for row in rows)[:3])
    return f"Session of {rows[0].observed_at[:10]}: {did or f'used {tools}'}"


def _counted(texts: Iterable[str]) -> list[tuple[str, int]]:
    """The texts with their counts, most frequent first, of equal ones the first seen."""
    return Counter(texts).most_common()


def _listed(heading: str, entries: Sequence[str], left_out: int = 0) -> str:
    more = f" and {left_out} more" if left_out > 0 else ""
    return f"{heading}: {'; '.join(entries)}{more}" if entries else ""


def _last_of_each(edits: Sequence[Observed]) -> list[Observed]:
    """The last edit of each file, newest last."""
    last = {path: row for row in edits for path in row.files}
    return sorted({row.memory_key: row for row in last.values()}.values(), key=lambda row: row.observed_at)
