"""Hashes that name an observation and its content.

Every part is hashed with its length before it, so that no two lists of parts give the same bytes: ("ab", "c") and
("a", "bc") differ, and so do an empty part and a missing one.
"""

import hashlib
from collections.abc import Iterable, Sequence

KEY_DIGITS = 24


def memory_key(
    org: str,
    namespace: str,
    agent: str,
    user_id: str,
    session_id: str,
    run_id: str,
    tool_name: str,
    canonical_input: bytes,
    canonical_output: bytes,
    error: str,
    observed_at: str,
) -> str:
    """`obs:<session_id>:<first 24 hex digits of SHA-256>`, the same for the same call sent again.

    `canonical_input` and `canonical_output` are JSON with sorted keys and without blanks; `observed_at` is the text
    that the caller sent, not the instant it stands for.
    """
    texts = (org, namespace, agent, user_id, session_id, run_id, tool_name, error, observed_at)
    digest = _digest("loom.observe.key.1", (*map(_utf8, texts), canonical_input, canonical_output))
    return f"obs:{session_id}:{digest[:KEY_DIGITS]}"


def content_sha256(kind: str, tool_name: str, narrative: str, file_paths: Sequence[str], error: str) -> str:
    """SHA-256 in hex of what is stored of a call."""
    return _digest("loom.observe.content.1", map(_utf8, (kind, tool_name, narrative, error, *file_paths)))


def _digest(purpose: str, parts: Iterable[bytes]) -> str:
    pieces = [purpose.encode()]
    for part in parts:
        pieces += (b"%d:" % len(part), part)
    return hashlib.sha256(b"".join(pieces)).hexdigest()


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
