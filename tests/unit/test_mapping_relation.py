"""What is read through a relation, on a real engine: the contract's names and one type per family."""

from datetime import UTC, datetime
from typing import Any

import pytest

from runtime.store import Store
from services.tracker.contract.families import CANONICAL
from services.tracker.contract.tables import TABLES
from services.tracker.contract.verdict import Verdict, judge
from services.tracker.mapping.model import EMPTY, Mapping
from services.tracker.mapping.parse import parse
from services.tracker.mapping.relation import CLIP_BYTES, probes, relation
from tests.support.record_engine import described, record_engine

ITEM = {
    "source_id": "String",
    "number": "Int64",
    "title": "String",
    "body": "String",
    "state": "String",
    "created_at": "DateTime64(3, 'UTC')",
    "updated_at": "DateTime64(3, 'UTC')",
    "is_private": "UInt8",
}
VALUES = {
    "source_id": "'Org/repo#7'",
    "number": "7",
    "title": "'Title'",
    "body": "'Body'",
    "state": "'open'",
    "created_at": "'2024-01-02 03:04:05'",
    "updated_at": "'2024-01-02 03:04:05'",
    "is_private": "0",
}
NOON = datetime(2024, 6, 1, 12, 0, 0, tzinfo=UTC)


def create(table: str, columns: dict[str, str], order: str = "tuple()") -> str:
    listed = ", ".join(f"`{name}` {kind}" for name, kind in columns.items())
    return f"CREATE TABLE {table} ({listed}) ENGINE = MergeTree ORDER BY {order} SETTINGS allow_nullable_key = 1"


def insert(table: str, **values: str) -> str:
    return f"INSERT INTO {table} (`{'`, `'.join(values)}`) VALUES ({', '.join(values.values())})"


async def judged(store: Store, mapping: Mapping = EMPTY) -> Verdict:
    """The verdict over the tables that are there, with the types of the mapping's expressions."""
    rows = await store.query("SELECT name FROM system.tables WHERE database = 'loom'")
    found = await described(store, *(f"`{row['name']}`" for row in rows))
    types = {}
    for table, select in probes(mapping).items():
        columns = await store.query(f"DESCRIBE TABLE ({select})")
        types[table] = {row["name"]: row["type"] for row in columns}
    return judge(found, mapping, types)


async def read(store: Store, verdict: Verdict, table: str, *columns: str, **options: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in await store.query(relation(verdict.bindings[table], columns or None, **options))]


VARIANTS: list[tuple[str, str, str, Any]] = [
    ("comments", "UInt8", "7", 7),
    ("comments", "Nullable(Int16)", "NULL", None),
    ("comments", "UInt64", "9007199254740993", 9007199254740993),
    ("comments", "UInt64", "18446744073709551615", -1),
    ("comments", "Nullable(UInt256)", "36893488147419103239", -1),
    ("comments", "Int128", "12", 12),
    ("author", "LowCardinality(Nullable(String))", "'ann'", "ann"),
    ("author", "LowCardinality(Nullable(String))", "NULL", None),
    ("author", "FixedString(6)", "'ann'", "ann"),
    ("author", "Enum8('ann' = 1, 'bob' = 2)", "'bob'", "bob"),
    ("author", "Nullable(Enum16('it''s (x), ' = 300))", "'it''s (x), '", "it's (x), "),
    ("severity", "UInt8", "2", "2"),
    ("severity", "Nullable(Float32)", "1.5", "1.5"),
    ("severity", "UUID", "'00000000-0000-0000-0000-000000000001'", "00000000-0000-0000-0000-000000000001"),
    ("closed_at", "DateTime('Europe/Berlin')", "'2024-06-01 14:00:00'", NOON),
    (
        "closed_at",
        "Nullable(DateTime64(9, 'Asia/Tokyo'))",
        "'2024-06-01 21:00:00.123456789'",
        NOON.replace(microsecond=123000),
    ),
    ("closed_at", "Nullable(DateTime)", "NULL", None),
    ("closed_at", "DateTime64(0, 'UTC')", "'2024-06-01 12:00:00'", NOON),
    ("labels", "Array(LowCardinality(String))", "['a', 'b']", ["a", "b"]),
    ("labels", "Array(Nullable(String))", "['a', NULL]", ["a"]),
    ("labels", "Array(Enum8('a' = 1))", "['a']", ["a"]),
    ("labels", "Array(FixedString(3))", "['a']", ["a"]),
    ("fixed_by", "Array(UInt16)", "[1, 2]", [1, 2]),
    ("fixed_by", "Array(Nullable(UInt64))", "[1, NULL]", [1]),
    ("fixed_by", "Array(Nullable(UInt128))", "[1, NULL, 36893488147419103239]", [1, -1]),
    ("mentions", "Array(UInt32)", "[4, 5]", ["4", "5"]),
    ("mentions", "Array(String)", "['#4']", ["#4"]),
    ("triage_clean_on", "String", "'v1'", ["v1"]),
    ("triage_clean_on", "LowCardinality(Nullable(String))", "NULL", []),
    ("triage_clean_on", "String", "''", []),
    ("triage_clean_on", "Array(Nullable(String))", "['v1', NULL]", ["v1"]),
]


async def test_every_variant_of_a_type_is_read_as_the_familys_one() -> None:
    columns = {f"c{i}": kind for i, (_, kind, _, _) in enumerate(VARIANTS)}
    values = {f"c{i}": value for i, (_, _, value, _) in enumerate(VARIANTS)}
    async with record_engine(create("t", {**ITEM, **columns}), insert("t", **VALUES, **values)) as store:
        for i, (column, kind, _, expected) in enumerate(VARIANTS):
            mapping = parse({"tables": {"github_issues": {"from": "t", "columns": {column: f"c{i}"}}}})
            verdict = await judged(store, mapping)
            assert verdict.has("github_issues", f"github_issues.{column}"), kind
            select = relation(verdict.bindings["github_issues"], [column])
            (row,) = await store.query(select)
            assert row[column] == expected, kind
            (shape,) = await store.query(f"DESCRIBE TABLE ({select})")
            canonical = CANONICAL[TABLES["github_issues"].columns[column].family]
            assert shape["type"] in (canonical, f"Nullable({canonical})"), kind


@pytest.mark.parametrize(
    ("kind", "value", "private"),
    [
        ("UInt8", "0", 0),
        ("Bool", "true", 1),
        ("Int32", "256", 1),
        ("UInt64", "0", 0),
        ("Int8", "-1", 1),
        ("UInt8", "2", 2),
    ],
)
async def test_a_row_is_public_only_where_the_flag_is_zero(kind: str, value: str, private: int) -> None:
    tables = (
        create("github_issues", {**ITEM, "is_private": kind}),
        insert("github_issues", **{**VALUES, "is_private": value}),
    )
    async with record_engine(*tables) as store:
        select = relation((await judged(store)).bindings["github_issues"], ["number", "is_private"])
        assert [row["is_private"] for row in await store.query(select)] == [private]
        assert len(await store.query(f"SELECT number FROM ({select}) WHERE is_private = 0")) == (private == 0)


async def test_a_flag_that_is_null_is_not_public() -> None:
    tables = (
        create("releases", {"version": "String", "confidential": "Nullable(Int16)"}),
        "INSERT INTO releases VALUES ('1', NULL), ('2', 0), ('3', 256)",
    )
    async with record_engine(*tables) as store:
        select = relation((await judged(store)).bindings["releases"])
        assert [row["version"] for row in await store.query(f"SELECT * FROM ({select}) WHERE is_private = 0")] == ["2"]


async def test_columns_of_the_canonical_type_are_passed_through_untouched() -> None:
    async with record_engine(
        create("github_issues", {**ITEM, "labels": "Array(String)", "author": "Nullable(String)"})
    ) as store:
        select = relation((await judged(store)).bindings["github_issues"], ["number", "labels", "author"])
    assert select == (
        "SELECT _loom_source.`number` AS `number`, _loom_source.`labels` AS `labels`, _loom_source.`author` AS `author` "
        "FROM `github_issues` AS _loom_source"
    )


@pytest.mark.parametrize(
    ("column", "kind", "filled", "condition"),
    [
        ("number", "UInt32", "number", "number = 5"),
        ("number", "UInt64", "number", "number IN (5, 6)"),
        (
            "source_id",
            "LowCardinality(String)",
            "concat('Org/repo#', toString(number))",
            "startsWith(source_id, 'Org/repo#777')",
        ),
        (
            "created_at",
            "DateTime('Europe/Berlin')",
            "toDateTime(number * 60)",
            "created_at < toDateTime64(600, 3, 'UTC')",
        ),
        (
            "created_at",
            "DateTime64(6, 'UTC')",
            "toDateTime64(number * 60, 6)",
            "created_at < toDateTime64(600, 3, 'UTC')",
        ),
    ],
)
async def test_a_condition_outside_still_uses_the_primary_key(
    column: str, kind: str, filled: str, condition: str
) -> None:
    columns = {**ITEM, column: kind}
    make = create("github_issues", columns, order=column) + ", index_granularity = 64"
    fill = f"INSERT INTO github_issues (`{column}`) SELECT {filled} FROM numbers(20000)"
    async with record_engine(make, fill) as store:
        select = relation((await judged(store)).bindings["github_issues"], [column, "is_private"])
        plan = await store.query(
            f"EXPLAIN indexes = 1 SELECT count() FROM (SELECT * FROM ({select}) WHERE {condition})"
        )
        granules = [
            row["explain"].partition("Granules:")[2]
            for row in plan
            if "Granules:" in row["explain"] and "/" in row["explain"]
        ]
    read_granules, _, of = granules[-1].strip().partition("/")
    assert int(read_granules) < int(of) / 10


async def test_expressions_read_the_sources_columns_and_not_each_others_results() -> None:
    mapping = parse(
        {
            "tables": {
                "github_issues": {
                    "from": "loom.raw",
                    "where": "project = 'CORE' OR 1 = 1",
                    "columns": {
                        "title": {"expr": "concat(title, '/', body)"},
                        "body": {"expr": "concat(body, '/', title)"},
                        "state": {"expr": "if(title = 'T', 'open', 'closed')"},
                        "labels": {"expr": "arrayFilter(title -> notEmpty(title), splitByChar(',', tags))"},
                        "is_private": {"expr": "visibility != 'public'"},
                        "version": {"expr": "nullIf(tags, '')"},
                    },
                }
            }
        }
    )
    columns = {
        **{k: v for k, v in ITEM.items() if k != "is_private"},
        "project": "String",
        "tags": "String",
        "visibility": "String",
    }
    values = {k: v for k, v in VALUES.items() if k != "is_private"}
    row = {**values, "title": "'T'", "body": "'B'", "project": "'X'", "tags": "'a,,b'", "visibility": "'public'"}
    async with record_engine(create("raw", columns), insert("raw", **row)) as store:
        found = await described(store, "loom.raw")
        (select,) = probes(mapping).values()
        types = {row["name"]: row["type"] for row in await store.query(f"DESCRIBE TABLE ({select})")}
        for known in ({"github_issues": types}, None):
            verdict = judge(found, mapping, known)
            names = ["title", "body", "state", "labels", "is_private", "version"]
            (row,) = await store.query(relation(verdict.bindings["github_issues"], names))
            assert [row[name] for name in names] == ["T/B", "B/T", "open", ["a", "b"], 0, "a,,b"]


async def test_the_mappings_condition_stands_inside_where_it_can_only_take_rows_away() -> None:
    mapping = parse({"tables": {"github_issues": {"where": "1 = 1 OR is_private = 1"}}})
    public, private = {**VALUES, "number": "1"}, {**VALUES, "number": "2", "is_private": "1"}
    tables = (create("github_issues", ITEM), insert("github_issues", **public), insert("github_issues", **private))
    async with record_engine(*tables) as store:
        select = relation((await judged(store, mapping)).bindings["github_issues"], ["number", "is_private"])
        assert len(await store.query(select)) == 2
        assert [row["number"] for row in await store.query(f"SELECT number FROM ({select}) WHERE is_private = 0")] == [
            1
        ]


async def test_a_name_of_a_column_or_table_may_hold_any_character() -> None:
    name = "we`ird \\x \"n\" 'q' {a:String} %(b)s -- ü"
    quoted = name.replace("\\", "\\\\").replace("`", "\\`")
    mapping = parse(
        {"tables": {"releases": {"from": f"`{quoted}`", "columns": {"version": name}}}},
    )
    async with record_engine(f"CREATE TABLE `{quoted}` (`{quoted}` String) ENGINE = Memory AS SELECT 'v1'") as store:
        verdict = judge({name: {name: "String"}}, mapping)
        assert await read(store, verdict, "releases") == [{"version": "v1"}]
        assert await store.query(
            f"SELECT {{p:String}} AS p, * FROM ({relation(verdict.bindings['releases'])})", {"p": "x"}
        )


async def test_a_clip_cuts_text_at_whole_characters_and_says_so() -> None:
    bodies = {
        1: ("'short'", "short", 0),
        2: ("repeat('x', 100)", "x" * 10, 1),
        3: ("concat('12345678', 'éé')", "12345678é", 1),
        4: ("concat('123456789', 'éé')", "123456789", 1),
        5: ("concat('1234567', '€€')", "1234567€", 1),
        6: ("concat('123456', '😀😀')", "123456😀", 1),
        7: ("concat('12345678', '😀😀')", "12345678", 1),
        8: ("unhex('61FF62FE')", "a\ufffdb\ufffd", 0),
        9: ("concat('a', char(0), 'b')", "a\x00b", 0),
        10: ("''", "", 0),
        11: ("repeat('y', 10)", "y" * 10, 0),
    }
    rows = [
        f"INSERT INTO github_issues (number, body) SELECT {number}, {value}" for number, (value, _, _) in bodies.items()
    ]
    async with record_engine(create("github_issues", ITEM), *rows) as store:
        found = await read(store, await judged(store), "github_issues", "number", "body", clip={"body": 10})
    assert {row["number"]: (row["body"], row["body_cut"]) for row in found} == {
        number: (text, cut) for number, (_, text, cut) in bodies.items()
    }


async def test_a_body_of_ten_megabytes_comes_back_clipped_and_an_array_in_its_first_elements() -> None:
    columns = {**ITEM, "author": "Nullable(String)", "labels": "Array(Nullable(String))"}
    row = "repeat(repeat('body ', 10), 200000), NULL, ['a', NULL, 'b', 'c']"
    fill = f"INSERT INTO github_issues (body, author, labels) SELECT {row}"
    async with record_engine(create("github_issues", columns), fill) as store:
        clip = {"body": CLIP_BYTES["body"], "author": 5, "labels": 2}
        (row,) = await read(store, await judged(store), "github_issues", "body", "author", "labels", clip=clip)
    assert (len(row["body"]), row["body_cut"]) == (65536, 1)
    assert (row["author"], row["author_cut"]) == (None, 0)
    assert (row["labels"], row["labels_cut"]) == (["a", "b"], 1)


async def test_a_relation_selects_what_it_is_asked_for_and_refuses_the_rest() -> None:
    async with record_engine(create("github_issues", ITEM)) as store:
        binding = (await judged(store)).bindings["github_issues"]
    assert relation(binding, ["title", "number", "title"]).count(" AS ") == 3
    assert relation(binding).count(" AS ") == len(ITEM) + 1
    for columns, clip in (([], None), (["labels"], None), (["number"], {"number": 5}), (["title"], {"title": 0})):
        with pytest.raises(ValueError):
            relation(binding, columns, clip)


async def test_a_probe_shows_the_types_of_expressions_and_that_the_condition_can_stand() -> None:
    tables = {
        "github_issues": {"columns": {"number": {"expr": "toUInt32OrNull(title)"}}},
        "releases": {"where": "version"},
        "checks": {},
    }
    mapping = parse({"tables": tables})
    assert probes(mapping).keys() == {"github_issues", "releases"}
    async with record_engine(create("github_issues", ITEM), create("releases", {"version": "String"})) as store:
        types = await store.query(f"DESCRIBE TABLE ({probes(mapping)['github_issues']})")
        assert [(row["name"], row["type"]) for row in types] == [("number", "Nullable(UInt32)")]
        with pytest.raises(Exception, match="internal error"):
            await store.query(f"SELECT * FROM ({probes(mapping)['releases']})")
