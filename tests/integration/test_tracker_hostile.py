"""Records as nobody should keep them: what can be answered is answered, cut where it must be, and nothing breaks."""

from pathlib import Path
from typing import Any

from tests.support import team_record
from tests.support.clickhouse_http import Server
from tests.support.team_record import PLAIN, change, issue
from tests.support.tracker_plane import TrackerPlane, tracker_plane

HUGE, DEEP = "x" * 10_000_000, 2**60
ENDLESS = [f"{n}-" + "y" * 40 for n in range(20_000)]


def rows() -> dict[str, list[dict[str, Any]]]:
    issues = [
        issue(1, "nul \x00 in \x07 it", body="\x00" * 50, component="sto\x00rage", severity="p1", labels=["\x00"]),
        issue(2, HUGE, body=HUGE, component="big", labels=ENDLESS, tests=["t" * 100_000], milestone="3.0.0"),
        issue(3, "cycle", duplicate_of=4, fixed_by=[100], caused_by=[100], component="storage"),
        issue(4, "cycle", duplicate_of=5),
        issue(5, "cycle", duplicate_of=3),
        issue(6, "itself", duplicate_of=6, fixed_by=[6]),
        issue(7, "older of two", state="open", component="twice"),
        issue(7, "newer of two", state="open", component="twice", updated_at="2099-01-01 00:00:00"),
        issue(8, "from the future", created_at="2298-12-31 23:59:59", updated_at="2298-12-31 23:59:59"),
        issue(9, "before there was time", created_at="1900-01-01 00:00:00", component="storage"),
        issue(10, "points at all", fixed_by=[DEEP, -1, 100, *range(10_000, 30_000)], comments=DEEP),
        issue(11, "no repository", source_id="nothing"),
        {**issue(DEEP, "beyond JSON"), "duplicate_of": 1},
        {**issue(-5, "less than none"), "source_id": "Org/repo#-5"},
        issue(12, "‮right to left‬ 🧨 \ufeff", severity="🧨" * 1000, component="z" * 100_000),
    ]
    changes = [
        change(
            100,
            "fix",
            closes=[3, DEEP, *range(200, 30_000)],
            affected_file_paths=ENDLESS,
            backport_of=101,
            release=HUGE,
        ),
        change(101, "backport of its backport", backport_of=100, closes=[3], diff=HUGE, base_ref="b" * 5000),
        change(100, "the same number again", state="open", closes=[3]),
    ]
    checks = [
        {"check_start_time": "2298-01-01 00:00:00", "pull_request_number": 100, "check_name": HUGE[:1_000_000]}
        | {"check_status": "?", "test_name": HUGE[:1_000_000], "report_url": HUGE[:1_000_000]},
        {"check_start_time": team_record.ago(1), "pull_request_number": DEEP, "test_name": "test_\x00"},
    ]
    around = {
        "component_risk": [
            {"component": "storage", "snapshot_at": "2298-01-01 00:00:00", "open_issues": DEEP, "trend": HUGE[:100_000]}
            | {"repo": "Org/repo", "owners": ENDLESS, "notes": HUGE}
        ],
        "releases": [
            {"version": "3.0.0", "branch": "\x00", "state": HUGE[:100_000], "is_private": 0, "repo": "Org/repo"}
        ],
        "release_health": [
            {"version": "3.0.0", "blockers_open": DEEP, "status": "\x00", "notes": HUGE, "repo": "Org/repo"}
        ],
        "core_incidents": [
            {
                "id": HUGE[:100_000],
                "title": HUGE,
                "component": "storage",
                "issue_numbers": [DEEP, 1],
                "repo": "Org/repo",
            }
        ],
        "version_history": [{"version": HUGE[:100_000], "sha": "abcdef1234", "pr_number": 100, "repo": "Org/repo"}],
    }
    return {"github_issues": issues, "github_prs": changes, "checks": checks, **around}


async def served(server: Server, plane: TrackerPlane) -> None:
    team_record.put(server, "hostile", PLAIN, rows())
    for nothing in ("nan", "inf"):
        columns, values = "version, snapshot_at, ci_pass_rate, repo", f"'3.0.0', now(), {nothing}, 'Org/repo'"
        server.execute(f"INSERT INTO hostile.release_health ({columns}) SELECT {values}")
    # Bytes that are no text.
    server.execute(
        "INSERT INTO hostile.github_issues (source_id, number, title, body, state, created_at, updated_at, is_private,"
        " component, labels) SELECT 'Org/repo#20', 20, unhex('ff00fe41'), unhex('c328'), 'open', now(), now(), 0,"
        " unhex('ff'), [unhex('eda080')]"
    )
    await plane.add(server, "hostile", "hostile", restricted=True)


async def test_every_op_answers_over_a_hostile_record(source_server: Server, tmp_path: Path) -> None:
    async with tracker_plane(tmp_path) as plane:
        await served(source_server, plane)
        space = {"namespace": "hostile"}
        for door in plane.doors:
            items = await plane.call("tracker.item", door=door, **space, numbers=[1, 2, 3, 6, 7, 8, 9, 10, 12, 20])
            assert [item["number"] for item in items["items"]] == [1, 2, 3, 6, 7, 8, 9, 10, 12, 20]
            assert (items["missing"], items["tracker_unavailable"]) == ([], False)
            assert set(items["leg_status"].values()) == {"ok"}
        by_number = {item["number"]: item for item in items["items"]}
        big = by_number[2]
        assert (big["body_clipped"], big["body"][-1], big["title"][-1]) == (True, "…", "…")
        assert len(big["labels"]) == 100 and all(len(each) <= 300 for each in big["labels"] + big["tests"])
        assert by_number[7]["title"] == "newer of two"
        assert "�" in by_number[20]["title"]
        cycle = {(edge["source"], edge["target"]) for edge in by_number[3]["graph"]}
        assert {("Org/repo#3", "Org/repo#4"), ("Org/repo#5", "Org/repo#3")} <= cycle
        for args in ({"issue_number": 1}, {"issue_number": 3}, {"issue_number": 10}, {"pr_number": 100}):
            links = await plane.call("tracker.links", **space, **args)
            assert all(1 <= item["number"] < 2**53 for item in links["items"])
        await rest(plane, space)


async def rest(plane: TrackerPlane, space: dict[str, str]) -> None:
    for number in (1, 2, 3, 6, 9, 10, 12, 20):
        checked = await plane.call("tracker.duplicate_check", **space, issue_number=number, paths=["1-y"])
        assert (checked["verdict"], checked["tracker_unavailable"]) != ("duplicate_of", True)
        like = await plane.call("tracker.similar", **space, issue_number=number)
        assert all(len(item["title"]) <= 300 for item in [*checked["nearest"], *like["items"]])
    text = {
        "title": "\x00 cycle 🧨" + "x" * 1_900,
        "body": "nul \x00 \ud7ff y" * 9_000,
        "frames": ["\x00", "(" * 1_000],
    }
    assert (await plane.call("tracker.duplicate_check", **space, **text))["tracker_unavailable"] is False
    component = await plane.call("tracker.component", **space, component="storage")
    assert (component["risk"]["open_issues"], component["incidents"][0]["issue_numbers"]) == (None, [1])
    assert len(component["risk"]["owners"]) == 100
    twice = await plane.call("tracker.component", **space, component="twice")
    assert (twice["open_issues"], len(twice["items"])) == (1, 1)
    near = await plane.call("tracker.component", **space, component="sto")
    assert all(len(name) <= 300 for name in near["near"])
    release = await plane.call("tracker.release", **space, version="3.0.0")
    assert release["health"]["ci_pass_rate"] is None and len(str(release)) < 20_000
    flaky = await plane.call("tracker.flaky", **space, test_name="t.*(\\Q[")
    assert flaky["verdict"] == "no_flaky_signal" and len(str(flaky)) < 20_000
    for question in (
        "Who fixed #3?",
        "status of #2",
        "duplicates of #3",
        "health of 3.0.0",
        "first release of abcdef1234",
    ):
        answer = await plane.call("tracker.answer", **space, question=question)
        assert answer["text"] and len(answer["text"]) < 20_000, question


async def test_a_number_that_is_none_is_no_item(source_server: Server, tmp_path: Path) -> None:
    async with tracker_plane(tmp_path) as plane:
        await served(source_server, plane)
        linked = await plane.call("tracker.links", namespace="hostile", issue_number=1)
        assert linked["items"] == []
        failure = await plane.fails("tracker.item", namespace="hostile", numbers=[2**53])
        assert failure.detail["code"] == "INVALID_FIELD"
        missing = await plane.call("tracker.item", namespace="hostile", numbers=[11])
        assert missing["missing"] == [11]
