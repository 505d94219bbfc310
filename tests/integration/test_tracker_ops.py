"""The question ops over a team's whole record: by the contract's names, mapped, as views, and with parts missing."""

import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.tracker.answers.catalogue import TEMPLATES
from services.tracker.contract.tables import TABLES
from services.tracker.ops import search
from tests.support import team_record
from tests.support.clickhouse_http import Server
from tests.support.team_record import CLEAN_SHA, FLAKY_TEST, OTHER, OTHER_TEST, PLAIN, other_mapping
from tests.support.tracker_plane import ORG, TrackerPlane, held, tracker_plane

pytestmark = pytest.mark.asyncio(loop_scope="module")
TRACKERS = ("plain", "mapped", "views", "shuffled")
# One question per op, and per template of tracker.answer.
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("tracker.item", {"numbers": [1, 100, 9, 5555]}),
    ("tracker.links", {"issue_number": 1}),
    ("tracker.links", {"pr_number": 100}),
    ("tracker.flaky", {"test_name": FLAKY_TEST}),
    ("tracker.flaky", {"test_name": OTHER_TEST}),
    ("tracker.release", {"version": "v2.4.0"}),
    ("tracker.release", {"version": "2.5.0"}),
    ("tracker.release", {"version": "2.4.1"}),
    ("tracker.component", {"component": "Storage"}),
    ("tracker.component", {"component": "storag"}),
    ("tracker.similar", {"text": "Order of rows lost by compaction"}),
    ("tracker.similar", {"issue_number": 2, "kinds": ["issue"]}),
    ("tracker.similar", {"issue_number": 5555}),
    (
        "tracker.duplicate_check",
        {"title": "Compaction loses the order of rows", "body": "E1042", "frames": ["merge.rs:10"]},
    ),
    ("tracker.duplicate_check", {"title": "Slow start", "paths": ["storage/merge.rs"], "mentions": ["#3"]}),
    ("tracker.duplicate_check", {"issue_number": 2}),
    ("tracker.test_signal", {"test_name": FLAKY_TEST}),
    ("tracker.test_signal", {"test_name": OTHER_TEST, "pr_number": 100}),
    ("tracker.flaky", {"test_name": FLAKY_TEST, "include_signal": True}),
    ("code.bisect_candidates", {"issue_number": 1}),
    ("code.backport_gap", {"issue_number": 1}),
    ("code.backport_gap", {"pr_number": 100}),
    ("code.backport_gaps", {"days": 90}),
    ("code.first_build", {"pr_number": 100}),
    ("code.first_build", {"sha": CLEAN_SHA[:12]}),
    ("code.history", {"paths": ["storage/merge.rs"]}),
    ("code.pr_check", {"title": "Order of rows is lost by the merge", "paths": ["src/storage/merge.rs"]}),
    ("code.context_pack", {"issue_number": 1}),
    ("search", {"query": "compaction fails and loses the order of rows"}),
]
ANCHORS: dict[str, dict[str, list[Any]]] = {
    "number": {"numbers": [1]},
    "test": {"tests": [FLAKY_TEST]},
    "version": {"versions": ["v2.4.0"]},
    "sha": {"shas": [CLEAN_SHA[:12]]},
    "path": {"paths": ["storage/merge.rs"]},
    "component": {"components": ["storage"]},
}
# What speaks for each template, beside its anchors; of a pull request where it is about one.
WORDS = {
    "backport_status": "backported cherry picked?",
    "causes": "what caused it and broke it",
    "component_open_issues": "worst open issues",
    "component_risk": "risk and trend",
    "duplicates_of": "duplicates?",
    "first_release": "which release contains first",
    "first_release_of_pr": "which release first contains",
    "fix_in_version": "does it have the fix, was it included",
    "fix_of_issue": "fixed by which fix",
    "fixed_by_pr": "which issues does it fix and close",
    "flaky_verdict": "flaky?",
    "incidents": "incident outage",
    "item_status": "what is the state and status",
    "open_prs_of_path": "open PRs that touch",
    "regressions_of_version": "regressed and broke",
    "release_blockers": "blockers that block",
    "release_health": "how healthy, is it red or green",
    "support_cases": "customer support cases",
    "test_history": "history: how often did it fail",
    "who_fixed": "who is the author",
}
# What differs from call to call, and from tracker to tracker.
OWN = ("timings_ms", "tracker_namespace", "namespaces_read", "namespace")
OF_PR = {"fixed_by_pr", "first_release_of_pr"}


@pytest.fixture(scope="module")
def record(_source_server: Server) -> Iterator[Server]:
    _source_server.reset()
    team_record.put(_source_server, "ops_plain", PLAIN)
    team_record.put(_source_server, "ops_other", OTHER)
    team_record.views(_source_server, "ops_views", "ops_other")
    team_record.put(_source_server, "ops_shuffled", PLAIN, shuffled())
    yield _source_server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def plane(record: Server, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TrackerPlane]:
    # Without the background passes: what is counted here is what the ops send. Nothing here tests a budget.
    with pytest.MonkeyPatch.context() as patient:
        patient.setattr(search, "BUDGETS_S", dict.fromkeys(search.BUDGETS_S, 60.0))
        async with served(record, tmp_path_factory) as plane:
            yield plane


@asynccontextmanager
async def served(record: Server, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TrackerPlane]:
    async with held(tracker_plane(tmp_path_factory.mktemp("plane"), LOOM_TRACKER_WORKERS="off")) as plane:
        await plane.add(record, "ops_plain", "plain")
        await plane.add(record, "ops_other", "mapped", mapping=other_mapping())
        await plane.add(record, "default", "elsewhere", mapping=other_mapping("ops_other"))
        await plane.add(record, "ops_views", "views")
        await plane.add(record, "ops_shuffled", "shuffled")
        await plane.add(record, "ops_plain", "closed", restricted=True)
        await plane.add(record, "ops_plain", "both", repos=["Org/repo", "Org/repo2"])
        yield plane


def shuffled() -> dict[str, list[dict[str, Any]]]:
    """The same rows as the source keeps them in another order; its tables have none of their own."""
    tables = team_record.record()
    for rows in tables.values():
        random.Random(7).shuffle(rows)
    return tables


def told(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what differs from call to call and from tracker to tracker."""

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: bare(v) for k, v in value.items() if k not in OWN}
        return [bare(each) for each in value] if isinstance(value, list) else value

    found: dict[str, Any] = bare(answer)
    return found


def asking(template: str) -> dict[str, Any]:
    """A question that picks the template."""
    anchors: dict[str, list[Any]] = {}
    for kind in next(each for each in TEMPLATES if each.name == template).anchors:
        anchors |= ANCHORS[kind]
    if template in OF_PR:
        anchors = {"numbers": [100]}
    return {"question": WORDS[template], "anchors": anchors}


@pytest.mark.parametrize(("op", "args"), QUESTIONS, ids=lambda value: str(value)[:40])
async def test_an_op_answers_alike_over_a_mapped_schema_shuffled_rows_and_contract_named_tables_and_views(
    plane: TrackerPlane, op: str, args: dict[str, Any]
) -> None:
    answers = [told(await plane.call(op, namespace=name, **args)) for name in TRACKERS]
    assert answers[0].get("tracker_unavailable", False) is False
    assert set(answers[0].get("not_provided", ())) <= {"core_incidents"}
    for name, answer in zip(TRACKERS[1:], answers[1:], strict=True):
        assert answer == answers[0], name


@pytest.mark.parametrize(("op", "args"), QUESTIONS, ids=lambda value: str(value)[:40])
async def test_an_op_answers_alike_at_every_door(plane: TrackerPlane, op: str, args: dict[str, Any]) -> None:
    answers = [told(await plane.call(op, door=door, namespace="plain", **args)) for door in plane.doors]
    assert len(answers) > 2 and all(answer == answers[0] for answer in answers[1:])


@pytest.mark.parametrize("template", [template.name for template in TEMPLATES])
async def test_each_template_answers_with_citations_over_a_filled_record(plane: TrackerPlane, template: str) -> None:
    restricted = next(each for each in TEMPLATES if each.name == template).restricted
    answer = await plane.call("tracker.answer", namespace="closed", **asking(template))
    run = next(each for each in answer["templates"] if each["name"] == template)
    assert run["rows"] > 0 and run["why"] and run["anchors"]
    assert answer["text"] and answer["searched"] and answer["epistemic"] == "uncalibrated"
    numbered = {citation["index"] for citation in answer["citations"]}
    assert all(f"[{index}]" in answer["text"] for index in numbered)
    if restricted:
        refused = await plane.call("tracker.answer", namespace="plain", **asking(template))
        assert template not in {each["name"] for each in refused["templates"]}
        return
    others = [told(await plane.call("tracker.answer", namespace=name, **asking(template))) for name in TRACKERS]
    assert all(other == others[0] for other in others[1:])


async def test_a_plan_names_templates_with_the_shape_of_their_sql_and_sends_nothing_to_the_source(
    record: Server, plane: TrackerPlane
) -> None:
    before = len(record.recorded())
    for template in TEMPLATES:
        plan = await plane.call("tracker.answer", namespace="closed", explain_only=True, **asking(template.name))
        shown = next(each for each in plan["templates"] if each["name"] == template.name)
        assert shown["sql"].startswith("SELECT") and shown["rows"] is None
        assert (plan["text"], plan["citations"], plan["leg_status"]) == ("", [], {})
    assert len(record.recorded()) == before


async def test_a_question_without_a_usable_anchor_gets_examples_and_no_guess(plane: TrackerPlane) -> None:
    answer = await plane.call("tracker.answer", namespace="plain", question="What is the meaning of it all?")
    assert (answer["text"], answer["templates"]) == ("", [])
    assert answer["suggestions"] and all(each["example"] for each in answer["suggestions"])


async def test_a_question_names_components_and_repositories_of_the_record(plane: TrackerPlane) -> None:
    by_component = await plane.call("tracker.answer", namespace="plain", question="what is open in storage?")
    assert [each["name"] for each in by_component["templates"]] == ["component_open_issues"]
    both = await plane.call("tracker.answer", namespace="both", question="Who fixed #1?")
    one = await plane.call("tracker.answer", namespace="both", question="Who fixed Org/repo2#1?")
    assert {each["source_id"] for each in both["citations"]} == {"Org/repo#100", "Org/repo2#100"}
    assert {each["source_id"] for each in one["citations"]} == {"Org/repo2#100"}


async def test_names_that_the_record_lacks_get_those_that_look_like_them(plane: TrackerPlane) -> None:
    assert (await plane.call("tracker.component", namespace="plain", component="storag"))["near"] == ["storage"]
    release = await plane.call("tracker.release", namespace="plain", version="2.4.1")
    assert release["near"][0] == "2.4.0"
    assert release["answer"] == "No release and no milestone of the record is called 2.4.1."
    unknown = await plane.call(
        "tracker.flaky", namespace="plain", test_name="tests.storage::test_compaction_keeps_ordr"
    )
    assert (unknown["verdict"], FLAKY_TEST in unknown["similar_names"]) == ("no_flaky_signal", True)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which issues block 2.4?", "No release and no milestone of the record is called 2.4; like it: 2.4.0,"),
        ("Which issues are open in the component storag?", "No issue has the component storag; like it: storage."),
        ("How did tests.storage::test_compaction_keeps_ordr do lately?", FLAKY_TEST),
    ],
)
async def test_an_answer_about_a_name_that_the_record_lacks_says_so_and_clears_nothing(
    plane: TrackerPlane, question: str, said: str
) -> None:
    answer = await plane.call("tracker.answer", namespace="plain", question=question)
    assert said in answer["text"] and answer["citations"] == []
    assert "planned" not in answer["text"] and "did not run" not in answer["text"]
    assert answer["leg_status"]["names"] == "ok"


async def test_milestones_are_versions_that_an_unknown_one_may_look_like(plane: TrackerPlane) -> None:
    assert (await plane.call("tracker.release", namespace="plain", version="2.5"))["near"][0] == "v2.5.0"


@pytest.mark.parametrize("namespace", ["plain", "closed"])
async def test_a_question_for_what_is_closed_is_not_answered_by_something_else(
    plane: TrackerPlane, namespace: str
) -> None:
    answer = await plane.call("tracker.answer", namespace=namespace, question="Which incidents did storage have?")
    read = namespace == "closed"
    assert {each["kind"] for each in answer["citations"]} == ({"incident"} if read else set())
    assert answer["leg_status"]["incidents"] == ("ok" if read else "refused")
    assert answer["text"].startswith("That is closed to this namespace") is not read


@pytest.mark.parametrize(
    ("op", "args", "field"),
    [
        ("tracker.release", {"version": " "}, "version"),
        ("tracker.flaky", {"test_name": " \t"}, "test_name"),
        ("tracker.test_signal", {"test_name": " "}, "test_name"),
        ("tracker.component", {"component": "\t"}, "component"),
    ],
)
async def test_a_blank_name_is_missing_and_not_that_of_whatever_has_none(
    plane: TrackerPlane, op: str, args: dict[str, Any], field: str
) -> None:
    failed = await plane.fails(op, namespace="plain", **args)
    assert (failed.detail["code"], failed.detail["metadata"]["field"]) == ("MISSING_FIELD", field)


async def test_blank_anchors_name_nothing_and_short_commits_are_refused(plane: TrackerPlane) -> None:
    blank = {"versions": ["", " "], "tests": [" "], "components": [""], "shas": [" "]}
    answer = await plane.call("tracker.answer", namespace="plain", anchors=blank)
    assert (answer["text"], answer["templates"]) == ("", [])
    refused = await plane.fails("tracker.answer", namespace="plain", anchors={"shas": ["a"]})
    assert (refused.detail["code"], refused.detail["metadata"]["field"]) == ("INVALID_FIELD", "anchors.shas")


async def test_items_come_with_their_graph_fixes_backports_and_ci(plane: TrackerPlane) -> None:
    answer = await plane.call("tracker.item", namespace="plain", numbers=[1, 5555, 9])
    assert answer["missing"] == [5555]
    first, cycle = answer["items"]
    assert [(pr["number"], pr["relation"], pr["ci"]) for pr in first["pull_requests"]] == [
        (100, "fix", "passed"),
        (101, "backport", "failed"),
    ]
    edges = {(edge["source"], edge["relation"], edge["target"], edge["steps"]) for edge in first["graph"]}
    assert ("Org/repo#1", "caused_by", "Org/repo#102", 1) in edges
    assert ("Org/repo#101", "backport_of", "Org/repo#100", 2) in edges
    assert {edge["source"] for edge in cycle["graph"]} == {"Org/repo#9", "Org/repo#10"}


async def test_links_by_number_stay_within_one_repository(plane: TrackerPlane) -> None:
    linked = await plane.call("tracker.links", namespace="both", issue_number=1, repo="Org/repo")
    assert {item["source_id"].partition("#")[0] for item in linked["items"]} == {"Org/repo"}
    other = await plane.call("tracker.links", namespace="both", issue_number=1, repo="Org/repo2")
    assert {item["source_id"] for item in other["items"]} == {"Org/repo2#100", "Org/repo2#77"}


async def test_a_release_is_judged_by_blockers_health_and_backports(plane: TrackerPlane) -> None:
    answer = await plane.call("tracker.release", namespace="plain", version="2.4.0")
    assert (answer["verdict"], answer["state"], answer["health"]["status"]) == ("blocked", "planned", "red")
    assert [(each["number"], each["status"]) for each in answer["blockers"]] == [(1, "backport_open")]
    assert [each["number"] for each in answer["waiting_backports"]] == [100]
    shipped = await plane.call("tracker.release", namespace="plain", version="2.3.0")
    assert shipped["verdict"] == "released"


async def test_doors_give_the_same_answers(plane: TrackerPlane) -> None:
    for op, args in QUESTIONS[:3]:
        answers = [told(await plane.call(op, door=door, namespace="plain", **args)) for door in plane.doors]
        assert all(answer == answers[0] for answer in answers[1:])


OPTIONAL = [table.name for table in TABLES.values() if not table.required]
COLUMNS = [
    f"{table.name}.{column.name}"
    for table in TABLES.values()
    for column in table.columns.values()
    if not (column.required or column.guard)
]
# Together they read every table that the ops read.
ALL_AT_ONCE = [
    *(QUESTIONS[index] for index in (0, 1, 4, 5, 7, 8)),
    ("tracker.answer", asking("first_release_of_pr")),
    ("tracker.answer", asking("open_prs_of_path")),
]


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tables=st.sets(st.sampled_from(OPTIONAL)),
    columns=st.sets(st.sampled_from(COLUMNS), max_size=len(COLUMNS)),
)
async def test_any_subset_of_optional_tables_and_columns_answers_and_names_what_is_missing(
    record: Server, plane: TrackerPlane, tables: set[str], columns: set[str]
) -> None:
    mapping: dict[str, Any] = {"tables": {}}
    for name, table in TABLES.items():
        kept = {c.name: c.name for c in table.columns.values() if f"{name}.{c.name}" not in columns}
        # A mapping to null says that the source does not have it.
        dropped = {c.name: None for c in table.columns.values() if c.name not in kept}
        mapping["tables"][name] = {"from": "no_such_table" if name in tables else name, "columns": {**kept, **dropped}}
    await plane.call("tracker.source.remap", name="both", mapping=mapping)
    asked: set[str] = set()
    for op, args in ALL_AT_ONCE:
        answer = await plane.call(op, namespace="both", **args)
        assert answer["tracker_unavailable"] is False, (op, answer["leg_status"])
        assert set(answer["leg_status"].values()) <= {"ok", "not_provided", "refused"}, (op, answer["leg_status"])
        missing = set(answer["not_provided"])
        assert missing <= tables | columns | {"core_incidents", "support_cases"}, op
        asked |= missing
    used = {"github_issues.fixed_by", "github_prs.closes", "github_prs.head_ref", "github_issues.severity"}
    assert used & columns <= asked
    assert tables & {"checks", "releases", "component_risk", "release_health"} <= asked


async def test_the_org_of_the_trackers_is_the_only_one_that_reads_them(plane: TrackerPlane) -> None:
    failure = await plane.fails("tracker.item", org="other", namespace="plain", numbers=[1])
    assert failure.detail["code"] == "NOT_A_TRACKER_NAMESPACE"
    assert (await plane.call("tracker.binding", org="other", namespace="plain"))["kind"] == "none"
    assert ORG != "other"
