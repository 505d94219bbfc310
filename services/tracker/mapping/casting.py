"""A value of any type that a family takes, as the family's canonical type."""

from services.tracker.contract.families import Family, Shape, shape

# ClickHouse's CAST keeps the order of these (UInt64 beyond Int64 turns negative), so a primary key still serves; it would
# fold the wider ones onto numbers that mean something.
_WIDE = frozenset({"Int128", "Int256", "UInt128", "UInt256"})
_OUT_OF_RANGE = "-1"  # no number of an item, a run or an attempt


def cast(sql: str, found: str, family: Family, canonical: str, required: bool) -> str:
    """The value as `canonical`, or Nullable of it where the source's type is; as it is where nothing is to do.

    A whole number that Int64 does not hold becomes a negative one. NULLs in arrays are left out. `found` is empty for an
    expression whose type is not known.
    """
    if found == canonical or found == f"Nullable({canonical})":
        return sql
    kind = shape(found) if found else None
    if kind is None:
        return _unknown(sql, family, canonical, required)
    if kind.array:
        return _array(sql, kind, canonical)
    return _scalar(sql, kind, family, f"Nullable({canonical})" if kind.nullable else canonical)


def _unknown(sql: str, family: Family, canonical: str, required: bool) -> str:
    if family is Family.FLAG:
        return _flag(sql)
    target = canonical if required or canonical.startswith("Array") else f"Nullable({canonical})"
    return f"CAST({sql} AS {target})"


def _scalar(sql: str, kind: Shape, family: Family, target: str) -> str:
    if family is Family.FLAG:
        return sql if kind.base == "UInt8" else _flag(sql)
    if family is Family.VERSIONS:
        text = f"ifNull(CAST({sql} AS Nullable(String)), '')"
        return f"arrayFilter(_v -> notEmpty(_v), [{text}])"
    if family is Family.INTEGER and kind.base in _WIDE:
        return _whole(sql, kind.nullable)
    return f"CAST({sql} AS {target})"


def _flag(sql: str) -> str:
    """Any number but 0 is yes: 256 is not 0, though a cast to UInt8 would make it so."""
    return f"({sql} != 0)"


def _whole(sql: str, nullable: bool) -> str:
    if nullable:
        return f"if({sql} IS NULL, NULL, {_whole(sql, nullable=False)})"
    return f"accurateCastOrDefault({sql}, 'Int64', toInt64({_OUT_OF_RANGE}))"


def _array(sql: str, kind: Shape, canonical: str) -> str:
    if kind.nullable_elements:
        sql = f"arrayFilter(_v -> _v IS NOT NULL, {sql})"
    if canonical == "Array(Int64)" and kind.base in _WIDE:
        return (
            f"arrayMap(_v -> {_whole('assumeNotNull(_v)' if kind.nullable_elements else '_v', nullable=False)}, {sql})"
        )
    return f"CAST({sql} AS {canonical})"
