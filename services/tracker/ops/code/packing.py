"""Fits sections of text into a budget of characters, and says what did not fit."""

from collections.abc import Sequence
from dataclasses import dataclass

# What is left of a section must be worth its heading.
LEAST = 120
MARK = "… cut here: {lines} lines more"


@dataclass(frozen=True, slots=True)
class Section:
    """`text` is Markdown without its heading; its lines can be cut off at the end."""

    name: str
    heading: str
    text: str


@dataclass(slots=True)
class Placed:
    name: str
    chars: int
    clipped: bool


def pack(sections: Sequence[Section], most: int) -> tuple[str, list[Placed], list[str]]:
    """The text, its sections and what was left out. The first sections are the ones that matter most."""
    parts: list[str] = []
    placed: list[Placed] = []
    left_out: list[str] = []
    room = most
    for section in sections:
        if not section.text.strip():
            continue
        whole = f"## {section.heading}\n{section.text.strip()}\n"
        gap = 1 if parts else 0
        text, lines = (whole, 0) if len(whole) + gap <= room else _cut(whole, room - gap)
        if not text:
            left_out.append(f"{section.name}: no room, {len(whole)} characters")
            continue
        if lines:
            left_out.append(f"{section.name}: its last {lines} lines, no room")
        parts.append(text)
        placed.append(Placed(section.name, len(text), bool(lines)))
        room -= len(text) + gap
    return "\n".join(parts), placed, left_out


def _cut(whole: str, room: int) -> tuple[str, int]:
    """As many whole lines as fit beside the mark, and how many do not; no text where that is not worth it."""
    lines = whole.rstrip("\n").split("\n")
    mark = MARK.format(lines=len(lines))
    kept: list[str] = []
    used = len(mark) + 1
    for line in lines:
        if used + len(line) + 1 > room:
            break
        kept.append(line)
        used += len(line) + 1
    if len(kept) < 2 or used - len(mark) < LEAST:
        return "", 0
    missing = len(lines) - len(kept)
    return "\n".join([*kept, MARK.format(lines=missing)]) + "\n", missing
