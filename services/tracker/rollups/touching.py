"""Which words of a test's name the paths of its own files have in them."""

import re

MOST = 8
_NAMED = re.compile(r"[\w.\-]+\.[A-Za-z]{1,5}(?=$|[^\w.])")
_PARTS = re.compile(r"[A-Za-z0-9_\-]{4,}")
# Words that half of all paths have.
_COMMON = frozenset("test tests spec specs unit integration case cases main source lib internal crates core".split())  # noqa: SIM905


def name_parts(test_name: str) -> list[str]:
    """The file that the name gives; else its longer words, first ones first. Empty where it has none that would tell."""
    named = _NAMED.search(test_name)
    if named:
        return [named[0]]
    return [part for part in dict.fromkeys(_PARTS.findall(test_name)) if part.casefold() not in _COMMON][:MOST]
