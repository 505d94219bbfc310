"""Sources as their owner meets them: checked before they are stored, changed only for the better, and gone when removed."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runtime.clock import ManualClock
from tests.support import team_record
from tests.support.clickhouse_http import Server
from tests.support.envelope import CANARY, failure_of
from tests.support.front import log_lines
from tests.support.team_record import FLAKY_TEST, OTHER, PLAIN, other_mapping
from tests.support.tracker_plane import ORG, login, source, tracker_plane

READS = re.compile(r"\s*(SELECT|WITH|DESCRIBE|EXISTS|SHOW GRANTS|CHECK GRANT)\b")
KILLS = "KILL QUERY WHERE query_id IN {ids:Array(String)} ASYNC"


@pytest.fixture(scope="module")
def filled(_source_server: Server) -> Server:
    _source_server.reset()
    team_record.put(_source_server, "src_plain", PLAIN)
    team_record.put(_source_server, "src_other", OTHER)
    return _source_server


@pytest.fixture
def record(filled: Server) -> Iterator[Server]:
    filled.reset()
    yield filled
    filled.reset()


def holds(folder: Path, text: str) -> bool:
    """Whether any file beneath the folder has the text in it."""
    return any(text.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_a_dry_run_says_what_is_missing_drafts_views_and_stores_nothing(record: Server, tmp_path: Path) -> None:
    async with tracker_plane(tmp_path) as plane:
        answer = await plane.add(record, "src_other", "trk", dry_run=True)
        assert (answer["added"], answer["verdict"]["ok"]) == (False, False)
        tables = {table["table"]: table for table in answer["verdict"]["tables"]}
        assert tables["github_issues"]["status"] == "failed"
        assert "source_id" in tables["github_issues"]["missing"]
        assert tables["github_issues"]["view_draft"].startswith("CREATE OR REPLACE VIEW")
        assert tables["checks"]["status"] == "absent"
        assert (await plane.call("tracker.source.list"))["sources"] == []


async def test_what_inspection_proposes_serves_a_record_of_the_contracts_own_names(
    record: Server, tmp_path: Path
) -> None:
    async with tracker_plane(tmp_path) as plane:
        seen = await plane.call("tracker.source.inspect", **login(record), database="src_plain")
        assert (seen["status"], seen["missing"]) == ("ok", [])
        assert {"github_issues", "checks"} <= {table["name"] for table in seen["tables"]}
        assert all(0 < column["confidence"] <= 1 for column in seen["columns"])
        proposed = await plane.add(record, "src_plain", "trk", mapping=seen["mapping"], dry_run=True)
        assert proposed["verdict"]["ok"]
        refused = await plane.call("tracker.source.inspect", **{**login(record), "password": CANARY})
        assert (refused["status"], refused["tables"]) == ("refused", [])


@pytest.mark.provokes("SOURCE_CONTRACT_FAILED", "SOURCE_UNREACHABLE", "ALREADY_EXISTS", "INVALID_FIELD")
async def test_a_source_that_cannot_serve_is_refused_and_not_stored(record: Server, tmp_path: Path) -> None:
    async with tracker_plane(tmp_path) as plane:

        async def refused(**changes: Any) -> dict[str, Any]:
            arguments = {**source(record, "src_plain", "trk"), **changes}
            return (await plane.fails("tracker.source.add", **arguments)).detail

        failed = await refused(database="src_other")
        assert (failed["code"], "github_issues" in failed["metadata"]["tables"]) == ("SOURCE_CONTRACT_FAILED", True)
        assert (await refused(port=1))["metadata"]["reason"] == "unreachable"
        wrong = await refused(password=CANARY)
        assert (wrong["code"], wrong["metadata"]["reason"]) == ("SOURCE_UNREACHABLE", "refused")
        assert (await refused(host="169.254.169.254"))["metadata"]["field"] == "host"
        for repos in (["Org/repo#1"], ["/repo"], [" "]):
            spaces = [{"namespace": "trk", "repos": repos}]
            assert (await refused(namespaces=spaces))["metadata"]["field"].startswith("namespaces[0].repos")
        assert (await plane.call("tracker.source.list"))["sources"] == []
        await plane.add(record, "src_plain", "trk")
        assert (await refused())["code"] == "ALREADY_EXISTS"
        assert (await refused(name="other"))["code"] == "ALREADY_EXISTS"


WIDENING = (
    "(SELECT 1)",
    "number IN (SELECT 1)",
    "1) OR (1 = 1",
    "1 -- )",
    "1 /* )",
    "'",
    "1; SELECT 1",
    "dictGet('d', 'x', 1)",
    "joinGet('t', 'x', 1)",
    "1 IN merge('.*', '.*')",
    "1 IN remote('h', system.one)",
    "getSetting('x')",
    "1 SETTINGS max_threads = 1",
    "currentUser()",
)


@pytest.mark.parametrize("expression", WIDENING)
async def test_a_mapping_that_would_read_elsewhere_is_refused_with_its_place(
    record: Server, tmp_path: Path, expression: str
) -> None:
    async with tracker_plane(tmp_path) as plane:
        for place, table in (
            ("where", {"where": expression}),
            ("columns.component", {"columns": {"component": {"expr": expression}}}),
        ):
            arguments = source(record, "src_plain", "trk", mapping={"tables": {"github_issues": table}})
            failure = (await plane.fails("tracker.source.add", **arguments)).detail
            assert (failure["code"], failure["metadata"]["field"]) == ("INVALID_FIELD", "mapping")
            assert place in failure["message"]
    assert record.recorded() == []


async def test_a_condition_that_is_always_true_widens_nothing(record: Server, tmp_path: Path) -> None:
    table = {"where": "1 OR 1 = 1", "columns": {"component": {"expr": "concat(component, '')"}}}
    async with tracker_plane(tmp_path) as plane:
        await plane.add(record, "src_plain", "trk", mapping={"tables": {"github_issues": table}})
        answer = await plane.call("tracker.item", namespace="trk", numbers=[1, 4, 77])
        assert ([item["source_id"] for item in answer["items"]], answer["missing"]) == (["Org/repo#1"], [4, 77])


async def test_a_mapping_that_the_source_does_not_take_fails_its_table(record: Server, tmp_path: Path) -> None:
    mapping = {"tables": {"checks": {"where": "toDate(check_name) = 1 AND notEmpty(check_start_time)"}}}
    async with tracker_plane(tmp_path) as plane:
        answer = await plane.add(record, "src_plain", "trk", mapping=mapping)
        checks = next(table for table in answer["verdict"]["tables"] if table["table"] == "checks")
        assert (checks["status"], len(checks["wrong_types"])) == ("failed", 1)
        item = await plane.call("tracker.item", namespace="trk", numbers=[1])
        assert (item["leg_status"]["ci"], "checks" in item["not_provided"]) == ("ok", True)
        required = {"tables": {"github_issues": mapping["tables"]["checks"] | {"where": "notEmpty(created_at)"}}}
        failure = await plane.fails("tracker.source.remap", name="trk", mapping=required)
        assert failure.detail["code"] == "SOURCE_CONTRACT_FAILED"


async def test_a_new_mapping_or_login_replaces_the_old_one_only_if_it_serves(record: Server, tmp_path: Path) -> None:
    async with tracker_plane(tmp_path) as plane:
        await plane.add(record, "src_other", "trk", mapping=other_mapping())
        assert (await plane.fails("tracker.source.remap", name="trk")).detail["code"] == "SOURCE_CONTRACT_FAILED"
        wrong = await plane.fails("tracker.source.rotate", name="trk", password=CANARY)
        assert wrong.detail["code"] == "SOURCE_UNREACHABLE"
        assert (await plane.call("tracker.item", namespace="trk", numbers=[1]))["items"]
        dry = await plane.call("tracker.source.remap", name="trk", mapping=other_mapping("src_other"), dry_run=True)
        assert (dry["changed"], dry["verdict"]["ok"]) == (False, True)
        assert (await plane.call("tracker.source.remap", name="trk", mapping=other_mapping("src_other")))["changed"]
        assert (await plane.call("tracker.source.rotate", name="trk", password=record.password))["changed"]
        assert (await plane.call("tracker.item", namespace="trk", numbers=[1]))["items"]


@pytest.mark.provokes("SOURCE_NOT_FOUND", "NOT_A_TRACKER_NAMESPACE")
async def test_a_removed_source_serves_no_more_and_its_credentials_are_gone(record: Server, tmp_path: Path) -> None:
    async with tracker_plane(tmp_path) as plane:
        await plane.add(record, "src_plain", "trk")
        assert (await plane.call("tracker.item", namespace="trk", numbers=[1]))["items"]
        stored = await plane.store.query("SELECT login FROM tracker_sources FINAL")
        assert stored[0]["login"].startswith("v1.")
        assert await plane.call("tracker.source.remove", name="trk") == {"removed": True}
        assert await plane.call("tracker.source.remove", name="trk") == {"removed": False}
        rows = await plane.store.query("SELECT login, key_id, mapping FROM tracker_sources")
        assert [tuple(row.values()) for row in rows] == [("", "", "")]
        failure = await plane.fails("tracker.item", namespace="trk", numbers=[1])
        assert failure.detail["code"] == "NOT_A_TRACKER_NAMESPACE"
        gone = await plane.fails("tracker.source.check", name="trk")
        never = await plane.fails("tracker.source.check", name="never")
        assert gone.told == never.told and gone.detail["code"] == "SOURCE_NOT_FOUND"
        # The name and the namespace are its owner's to take again.
        assert (await plane.add(record, "src_plain", "trk"))["added"]
        assert (await plane.call("tracker.item", namespace="trk", numbers=[1]))["items"]


@pytest.mark.provokes("QUOTA_EXCEEDED", "SOURCE_WRITABLE")
async def test_the_organisation_holds_so_many_sources_and_no_writable_login_where_that_is_forbidden(
    record: Server, tmp_path: Path
) -> None:
    settings = {"LOOM_TRACKER_SELF_SERVICE_MAX_SOURCES": "1", "LOOM_TRACKER_REQUIRE_READ_ONLY": "on"}
    async with tracker_plane(tmp_path, **settings) as plane:
        writable = await plane.fails("tracker.source.add", **source(record, "src_plain", "trk"))
        assert writable.detail["code"] == "SOURCE_WRITABLE"
        for level in (1, 2):
            record.set(readonly=level)
            dry = await plane.add(record, "src_plain", "trk", dry_run=True)
            assert (dry["verdict"]["read_only"], dry["verdict"]["readonly"]) == (True, level)
        record.set(readonly=1)
        assert (await plane.add(record, "src_plain", "trk"))["added"]
        assert (await plane.call("tracker.item", namespace="trk", numbers=[1]))["items"]
        full = await plane.fails("tracker.source.add", **source(record, "src_plain", "second"))
        assert full.detail["code"] == "QUOTA_EXCEEDED"


async def test_a_bad_verdict_is_kept_for_a_minute_and_a_changed_record_is_judged_anew(
    record: Server, tmp_path: Path
) -> None:
    clock = ManualClock()
    team_record.put(record, "src_moving", PLAIN)
    async with tracker_plane(tmp_path, clock=clock) as plane:
        await plane.add(record, "src_moving", "trk")

        async def asked() -> tuple[bool, str]:
            answer = await plane.call("tracker.item", namespace="trk", numbers=[1])
            return answer["tracker_unavailable"], answer["unavailable_reason"]

        assert await asked() == (False, "")
        record.execute("ALTER TABLE src_moving.github_issues RENAME COLUMN title TO moved")
        assert await asked() == (True, "contract")  # the read found it out
        assert await asked() == (True, "contract")  # judged anew
        record.execute("ALTER TABLE src_moving.github_issues RENAME COLUMN moved TO title")
        before = len(record.recorded())
        assert await asked() == (True, "contract")
        assert len(record.recorded()) == before
        listed = await plane.call("tracker.source.list")
        assert listed["sources"][0]["state"] == "contract"
        clock.advance(61.0)
        assert await asked() == (False, "")
        # A check that finds it mended ends the wait.
        record.execute("ALTER TABLE src_moving.github_issues RENAME COLUMN title TO moved")
        assert [await asked() for _ in range(2)] == [(True, "contract")] * 2
        assert not (await plane.call("tracker.source.check", name="trk"))["verdict"]["ok"]
        record.execute("ALTER TABLE src_moving.github_issues RENAME COLUMN moved TO title")
        assert await asked() == (True, "contract")
        assert (await plane.call("tracker.source.check", name="trk"))["verdict"]["ok"]
        assert await asked() == (False, "")


async def test_switched_off_nothing_is_sent_to_any_source(record: Server, tmp_path: Path) -> None:
    async with tracker_plane(tmp_path) as plane:
        await plane.add(record, "src_plain", "trk")
    record.reset()
    async with tracker_plane(tmp_path, LOOM_TRACKER_LIVE_SERVE="off") as plane:
        answer = await plane.call("tracker.item", namespace="trk", numbers=[1])
        assert (answer["tracker_unavailable"], answer["unavailable_reason"]) == (True, "off")
        assert (answer["items"], answer["missing"]) == ([], [])
        bound = await plane.call("tracker.binding", namespace="trk")
        assert [tracker["state"] for tracker in bound["trackers"]] == ["off"]
        assert record.recorded() == []


async def test_a_login_that_does_not_open_any_more_makes_the_source_unreachable(record: Server, tmp_path: Path) -> None:
    keys = {"LOOM_SECRET_KEY": "11" * 32}
    async with tracker_plane(tmp_path, **keys) as plane:
        await plane.add(record, "src_plain", "trk")
    async with tracker_plane(tmp_path, LOOM_SECRET_KEY="22" * 32) as plane:
        answer = await plane.call("tracker.item", namespace="trk", numbers=[1])
        assert (answer["tracker_unavailable"], answer["unavailable_reason"]) == (True, "unreachable")
        failure = await plane.fails("tracker.source.check", name="trk")
        assert failure.detail["metadata"] == {"reason": "credentials"}
        whole = {"user": record.user, "password": record.password}
        assert (await plane.call("tracker.source.rotate", name="trk", **whole))["changed"]
        assert (await plane.call("tracker.item", namespace="trk", numbers=[1]))["items"]


async def test_without_a_key_for_credentials_a_dry_run_is_refused_as_the_addition_would_be(
    record: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.tracker.build.open_vault", lambda *_, **__: None)
    async with tracker_plane(tmp_path) as plane:
        for dry_run in (True, False):
            asked = source(record, "src_plain", "trk", dry_run=dry_run)
            failure = await plane.fails("tracker.source.add", **asked)
            assert failure.detail["code"] == "FEATURE_DISABLED" and "LOOM_SECRET_KEY" in failure.detail["message"]


async def test_a_password_is_in_no_answer_no_log_and_no_file(record: Server, tmp_path: Path) -> None:
    with log_lines() as lines:
        async with tracker_plane(tmp_path) as plane:
            said = [await plane.add(record, "src_plain", "trk")]
            said += [await plane.call(f"tracker.source.{op}", name="trk") for op in ("check",)]
            said.append(await plane.call("tracker.source.list"))
            for door in plane.doors.values():
                wrong = source(record, "src_plain", "x", password=CANARY)
                failed = await failure_of(door, "tracker.source.add", {"org": ORG, **wrong})
                assert failed.detail["code"] == "SOURCE_UNREACHABLE"
    shown = json.dumps(said) + json.dumps(lines())
    assert record.password not in shown and CANARY not in shown
    assert not holds(tmp_path, record.password) and not holds(tmp_path, CANARY)


async def test_a_source_is_only_ever_read(record: Server, tmp_path: Path) -> None:
    """Every statement that came during every op of the plane, with one that was slow enough to be given up."""
    async with tracker_plane(tmp_path) as plane:
        await plane.call("tracker.source.inspect", **login(record), database="src_plain")
        await plane.add(record, "src_other", "trk", mapping=other_mapping(), restricted=True)
        await plane.call("tracker.source.check", name="trk")
        await plane.call("tracker.source.remap", name="trk", mapping=other_mapping("src_other"))
        await plane.call("tracker.source.rotate", name="trk", password=record.password)
        space: dict[str, Any] = {"namespace": "trk"}
        await plane.call("tracker.item", **space, numbers=[1, 100])
        await plane.call("tracker.links", **space, issue_number=1)
        await plane.call("tracker.flaky", **space, test_name="test_nobody_knows")
        await plane.call("tracker.release", **space, version="0.0.0")
        await plane.call("tracker.component", **space, component="nothing")
        await plane.call("tracker.answer", **space, question="what is open in storage, and who fixed #1?")
        await plane.call("tracker.binding", **space)
        await plane.call("tracker.similar", **space, text="compaction loses the order of rows")
        await plane.call(
            "tracker.duplicate_check", **space, title="Order of rows", frames=["merge.rs:10"], related_prs=True
        )
        await plane.call("tracker.test_signal", **space, test_name=FLAKY_TEST)
    hasty = {"LOOM_TRACKER_LIVE_BUDGET_MS": "50", "LOOM_TRACKER_LIVE_TIMEOUT_S": "1.5"}
    async with tracker_plane(tmp_path, **hasty) as plane:
        record.set(delay_s=0.3)
        assert (await plane.call("tracker.item", **space, numbers=[1]))["tracker_unavailable"]
        record.set(delay_s=0.0)
    sent = record.idle()
    ours = {entry["query_id"] for entry in sent}
    for entry in sent:
        if entry["sql"].strip() == KILLS:
            assert all(
                each in ours and each.startswith("loom-") for each in re.findall(r"loom-\w+", str(entry["params"]))
            )
        else:
            assert READS.match(entry["sql"]), entry["sql"]
    assert len(sent) > 40
