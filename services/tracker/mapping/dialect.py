"""ClickHouse's expressions as sqlglot reads them, with every function kept under the name that was written."""

import logging
import re

from sqlglot import exp
from sqlglot.dialects.clickhouse import ClickHouse
from sqlglot.errors import ErrorLevel, ParseError, SqlglotError
from sqlglot.parsers.clickhouse import ClickHouseParser
from sqlglot.tokens import Token, TokenType

from services.tracker.mapping.problems import ExpressionError

logging.getLogger("sqlglot").disabled = True  # its warnings quote the text, which no log line of ours may
MOST_CHARACTERS = 8000
MOST_TOKENS = 2000
DEEPEST_BRACKETS = 24
MOST_INDEXES = 64  # sqlglot reads a chain of them in cubic time

# sqlglot and ClickHouse read these differently: bytes beyond ASCII, and what is no hexadecimal number at all.
_ODD_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\x(?![0-7][0-9a-fA-F])")

_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}
_ONE = "write one ClickHouse expression over the columns of the table"
_SHORTER = "shorten it, or offer a view"


class _Parser(ClickHouseParser):
    """sqlglot rewrites the functions that it knows for other dialects; here none is known, so all stay as written."""

    FUNCTIONS = {}  # noqa: RUF012
    FUNCTION_PARSERS = {"CAST": ClickHouseParser.FUNCTION_PARSERS["CAST"]}  # noqa: RUF012
    NO_PAREN_FUNCTIONS = {}  # noqa: RUF012
    NO_PAREN_FUNCTION_PARSERS = {"CASE": ClickHouseParser.NO_PAREN_FUNCTION_PARSERS["CASE"]}  # noqa: RUF012


class _Expressions(ClickHouse):
    """Arrays are indexed as written."""

    INDEX_OFFSET = 0
    Parser = _Parser


DIALECT = _Expressions()


def parsed(text: str) -> exp.Expr:
    """The tree of exactly one expression. Raises ExpressionError."""
    _assure_size(text)
    try:
        tokens = DIALECT.tokenize(text)
        _assure_plain(tokens)
        parser = _Parser(error_level=ErrorLevel.RAISE, dialect=DIALECT)
        trees = parser.parse_into(exp.Expr, tokens, text)
    except ParseError as error:
        at = error.errors[0].get("col") if error.errors else None
        where = f" (at character {at})" if at else ""
        raise ExpressionError(f"does not read as one expression{where}", _ONE) from None
    except SqlglotError:
        raise ExpressionError("has a quote that is not closed, or a character that cannot stand there", _ONE) from None
    except RecursionError:
        raise ExpressionError("is nested too deeply", _SHORTER) from None
    except (
        Exception
    ):  # sqlglot stumbles over some broken texts (an AttributeError of None, say) instead of refusing them
        raise ExpressionError("does not read as one expression", _ONE) from None
    if len(trees) != 1 or trees[0] is None:
        raise ExpressionError("does not read as one expression", _ONE)
    return trees[0]


def _assure_size(text: str) -> None:
    if not text.strip():
        raise ExpressionError("is empty", _ONE)
    if len(text) > MOST_CHARACTERS:
        raise ExpressionError(f"is longer than {MOST_CHARACTERS} characters", _SHORTER)
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise ExpressionError("is not valid Unicode text", "write it in UTF-8")
    if "\x00" in text:
        raise ExpressionError("holds a NUL character", "take it out")
    if _ODD_ESCAPE.search(text):
        raise ExpressionError(
            "holds an escape that starts with \\x and is not one of ASCII", "write the character itself"
        )


def _assure_plain(tokens: list[Token]) -> None:
    """No comments, no heredocs, and no more of everything than the parser reads quickly."""
    if not tokens:
        raise ExpressionError("holds nothing but a comment", _ONE)
    if any(token.comments for token in tokens):
        raise ExpressionError("holds a comment", "take the comment out")
    if any(token.token_type in (TokenType.HEREDOC_STRING, TokenType.RAW_STRING) for token in tokens):
        raise ExpressionError("holds a string in dollar signs", "put strings in single quotes")
    depth = deepest = indexes = 0
    for token in tokens:
        depth += (token.token_type in _OPENING) - (token.token_type in _CLOSING)
        deepest = max(deepest, depth)
        indexes += token.token_type is TokenType.L_BRACKET
    if len(tokens) > MOST_TOKENS or indexes > MOST_INDEXES:
        raise ExpressionError("has too many parts", _SHORTER)
    if deepest > DEEPEST_BRACKETS:
        raise ExpressionError(f"has brackets nested more than {DEEPEST_BRACKETS} deep", _SHORTER)
