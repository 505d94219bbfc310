"""A recorded tool call as extraction reads it: what was given to the tool, apart from what came back."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from services.memory.extract.commands import core

ERROR, EDIT, COMMAND, FETCH, READ = "error", "file_edit", "command_run", "web_fetch", "file_read"
UNKNOWN_SESSION = "-"
ELLIPSIS = "…"

_TAIL = re.compile(r"(?:^|\n)(?:Output|Error): ")
_FIELD = re.compile(r"^([A-Za-z_][\w.-]{0,63}): (.*)$")
_RUNS = re.compile(r"bash|shell|exec|terminal|command|powershell|(?:^|[_-])run|run$", re.IGNORECASE)
_EDITS = re.compile(r"edit|write|patch|replace|create_?file", re.IGNORECASE)
_PROJECT = "project:"


@dataclass(frozen=True)
class Observed:
    """One claimed observation: columns of the observe plane. `observed_at` is RFC 3339 in UTC, so texts sort as time."""

    memory_key: str
    observed_at: str
    kind: str
    tool_name: str
    narrative: str
    error: str = ""
    agent: str = "-"
    tags: Sequence[str] = ()
    file_paths: Sequence[str] = ()
    skipped_reason: str = ""

    @property
    def has_content(self) -> bool:
        """False for a row that was skipped (self-referential, blacklisted) or says nothing."""
        return not self.skipped_reason and bool(self.narrative.strip())

    @property
    def failed(self) -> bool:
        return self.kind == ERROR or bool(self.error)

    @cached_property
    def given(self) -> "Given":
        """What the tool was given."""
        return _given(self.tool_name, _parted(self.narrative)[0])

    @cached_property
    def runs_command(self) -> bool:
        """Whether the tool runs commands, also where the call failed and its kind says only that."""
        return self.kind == COMMAND or (self.kind == ERROR and _RUNS.search(self.tool_name) is not None)

    @cached_property
    def work(self) -> str:
        """The working parts of the command; empty for another tool, and for a command that only looks around."""
        return core(self.given.chief) if self.runs_command else ""

    @cached_property
    def edits_files(self) -> bool:
        return self.kind == EDIT or (
            self.kind == ERROR and not self.runs_command and bool(_EDITS.search(self.tool_name))
        )

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files that the call is about: those in what it was given, not those that its output happens to name."""
        head, tail = _parted(self.narrative)
        about = tuple(path for path in self.file_paths if base_name(path) in head)
        return about or tuple(path for path in self.file_paths if path not in tail)

    @cached_property
    def file_set(self) -> frozenset[str]:
        return frozenset(self.files)

    @property
    def project(self) -> str:
        """Name of the project folder; empty where the client told none."""
        return next((tag.removeprefix(_PROJECT) for tag in self.tags if tag.startswith(_PROJECT)), "")


@dataclass(frozen=True, slots=True)
class Given:
    """`chief` is what the call is chiefly about, whole lines; `fields` are the other inputs by name."""

    chief: str
    fields: dict[str, str] = field(default_factory=dict)


def base_name(path: str) -> str:
    return re.split(r"[\\/]", path.rstrip("\\/"))[-1]


def in_order(rows: Sequence[Observed]) -> list[Observed]:
    """The rows with content, each once, in time order."""
    found = {row.memory_key: row for row in rows if row.has_content}
    return sorted(found.values(), key=lambda row: (row.observed_at, row.memory_key))


def _parted(narrative: str) -> tuple[str, str]:
    """Input and output. The first mark ends the input: an input that holds one too is cut there, never the reverse."""
    mark = _TAIL.search(narrative)
    return (narrative[: mark.start()], narrative[mark.start() :]) if mark else (narrative, "")


def _given(tool_name: str, head: str) -> Given:
    text = head.removeprefix(tool_name[:200]).removeprefix(":").lstrip(" ")
    chief: list[str] = []
    fields: dict[str, list[str]] = {}
    current = chief
    for line in text.split("\n"):
        if (found := _FIELD.match(line)) and (chief or current is not chief or line != text):
            current = fields.setdefault(found[1], [])
            line = found[2]
        current.append(line)
    return Given("\n".join(chief).strip(), {name: "\n".join(lines) for name, lines in fields.items()})
