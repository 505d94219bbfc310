"""What the directory's ops do, over a directory in memory."""

import asyncio
from datetime import timedelta
from types import SimpleNamespace

import pytest

from runtime.clock import ManualClock
from runtime.errors import LoomError
from tests.support.directory import ORG, MemoryDirectory, Plane, actor, caller


class StubMinter:
    def mint(self, org, subject, kind, namespaces, ttl_s):
        if len(namespaces) > 2:
            raise ValueError("too large")
        return SimpleNamespace(token="a.b.c", jti="jti-1", expires_at=ManualClock().now())


@pytest.fixture
def plane():
    return Plane(MemoryDirectory(), ManualClock(), StubMinter())


async def refused(awaitable):
    with pytest.raises(LoomError) as caught:
        await awaitable
    return caught.value


async def code(awaitable):
    return (await refused(awaitable)).code.name


async def test_the_creator_becomes_the_first_admin(plane):
    made = await plane.create("team", "ann")
    assert (made.generation, made.storage_name, made.created_by) == (1, "team", "ann")
    assert await plane.members("team") == {"ann": "admin"}


@pytest.mark.parametrize("name", ["*", "-x", "a b", "x\u241f2"])
async def test_a_name_that_is_none_is_refused_without_repeating_it(plane, name):
    error = await refused(plane.create(name, "ann"))
    assert (error.code.name, error.metadata) == ("INVALID_FIELD", {"field": "namespace"})


async def test_a_taken_name_is_refused_alike_whatever_has_it(plane):
    await plane.create("open", "ann", policy="open")
    await plane.create("secret", "ann", restricted=True)
    errors = [await refused(plane.create(name, "bob")) for name in ("open", "secret")]
    assert errors[0].detail("r") == errors[1].detail("r")
    assert errors[0].code.name == "ALREADY_EXISTS"


async def test_of_two_who_create_at_once_one_gets_the_name(plane):
    outcomes = await asyncio.gather(*(plane.create("team", who) for who in ("ann", "bob")), return_exceptions=True)
    assert sum(isinstance(outcome, LoomError) for outcome in outcomes) == 1
    assert len(await plane.members("team")) == 1


async def test_a_removed_name_starts_anew_and_inherits_nothing(plane):
    first = await plane.create("team", "ann")
    await plane.grant("team", "bob", "writer")
    await plane.join("team", "cid")
    assert await plane.remove("team") is True
    assert await plane.remove("team") is False
    between = await plane.check("team", "ann")
    second = await plane.create("team", "dora")
    assert (between.exists, between.role) == (False, "")
    assert between.storage == second.storage_name != first.storage_name
    assert await plane.members("team") == {"dora": "admin"}
    assert await code(plane.ops.approve.execute(ORG, "team", "cid", actor("dora"))) == "INVALID_FIELD"


async def test_an_open_namespace_lets_in_at_once_and_one_with_approval_asks(plane):
    await plane.create("open", "ann", policy="open")
    await plane.create("asks", "ann")
    assert await plane.join("open", "bob") == "granted"
    assert await plane.join("asks", "bob") == "pending"
    assert await plane.join("asks", "bob") == "pending"
    assert await plane.members("open") == {"ann": "admin", "bob": "viewer"}
    assert await plane.members("asks") == {"ann": "admin"}


async def test_joining_never_lowers_a_role(plane):
    await plane.create("open", "ann", policy="open")
    assert await plane.join("open", "ann") == "granted"
    assert await plane.members("open") == {"ann": "admin"}


async def test_joining_a_restricted_a_removed_and_a_missing_namespace_answers_the_same_bytes(plane):
    for name in ("secret", "gone"):
        await plane.create(name, "ann", policy="open", restricted=name == "secret")
    await plane.remove("gone")
    asks = [plane.join(name, "bob", secret="admin", gone="admin") for name in ("secret", "gone", "none")]
    errors = [(await refused(ask)).detail("r") for ask in asks]
    assert errors[0] == errors[1] == errors[2]
    assert errors[0]["code"] == "NAMESPACE_FORBIDDEN"


async def test_a_member_of_a_restricted_namespace_is_in_already_where_its_token_names_it(plane):
    await plane.create("secret", "ann", restricted=True)
    assert await plane.join("secret", "ann", secret="viewer") == "granted"
    assert await code(plane.join("secret", "ann", __="admin")) == "NAMESPACE_FORBIDDEN"


async def test_the_queue_is_oldest_first_in_pages_and_answered_once(plane):
    await plane.create("team", "ann")
    for who in ("bob", "cid", "abe"):
        await plane.join("team", who)
        plane.clock.advance(1)
    first, token = await plane.ops.requests.execute(ORG, "team", 2, "")
    rest, end = await plane.ops.requests.execute(ORG, "team", 2, token)
    assert [row.subject for row in [*first, *rest]] == ["bob", "cid", "abe"]
    assert end == ""
    approve, deny = plane.ops.approve.execute, plane.ops.deny.execute
    assert (await approve(ORG, "team", "bob", actor("ann"))).role == "viewer"
    assert (await approve(ORG, "team", "bob", actor("ann"))).role == "viewer"
    assert await deny(ORG, "team", "cid", actor("ann")) is True
    assert await deny(ORG, "team", "cid", actor("ann")) is False
    assert await code(approve(ORG, "team", "cid", actor("ann"))) == "INVALID_FIELD"
    assert await plane.members("team") == {"ann": "admin", "bob": "viewer"}
    assert await plane.join("team", "cid") == "pending"


async def test_joining_once_it_is_open_answers_the_request_that_waits(plane):
    await plane.create("team", "ann")
    await plane.join("team", "bob")
    await plane.ops.set_policy.execute(ORG, "team", "open", actor("ann"))
    assert await plane.join("team", "bob") == "granted"
    assert await plane.ops.requests.execute(ORG, "team", 5, "") == ([], "")


async def test_a_direct_grant_answers_the_request_that_waits(plane):
    await plane.create("team", "ann")
    await plane.join("team", "bob")
    await plane.grant("team", "bob", "writer", by="ann")
    assert await plane.ops.requests.execute(ORG, "team", 5, "") == ([], "")


async def test_a_grant_takes_the_place_of_the_one_before(plane):
    await plane.create("team", "ann")
    await plane.grant("team", "bob", "admin")
    await plane.grant("team", "bob", "viewer")
    assert await plane.members("team") == {"ann": "admin", "bob": "viewer"}


async def test_the_last_admin_is_neither_removed_nor_made_less(plane):
    await plane.create("team", "ann")
    await plane.grant("team", "bob", "writer")
    assert await code(plane.revoke("team", "ann")) == "LAST_ADMIN"
    assert await code(plane.grant("team", "ann", "writer")) == "LAST_ADMIN"
    await plane.grant("team", "bob", "admin")
    assert await plane.revoke("team", "ann") is True
    assert await plane.revoke("team", "ann") is False
    assert await plane.members("team") == {"bob": "admin"}


async def test_two_admins_who_remove_each_other_at_once_leave_one(plane):
    await plane.create("team", "ann")
    await plane.grant("team", "bob", "admin")
    await asyncio.gather(plane.revoke("team", "ann"), plane.revoke("team", "bob"), return_exceptions=True)
    assert len(await plane.members("team")) == 1


@pytest.mark.parametrize("subject", ["*", "-", "a\nb"])
async def test_nothing_is_granted_to_a_subject_that_is_none(plane, subject):
    await plane.create("team", "ann")
    assert await code(plane.grant("team", subject, "viewer")) == "INVALID_FIELD"


async def test_the_organisation_itself_is_no_namespace(plane):
    await plane.init_org.execute(ORG, "root", actor("installer"))
    for op in (plane.grant("*", "eve", "admin"), plane.revoke("*", "root"), plane.check("*", "root", ensure=True)):
        assert await code(op) == "NAMESPACE_FORBIDDEN"
    assert await plane.remove("*") is False


async def test_the_policy_decides_about_those_who_come_later(plane):
    await plane.create("team", "ann")
    changed = await plane.ops.set_policy.execute(ORG, "team", "open", actor("ann"))
    assert (changed.join_policy, changed.created_by) == ("open", "ann")
    assert await plane.join("team", "bob") == "granted"


async def test_a_listing_shows_what_the_caller_can_see_with_its_role(plane):
    for name in ("a", "b", "gone"):
        await plane.create(name, "ann")
    await plane.create("secret", "ann", restricted=True)
    await plane.remove("gone")
    await plane.grant("b", "bob", "writer")
    await plane.grant("secret", "bob", "admin")
    assert await plane.listed(caller("bob")) == {"a": "", "b": "writer"}
    assert await plane.listed(caller("bob", __="viewer")) == {"a": "viewer", "b": "writer"}
    assert await plane.listed(caller("bob", secret="viewer")) == {"a": "", "b": "writer", "secret": "viewer"}
    assert await plane.listed(caller("eve", secret="admin", org_admin=True)) == {"a": "admin", "b": "admin"}
    everything = dict.fromkeys(["a", "b", "secret"], "admin")
    assert await plane.listed(caller("local", mode="single_user", org_admin=True)) == everything


async def test_a_listing_comes_in_pages_that_hide_nothing(plane):
    for name in ("d", "a", "c", "b"):
        await plane.create(name, "ann", restricted=name == "b")
    seen, token = [], ""
    while True:
        rows, token = await plane.ops.namespaces.execute(ORG, "", 2, token, caller("ann"))
        seen += [row.name for row, _ in rows]
        if not token:
            break
    assert seen == ["a", "c", "d"]


async def test_the_first_write_makes_the_row_of_a_memory_namespace(plane):
    before = await plane.check("notes", "ann")
    assert (before.exists, before.storage) == (False, "notes")
    made = await plane.check("notes", "ann", ensure=True, claimed="writer")
    assert (made.exists, made.row.kind, made.row.join_policy, made.row.restricted) == (
        True,
        "memory",
        "approval",
        False,
    )
    assert made.role == ""
    assert await plane.members("notes") == {}
    again = await plane.check("notes", "bob", ensure=True, claimed="admin")
    assert (again.row, again.role) == (made.row, "")


async def test_a_first_write_with_an_admin_s_token_makes_its_subject_the_admin(plane):
    assert (await plane.check("notes", "ann", ensure=True, claimed="admin")).role == "admin"


async def test_first_writes_at_once_make_one_row(plane):
    made = await asyncio.gather(*(plane.check("n", who, ensure=True, claimed="admin") for who in ("ann", "bob")))
    assert made[0].row == made[1].row
    assert len(await plane.members("n")) == 1


async def test_a_check_tells_grant_and_organisation_apart(plane):
    await plane.init_org.execute(ORG, "root", actor("installer"))
    await plane.create("team", "ann")
    assert [
        (found.role, found.org_admin) for found in [await plane.check("team", w) for w in ("ann", "root", "x")]
    ] == [
        ("admin", False),
        ("", True),
        ("", False),
    ]
    assert (await plane.check("", "root")).org_admin
    assert (await plane.check("none", "root")).org_admin


async def test_an_organisation_gets_one_first_admin(plane):
    assert await plane.init_org.execute(ORG, "root", actor("installer")) is True
    assert await plane.init_org.execute(ORG, "root", actor("installer")) is False
    assert await code(plane.init_org.execute(ORG, "eve", actor("installer"))) == "ALREADY_EXISTS"
    assert await plane.init_org.execute("other", "eve", actor("installer")) is True


async def test_a_token_is_revoked_once_and_remembered_as_long_as_it_may_live(plane):
    assert await plane.ops.revoke_token.execute(ORG, "jti-1", actor("root")) is True
    assert await plane.ops.revoke_token.execute(ORG, "jti-1", actor("root")) is False
    assert await plane.revoked.execute() == [(ORG, "jti-1")]
    plane.clock.advance(timedelta(days=365, hours=1).total_seconds())
    assert await plane.revoked.execute() == [(ORG, "jti-1")]
    plane.clock.advance(timedelta(days=1).total_seconds())
    assert await plane.revoked.execute() == []


async def test_a_token_is_minted_with_a_record_of_its_roles(plane):
    mint = plane.ops.mint.execute
    await mint(ORG, "bot", "service", [("team", "writer"), ("*", "viewer")], 60, actor("root"))
    await mint(ORG, "bob", "user", [], 60, actor("root"))
    assert await plane.trail() == [
        ("token.mint", "root", "bot", "writer"),
        ("token.mint", "root", "bot", "viewer"),
        ("token.mint", "root", "bob", ""),
    ]
    rows, _ = await plane.ops.audit.execute(ORG, "team", "", 5, "")
    assert [row.detail for row in rows] == ["jti-1"]
    for named in ([("a b", "viewer")], [("a", "viewer")] * 3):
        assert await code(mint(ORG, "bot", "service", named, 60, actor("root"))) == "INVALID_FIELD"


async def test_without_a_key_no_token_is_minted():
    plane = Plane(MemoryDirectory(), ManualClock())
    assert await code(plane.ops.mint.execute(ORG, "bot", "service", [], 60, actor("root"))) == "FEATURE_DISABLED"


async def test_every_change_of_rights_is_recorded_once_and_what_changes_none_is_not(plane):
    await plane.init_org.execute(ORG, "root", actor("installer"))
    await plane.create("team", "ann")
    await plane.join("team", "bob")
    for _ in range(2):
        await plane.grant("team", "cid", "writer", by="ann")
        await plane.ops.set_policy.execute(ORG, "team", "open", actor("ann"))
    await plane.ops.approve.execute(ORG, "team", "bob", actor("ann"))
    await plane.join("team", "dora")
    await plane.revoke("team", "cid", by="ann")
    await plane.revoke("team", "cid", by="ann")
    await plane.ops.revoke_token.execute(ORG, "jti-1", actor("root"))
    await plane.check("notes", "eve", ensure=True, claimed="writer")
    await plane.remove("team", by="ann")
    assert await plane.trail() == [
        ("org.init", "installer", "root", "admin"),
        ("namespace.create", "ann", "ann", "admin"),
        ("namespace.grant", "ann", "cid", "writer"),
        ("namespace.set_policy", "ann", "", ""),
        ("namespace.approve", "ann", "bob", "viewer"),
        ("namespace.join", "dora", "dora", "viewer"),
        ("namespace.revoke", "ann", "cid", ""),
        ("directory.token_revoke", "root", "", ""),
        ("namespace.create", "eve", "", ""),
        ("namespace.remove", "ann", "", ""),
    ]


async def test_the_record_says_when_by_which_request_and_in_pages_newest_first(plane):
    for index, name in enumerate(["a", "b", "c"]):
        await plane.ops.create.execute(ORG, name, "code", "open", False, actor("ann", f"request-{index}"))
    first, token = await plane.ops.audit.execute(ORG, "", "", 2, "")
    rest, end = await plane.ops.audit.execute(ORG, "", "", 2, token)
    assert [(row.namespace, row.request_id, row.detail) for row in [*first, *rest]] == [
        ("c", "request-2", "code open"),
        ("b", "request-1", "code open"),
        ("a", "request-0", "code open"),
    ]
    assert end == ""
    assert first[0].at == plane.clock.now()


@pytest.mark.parametrize("token", ["x", "e30", "WzFd", "WzEsMl0", "Wy0xLCJ4Il0", "WzFlOTksIngiXQ"])
async def test_a_page_token_of_another_making_is_refused(plane, token):
    await plane.create("team", "ann")
    ops = plane.ops
    for awaitable in (
        ops.audit.execute(ORG, "", "", 2, token),
        ops.requests.execute(ORG, "team", 2, token),
        ops.members.execute(ORG, "team", 2, token),
        ops.namespaces.execute(ORG, "", 2, token, caller("ann")),
    ):
        assert await code(awaitable) == "INVALID_FIELD"
