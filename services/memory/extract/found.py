"""What extraction finds: a memory in the making, with the observations that it was found in."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

DISCOVERY, PATTERN, PREFERENCE, DECISION, SUMMARY = "discovery", "pattern", "preference", "decision", "summary"
MOST_EVIDENCE = 20
PREFIX = "extracted/"


@dataclass(frozen=True, slots=True)
class Found:
    """`topic_key` comes from what the memory is about, so that the same observations give the same memory.

    `observed_at` (RFC 3339) is when the last of the evidence was seen.
    """

    type: str
    title: str
    content: str
    topic_key: str
    evidence: tuple[str, ...]
    observed_at: str


def topic(kind: str, *parts: str) -> str:
    """`extracted/<kind>/<16 hexadecimal digits>` of the parts, each hashed with its length before it."""
    sha = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        sha.update(b"%d:" % len(data))
        sha.update(data)
    return f"{PREFIX}{kind}/{sha.hexdigest()[:16]}"


def evidence(keys: Sequence[str]) -> tuple[str, ...]:
    """The keys, each once, at most MOST_EVIDENCE: a reader is to look them up, not to be flooded."""
    return tuple(dict.fromkeys(keys))[:MOST_EVIDENCE]


def line(text: str, most: int) -> str:
    """The text in one line of at most `most` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"
