"""The only source of random ids, so that tests can fix them."""

import re
import secrets

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def new_id() -> str:
    """32 hexadecimal digits from the system's generator."""
    return secrets.token_hex(16)


def request_id(given: str | None) -> str:
    """The caller's id where it is one (1 to 64 of letters, digits, `.`, `_`, `-`), else a new one."""
    return given if given and REQUEST_ID.fullmatch(given) else new_id()


def fraction() -> float:
    """A number from 0 (included) to 1 (excluded), for jitter."""
    return secrets.randbelow(1 << 53) / (1 << 53)


def secret() -> str:
    """64 hexadecimal digits, for a key that processes share."""
    return secrets.token_hex(32)
