"""Writes the tree of a checked expression as SQL, node by node; a node that is not on the list is refused."""

import re
from collections.abc import Callable, Mapping
from typing import NoReturn

from sqlglot import exp

from services.tracker.contract.quoting import quoted, string
from services.tracker.mapping.dialect import DIALECT
from services.tracker.mapping.functions import FUNCTIONS, INTERVALS
from services.tracker.mapping.model import SOURCE
from services.tracker.mapping.problems import ExpressionError, suggestion
from services.tracker.mapping.types import type_of_text, type_text

DEEPEST = 100
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CONNECTIVES: Mapping[type[exp.Expr], str] = {exp.And: "AND", exp.Or: "OR"}
_OPERATORS: Mapping[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.Mod: "%",
    exp.IntDiv: "DIV",
    exp.DPipe: "||",
    exp.Like: "LIKE",
    exp.ILike: "ILIKE",
}
_TRUTHS = (
    *(exp.And, exp.Or, exp.Not, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE),
    *(exp.Like, exp.ILike, exp.In, exp.Between, exp.Is),
)
_SUMS = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.IntDiv)
_CONSTANTS = (exp.Literal, exp.Null, exp.Boolean, exp.Neg, exp.Tuple, exp.Paren)
# Arguments of nodes that say nothing about meaning here, or that are looked at where they matter.
_HARMLESS = frozenset({"typed", "safe", "nullable", "coalesce", "value_constructor", "is_string", "quoted"})


def _refuse(
    reason: str, fix: str = "use columns, constants, operators and the functions of the documentation"
) -> NoReturn:
    raise ExpressionError(reason, fix)


class Writer:
    """Writes one tree. `names` collects the columns that it reads."""

    def __init__(self) -> None:
        self.names: set[tuple[str, ...]] = set()
        self._variables: dict[str, str] = {}
        self._count = self._depth = 0

    def write(self, node: object) -> str:
        """The node as SQL that can stand anywhere a value can."""
        if not isinstance(node, exp.Expr):
            _refuse("has a part missing")
        how = _WRITERS.get(type(node))
        if how is None:
            _refuse(*_reason(node))
        self._depth += 1
        if self._depth > DEEPEST:
            _refuse(f"is nested more than {DEEPEST} deep", "shorten it, or offer a view")
        written = how(self, node)
        self._depth -= 1
        return written

    def operand(self, node: object) -> str:
        """A node beside an operator that binds tighter than AND, OR and NOT.

        sqlglot and ClickHouse order comparisons, IN, BETWEEN, IS and NOT among each other differently, so these must
        stand in brackets there: what is written then means the same to both, and to people.
        """
        if isinstance(node, _TRUTHS):
            _refuse("mixes comparisons, IN, BETWEEN, IS or NOT with other operators", "put the inner one in brackets")
        return self.write(node)

    def several(self, nodes: list[exp.Expr]) -> str:
        return ", ".join(map(self.write, nodes))

    def literal(self, node: exp.Literal) -> str:
        if node.is_string:
            return string(node.this)
        if not _NUMBER.fullmatch(node.this):
            _refuse("has a number that cannot be read", "write numbers like 12, 1.5 or 1e6")
        return str(node.this)

    def column(self, node: exp.Column) -> str:
        _only(node, "this", "table", "db", "catalog")
        return self._path([node.args[key] for key in ("catalog", "db", "table", "this") if node.args.get(key)])

    def dot(self, node: exp.Dot) -> str:
        """A longer path, or an element of a tuple."""
        _only(node, "this", "expression")
        path: list[exp.Expr] = []
        base: exp.Expr = node
        while isinstance(base, exp.Dot):
            path.insert(0, base.expression)
            base = base.this
        if isinstance(base, exp.Column):
            keys = ("catalog", "db", "table", "this")
            return self._path([*(base.args[key] for key in keys if base.args.get(key)), *path])
        if isinstance(base, exp.Identifier) and base.this in self._variables:
            return self._path([base, *path])
        return self._elements(self.write(base), path)

    def _path(self, parts: list[exp.Expr]) -> str:
        """A column or a variable, the names under it, and elements of a tuple by position at the end."""
        names = [part.this for part in parts if isinstance(part, exp.Identifier)]
        rest = parts[len(names) :]
        odd = any(isinstance(part, exp.Identifier) for part in rest) or not all(map(_plain, parts[: len(names)]))
        if not names or odd:
            _refuse("has a name that cannot be read", "name columns of the table, each in backticks if need be")
        if variable := self._variables.get(names[0]):
            return self._elements(variable, parts[1:])
        self.names.add(tuple(names))
        return self._elements(".".join([SOURCE, *map(quoted, names)]), rest)

    def _elements(self, base: str, path: list[exp.Expr]) -> str:
        for part in path:
            if isinstance(part, exp.Identifier):
                base = f"tupleElement({base}, {string(part.this)})"
            elif isinstance(part, exp.Literal) and not part.is_string and part.this.isdigit():
                base = f"tupleElement({base}, {part.this})"
            else:
                _refuse("takes a part of something that has none", "write tuple.1, tuple.name or column.name")
        return base

    def variable(self, node: exp.Identifier) -> str:
        """sqlglot leaves a bare identifier where a lambda's variable is meant."""
        if node.this not in self._variables:
            _refuse("has a name that cannot be read", "name columns of the table, each in backticks if need be")
        return self._variables[node.this]

    def call(self, node: exp.Anonymous) -> str:
        _only(node, "this", "expressions")
        name = node.this if isinstance(node.this, str) else ""
        known = FUNCTIONS.get(name.lower())
        if known is None:
            _refuse("calls a function that is not allowed", suggestion(name, FUNCTIONS.values(), _ALLOWED))
        arguments = [self._lambda(a) if isinstance(a, exp.Lambda) else self.write(a) for a in node.expressions]
        return f"{known}({', '.join(arguments)})"

    def _lambda(self, node: exp.Lambda) -> str:
        _only(node, "this", "expressions")
        names = [variable.this for variable in node.expressions if isinstance(variable, exp.Identifier)]
        if not names or len(names) != len(node.expressions) or len(set(names)) != len(names):
            _refuse("has a lambda whose variables cannot be read", "write x -> … or (x, y) -> …")
        outer = self._variables
        own = {name: f"_v{self._count + i}" for i, name in enumerate(names)}
        self._count += len(names)
        self._variables = {**outer, **own}
        body = self.write(node.this)
        self._variables = outer
        return f"({', '.join(own.values())}) -> {body}"

    def connective(self, node: exp.Connector) -> str:
        _only(node, "this", "expression")
        return f"({self.write(node.this)} {_CONNECTIVES[type(node)]} {self.write(node.expression)})"

    def operator(self, node: exp.Binary) -> str:
        _only(node, "this", "expression", "negate")
        sides = (node.this, node.expression)
        others = _SUMS if isinstance(node, exp.DPipe) else exp.DPipe if isinstance(node, _SUMS) else ()
        if any(isinstance(side, others) for side in sides):
            _refuse("mixes || with arithmetic", "put the inner one in brackets")
        word = f"NOT {_OPERATORS[type(node)]}" if node.args.get("negate") else _OPERATORS[type(node)]
        return f"({self.operand(node.this)} {word} {self.operand(node.expression)})"

    def negative(self, node: exp.Neg) -> str:
        _only(node, "this")
        return f"(-{self.operand(node.this)})"

    def negated(self, node: exp.Not) -> str:
        _only(node, "this")
        return f"(NOT {self.write(node.this)})"

    def grouped(self, node: exp.Paren) -> str:
        _only(node, "this")
        return f"({self.write(node.this)})"

    def null_test(self, node: exp.Is) -> str:
        _only(node, "this", "expression")
        if not isinstance(node.expression, exp.Null):
            _refuse("tests with IS something else than NULL", "compare with =")
        return f"({self.operand(node.this)} IS NULL)"

    def between(self, node: exp.Between) -> str:
        _only(node, "this", "low", "high")
        low, high = self.operand(node.args["low"]), self.operand(node.args["high"])
        return f"({self.operand(node.this)} BETWEEN {low} AND {high})"

    def membership(self, node: exp.In) -> str:
        """Constants alone on the right: a name there would be that of a table."""
        values = node.expressions
        if not values or any(node.args.get(key) for key in ("query", "field", "unnest")):
            _refuse("uses IN with something else than a list of constants", "write x IN (1, 2), or has(array, x)")
        _only(node, "this", "expressions")
        if any(not isinstance(part, _CONSTANTS) for value in values for part in value.walk()):
            _refuse("uses IN with something else than constants", "write x IN (1, 2), or has([a, b], x)")
        return f"({self.operand(node.this)} IN ({self.several(values)}))"

    def case(self, node: exp.Case) -> str:
        _only(node, "this", "ifs", "default")
        subject = f" {self.write(node.this)}" if node.args.get("this") else ""
        whens = "".join(f" WHEN {self.write(i.this)} THEN {self.write(i.args.get('true'))}" for i in node.args["ifs"])
        otherwise = f" ELSE {self.write(node.args['default'])}" if node.args.get("default") else ""
        return f"(CASE{subject}{whens}{otherwise} END)"

    def choice(self, node: exp.If) -> str:
        _only(node, "this", "true", "false")
        return f"if({self.write(node.this)}, {self.write(node.args.get('true'))}, {self.write(node.args.get('false'))})"

    def array(self, node: exp.Array) -> str:
        _only(node, "expressions")
        return f"[{self.several(node.expressions)}]"

    def group(self, node: exp.Tuple) -> str:
        _only(node, "expressions")
        return f"tuple({self.several(node.expressions)})"

    def element(self, node: exp.Bracket) -> str:
        _only(node, "this", "expressions")
        if len(node.expressions) != 1:
            _refuse("takes an element by more than one index", "write array[1]")
        return f"arrayElement({self.operand(node.this)}, {self.write(node.expressions[0])})"

    def cast(self, node: exp.Cast) -> str:
        _only(node, "this", "to")
        if not isinstance(node.to, exp.DataType):
            _refuse("converts to a type that cannot be read", "write CAST(x AS String)")
        if isinstance(node.this, exp.Literal) and not node.this.is_string:  # ClickHouse converts the text of 1.5::Int64
            _refuse("converts a constant number", "write the constant as it is meant, or use toInt64 and the like")
        return f"CAST({self.operand(node.this)} AS {type_text(node.to)})"

    def cast_by_text(self, node: exp.CastToStrType) -> str:
        _only(node, "this", "to")
        kind = node.args["to"]
        if not (isinstance(kind, exp.Literal) and kind.is_string):
            _refuse("converts to a type that is not a constant", "write CAST(x AS String)")
        return f"CAST({self.write(node.this)} AS {type_of_text(kind.this, DIALECT)})"

    def interval(self, node: exp.Interval) -> str:
        _only(node, "this", "unit")
        name = INTERVALS.get(str(getattr(node.args.get("unit"), "name", "")).upper())
        if name is None:
            _refuse("has an interval whose unit cannot be read", "write INTERVAL 1 DAY, or toIntervalDay(1)")
        value = node.this
        if isinstance(value, exp.Literal) and value.is_string:  # sqlglot makes a string of any number here
            value = exp.Literal.number(value.this)
        return f"{name}({self.write(value)})"


_ALLOWED = "see the documentation for the functions that are; aggregates, and functions that read elsewhere, never are"
_REASONS: tuple[tuple[tuple[type[exp.Expr], ...], str], ...] = (
    ((exp.Query, exp.Subquery, exp.Exists), "holds a sub-query"),
    (
        (exp.AggFunc, exp.Window, exp.Filter, exp.AnonymousAggFunc, exp.ParameterizedAgg),
        "holds an aggregate or a window",
    ),
    ((exp.Alias, exp.Aliases), "names a part of itself with AS, or has words too many"),
    ((exp.Star, exp.Columns, exp.Apply), "stands for several columns"),
    ((exp.Placeholder, exp.Parameter), "holds a parameter"),
    ((exp.Lambda, exp.JSONExtract), "has a lambda outside of a function's arguments"),
)


def _reason(node: exp.Expr) -> tuple[str, str]:
    fix = "use columns, constants, operators and the functions of the documentation"
    return next(
        (reason for kinds, reason in _REASONS if isinstance(node, kinds)), "holds a form that is not allowed"
    ), fix


def _plain(name: exp.Expr) -> bool:
    """Whether ClickHouse, too, takes it for a name: sqlglot does that with typographic quotes and the like."""
    return bool(name.this) if name.args.get("quoted") else bool(_NAME.fullmatch(name.this))


def _only(node: exp.Expr, *arguments: str) -> None:
    """Nothing of a node is dropped silently: arguments that are not written must not be there."""
    if any(value for key, value in node.args.items() if key not in arguments and key not in _HARMLESS):
        _refuse("holds a form that is not allowed")


_WRITERS: Mapping[type[exp.Expr], Callable[[Writer, "exp.Expr"], str]] = {
    **dict.fromkeys(_CONNECTIVES, Writer.connective),
    **dict.fromkeys(_OPERATORS, Writer.operator),
    exp.Literal: Writer.literal,
    exp.Boolean: lambda _, node: "true" if node.this else "false",
    exp.Null: lambda *_: "NULL",
    exp.Column: Writer.column,
    exp.Dot: Writer.dot,
    exp.Identifier: Writer.variable,
    exp.Anonymous: Writer.call,
    exp.Neg: Writer.negative,
    exp.Not: Writer.negated,
    exp.Paren: Writer.grouped,
    exp.Is: Writer.null_test,
    exp.Between: Writer.between,
    exp.In: Writer.membership,
    exp.Case: Writer.case,
    exp.If: Writer.choice,
    exp.Array: Writer.array,
    exp.Tuple: Writer.group,
    exp.Bracket: Writer.element,
    exp.Cast: Writer.cast,
    exp.CastToStrType: Writer.cast_by_text,
    exp.Interval: Writer.interval,
}  # type: ignore[assignment]
