"""Repositories and the trackers that they read: the operator's links, branches, and links to what is gone."""

import json
from pathlib import Path

import pytest

from runtime.identity import Caller
from services.tracker.resolve import FAN_OUT
from tests.support import team_record
from tests.support.clickhouse_http import Server
from tests.support.team_record import PLAIN
from tests.support.tracker_plane import TrackerPlane, tracker_plane

BINDINGS = {"LOOM_TRACKER_CODE_NAMESPACE_BINDINGS_JSON": json.dumps({"web-*": "trk", "web-special": ["other", "trk"]})}


@pytest.fixture
def record(source_server: Server) -> Server:
    team_record.put(source_server, "repos", PLAIN)
    return source_server


async def bound(plane: TrackerPlane, namespace: str) -> list[str]:
    answer = await plane.call("tracker.binding", namespace=namespace)
    assert answer["kind"] == ("code" if answer["trackers"] else "none")
    assert [each["primary"] for each in answer["trackers"]] == [not i for i in range(len(answer["trackers"]))]
    return [each["namespace"] for each in answer["trackers"]]


async def repo(plane: TrackerPlane, name: str, of: str = "Org/repo") -> None:
    await plane.call("code.repo.add", namespace=name, repo=of)


async def test_the_operators_globs_link_repositories_and_their_branches_live(record: Server, tmp_path: Path) -> None:
    async with tracker_plane(tmp_path, **BINDINGS) as plane:
        await plane.add(record, "repos", "trk")
        await plane.add(record, "repos", "other")
        for name in ("web-shop", "web-special", "api"):
            await repo(plane, name)
        await plane.call("code.repo.add_branch", namespace="shop-2", root="web-shop", branch="release/2")
        await plane.call("namespace.create", namespace="web-plain", kind="code")
        assert [await bound(plane, name) for name in ("web-shop", "web-special", "api", "shop-2", "web-plain")] == [
            ["trk"],
            ["other", "trk"],
            [],
            ["trk"],
            ["trk"],
        ]
        listed = {each["namespace"]: each for each in (await plane.call("code.repo.list"))["repos"]}
        assert listed["web-shop"]["linked_by"] == listed["shop-2"]["linked_by"] == "operator"
        assert (listed["shop-2"]["root"], listed["api"]["linked_by"]) == ("web-shop", "none")
        # The root's own links go before the operator's, and reach a branch that has none of its own.
        await plane.call("code.repo.set_source", namespace="web-shop", trackers=["other"])
        assert (await bound(plane, "web-shop"), await bound(plane, "shop-2")) == (["other"], ["other"])
        # None of its own is a choice too.
        await plane.call("code.repo.set_source", namespace="web-shop", trackers=[])
        assert (await bound(plane, "web-shop"), await bound(plane, "shop-2")) == ([], [])
        await plane.call("code.repo.set_source", namespace="shop-2", trackers=["trk"])
        assert await bound(plane, "shop-2") == ["trk"]


async def test_ops_by_number_read_the_primary_alone_and_nothing_takes_its_place(record: Server, tmp_path: Path) -> None:
    async with tracker_plane(tmp_path) as plane:
        await plane.add(record, "repos", "first")
        await plane.add(record, "repos", "second", repos=["Org/repo2"])
        await repo(plane, "web")
        linked = await plane.call("code.repo.set_source", namespace="web", trackers=["first", "second", "first"])
        assert linked == {"trackers": ["first", "second"], "not_covering": ["second"]}
        item = await plane.call("tracker.item", namespace="web", numbers=[77])
        assert (item["tracker_namespace"], item["missing"]) == ("first", [77])
        await plane.call("tracker.source.remove", name="first")
        assert await bound(plane, "web") == []
        failure = await plane.fails("tracker.item", namespace="web", numbers=[77])
        assert failure.detail["code"] == "NOT_A_TRACKER_NAMESPACE"


@pytest.mark.provokes("NOT_A_TRACKER_NAMESPACE", "ALREADY_EXISTS", "INVALID_FIELD")
async def test_what_is_no_repository_is_refused(record: Server, tmp_path: Path) -> None:
    async with tracker_plane(tmp_path) as plane:
        await plane.call("namespace.create", namespace="notes")
        for op, args in (("set_source", {"trackers": []}), ("set_access", {"join_policy": "open"})):
            assert (await plane.fails(f"code.repo.{op}", namespace="notes", **args)).detail["code"] == (
                "NOT_A_TRACKER_NAMESPACE"
            )
        await repo(plane, "web")
        assert (await plane.fails("code.repo.add", namespace="web", repo="Org/repo")).detail["code"] == "ALREADY_EXISTS"
        for name in ("repo", "a/b c", "a//b", "/"):
            failed = await plane.fails("code.repo.add", namespace="bad", repo=name)
            assert failed.detail["metadata"]["field"] == "repo"
        policy = await plane.call("code.repo.set_access", namespace="web", join_policy="approval")
        assert policy == {"join_policy": "approval"}


async def test_a_search_reads_no_more_trackers_than_it_may(record: Server, tmp_path: Path) -> None:
    async with tracker_plane(tmp_path) as plane:
        names = [f"trk-{n}" for n in range(FAN_OUT + 1)]
        for name in names:
            await plane.add(record, "repos", name)
        await repo(plane, "web")
        await plane.call("code.repo.set_source", namespace="web", trackers=names)
        assert await bound(plane, "web") == names
        everyone = Caller("dev", "local", "user", {"*": "admin"}, "single_user", org_admin=True)
        readable = await plane.core.resolver.readable("dev", "web", everyone)
        assert [each.namespace for each in readable] == names[:FAN_OUT]
