"""What a mapping's expression may be, and that what the engine reads is what was checked."""

import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp, parse_one

from services.tracker.mapping.dialect import DIALECT
from services.tracker.mapping.expressions import expression
from services.tracker.mapping.functions import FUNCTIONS
from services.tracker.mapping.model import SOURCE
from services.tracker.mapping.problems import ExpressionError
from tests.support.record_engine import record_engine

ROWS = (
    "CREATE TABLE t (a Int32, b Int32, c Nullable(Int32), s String, u String, l Array(String), n Array(Int32), "
    "d DateTime('UTC'), j String, p Tuple(x Int32, y String), `odd ``name` UInt8) ENGINE = Memory",
    "INSERT INTO t VALUES (1, 2, 3, 'ab', 'x,y', ['a', 'b'], [1, 2], '2024-01-02 03:04:05', '{\"k\": [{\"n\": \"v\"}]}', "
    "(1, 'q'), 1), (0, -5, NULL, '', 'q', [], [], '2020-01-02 03:04:05', '', (2, ''), 0)",
)
ALIKE = [
    "lower(s)",
    "UPPER(s)",
    "splitByChar(',', u)",
    "a = 1 AND b > 0 OR NOT c = 3",
    "NOT a = 1 AND b = 2",
    "a + b * 2 - -1",
    "a % 2 = 0",
    "b DIV 2",
    "s || '-' || u",
    "s LIKE 'a%' OR s NOT LIKE '%_x' OR s ILIKE 'A_'",
    "a IN (1, 2) AND s NOT IN ('q', 'it''s')",
    "c IS NULL OR c IS NOT NULL",
    "a BETWEEN 0 AND 1 AND b NOT BETWEEN -1 AND 0",
    "CASE WHEN a = 1 THEN 'one' WHEN a = 0 THEN 'none' ELSE s END",
    "CASE s WHEN 'ab' THEN 1 END",
    "a = 1 ? 'y' : 'n'",
    "if(c IS NULL, -1, assumeNotNull(c))",
    "multiIf(a > 1, 'x', a > 0, 'y', 'z')",
    "arrayMap(x -> upper(x), l)",
    "arrayMap((x, y) -> concat(x, toString(y)), l, n)",
    "arrayFilter(x -> x != 'a' AND NOT empty(x), l)",
    "arrayMap(x -> arrayMap(y -> x || y, l), l)",
    "arrayExists(s -> s = 'a', l)",
    "l[1]",
    "n[-1] + n[1]",
    "[1, a, b][2]",
    "(a, s).1",
    "p.x + 1",
    "p.y",
    "tupleElement(p, 'y')",
    "CAST(a AS String)",
    "a::Nullable(Int64)",
    "CAST(s, 'Nullable(String)')",
    "CAST(l AS Array(LowCardinality(String)))",
    "toDateTime64(d, 3, 'UTC')",
    "d + INTERVAL 1 DAY",
    "d - INTERVAL 2 MONTH > toDateTime('2019-01-01 00:00:00', 'UTC')",
    "dateDiff('day', d, toDateTime('2024-02-01 00:00:00', 'UTC'))",
    "JSONExtractString(j, 'k', 1, 'n')",
    "arrayMap(x -> JSONExtractString(x, 'n'), JSONExtractArrayRaw(j, 'k'))",
    r"replaceRegexpAll(s, '\\w', '[\\0]')",
    r"extract(s, '(\w)')",
    r"match(s, '^\S+$')",
    r"'tab\tquote\'s \\ `back` {x:String} %(y)s -- no comment /* none */ # ; é'",
    "`odd ``name`",
    '"odd `name"',
    "has(l, 'a') AND hasAny(l, ['a', 'c'])",
    "transform(a, [0, 1], ['no', 'yes'], '?')",
    "a == 1 AND b <> 2",
    "(a = 1) = (b = 2)",
    "1_000 + 1e3 + .5",
    "null",
    "true",
    "cityHash64(s) % 7",
]
REFUSED = [
    # statements and sub-queries
    "(SELECT 1)",
    "a IN (SELECT number FROM numbers(10))",
    "EXISTS(SELECT 1)",
    "exists((SELECT 1))",
    "a = ANY(SELECT 1)",
    "lower((SELECT s FROM secrets))",
    "SELECT 1",
    "a UNION ALL SELECT 1",
    "1; DROP TABLE t",
    "a) FROM secrets WHERE (1",
    "a FROM secrets --",
    # tables, dictionaries, settings, files, the network, the session
    "a IN secrets",
    "a IN (secrets)",
    "a IN (secrets.a)",
    "in(a, secrets)",
    "notIn(a, secrets)",
    "globalIn(a, secrets)",
    "a GLOBAL IN (1, 2)",
    "numbers(10)",
    "merge('a', 'b')",
    "remote('h', a, b)",
    "url('http://x')",
    "file('/etc/passwd')",
    "cluster('c', a)",
    "dictGet('d', 'a', a)",
    "dictGetOrDefault('d', 'a', a, 1)",
    "dictHas('d', a)",
    "joinGet('j', 'a', a)",
    "getSetting('x')",
    "currentUser()",
    "currentDatabase()",
    "hostName()",
    "version()",
    "getMacro('x')",
    "queryID()",
    "hasColumnInTable('d', 't', 'c')",
    "a SETTINGS readonly = 0",
    "a FORMAT Null",
    "a INTO OUTFILE 'x'",
    # aggregates, windows, row order, chance, waste
    "count()",
    "sum(a)",
    "any(s)",
    "groupArray(s)",
    "uniqExactIf(a, b)",
    "quantile(0.5)(a)",
    "sum(a) OVER ()",
    "lower(s) OVER ()",
    "row_number() OVER (ORDER BY a)",
    "rowNumberInAllBlocks()",
    "runningDifference(a)",
    "neighbor(a, 1)",
    "rand()",
    "generateUUIDv4()",
    "arrayJoin(l)",
    "sleep(3)",
    "throwIf(a)",
    "repeat(s, 1000000000)",
    "range(1000000000)",
    "arrayReduce('sum', n)",
    "evalMLMethod(a, b)",
    # forms
    "a AS is_private",
    "lower(a AS is_private)",
    "a is_private",
    "*",
    "t.*",
    "COLUMNS('.*')",
    "* EXCEPT a",
    "APPLY(a)",
    "a APPLY(lower)",
    "{x:String}",
    "{x:Identifier}",
    ":x",
    "?",
    "@x",
    "@@x",
    "$$a$$",
    "$tag$a$tag$",
    "x -> x",
    "lower(x -> (SELECT 1))",
    "arrayMap(x -> x IN secrets, l)",
    "CAST(a AS AggregateFunction(sum, Int32))",
    "CAST(a AS Enum8('a' = 1))",
    "CAST(a, s)",
    "a COLLATE 'x'",
    "db.lower(a)",
    '"lower"(a)',
    "`lower`(a)",
    "lower(DISTINCT a)",
    "lower(a ORDER BY b)",
    "lower(a LIMIT 1)",
    "a := 1",
    "(a, b",
    "a)",
    "a, b",
    "",
    "  ",
    "a b c",
    "a IS TRUE",
    # comments, quotes, encodings
    "a -- b",
    "a /* b */",
    "a # b",
    "a #! b",
    "/* a",
    "--",
    "'a",
    "`a",
    '"a',
    "'a\\'",
    "'\\xff'",
    "'\\x'",
    "a\x00",
    "'\x00'",
    "'\ud800'",
    "\u2018a\u2019",
    "'a' 'b'",
    # what two readers would order differently
    "1 IN (1, 2) = a",
    "a = b BETWEEN 0 AND 1",
    "NOT a IS NULL + 1",
    "-1::String",
    "a + s || u",
    # sizes
    "a" * 9000,
    "(" * 30 + "a" + ")" * 30,
    "a" + " AND a" * 200,
    "a" + "[1]" * 70,
    "NOT " * 900 + "a",
]


def assure_harmless(sql: str) -> None:
    """The written SQL, read again as a part of a statement: columns of the source's table, and nothing of elsewhere."""
    tree = parse_one(f"SELECT ({sql})", dialect=DIALECT)
    assert len(list(tree.find_all(exp.Select))) == 1
    banned = (exp.Table, exp.Subquery, exp.Alias, exp.Star, exp.Columns, exp.Placeholder, exp.Parameter, exp.Window)
    assert not any(isinstance(node, banned) for node in tree.walk())
    for column in tree.find_all(exp.Column):
        assert column.parts[0].name == SOURCE
    outside = re.sub(r"'[^'\\]*(?:\\x[0-9A-F]{2}[^'\\]*)*'|`[^`\\]*(?:\\x[0-9A-F]{2}[^`\\]*)*`", "''", sql)
    assert not re.search(r"['\"`;{}#$%]|--|/\*", outside.replace("''", "").replace(" % ", " "))


async def test_what_the_engine_reads_means_what_was_written() -> None:
    async with record_engine(*ROWS) as store:
        for text in ALIKE:
            plain = await store.query(f"SELECT {text} AS r FROM t")
            ours = await store.query(f"SELECT {expression(text).sql} AS r FROM t AS {SOURCE}")
            assert [row["r"] for row in ours] == [row["r"] for row in plain], text


@pytest.mark.parametrize("text", ALIKE)
def test_written_sql_reads_the_sources_columns_and_nothing_else(text: str) -> None:
    assure_harmless(expression(text).sql)


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_anything_else_is_refused_with_a_reason_and_a_fix_and_without_the_text(text: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        expression(text)
    assert refused.value.reason and refused.value.fix
    assert "secret" not in str(refused.value)


def test_nothing_of_a_text_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    for text in ("a -> '$.secret['", "lower(secret -> '$[secret')", "secret AT TIME ZONE 'x'", "a::secret"):
        with suppress(ExpressionError):
            expression(text)
    assert caplog.records == []


def test_a_condition_that_is_always_true_is_just_a_condition() -> None:
    assert expression("a = 1 OR 1 = 1").sql == "((_loom_source.`a` = 1) OR (1 = 1))"


def test_names_are_the_columns_and_what_is_read_under_them_but_not_the_variables() -> None:
    found = expression("arrayMap(x -> x || payload.user.login || y.1, labels)")
    assert found.names == {("payload", "user", "login"), ("y",), ("labels",)}
    assert "`x`" not in found.sql


def test_a_name_with_dots_stays_under_the_sources_table() -> None:
    assert expression("secrets.token").sql == "_loom_source.`secrets`.`token`"
    assert expression("a.b.c.d.e.f").sql == "_loom_source.`a`.`b`.`c`.`d`.`e`.`f`"
    assert expression("`a.b`").sql == "_loom_source.`a.b`"


def test_quotes_and_parameters_in_constants_are_written_as_escapes() -> None:
    assert expression("'it''s {x:String} %(y)s'").sql == r"'it\x27s \x7Bx:String\x7D \x25(y)s'"
    assert expression("`a``{b}`").sql == r"_loom_source.`a\x60\x7Bb\x7D`"


async def test_every_function_of_the_list_parses_and_none_is_an_aggregate_or_unknown_to_the_engine() -> None:
    for name in FUNCTIONS.values():
        assert expression(f"{name}(a)").sql in (f"{name}(_loom_source.`a`)", "(NOT (_loom_source.`a`))"), name
    async with record_engine() as store:
        rows = await store.query("SELECT name, is_aggregate, case_insensitive FROM system.functions")
    known = {row["name"].lower(): bool(row["is_aggregate"]) for row in rows}
    assert [name for name in FUNCTIONS if known.get(name)] == []
    exact = {row["name"] for row in rows} | {row["name"].lower() for row in rows if row["case_insensitive"]}
    assert [name for lowered, name in FUNCTIONS.items() if name not in exact and lowered not in exact] == []


WORDS = """
a s l secrets 1 'x' ( ) [ ] { } , ; . -> = + - * / % || :: ? : AND OR NOT IN BETWEEN IS NULL LIKE CASE WHEN THEN ELSE END
SELECT FROM UNION ALL WITH AS CAST lower arrayMap dictGet merge remote INTERVAL DAY DISTINCT GLOBAL * ` " ' -- /* */ # $$
$x$ \\ \\' {x:String} COLUMNS APPLY FORMAT SETTINGS OVER FILTER EXISTS ANY x FINAL ARRAY JOIN .1 .^ .: @ \u2018
"""
PIECES = st.sampled_from(WORDS.split())
SOUP = st.lists(PIECES, max_size=14).map(" ".join) | st.lists(PIECES, max_size=10).map("".join)


@given(SOUP | st.text(max_size=60))
@settings(max_examples=600, deadline=None)
def test_no_text_breaks_the_check_and_whatever_passes_is_harmless(text: str) -> None:
    try:
        found = expression(text)
    except ExpressionError:
        return
    assure_harmless(found.sql)
    assert expression(found.sql.replace(f"{SOURCE}.", "")).names == found.names
