"""A fresh machine: `loom serve --demo`, and every question about what the demo record is known to hold, by every door."""

from collections.abc import Iterator
from typing import Any

import pytest

from examples import tracker_questions
from loom import SyncAgent
from services.tracker.record.demo.landmarks import LANDMARKS as KNOWN
from standalone.checks.sources import sources
from standalone.serve import settings_from
from tests.support.doors import DOORS, Door, door
from tests.support.server import Server

CODE, TRACKER = "code-demo", "tracker-demo"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("demo")
    server = Server(folder / "data", folder / "log", {"LOOM_EMBEDDER_KIND": "none"}, ("--demo",), start_s=180.0)
    with server as running:
        yield running


@pytest.fixture(params=DOORS)
def any_door(request: pytest.FixtureRequest, demo: Server) -> Door:
    return door(request.param, demo)


@pytest.fixture
def agent(demo: Server) -> Iterator[SyncAgent]:
    with SyncAgent(base_url=demo.base_url) as agent:
        yield agent


async def ask(door: Door, op: str, **args: Any) -> dict[str, Any]:
    answer = await door.call(f"tracker.{op}", {"namespace": CODE, **args})
    assert (answer["tracker_unavailable"], answer["tracker_namespace"]) == (False, TRACKER)
    assert set(answer["not_provided"]) <= {"core_incidents"}
    return answer


async def test_an_item_comes_with_its_fix_and_its_cause(any_door: Door) -> None:
    answer = await ask(any_door, "item", numbers=[KNOWN.fixed_issue, KNOWN.private_issue])
    assert answer["missing"] == [KNOWN.private_issue]
    item = answer["items"][0]
    ends = {(each["relation"], int(each["target"].rpartition("#")[2])) for each in item["graph"]}
    assert {("fixed_by", KNOWN.fixing_pr), ("caused_by", KNOWN.causing_pr)} <= ends
    assert str(KNOWN.causing_pr) in item["bisect_verdict"]


async def test_a_release_is_held_up_by_its_blockers(any_door: Door) -> None:
    answer = await ask(any_door, "release", version=KNOWN.release_with_blockers)
    assert answer["verdict"] == "blocked"
    assert {each["number"] for each in answer["blockers"]} == set(KNOWN.blockers)
    assert KNOWN.pr_without_backport in {each["number"] for each in answer["waiting_backports"]}
    shipped = await ask(any_door, "release", version=KNOWN.healthy_release)
    assert (shipped["verdict"], shipped["missing"], shipped["health"]["status"]) == ("released", [], "healthy")


async def test_a_flaky_test_is_named_by_its_issue(any_door: Door) -> None:
    answer = await ask(any_door, "flaky", test_name=KNOWN.flaky_test)
    assert answer["verdict"] == "flaky_by_issue"
    assert KNOWN.flaky_issue in {each["number"] for each in answer["items"]}
    unnamed = await ask(any_door, "flaky", test_name=KNOWN.unnamed_flaky_test)
    assert unnamed["verdict"] == "no_flaky_signal"


async def test_written_links_are_told_both_ways(any_door: Door) -> None:
    answer = await ask(any_door, "links", issue_number=KNOWN.fixed_issue)
    found = {(each["relation"], each["number"]) for each in answer["items"]}
    assert {("fixed_by", KNOWN.fixing_pr), ("caused_by", KNOWN.causing_pr)} <= found
    root = await ask(any_door, "links", issue_number=KNOWN.issue_with_duplicates)
    assert set(KNOWN.duplicates) <= {each["number"] for each in root["items"] if each["relation"] == "duplicated_by"}


async def test_a_component_has_open_issues_and_a_risk(any_door: Door) -> None:
    answer = await ask(any_door, "component", component=KNOWN.component)
    assert answer["risk"]["score"] > 0 and answer["open_issues"] > 5
    assert {each["component"] for each in answer["items"]} == {KNOWN.component}
    near = await ask(any_door, "component", component=KNOWN.component[:-1])
    assert KNOWN.component in near["near"]


async def test_a_draft_is_checked_against_the_record_and_says_how_far_to_trust_it(any_door: Door) -> None:
    number, root = KNOWN.duplicates[0], KNOWN.issue_with_duplicates
    answer = await ask(any_door, "duplicate_check", issue_number=number)
    # A pass may have fitted the record meanwhile; the answer says so.
    assert answer["epistemic"] == ("calibrated" if answer["fit"] else "uncalibrated")
    assert (answer["confidence"] is None) == (answer["fit"] is None) == (answer["nearest"][0]["probability"] is None)
    reports = {each["number"] for item in answer["nearest"] for each in (item, *_members(item))}
    assert root in reports and number not in reports
    twin = await ask(any_door, "duplicate_check", issue_number=KNOWN.twins[1])
    assert KNOWN.twins[0] in {item["number"] for item in twin["nearest"] if item["caps"]}
    regressed = await ask(any_door, "duplicate_check", issue_number=KNOWN.regression)
    [first, *_] = regressed["items"]
    assert (first["number"], first["possible_regression"]) == (KNOWN.regression_of, True)
    process = await ask(any_door, "duplicate_check", issue_number=KNOWN.process_ticket)
    assert process["verdict"] != "duplicate_of"
    nothing = await ask(any_door, "duplicate_check", title="Sourdough bread does not rise in a cold kitchen")
    assert (nothing["verdict"], nothing["items"]) == ("none", [])


def _members(item: dict[str, Any]) -> list[dict[str, int]]:
    return [{"number": int(each.rpartition("#")[2])} for each in item["members"]]


async def test_a_crash_finds_others_by_its_frames_and_its_code(any_door: Door) -> None:
    answer = await ask(any_door, "similar", issue_number=KNOWN.crash)
    assert {"stack_frames", "error_code"} <= {why for item in answer["items"] for why in item["why"]}
    assert KNOWN.private_issue not in {item["number"] for item in answer["items"]}


async def test_the_binding_says_what_answers(any_door: Door) -> None:
    answer = await any_door.call("tracker.binding", {"namespace": CODE})
    tracker = answer["trackers"][0]
    assert (answer["kind"], tracker["namespace"], tracker["state"]) == ("code", TRACKER, "serving")
    assert set(tracker["repos"]) == {KNOWN.repo, KNOWN.other_repo}
    assert {"items", "fix_graph", "ci", "releases", "history"} <= set(tracker["features"])
    assert {"item_status", "causes", "test_history"} <= set(answer["templates"])
    assert not {"incidents", "support_cases"} & set(answer["templates"])


QUESTIONS = [
    (f"Which issues block {KNOWN.release_with_blockers}?", "release_blockers", KNOWN.blockers),
    (f"Is {KNOWN.healthy_release} healthy?", "release_health", "healthy"),
    (f"Is {KNOWN.flaky_test} flaky?", "flaky_verdict", (KNOWN.flaky_issue,)),
    (f"Is {KNOWN.unnamed_flaky_test} flaky or broken?", "test_history", "failed"),
    (f"Why does {KNOWN.regressed_test} fail?", "test_history", KNOWN.regressed_test),
    (f"Who fixed #{KNOWN.fixed_issue}?", "who_fixed", (KNOWN.fixing_pr,)),
    (f"What caused #{KNOWN.fixed_issue}?", "causes", (KNOWN.causing_pr,)),
    (f"What did PR #{KNOWN.fixing_pr} fix?", "fixed_by_pr", (KNOWN.fixed_issue,)),
    (f"Has anyone reported #{KNOWN.issue_with_duplicates} before?", "duplicates_of", KNOWN.duplicates),
    (f"Was #{KNOWN.pr_without_backport} backported?", "backport_status", "missing"),
    (f"Is #{KNOWN.backported_pr} in 3.1?", "fix_in_version", "release/3.1"),
    (f"Which release first contains #{KNOWN.backported_pr}?", "first_release_of_pr", "is first in"),
    (f"How is the {KNOWN.component} doing?", "component_risk", "risk score"),
    (f"Which open PRs touch {KNOWN.path}?", "open_prs_of_path", "is open"),
    (f"What is the state of #{KNOWN.process_ticket}?", "item_status", (KNOWN.process_ticket,)),
]


@pytest.mark.parametrize(("question", "template", "said"), QUESTIONS)
def test_a_question_in_words_is_answered_with_citations(
    agent: SyncAgent, question: str, template: str, said: str | tuple[int, ...]
) -> None:
    answer = agent.tracker.answer(namespace=CODE, question=question)
    assert template in [each.name for each in answer.templates]
    if isinstance(said, str):
        assert said in answer.text
    else:
        assert set(said) <= {each.number for each in answer.citations}
    assert all(f"[{each.index}]" in answer.text for each in answer.citations)


def test_private_things_stay_private(agent: SyncAgent) -> None:
    answer = agent.tracker.answer(namespace=CODE, question=f"What is the state of #{KNOWN.private_issue}?")
    assert (answer.text, answer.citations) == ("The record has nothing on that.", [])


def test_the_example_asks_the_demo(
    demo: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LOOM_BASE_URL", demo.base_url)
    assert tracker_questions.main([]) == 0
    out = capsys.readouterr().out
    assert all(f"#{number} " in out for number in KNOWN.blockers)
    assert f"#{KNOWN.causing_pr} " in out and f"/pull/{KNOWN.causing_pr}" in out
    assert tracker_questions.main(["no-such-namespace"]) == 1
    assert "NOT_A_TRACKER" in capsys.readouterr().err


def test_the_doctor_looks_at_the_source(demo: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOM_BASE_URL", demo.base_url)
    found = sources(settings_from({}))
    assert [(each.check, each.ok) for each in found] == [(f"source: {TRACKER}", True)]
    assert "serves" in found[0].fact


def test_a_second_start_does_not_load_the_record_again(demo: Server, agent: SyncAgent) -> None:
    before = agent.tracker.source.list().sources[0].added_at
    demo.stop()
    demo.start()
    with SyncAgent(base_url=demo.base_url) as anew:
        assert anew.tracker.source.list().sources[0].added_at == before
        assert anew.tracker.binding(namespace=CODE).kind == "code"
    assert demo.log.read_text().count("loading the demo record") == 1
