"""The graph of fixes and causes around an item."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from services.tracker.graph import Graph, around, backports, fixes

AT = datetime(2026, 5, 1, tzinfo=UTC)


def row(number: int, repo: str = "acme/app", **columns: Any) -> dict[str, Any]:
    return {"source_id": f"{repo}#{number}", "number": number, "updated_at": AT, **columns}


def graph_of(*rows: dict[str, Any]) -> Graph:
    graph = Graph()
    graph.add(rows)
    return graph


def node(number: int, repo: str = "acme/app") -> tuple[str, int]:
    return repo, number


def test_an_edge_to_an_item_that_was_not_read_is_not_shown() -> None:
    assert graph_of(row(1, fixed_by=[2, 3]), row(2)).edges() == [(node(1), node(2), "fixed_by")]


def test_a_number_means_the_item_of_the_same_repository() -> None:
    assert graph_of(row(1, fixed_by=[2]), row(2, repo="acme/other")).edges() == []


def test_a_cycle_of_duplicates_ends() -> None:
    edges = graph_of(row(1, duplicate_of=2), row(2, duplicate_of=3), row(3, duplicate_of=1)).edges()
    assert sorted(steps for _, steps in around(node(1), edges)) == [1, 1, 2]


def test_an_item_that_names_itself_has_no_edge() -> None:
    assert graph_of(row(1, duplicate_of=1, fixed_by=[1])).edges() == []


def test_edges_are_found_from_both_of_their_ends() -> None:
    edges = graph_of(row(1), row(2, closes=[1])).edges()
    assert [edge for edge, _ in around(node(1), edges)] == [edge for edge, _ in around(node(2), edges)]


def test_what_is_three_steps_away_is_left_out() -> None:
    edges = graph_of(row(1, fixed_by=[2]), row(2, backport_of=3), row(3, backport_of=4), row(4)).edges()
    assert [edge[1][1] for edge, _ in around(node(1), edges)] == [2, 3]


def test_a_fix_counts_whichever_side_wrote_it() -> None:
    edges = graph_of(row(1, fixed_by=[2]), row(2), row(3, closes=[1])).edges()
    assert fixes(node(1), edges) == [node(2), node(3)]


def test_backports_of_any_of_the_fixes_are_found() -> None:
    edges = graph_of(row(2), row(3), row(7, backport_of=2), row(8, backport_of=3), row(9)).edges()
    assert backports([node(2), node(3)], edges) == [node(7), node(8)]


def test_of_two_rows_of_one_item_the_one_that_changed_last_counts() -> None:
    graph = graph_of(row(1, title="new", updated_at=AT.replace(year=2027)), row(1, title="old"))
    assert graph.rows[node(1)]["title"] == "new"


NUMBERS = st.integers(1, 6)
ROWS = st.lists(
    st.builds(
        lambda n, fixed, closes, dup, port: row(n, fixed_by=fixed, closes=closes, duplicate_of=dup, backport_of=port),
        NUMBERS,
        st.lists(NUMBERS, max_size=3),
        st.lists(NUMBERS, max_size=3),
        st.one_of(st.none(), NUMBERS),
        st.one_of(st.none(), NUMBERS),
    ),
    max_size=8,
    unique_by=lambda each: each["number"],
)


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(rows: list[dict[str, Any]], random: Any) -> None:
    shuffled = random.sample(rows, len(rows))
    for start in (node(n) for n in range(1, 7)):
        one, other = (dict(around(start, graph_of(*some).edges())) for some in (rows, shuffled))
        assert one == other
