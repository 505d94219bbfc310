"""Who reads what of a tracker, in token mode: rows, tables, repositories, restricted namespaces, links and hiding."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tests.support import team_record
from tests.support.clickhouse_http import Server as ClickHouse
from tests.support.guarded import DOORS, OK, ORG, Answer, Keys, TokenDoor, guarded_server, token_door
from tests.support.server import Server
from tests.support.team_record import PLAIN
from tests.support.tracker_plane import PATIENT, source

NOBODY = "nobody-made-this"
SETTINGS = {
    "LOOM_TRACKER_ORG": ORG,
    "LOOM_TRACKER_WORKERS": "off",
    "LOOM_SECRET_KEY": "5a" * 32,
    "LOOM_TRACKER_SOURCE_HOSTS": "loopback",
    **PATIENT,
}
# Namespaces of one record: what each is, who made it, and what its rows are.
OWNER, READER, OUTSIDER = "owner", "reader", "outsider"


class Bench:
    """A server with two trackers over one record, and calls by whoever has which token."""

    def __init__(self, server: Server, keys: Keys, source: ClickHouse) -> None:
        self.server, self.keys, self.source = server, keys, source
        self.door: TokenDoor = token_door("http", server)

    async def call(self, who: str, op: str, claims: dict[str, str] | None = None, **args: Any) -> Answer:
        """By a subject whose token names these namespaces; nothing but `elsewhere` where it says none."""
        token = self.keys.token(claims or {"elsewhere": "viewer"}, sub=who)
        return await self.door.call(op, {"org": ORG, **args}, token)

    async def ok(self, who: str, op: str, claims: dict[str, str] | None = None, **args: Any) -> dict[str, Any]:
        answer = await self.call(who, op, claims, **args)
        assert answer.code == OK, answer.value
        return answer.value


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Keys]]:
    with guarded_server(tmp_path_factory.mktemp("guarded"), **SETTINGS) as running:
        yield running


@pytest.fixture(scope="module")
def filled(_source_server: ClickHouse) -> ClickHouse:
    team_record.put(_source_server, "access", PLAIN)
    return _source_server


@pytest.fixture
async def bench(guarded: tuple[Server, Keys], filled: ClickHouse) -> AsyncIterator[Bench]:
    """With `open` (standard) and `closed` (restricted), both made by the owner."""
    filled.reset()
    made = Bench(*guarded, filled)
    for name, restricted in (("open", False), ("closed", True)):
        arguments = source(filled, "access", name, restricted=restricted)
        answer = await made.call(OWNER, "tracker.source.add", **arguments)
        assert answer.code in (OK, "ALREADY_EXISTS"), answer.value
    yield made
    await made.door.aclose()


def without_id(answer: Answer) -> bytes:
    """The bytes of an answer without its request id."""
    request_id = str(answer.value.get("request_id", ""))
    return answer.body.replace(request_id.encode(), b"") if request_id else answer.body


async def items(bench: Bench, who: str, namespace: str, claims: dict[str, str]) -> set[str]:
    found = await bench.ok(who, "tracker.item", claims, namespace=namespace, numbers=[1, 4, 77, 103])
    return {item["source_id"] for item in found["items"]}


async def test_private_rows_and_the_three_tables_are_for_restricted_namespaces(bench: Bench) -> None:
    assert await items(bench, OWNER, "open", {"open": "viewer"}) == {"Org/repo#1"}
    assert await items(bench, OWNER, "closed", {"closed": "viewer"}) == {"Org/repo#1", "Org/repo#4", "Org/repo#103"}
    for name, claims, incidents in (("open", {"open": "viewer"}, []), ("closed", {"closed": "viewer"}, ["INC-1"])):
        found = await bench.ok(OWNER, "tracker.component", claims, namespace=name, component="storage")
        assert [incident["id"] for incident in found["incidents"]] == incidents
        assert found["leg_status"]["incidents"] == ("ok" if incidents else "refused")
        question = {"question": "which support cases does #1 have?"}
        answer = await bench.ok(OWNER, "tracker.answer", claims, namespace=name, **question)
        assert ("CASE-1" in answer["text"]) == bool(incidents)
    whole = json.dumps(await bench.ok(OWNER, "tracker.item", {"open": "viewer"}, namespace="open", numbers=[1, 100]))
    assert "mallory" not in whole and "Secret" not in whole


async def test_a_repository_never_covers_one_whose_name_begins_alike(bench: Bench) -> None:
    for claims, name in (({"open": "viewer"}, "open"), ({"closed": "viewer"}, "closed")):
        found = await bench.ok(OWNER, "tracker.item", claims, namespace=name, numbers=[77], repo="Org/repo2")
        assert (found["items"], found["missing"]) == ([], [77])
        flaky = await bench.ok(
            OWNER, "tracker.flaky", claims, namespace=name, test_name="tests.neighbour::test_of_thei"
        )
        assert "tests.neighbour::test_of_theirs" not in flaky["similar_names"]
        component = await bench.ok(OWNER, "tracker.component", claims, namespace=name, component="neighbour")
        assert (component["component"], component["items"]) == ("", [])


async def test_a_restricted_namespace_wants_a_token_that_names_it_and_a_live_grant(bench: Bench) -> None:
    space = {"namespace": "closed", "numbers": [1]}
    missing = {"namespace": NOBODY, "numbers": [1]}
    for who, claims in (
        (READER, {"closed": "admin"}),  # named, no grant
        (OWNER, {"*": "admin"}),  # a grant, not named
        (OWNER, {"open": "admin"}),
        (OUTSIDER, {"elsewhere": "viewer"}),
    ):
        refused = await bench.call(who, "tracker.item", claims, **space)
        same = await bench.call(
            who, "tracker.item", {**claims, NOBODY: "admin"} if who == READER else claims, **missing
        )
        assert refused.code == "NAMESPACE_FORBIDDEN"
        assert same.code in ("NAMESPACE_FORBIDDEN", "NOT_A_TRACKER_NAMESPACE")
    await bench.ok(OWNER, "namespace.grant", {"closed": "admin"}, namespace="closed", subject=READER, role="viewer")
    assert (await bench.call(READER, "tracker.item", {"closed": "viewer"}, **space)).code == OK
    await bench.ok(OWNER, "namespace.revoke", {"closed": "admin"}, namespace="closed", subject=READER)
    assert (await bench.call(READER, "tracker.item", {"closed": "viewer"}, **space)).code == "NAMESPACE_FORBIDDEN"


async def test_binding_has_one_answer_for_unbound_refused_and_missing(bench: Bench) -> None:
    await bench.call(OWNER, "namespace.create", namespace="notes", kind="memory")
    await bench.call(OWNER, "code.repo.add", namespace="unlinked", repo="Org/repo")
    cases = [
        await bench.call(OWNER, "tracker.binding", {"notes": "admin"}, namespace="notes"),
        await bench.call(OWNER, "tracker.binding", {"unlinked": "admin"}, namespace="unlinked"),
        await bench.call(OUTSIDER, "tracker.binding", namespace="closed"),
        await bench.call(OUTSIDER, "tracker.binding", {"closed": "admin"}, namespace="closed"),
        await bench.call(OUTSIDER, "tracker.binding", {"*": "viewer"}, namespace="closed"),
        await bench.call(OUTSIDER, "tracker.binding", namespace="open"),
        await bench.call(OUTSIDER, "tracker.binding", {NOBODY: "admin"}, namespace=NOBODY),
        await bench.call(OUTSIDER, "tracker.binding", {NOBODY: "admin"}, namespace="no such name!"),
    ]
    assert [(answer.code, answer.value["kind"]) for answer in cases] == [(OK, "none")] * len(cases)
    assert len({without_id(answer) for answer in cases}) == 1
    bound = await bench.ok(OWNER, "tracker.binding", {"closed": "viewer"}, namespace="closed")
    assert (bound["kind"], bound["trackers"][0]["restricted"], "incidents" in bound["templates"]) == (
        "tracker",
        True,
        True,
    )
    standard = await bench.ok(OWNER, "tracker.binding", {"open": "viewer"}, namespace="open")
    assert {"incidents", "support_cases"}.isdisjoint(standard["templates"])


async def test_sources_are_hidden_from_all_but_their_admins(bench: Bench) -> None:
    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("tracker.source.check", {}),
        ("tracker.source.remap", {"mapping": {"tables": {}}}),
        ("tracker.source.rotate", {"password": "another"}),
    )
    for op, args in calls:
        theirs = await bench.call(OUTSIDER, op, name="closed", **args)
        never = await bench.call(OUTSIDER, op, name=NOBODY, **args)
        assert (theirs.code, without_id(theirs)) == ("SOURCE_NOT_FOUND", without_id(never))
    assert await bench.ok(OUTSIDER, "tracker.source.remove", name="closed") == {"removed": False}
    assert (await bench.ok(OUTSIDER, "tracker.source.list"))["sources"] == []
    assert (await bench.ok(READER, "tracker.source.list", {"closed": "viewer"}))["sources"] == []
    mine = await bench.ok(OWNER, "tracker.source.list", {"closed": "viewer", "open": "viewer"})
    states = {each["name"]: each["state"] for each in mine["sources"]}
    assert (states["closed"], states["open"]) == ("serving", "serving")
    assert bench.source.password not in json.dumps(mine) and bench.source.user not in json.dumps(mine)
    assert (await bench.call(OWNER, "tracker.source.check", {"open": "admin"}, name="open")).code == OK
    taken = await bench.call(OUTSIDER, "tracker.source.add", **source(bench.source, "access", "closed"))
    assert (taken.code, taken.value["message"]) == ("ALREADY_EXISTS", "the name is taken")


async def test_linking_wants_an_admin_of_the_repository_and_of_each_tracker_that_is_new(bench: Bench) -> None:
    await bench.call(OWNER, "code.repo.add", namespace="web", repo="Org/repo")
    await bench.call(READER, "code.repo.add", namespace="theirs", repo="Org/other")
    admin = {"web": "admin", "open": "admin", "closed": "admin"}

    async def link(who: str, claims: dict[str, str], *trackers: str, repo: str = "theirs") -> Answer:
        return await bench.call(who, "code.repo.set_source", claims, namespace=repo, trackers=list(trackers))

    reads = {"theirs": "admin", "open": "viewer"}
    refused = await link(READER, reads, "open")
    assert (refused.code, refused.value["metadata"]) == ("ROLE_REQUIRED", {"required": "admin"})
    hidden = [await link(READER, reads, name) for name in ("closed", NOBODY, "theirs", "elsewhere", "no such name!")]
    assert {answer.code for answer in hidden} == {"NOT_A_TRACKER_NAMESPACE"}
    assert len({without_id(answer) for answer in hidden}) == 1
    assert (await link(READER, {"web": "viewer", "open": "admin"}, "open", repo="web")).code == "ROLE_REQUIRED"

    linked = await link(OWNER, admin, "open", "closed", repo="web")
    assert linked.value == {"trackers": ["open", "closed"], "not_covering": []}
    # An admin of the repository keeps and reorders what is linked without administering it.
    await bench.ok(OWNER, "namespace.grant", admin, namespace="web", subject=READER, role="admin")
    kept = await link(READER, {"web": "admin", "open": "viewer"}, "open", repo="web")
    assert kept.value["trackers"] == ["open"]
    await link(OWNER, admin, "open", "closed", repo="web")

    both = await bench.ok(OWNER, "tracker.binding", admin, namespace="web")
    assert [(each["namespace"], each["primary"]) for each in both["trackers"]] == [("open", True), ("closed", False)]
    # The gate runs again for the caller on each tracker.
    one = await bench.ok(READER, "tracker.binding", {"web": "viewer", "open": "viewer"}, namespace="web")
    assert [each["namespace"] for each in one["trackers"]] == ["open"]
    assert (await bench.ok(READER, "tracker.binding", {"web": "viewer"}, namespace="web"))["kind"] == "none"
    refused = await bench.call(READER, "tracker.item", {"web": "viewer"}, namespace="web", numbers=[1])
    assert refused.code == "NOT_A_TRACKER_NAMESPACE"


async def test_a_tracker_of_other_repositories_is_linked_and_named(bench: Bench) -> None:
    await bench.call(OWNER, "code.repo.add", namespace="stranger", repo="Org/repo2")
    admin = {"stranger": "admin", "open": "admin"}
    linked = await bench.ok(OWNER, "code.repo.set_source", admin, namespace="stranger", trackers=["open"])
    assert linked == {"trackers": ["open"], "not_covering": ["open"]}
    assert (await bench.ok(OWNER, "tracker.binding", admin, namespace="stranger"))["kind"] == "code"
    assert await bench.ok(OWNER, "code.repo.set_source", admin, namespace="stranger", trackers=[]) == {
        "trackers": [],
        "not_covering": [],
    }
    assert (await bench.ok(OWNER, "tracker.binding", admin, namespace="stranger"))["kind"] == "none"


async def test_a_branch_gets_a_copy_of_a_members_links_and_only_from_an_admin_of_its_root(bench: Bench) -> None:
    admin = {"root": "admin", "open": "admin"}
    await bench.call(OWNER, "code.repo.add", namespace="root", repo="Org/repo")
    await bench.ok(OWNER, "code.repo.set_source", admin, namespace="root", trackers=["open"])
    named = {"namespace": "root-b", "root": "root", "branch": "release/2.4"}
    assert (await bench.call(READER, "code.repo.add_branch", {"root": "viewer"}, **named)).code == "ROLE_REQUIRED"
    hidden = await bench.call(OUTSIDER, "code.repo.add_branch", **named)
    never = await bench.call(OUTSIDER, "code.repo.add_branch", **{**named, "root": NOBODY})
    assert (hidden.code, without_id(hidden)) == ("NAMESPACE_FORBIDDEN", without_id(never))
    made = await bench.ok(OWNER, "code.repo.add_branch", admin, **named)
    assert (made["created"]["trackers"], made["created"]["linked_by"]) == (["open"], "own")
    await bench.ok(OWNER, "code.repo.set_source", admin, namespace="root", trackers=[])
    still = await bench.ok(OWNER, "tracker.binding", {"root-b": "viewer", "open": "viewer"}, namespace="root-b")
    assert [each["namespace"] for each in still["trackers"]] == ["open"]
    again = await bench.call(OWNER, "code.repo.add_branch", admin, **{**named, "namespace": "x", "root": "root-b"})
    assert again.code in ("INVALID_FIELD", "NAMESPACE_FORBIDDEN")
    listed = await bench.ok(OUTSIDER, "code.repo.list")
    assert {each["namespace"] for each in listed["repos"]}.isdisjoint({"root", "root-b"})


async def test_a_namespace_that_takes_the_name_of_a_linked_one_is_another_one(bench: Bench) -> None:
    admin = {"brief": "admin", "linker": "admin"}
    await bench.ok(OWNER, "tracker.source.add", **source(bench.source, "access", "brief"))
    await bench.call(OWNER, "code.repo.add", namespace="linker", repo="Org/repo")
    await bench.ok(OWNER, "code.repo.set_source", admin, namespace="linker", trackers=["brief"])
    assert (await bench.ok(OWNER, "tracker.binding", admin, namespace="linker"))["kind"] == "code"
    assert (await bench.ok(OWNER, "tracker.source.remove", admin, name="brief"))["removed"]
    await bench.ok(OWNER, "namespace.remove", admin, namespace="brief")
    await bench.ok(OWNER, "tracker.source.add", **source(bench.source, "access", "brief"))
    assert (await bench.ok(OWNER, "tracker.binding", admin, namespace="brief"))["kind"] == "tracker"
    assert (await bench.ok(OWNER, "tracker.binding", admin, namespace="linker"))["kind"] == "none"


async def test_another_organisation_reads_and_registers_nothing(bench: Bench) -> None:
    token = bench.keys.token({"*": "admin", "open": "admin"}, sub="root", org="other")
    read = await bench.door.call("tracker.item", {"org": ORG, "namespace": "open", "numbers": [1]}, token)
    assert read.code == "NAMESPACE_FORBIDDEN"
    own = await bench.door.call("tracker.binding", {"org": "other", "namespace": "open"}, token)
    assert own.value["kind"] == "none"
    added = await bench.door.call(
        "tracker.source.add", {"org": "other", **source(bench.source, "access", "open")}, token
    )
    assert added.code == "FEATURE_DISABLED"
    across = await bench.door.call("code.repo.add", {"org": "other", "namespace": "web", "repo": "Org/repo"}, token)
    assert across.code == "FEATURE_DISABLED"


@pytest.mark.parametrize("name", DOORS)
async def test_every_door_gives_the_same_rows(bench: Bench, guarded: tuple[Server, Keys], name: str) -> None:
    door = token_door(name, guarded[0])
    token = bench.keys.token({"open": "viewer"}, sub=OWNER)
    answer = await door.call("tracker.item", {"org": ORG, "namespace": "open", "numbers": [1, 4, 77]}, token)
    assert [item["source_id"] for item in answer.value["items"]] == ["Org/repo#1"]
    assert answer.value["missing"] == [4, 77]
    await door.aclose()


async def test_no_log_line_holds_a_login(bench: Bench) -> None:
    wrong = {**source(bench.source, "access", "never"), "password": "a-password-of-nobody"}
    assert (await bench.call(OWNER, "tracker.source.add", **wrong)).code == "SOURCE_UNREACHABLE"
    said = bench.server.log.read_text()
    assert bench.source.password not in said and "a-password-of-nobody" not in said
