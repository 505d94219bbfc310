"""A block of text for a prompt: the last summaries and the top memories, within a budget of characters."""

from collections.abc import Sequence
from dataclasses import dataclass

import regex

SESSIONS_HEADING = "## Last sessions"
MEMORIES_HEADING = "## What is remembered"
ELLIPSIS = "…"
# Summaries may take this share of the budget, so that they never crowd the memories out.
SUMMARIES_SHARE = 0.3
# A line that would be cut shorter than this is left out.
LEAST_CHARS = 40
MOST_LINE_CHARS = 1_000
_BLANKS = regex.compile(r"\s+")
_GRAPHEME = regex.compile(r"\X")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the block: what leads it, its title if it has one, and what may be cut."""

    lead: str
    body: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """`used` counts the memories in the text; `truncated` says that something was cut or left out."""

    text: str
    used: int
    truncated: bool


def block(summaries: Sequence[Entry], memories: Sequence[Entry], budget: int) -> Block:
    """The text has at most `budget` characters (code points). Entries come best first and are left out from the end."""
    share = int(budget * SUMMARIES_SHARE) if memories else budget
    first, kept, cut = _section(SESSIONS_HEADING, summaries, share)
    truncated = cut or kept < len(summaries)
    gap = "\n\n" if first else ""
    second, used, cut = _section(MEMORIES_HEADING, memories, budget - len(first) - len(gap))
    truncated = truncated or cut or used < len(memories)
    return Block(first + gap + second if second else first, used, truncated)


def _section(heading: str, entries: Sequence[Entry], room: int) -> tuple[str, int, bool]:
    """The section, the number of entries in it, and whether one was cut. Empty where not even one fits."""
    lines, left, cut = [heading], room - len(heading), False
    for entry in entries:
        line = _line(entry, min(left - 1, MOST_LINE_CHARS))
        if not line:
            break
        lines.append(line)
        left -= len(line) + 1
        cut = cut or (line.endswith(ELLIPSIS) and not entry.body.endswith(ELLIPSIS))
    return ("\n".join(lines), len(lines) - 1, cut) if len(lines) > 1 else ("", 0, False)


def _said(entry: Entry) -> str:
    """A body that begins with its title says the title already, and characters of a prompt are dear."""
    title = entry.title.removesuffix("...").rstrip()
    if title and entry.body.lstrip().startswith(title):
        return f"- {entry.lead}: {entry.body}"
    return f"- {entry.lead} {entry.title}: {entry.body}" if entry.title else f"- {entry.lead}: {entry.body}"


def _line(entry: Entry, room: int) -> str:
    """`- lead title: body` in one line, so that no stored text can pose as a heading; empty where there is no room."""
    text = _BLANKS.sub(" ", _said(entry)).strip()
    if len(text) <= room:
        return text
    return cut_at(text, room) if room >= max(LEAST_CHARS, len(entry.lead) + len(entry.title) + 8) else ""


def cut_at(text: str, most: int) -> str:
    """At most `most` characters, ending with `…`, cut between what a reader sees as characters."""
    if len(text) <= most:
        return text
    end = 0
    for match in _GRAPHEME.finditer(text, endpos=most + 32):
        if match.end() > most - len(ELLIPSIS):
            break
        end = match.end()
    return text[:end].rstrip() + ELLIPSIS
