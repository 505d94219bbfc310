"""The directory's tables answer like the directory in memory that the ops are tested on."""

from datetime import UTC, datetime, timedelta

import pytest

from runtime.store import migrate
from services.directory.rows import AuditEntry, Grant, JoinRequest, Namespace, RevokedToken
from services.directory.store import DirectoryStore, Visible
from tests.support.directory import MemoryDirectory
from tests.support.stores import chdb_store

AT = datetime(2026, 1, 2, 3, 4, 5, 678901, UTC)
ORG, OTHER = "acme", "other"


def at(seconds: int) -> datetime:
    return AT + timedelta(seconds=seconds)


def namespace(name, generation=1, *, org=ORG, state="active", restricted=False, kind="memory", version=1):
    identity = f"{org}/{name}/{generation}"
    return Namespace(org, name, generation, identity, kind, "open", restricted, "ann", AT, state, version)


def grant(identity, subject, role, version=1, org=ORG):
    return Grant(org, identity, subject, role, "ann", AT, version)


def asked(subject, seconds, state="pending", version=1, identity="t"):
    return JoinRequest(ORG, identity, subject, "viewer", state, at(seconds), "", version)


def entry(seq, identity, namespace="", subject="", org=ORG):
    return AuditEntry(org, seq, identity, AT, "ann", "namespace.grant", namespace, subject, "viewer", "", "r")


ROWS = [
    [namespace("a"), namespace("b"), namespace("b", 2), namespace("c", kind="code"), namespace("é'\\")],
    [namespace("b", state="removed", version=5), namespace("gone"), namespace("gone", state="removed", version=2)],
    [namespace("s", restricted=True), namespace("a", org=OTHER), namespace("z", org=OTHER)],
    [grant("t", "bob", "admin"), grant("t", "ann", "viewer"), grant("u", "bob", "writer"), grant("*", "bob", "admin")],
    [grant("t", "ann", "admin", 3), grant("t", "cid", "admin", 4), grant("t", "bob", "admin", org=OTHER)],
    [grant("t", "ann", "writer", 2), grant("t", "cid", "", 7), grant("t", "dora", "viewer", 8)],
    [asked("bob", 2), asked("ann", 2), asked("cid", 1), asked("dora", 0), asked("eve", 0, identity="u")],
    [asked("dora", 0, "denied", 9)],
    [RevokedToken(ORG, "j1", "ann", at(0), 3), RevokedToken(OTHER, "j2", "ann", at(9), 40)],
    [entry(5, "b", "a", "bob"), entry(5, "a", "a", "cid"), entry(6, "c", "b", "bob"), entry(2**63, "d")],
    [entry(7, "e", org=OTHER)],
]


@pytest.fixture
async def stores(tmp_path):
    async with chdb_store(tmp_path) as store:
        await migrate(store, "services.directory.migrations", plane="directory")
        memory, tables = MemoryDirectory(), DirectoryStore(store)
        for rows in ROWS:
            await memory.insert(rows)
            await tables.insert(rows)
        yield memory, tables


async def test_every_read_answers_alike(stores):
    reads = [
        *[("namespace", ORG, name) for name in ("a", "b", "gone", "none", "é'\\", "s")],
        *[("namespaces", org, Visible([], []), 9) for org in (ORG, OTHER, "none")],
        ("namespaces", ORG, Visible([], [], kind="code"), 9),
        ("namespaces", ORG, Visible([], [], after="a"), 1),
        ("namespaces", ORG, Visible(["s"], []), 9),
        ("namespaces", ORG, Visible([], ["acme/s/1"]), 9),
        ("namespaces", ORG, Visible(["s"], ["acme/s/1"]), 9),
        ("namespaces", ORG, Visible([], [], everything=True), 9),
        ("grants_of", ORG, "bob"),
        ("grants_of", ORG, "cid"),
        ("grants_of", ORG, "bob", ["*", "t"]),
        *[("grant", ORG, "t", subject) for subject in ("ann", "bob", "cid", "none")],
        ("grants", ORG, "t", "", 9),
        ("grants", ORG, "t", "ann", 1),
        ("admins", ORG, "t"),
        ("admins", ORG, "none"),
        *[("request", ORG, "t", subject) for subject in ("ann", "dora", "none")],
        ("requests", ORG, "t", None, 9),
        ("requests", ORG, "t", (at(2), "ann"), 9),
        ("requests", ORG, "t", (at(1), "cid"), 1),
        ("audit", ORG, "", "", None, 9),
        ("audit", ORG, "a", "", None, 9),
        ("audit", ORG, "", "bob", None, 9),
        ("audit", ORG, "a", "bob", None, 9),
        ("audit", ORG, "", "", (5, "b"), 9),
        ("audit", ORG, "", "", None, 2),
        ("revoked", ORG, "j1"),
        ("revoked", ORG, "j2"),
        ("all_revoked", at(-1)),
        ("all_revoked", at(0)),
        ("last_version", ORG),
        ("last_version", OTHER),
        ("last_version", "none"),
    ]
    memory, tables = stores
    for name, *args in reads:
        assert await getattr(tables, name)(*args) == await getattr(memory, name)(*args), (name, args)


async def test_what_the_reads_are_about(stores):
    _, tables = stores
    assert [row.name for row in await tables.namespaces(ORG, Visible([], []), 9)] == ["a", "b", "c", "é'\\"]
    assert (await tables.namespace(ORG, "b")).generation == 2
    assert not (await tables.namespace(ORG, "gone")).active
    assert {row.subject: row.role for row in await tables.grants(ORG, "t", "", 9)} == {
        "ann": "admin",
        "bob": "admin",
        "dora": "viewer",
    }
    assert [row.subject for row in await tables.requests(ORG, "t", None, 9)] == ["cid", "ann", "bob"]
