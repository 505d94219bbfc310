"""The composition root of the directory plane."""

from loom.directory.v1 import access_pb2, directory_pb2
from runtime.clock import Clock
from runtime.guard import minter_of
from runtime.ids import new_id
from runtime.plane import Parts, Plane
from runtime.process import ProcessSettings
from runtime.store import Store, migrate
from runtime.transport import handlers
from services.directory.ledger import Actor, Ledger
from services.directory.ops.access import Check, ListRevoked
from services.directory.ops.audit import Audit
from services.directory.ops.create import Create, Ensure
from services.directory.ops.establish import ChangePolicy, Establish
from services.directory.ops.init_org import InitOrg
from services.directory.ops.join import Join
from services.directory.ops.listing import ListNamespaces
from services.directory.ops.members import GrantRole, ListMembers, Revoke
from services.directory.ops.policy import Remove, SetPolicy
from services.directory.ops.queue import Approve, Deny, ListRequests
from services.directory.ops.tokens import Minter, MintToken, RevokeToken
from services.directory.service import AccessService, DirectoryService, Ops
from services.directory.store import Directory, DirectoryStore

NAME = "directory"
MIGRATIONS = "services.directory.migrations"
INSTALLER = "installer"


async def build(parts: Parts, minter: Minter | None = None) -> Plane:
    """Migrates the tables and wires the ops. Without a minter token.mint answers FEATURE_DISABLED."""
    await migrate(parts.store, MIGRATIONS, plane=NAME)
    store = DirectoryStore(parts.store)
    ledger = Ledger(store, parts.clock)
    access = access_service(store, ledger, parts.clock)
    service = DirectoryService(ops_of(store, ledger, minter))
    bound = {
        **handlers(service, directory_pb2.DESCRIPTOR.services_by_name["DirectoryService"], parts.chain),
        **handlers(access, access_pb2.DESCRIPTOR.services_by_name["AccessService"], parts.chain),
    }
    return Plane(NAME, bound)


async def build_with_keys(parts: Parts) -> Plane:
    """The plane of an installation: token.mint signs with the keys in its key folder, where it has one."""
    return await build(parts, minter_of(parts.loaded[ProcessSettings], parts.clock))


def access_service(store: Directory, ledger: Ledger, clock: Clock) -> AccessService:
    return AccessService(
        Check(store, Ensure(store, ledger)),
        ListRevoked(store, clock),
        Establish(store, Create(store, ledger)),
        ChangePolicy(SetPolicy(store, ledger)),
    )


def ops_of(store: Directory, ledger: Ledger, minter: Minter | None) -> Ops:
    return Ops(
        create=Create(store, ledger),
        namespaces=ListNamespaces(store),
        join=Join(store, ledger),
        requests=ListRequests(store),
        approve=Approve(store, ledger),
        deny=Deny(store, ledger),
        members=ListMembers(store),
        grant=GrantRole(store, ledger),
        revoke=Revoke(store, ledger),
        set_policy=SetPolicy(store, ledger),
        remove=Remove(store, ledger),
        audit=Audit(store),
        revoke_token=RevokeToken(store, ledger),
        mint=MintToken(ledger, minter),
    )


async def init_org(store: Store, clock: Clock, org: str, admin: str) -> bool:
    """Makes the first admin of an organisation, on a store where the plane may never have run.

    True when it is new, False when it was one already. Raises LoomError ALREADY_EXISTS where another admin is.
    """
    await migrate(store, MIGRATIONS, plane=NAME)
    directory = DirectoryStore(store)
    return await InitOrg(directory, Ledger(directory, clock)).execute(org, admin, Actor(INSTALLER, new_id()))
