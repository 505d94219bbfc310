"""No sequence of ops leaves a namespace without an admin, and nobody raises their own role."""

import asyncio
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from runtime.clock import ManualClock
from runtime.errors import LoomError
from runtime.roles import RANK, Known, resolve
from services.directory.rows import ORG_ID, Grant, Namespace
from tests.support.directory import ORG, MemoryDirectory, Plane, actor, caller

PEOPLE = ("ann", "bob", "cid", "dan", "root")
NAMES = ("team", "secret", "notes")
ROLES = ("viewer", "writer", "admin")
# Tokens: what each names. Root administers the organisation by a grant.
CLAIMS: dict[str, dict[str, str]] = {
    "ann": {"team": "admin", "secret": "admin", "notes": "writer"},
    "bob": {"secret": "viewer", "notes": "admin"},
    "cid": {"*": "writer"},
    "dan": {},
    "root": {"secret": "writer"},
}

people, names, roles = st.sampled_from(PEOPLE), st.sampled_from(NAMES), st.sampled_from(ROLES)


class Rights(RuleBasedStateMachine):
    """Ops as the doors let them through: those for admins only when the caller is one."""

    calm = True

    @initialize()
    def begin(self) -> None:
        self.runner = asyncio.Runner()
        self.store = MemoryDirectory()
        self.plane = Plane(self.store, ManualClock())
        self.had_admin: set[str] = set()
        self.run(self.plane.init_org.execute(ORG, "root", actor("installer")))
        self.create("ann", "team", "open")
        self.create("ann", "secret", "approval")

    def teardown(self) -> None:
        if hasattr(self, "runner"):
            self.runner.close()

    def run(self, awaitable: Any) -> Any:
        """The outcome, or the code of the refusal."""

        async def outcome() -> Any:
            try:
                return await awaitable
            except LoomError as error:
                return error.code.name

        return self.runner.run(outcome())

    def roles_on(self, name: str) -> dict[str, str]:
        return {who: self.role_of(who, name) for who in PEOPLE}

    def role_of(self, who: str, name: str) -> str:
        found = self.run(self.plane.check(name, who))
        known = Known(found.exists, found.exists and found.row.restricted, found.role, found.org_admin)
        return resolve(CLAIMS[who], name, known, "viewer").role

    def as_admin(self, who: str, name: str, awaitable: Any) -> None:
        """Runs an admin's op where the caller is one: then no role of the caller grows."""
        before = self.role_of(who, name)
        if before != "admin":
            awaitable.close()
            return
        self.run(awaitable)

    def as_member(self, who: str, name: str, awaitable: Any, most: str) -> None:
        """Runs anybody's op: nobody else's role changes, and the caller's does not pass `most`."""
        before = self.roles_on(name)
        self.run(awaitable)
        after = self.roles_on(name)
        if self.calm:  # else a change that was doubtful may have been finished meanwhile
            assert {**after, who: ""} == {**before, who: ""}
            assert after[who] in (before[who], max(before[who], most, key=RANK.__getitem__))

    @rule(who=people, name=names, policy=st.sampled_from(["open", "approval"]))
    def create(self, who: str, name: str, policy: str) -> None:
        existed = self.run(self.plane.check(name, who)).exists
        made = self.plane.ops.create.execute(ORG, name, "code", policy, name == "secret", actor(who))
        if existed:
            self.as_member(who, name, made, "")
        else:
            self.run(made)

    @rule(who=people, name=names)
    def join(self, who: str, name: str) -> None:
        joined = self.plane.ops.join.execute(ORG, name, "viewer", caller(who, **_named(CLAIMS[who])), actor(who))
        self.as_member(who, name, joined, "" if name == "secret" else "viewer")

    @rule(who=people, name=names)
    def first_write(self, who: str, name: str) -> None:
        claimed = CLAIMS[who].get(name, "")
        if claimed in ("writer", "admin"):
            before = self.role_of(who, name)
            self.run(self.plane.check(name, who, ensure=True, claimed=claimed))
            if self.calm and who != "root":
                assert self.role_of(who, name) == before

    @rule(who=people, name=names, subject=people)
    def approve(self, who: str, name: str, subject: str) -> None:
        self.as_admin(who, name, self.plane.ops.approve.execute(ORG, name, subject, actor(who)))

    @rule(who=people, name=names, subject=people)
    def deny(self, who: str, name: str, subject: str) -> None:
        self.as_admin(who, name, self.plane.ops.deny.execute(ORG, name, subject, actor(who)))

    @rule(who=people, name=names, subject=people, role=roles)
    def grant(self, who: str, name: str, subject: str, role: str) -> None:
        self.as_admin(who, name, self.plane.grant(name, subject, role, by=who))

    @rule(who=people, name=names, subject=people)
    def revoke(self, who: str, name: str, subject: str) -> None:
        self.as_admin(who, name, self.plane.revoke(name, subject, by=who))

    @rule(who=people, name=names, policy=st.sampled_from(["open", "approval"]))
    def set_policy(self, who: str, name: str, policy: str) -> None:
        self.as_admin(who, name, self.plane.ops.set_policy.execute(ORG, name, policy, actor(who)))

    @rule(who=people, name=names, sure=st.integers(1, 4))
    def remove(self, who: str, name: str, sure: int) -> None:
        if sure == 4:  # seldom, or there would be little to work on
            self.as_admin(who, name, self.plane.remove(name, by=who))

    @rule(name=names, one=people, two=people)
    def revoke_at_once(self, name: str, one: str, two: str) -> None:
        async def both() -> None:
            await asyncio.gather(self.plane.revoke(name, one), self.plane.revoke(name, two), return_exceptions=True)

        self.run(both())

    @invariant()
    def no_namespace_is_without_an_admin(self) -> None:
        for namespace in self.store.all(Namespace, ORG):
            admins = self.run(self.store.admins(ORG, namespace.id))
            # What a first write made has the organisation's admins alone, until it gets an admin of its own.
            made_by_a_write = namespace.kind == "memory" and namespace.id not in self.had_admin
            assert admins or made_by_a_write
            if admins:
                self.had_admin.add(namespace.id)

    @invariant()
    def the_organisation_keeps_its_admin(self) -> None:
        grants = [row for row in self.store.all(Grant, ORG) if row.namespace_id == ORG_ID]
        assert [(row.subject, row.role) for row in grants] == [("root", "admin")]


class RightsOnAFailingStore(Rights):
    """The same while writes fail, some of them to arrive later."""

    calm = False

    @rule(faults=st.lists(st.sampled_from(["", "late", "lost"]), max_size=4))
    def break_down(self, faults: list[str]) -> None:
        self.store.faults = faults

    @rule()
    def arrive(self) -> None:
        self.store.arrive()


def _named(claims: dict[str, str]) -> dict[str, str]:
    return {name.replace("*", "__"): role for name, role in claims.items()}


TestRights = Rights.TestCase
TestRights.settings = settings(max_examples=100, stateful_step_count=50, deadline=None)
TestRightsOnAFailingStore = RightsOnAFailingStore.TestCase
TestRightsOnAFailingStore.settings = settings(max_examples=100, stateful_step_count=50, deadline=None)
