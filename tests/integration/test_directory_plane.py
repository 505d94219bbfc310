"""The directory plane as other processes meet it: built on tables, called through its chain."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from loom.directory.v1 import access_pb2 as apb
from loom.directory.v1 import directory_pb2 as pb
from runtime.call import Call
from runtime.chain import Chain
from runtime.clock import SystemClock
from runtime.errors import LoomError
from runtime.identity import Caller
from runtime.links import Access, Deadlines, Errors, RequestId, Tracing, Validate
from runtime.metrics import Metrics
from runtime.optable import methods_of
from runtime.plane import Parts
from runtime.settings import load_all
from runtime.telemetry import Telemetry
from runtime.wire import to_status
from services.directory.build import build, init_org
from services.directory.service import caller
from tests.support.stores import chdb_store

SERVICES = [
    pb.DESCRIPTOR.services_by_name["DirectoryService"],
    apb.DESCRIPTOR.services_by_name["AccessService"],
]
METHODS = {method.rpc: method for service in SERVICES for method in methods_of(service)}


class SayWho:
    """An auth link that believes what the test says."""

    name = "auth"

    async def __call__(self, call, proceed):
        org, subject = call.metadata["who"].split("/")
        call.caller = Caller(org, subject, "service", {}, "token", False)
        return await proceed(call)


class Running:
    def __init__(self, plane):
        self.bound = plane.bound

    async def __call__(self, request, who="acme/ann", request_id="request-1"):
        method = next(method for method in METHODS.values() if method.request is type(request))
        call = Call(method, request, {"who": who, "x-request-id": request_id}, "inproc")
        return await self.bound[method.path][1](call)

    async def error(self, request, who="acme/ann"):
        with pytest.raises(LoomError) as caught:
            await self(request, who)
        return caught.value


@asynccontextmanager
async def running(store):
    telemetry, metrics, clock = Telemetry.start("test", endpoint="", sample_ratio=1.0), Metrics(), SystemClock()
    links = [Errors(), RequestId(), Tracing(telemetry, "directory"), Access(metrics), Deadlines(clock)]
    chain = Chain([*links, SayWho(), Validate()])
    plane = await build(Parts(load_all([], {}), store, chain, clock))
    yield Running(plane)
    await plane.close()
    telemetry.shutdown()


@pytest.fixture
async def directory(tmp_path):
    async with chdb_store(tmp_path) as store, running(store) as plane:
        yield plane


async def test_a_namespace_from_its_creation_to_its_removal(directory):
    team = {"org": "acme", "namespace": "team"}
    made = (await directory(pb.CreateNamespaceRequest(**team))).created
    assert (made.kind, made.join_policy, made.restricted, made.created_by, made.role) == (
        "memory",
        "approval",
        False,
        "ann",
        "admin",
    )
    assert (await directory(pb.JoinNamespaceRequest(**team), "acme/bob")).outcome == "pending"
    waiting = (await directory(pb.ListRequestsRequest(**team))).requests
    assert [(item.subject, item.role) for item in waiting] == [("bob", "viewer")]
    granted = (await directory(pb.ApproveRequestRequest(**team, subject="bob"), request_id="request-2")).granted
    assert (granted.subject, granted.role, granted.granted_by) == ("bob", "viewer", "ann")
    await directory(pb.GrantRequest(**team, subject="bob", role="admin"))
    assert (await directory(pb.RevokeRequest(**team, subject="ann"), "acme/bob")).revoked
    members = (await directory(pb.ListMembersRequest(**team))).members
    assert [(item.subject, item.role) for item in members] == [("bob", "admin")]
    error = await directory.error(pb.RevokeRequest(**team, subject="bob"), "acme/bob")
    assert (error.code.name, error.code.http, error.code.grpc) == ("LAST_ADMIN", 400, "FAILED_PRECONDITION")
    assert (await directory(pb.SetPolicyRequest(**team, join_policy="open"))).changed.join_policy == "open"
    assert (await directory(pb.JoinNamespaceRequest(**team), "acme/cid")).outcome == "granted"
    assert not (await directory(pb.DenyRequestRequest(**team, subject="cid"))).denied
    listed = (await directory(pb.ListNamespacesRequest(org="acme"), "acme/cid")).namespaces
    assert [(item.namespace, item.role) for item in listed] == [("team", "viewer")]
    assert (await directory(pb.RemoveNamespaceRequest(**team))).removed
    assert list((await directory(pb.ListNamespacesRequest(org="acme"))).namespaces) == []
    entries = (await directory(pb.AuditRequest(org="acme"))).entries
    assert [item.action.partition(".")[2] for item in entries] == [
        "remove",
        "join",
        "set_policy",
        "revoke",
        "grant",
        "approve",
        "create",
    ]
    assert entries[5].request_id == "request-2"


async def test_what_exists_and_what_does_not_is_refused_in_equal_bytes(directory):
    await directory(pb.CreateNamespaceRequest(org="acme", namespace="secret", restricted=True, join_policy="open"))
    asked = [("acme", "secret", "acme/bob"), ("acme", "none", "acme/bob"), ("acme", "secret", "other/ann")]
    errors = [await directory.error(pb.JoinNamespaceRequest(org=org, namespace=name), who) for org, name, who in asked]
    assert len({str(error.detail("r")) for error in errors}) == 1
    assert len({str(to_status(error, "r")) for error in errors}) == 1
    assert (errors[0].code.name, errors[0].code.http) == ("NAMESPACE_FORBIDDEN", 403)
    taken = await directory.error(pb.CreateNamespaceRequest(org="acme", namespace="secret"), "acme/bob")
    assert (taken.code.name, taken.code.http) == ("ALREADY_EXISTS", 409)


async def test_a_call_is_refused_whose_identity_the_auth_link_left_out():
    method = METHODS["CreateNamespace"]
    with pytest.raises(RuntimeError):
        caller(Call(method, pb.CreateNamespaceRequest(), {}, "inproc"), "acme")


async def test_other_planes_learn_what_a_subject_may(directory):
    ask = {"org": "acme", "namespace": "notes", "subject": "bob"}
    none = await directory(apb.CheckRequest(**ask))
    assert (none.exists, none.storage_name, none.role, none.org_admin) == (False, "notes", "", False)
    made = await directory(apb.CheckRequest(**ask, ensure=True, claimed_role="admin"))
    assert (made.exists, made.kind, made.role) == (True, "memory", "admin")
    await directory(pb.RemoveNamespaceRequest(org="acme", namespace="notes"))
    later = await directory(apb.CheckRequest(**ask, ensure=True, claimed_role="writer"))
    assert (later.exists, later.role) == (True, "")
    assert later.storage_name != "notes"


async def test_a_revoked_token_is_listed_once(directory):
    for first in (True, False):
        assert (await directory(pb.RevokeTokenRequest(org="acme", jti="j-1"))).revoked is first
    assert list((await directory(apb.ListRevokedRequest())).tokens) == ["acme/j-1"]


async def test_without_keys_no_token_is_minted(directory):
    error = await directory.error(pb.MintTokenRequest(org="acme", subject="bot"))
    assert error.code.name == "FEATURE_DISABLED"


async def test_changes_at_once_leave_one_admin_and_every_record(directory):
    team = {"org": "acme", "namespace": "team"}
    await directory(pb.CreateNamespaceRequest(**team))
    subjects = [f"s{n}" for n in range(4)]
    await asyncio.gather(*(directory(pb.GrantRequest(**team, subject=who, role="admin")) for who in subjects))
    revokes = [directory(pb.RevokeRequest(**team, subject=who)) for who in ["ann", *subjects]]
    outcomes = await asyncio.gather(*revokes, return_exceptions=True)
    assert [error.code.name for error in outcomes if isinstance(error, LoomError)] == ["LAST_ADMIN"]
    assert len((await directory(pb.ListMembersRequest(**team))).members) == 1
    entries = (await directory(pb.AuditRequest(org="acme"))).entries
    assert len(entries) == 1 + 4 + 4


async def test_rights_outlive_the_process(tmp_path):
    async with chdb_store(tmp_path) as store:
        assert await init_org(store, SystemClock(), "acme", "root")
        async with running(store) as directory:
            await directory(pb.CreateNamespaceRequest(org="acme", namespace="team"))
    async with chdb_store(tmp_path) as store, running(store) as directory:
        assert not await init_org(store, SystemClock(), "acme", "root")
        check = apb.CheckRequest(org="acme", namespace="team", subject="root")
        assert (await directory(check)).org_admin
        with pytest.raises(LoomError) as caught:
            await init_org(store, SystemClock(), "acme", "eve")
        assert caught.value.code.name == "ALREADY_EXISTS"
