"""What is done again and again: commands, and groups of files that change together.

The texts name no counts: a pattern that goes on stays the same memory with the same text.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from services.memory.extract.calls import Observed, base_name
from services.memory.extract.found import PATTERN, Found, evidence, line, topic

# Twice is chance.
OFTEN = 3
MOST_FILES = 8
TITLE_CHARS = 100


def patterns(rows: Sequence[Observed], project: str) -> list[Found]:
    """Patterns that the rows of one session show."""
    return [*_commands(rows, project), *_file_groups(rows, project)]


def _commands(rows: Sequence[Observed], project: str) -> list[Found]:
    runs: dict[str, list[Observed]] = defaultdict(list)
    for row in rows:
        if row.work:
            runs[row.work].append(row)
    return [_command(command, some[:OFTEN], project) for command, some in runs.items() if len(some) >= OFTEN]


def _command(command: str, runs: Sequence[Observed], project: str) -> Found:
    where = f" in the project {project}" if project else ""
    return Found(
        PATTERN,
        line(f"Repeated command: {command}", TITLE_CHARS),
        f"`{command}` is run again and again{where}.",
        topic("command", project, command),
        evidence([row.memory_key for row in runs]),
        runs[-1].observed_at,
    )


def _file_groups(rows: Sequence[Observed], project: str) -> list[Found]:
    rounds = _rounds(rows)
    together: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, (files, _) in enumerate(rounds):
        for pair in combinations(sorted(files), 2):
            together[pair].append(number)
    groups: dict[frozenset[str], list[int]] = {}
    for numbers in together.values():
        if len(numbers) >= OFTEN:
            # All files that changed each time when this pair did.
            files = frozenset.intersection(*(rounds[number][0] for number in numbers))
            groups.setdefault(files, numbers)
    return [
        _file_group(files, [rounds[number][1] for number in numbers[:OFTEN]], project)
        for files, numbers in groups.items()
    ]


def _rounds(rows: Sequence[Observed]) -> list[tuple[frozenset[str], list[Observed]]]:
    """Files that changed together, with the calls: in one call, or in calls with no command between them."""
    rounds: list[tuple[frozenset[str], list[Observed]]] = []
    single: list[Observed] = []
    for row in [*rows, None]:
        if row is not None and row.edits_files and not row.failed:
            if 2 <= len(set(row.files)) <= MOST_FILES:
                rounds.append((frozenset(row.files), [row]))
            elif len(row.files) == 1:
                single.append(row)
        elif row is None or row.runs_command:
            files = frozenset(path for edit in single for path in edit.files)
            if 2 <= len(files) <= MOST_FILES:
                rounds.append((files, single))
            single = []
    return sorted(rounds, key=lambda one: one[1][0].observed_at)


def _file_group(files: frozenset[str], rounds: Sequence[Sequence[Observed]], project: str) -> Found:
    paths = sorted(files)
    names = ", ".join(dict.fromkeys(base_name(path) for path in paths))
    edits = [row for some in rounds for row in some if files & set(row.files)]
    where = f" in the project {project}" if project else ""
    return Found(
        PATTERN,
        line(f"Files that change together: {names}", TITLE_CHARS),
        f"These files change together{where}: {', '.join(paths)}.",
        topic("files", project, *paths),
        evidence([row.memory_key for row in edits]),
        edits[-1].observed_at,
    )
