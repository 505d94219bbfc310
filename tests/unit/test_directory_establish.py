"""Namespaces that other planes' ops make: made once, taken up again by their own admin alone, and never told apart."""

import pytest

from runtime.clock import ManualClock
from runtime.errors import LoomError
from services.directory.ops.create import Create
from services.directory.ops.establish import ChangePolicy, Establish
from services.directory.ops.policy import SetPolicy
from tests.support.directory import ORG, MemoryDirectory, Plane, actor


@pytest.fixture
def plane() -> Plane:
    return Plane(MemoryDirectory(), ManualClock())


async def establish(plane: Plane, name: str, by: str, *, kind: str = "tracker", restricted: bool = False, **more: bool):  # type: ignore[no-untyped-def]
    op = Establish(plane.store, Create(plane.store, plane.ledger))
    policy = "approval" if restricted else "open"
    return await op.execute(ORG, name, kind, policy, restricted, actor(by), single_user=more.get("single_user", False))


async def refused(plane: Plane, *args: str, **more: object) -> LoomError:
    with pytest.raises(LoomError) as failure:
        await establish(plane, *args, **more)  # type: ignore[arg-type]
    return failure.value


async def test_a_namespace_is_made_with_the_subject_as_its_admin(plane: Plane) -> None:
    made, new = await establish(plane, "trk", "ann")
    assert (made.kind, made.join_policy, new) == ("tracker", "open", True)
    assert await plane.members("trk") == {"ann": "admin"}


async def test_an_op_that_broke_off_takes_its_own_namespace_up_again(plane: Plane) -> None:
    made, _ = await establish(plane, "trk", "ann")
    again, new = await establish(plane, "trk", "ann")
    assert (again.id, new) == (made.id, False)


async def test_another_ones_and_one_of_another_kind_are_refused_in_the_same_words(plane: Plane) -> None:
    await establish(plane, "trk", "ann")
    await plane.create("notes", "ann")
    await establish(plane, "closed", "ann", restricted=True)
    errors = [
        await refused(plane, "trk", "eve"),
        await refused(plane, "notes", "ann"),
        await refused(plane, "trk", "ann", restricted=True),
        await refused(plane, "closed", "ann"),
        await refused(plane, "closed", "eve", restricted=True),
    ]
    assert {(error.code.name, error.message, str(error.metadata)) for error in errors} == {
        ("ALREADY_EXISTS", "the name is taken", "{}")
    }


async def test_an_admin_of_the_organisation_takes_up_open_namespaces_and_no_restricted_ones(plane: Plane) -> None:
    await plane.init_org.execute(ORG, "root", actor("installer"))
    await establish(plane, "trk", "ann")
    await establish(plane, "closed", "ann", restricted=True)
    assert (await establish(plane, "trk", "root"))[1] is False
    assert (await refused(plane, "closed", "root", restricted=True)).code.name == "ALREADY_EXISTS"


async def test_a_single_user_takes_up_every_namespace_that_fits(plane: Plane) -> None:
    await establish(plane, "closed", "ann", restricted=True)
    taken, new = await establish(plane, "closed", "local", restricted=True, single_user=True)
    assert (taken.restricted, new) == (True, False)
    assert (await refused(plane, "closed", "local", kind="code", single_user=True)).code.name == "ALREADY_EXISTS"


async def test_a_name_that_was_removed_is_a_new_namespace(plane: Plane) -> None:
    made, _ = await establish(plane, "trk", "ann")
    await plane.remove("trk", by="ann")
    again, new = await establish(plane, "trk", "eve")
    assert (again.id != made.id, new, await plane.members("trk")) == (True, True, {"eve": "admin"})


async def test_the_join_policy_is_changed_and_written_into_the_audit(plane: Plane) -> None:
    await establish(plane, "trk", "ann")
    changed = await ChangePolicy(SetPolicy(plane.store, plane.ledger)).execute(ORG, "trk", "approval", actor("ann"))
    assert changed == "approval"
    found = await plane.store.namespace(ORG, "trk")
    assert found is not None and found.join_policy == "approval"
    assert (await plane.trail())[-1][1] == "ann"
