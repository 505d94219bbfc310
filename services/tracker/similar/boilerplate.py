"""Lines that many reports share (templates, device lists, banners) tell nothing and are left out.

A line is compared by what remains when spaces, case and digits are levelled, so that `SDK version: 9.0.1` and
`SDK version: 9.0.2` are one line.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache

SHARED_BY = 10
_LONGEST_LINE = 400
_VECTOR_EXAMINED, _VECTOR_CHARS = 8_000, 1_200
_DIGITS = re.compile(r"\d+")


def line_keys(text: str) -> dict[str, str]:
    """Key by line of `text`, for lines that say anything. Keys are 16 hexadecimal digits."""
    return {line: key for line in dict.fromkeys(text.splitlines()) if (key := _key(line))}


def without_boilerplate(text: str, reports: Mapping[str, int], *, shared_by: int = SHARED_BY) -> str:
    """`text` without the lines that at least `shared_by` reports have; `reports` counts them by key."""
    if not reports:
        return text
    keys = line_keys(text)
    return "\n".join(line for line in text.splitlines() if line in keys and reports.get(keys[line], 0) < shared_by)


def vector_text(title: str, body: str, reports: Mapping[str, int]) -> str:
    """What a vector of a report is made of: its title and the beginning of its body without shared lines.

    About 64 word pieces of it are enough for an issue (all-MiniLM-L6-v2), and cost a quarter of its whole text.
    """
    kept = without_boilerplate(body[:_VECTOR_EXAMINED], reports)
    return f"{title}\n{kept}"[:_VECTOR_CHARS]


@lru_cache(maxsize=1 << 15)
def _key(line: str) -> str:
    line = line[:_LONGEST_LINE]
    masked = _DIGITS.sub("0", " ".join(line.split()).casefold())
    if not any(char.isalnum() for char in masked):
        return ""
    return hashlib.blake2b(masked.encode("utf-8", "replace"), digest_size=8).hexdigest()
