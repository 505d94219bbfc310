"""Checks an expression of a mapping and writes it anew.

What goes into a statement is never the text that somebody sent. The text is parsed, every node of the tree must be on
the list below, and the SQL is written from the tree by this module: literals are escaped here, identifiers are quoted
here, columns are qualified with the one table that the mapping reads, and functions carry the names of the allow-list.
So it does not matter where sqlglot and ClickHouse would disagree about comments, quotes or keywords: ClickHouse reads
what was written here.
"""

from services.tracker.mapping.dialect import parsed
from services.tracker.mapping.model import Expression
from services.tracker.mapping.problems import ExpressionError
from services.tracker.mapping.writer import Writer


def expression(text: str) -> Expression:
    """The checked expression of a text. Raises ExpressionError with a reason and a fix, and never with the text."""
    tree = parsed(text)
    writer = Writer()
    try:
        return Expression(writer.write(tree), frozenset(writer.names))
    except RecursionError:
        raise ExpressionError("is nested too deeply", "shorten it, or offer a view") from None
