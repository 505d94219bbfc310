"""The SELECT that reads a table of the contract out of a source: the contract's names, and one type per family.

A column whose type is the canonical one already is passed through untouched, so that the source's primary key and
indexes serve the conditions that stand outside. Expressions and the mapping's own condition stand inside; whoever reads
puts the namespace's conditions around this text, never into it.
"""

from collections.abc import Mapping as Dict
from collections.abc import Sequence
from types import MappingProxyType

from services.tracker.contract.binding import Binding, Bound
from services.tracker.contract.families import CANONICAL, Family
from services.tracker.contract.quoting import quoted
from services.tracker.contract.tables import TABLES
from services.tracker.mapping.casting import cast
from services.tracker.mapping.model import SOURCE, Expression, Mapping, SourceTable

# What is cut off free text unless a read asks for something else, in bytes.
CLIP_BYTES: Dict[str, int] = MappingProxyType(
    {"title": 2 * 1024, "body": 64 * 1024, "text": 64 * 1024, "diff": 256 * 1024, "notes": 16 * 1024}
)
_ARRAYS = frozenset({Family.STRINGS, Family.INTEGERS, Family.REFERENCES, Family.VERSIONS})
_CLIPPED = _ARRAYS | {Family.STRING, Family.LABEL}


def relation(binding: Binding, columns: Sequence[str] | None = None, clip: Dict[str, int] | None = None) -> str:
    """A SELECT of the table's columns, all of them or the ones that are asked for.

    Types are Int64, Float64, UInt8, String, DateTime64(3, 'UTC'), Array(String) or Array(Int64), the scalar ones
    Nullable where the source's are. `clip` cuts a text at so many bytes and an array at so many elements, makes the
    text valid UTF-8, and adds a column `<name>_cut` that is 1 where something was cut.

    Raises ValueError for no columns, a column that the binding does not have, and a clip of another family.
    """
    names = list(dict.fromkeys(binding.columns if columns is None else columns))
    if not names:
        raise ValueError("a relation needs a column at least")
    selected = [part for name in names for part in _selected(binding, name, (clip or {}).get(name))]
    return f"SELECT {', '.join(selected)} FROM {_from(binding.source, binding.where)}"


def probes(mapping: Mapping) -> dict[str, str]:
    """Contract table -> a SELECT to DESCRIBE, for the types of its expressions under their contract names.

    Tables without expressions are left out. Where a table has only a condition the SELECT has one column of no meaning;
    describing it shows whether the source takes the condition.
    """
    found: dict[str, str] = {}
    for table, mapped in mapping.tables.items():
        parts = {name: origin.sql for name, origin in mapped.columns.items() if isinstance(origin, Expression)}
        if parts or mapped.where:
            columns = ", ".join(f"{sql} AS {quoted(name)}" for name, sql in parts.items()) or "1 AS `_none`"
            found[table] = f"SELECT {columns} FROM {_from(mapped.source, mapped.where)}"
    return found


def table_name(source: SourceTable) -> str:
    """The table as SQL."""
    return quoted(source.name) if source.database is None else f"{quoted(source.database)}.{quoted(source.name)}"


def _from(source: SourceTable, where: Expression | None) -> str:
    return f"{table_name(source)} AS {SOURCE}" + (f" WHERE {where.sql}" if where else "")


def _selected(binding: Binding, name: str, limit: int | None) -> list[str]:
    bound = binding.columns.get(name)
    if bound is None:
        raise ValueError("the table does not offer a column that is asked for")
    family = TABLES[binding.table].columns[name].family
    value = _value(binding, bound, family)
    if limit is None:
        return [f"{value} AS {quoted(name)}"]
    if family not in _CLIPPED or limit < 1:
        raise ValueError("only texts and arrays can be clipped, to 1 or more")
    kept = _first(value, limit) if family in _ARRAYS else _cut(value, limit)
    return [f"{kept} AS {quoted(name)}", f"ifNull(length({value}) > {limit}, 0) AS {quoted(name + '_cut')}"]


def _value(binding: Binding, bound: Bound, family: Family) -> str:
    sql = f"{SOURCE}.{quoted(bound.origin)}" if isinstance(bound.origin, str) else bound.origin.sql
    required = TABLES[binding.table].columns[bound.name].required
    return cast(sql, bound.type, family, CANONICAL[family], required)


def _first(value: str, limit: int) -> str:
    return f"arraySlice({value}, 1, {limit})"


def _cut(value: str, limit: int) -> str:
    """So many bytes of a text, without the half of a character that the cut may leave at its end."""
    kept = f"toValidUTF8(substring({value}, 1, {limit}))"
    whole = f"if(endsWith({kept}, '\ufffd'), substring({kept}, 1, length({kept}) - 3), {kept})"
    return f"if(length({value}) > {limit}, {whole}, {kept})"
