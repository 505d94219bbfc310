"""Names and texts as ClickHouse reads them back.

Everything that could mean something to a reader other than ClickHouse's own lexer is written as an escape: clients look
for parameters (`%(x)s`, `{x:String}`), comments and quotes in statements with patterns of their own, and must find none.
"""

import re

_LOUD = re.compile(r"[\x00-\x1f\x7f\\'\"`{}%;#$?@]|--|/\*|\*/")


def quoted(name: str) -> str:
    """An identifier, in backticks."""
    return f"`{_quiet(name)}`"


def string(text: str) -> str:
    """A string, in single quotes."""
    return f"'{_quiet(text)}'"


def _quiet(text: str) -> str:
    return _LOUD.sub(lambda found: "".join(f"\\x{ord(character):02X}" for character in found[0]), text)
