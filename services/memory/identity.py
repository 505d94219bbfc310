"""Names that are computed, never drawn: two processes that store the same thing give it the same name.

Every part is hashed with its length before it, so that no two lists of parts give the same bytes.
"""

import hashlib
from typing import NamedTuple

ID_BITS = 53  # what a double, and so JSON in a browser, holds exactly
LAST_ID = (1 << ID_BITS) - 1


class Scope(NamedTuple):
    """Whose memories: every read and write is held to it. user_id `-` is the namespace's shared memory."""

    org: str
    namespace: str
    user_id: str


class Key(NamedTuple):
    """What makes two saves concern one memory: its topic key, or without one its kind and text.

    `topic_key` is empty for none; `type` and `content_hash` are empty where there is one.
    """

    topic_key: str
    type: str = ""
    content_hash: str = ""


def key_of(topic_key: str, type_: str, content_hash: str) -> Key:
    """The key of a text."""
    return Key(topic_key) if topic_key else Key("", type_, content_hash)


def content_hash(content: str) -> str:
    """SHA-256 in hex of a content from which private text is gone."""
    return hashlib.sha256(_utf8(content)).hexdigest()


def lookup(key: Key) -> int:
    """64 bits of the key, to find rows by. Rows that it finds must still be compared with the key."""
    return _number("lookup", 64, *key)


def memory_id(scope: Scope, key: Key, nth: int) -> int:
    """Id of the nth memory (from 0) that a user begins with this key: 1 to 2^53 - 1.

    A second one begins when the first is deleted, or has been given another text by its id.
    """
    return _number("memory", ID_BITS, *scope, *key, str(nth)) or 1


def revision_id(memory: int, replaced: int, hashed: str, type_: str, title: str, said_at: str) -> int:
    """64 bits that name one text of a memory: the same save sent twice gives the same, a text that returns does not.

    `replaced` is the revision that was current before (0 for none); `said_at` is empty where the caller gave none.
    """
    return _number("revision", 64, str(memory), str(replaced), hashed, type_, title, said_at)


def session_id(scope: Scope, previous: str) -> str:
    """Name of the session that follows on `previous` (empty for a user's first): 32 hexadecimal digits."""
    return _digest("session", *scope, previous)[:32]


def _number(purpose: str, bits: int, *parts: str) -> int:
    return int(_digest(purpose, *parts)[:16], 16) >> (64 - bits)


def _digest(purpose: str, *parts: str) -> str:
    sha = hashlib.sha256(f"loom.memory.{purpose}.1".encode())
    for part in map(_utf8, parts):
        sha.update(b"%d:" % len(part))
        sha.update(part)
    return sha.hexdigest()


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
