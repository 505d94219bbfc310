"""Reads the labelled set: memories of three users in sessions, and questions with the ids that answer them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

FOLDER = Path(__file__).parent
USERS = ("home", "work", "chat")


@dataclass(frozen=True, slots=True)
class Item:
    """One memory; `said_at` counts up by half a minute within its session."""

    label: str
    session: str
    said_at: datetime
    kind: str
    title: str
    content: str


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a user; no gold labels means that nothing stored answers it."""

    user: str
    kind: str
    text: str
    gold: frozenset[str]


def load(user: str) -> list[Item]:
    """The memories of `user`, in the order in which they were said."""
    items: list[Item] = []
    session, at = "", datetime.min
    for line in _lines(f"{user}.txt"):
        if line.startswith("== "):
            session, start = line[3:].split()
            at = datetime.fromisoformat(start)
            continue
        label, kind, title, content = (part.strip() for part in line.split(" | ", 3))
        items.append(Item(label, session, at, kind, title, content))
        at += timedelta(seconds=30)
    return items


def questions() -> list[Question]:
    """Every question."""
    found = []
    for line in _lines("questions.txt"):
        user, kind, text, gold = (part.strip() for part in line.split("|"))
        found.append(Question(user, kind, text, frozenset(gold.split())))
    return found


def _lines(name: str) -> list[str]:
    text = FOLDER.joinpath(name).read_text("utf-8")
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
