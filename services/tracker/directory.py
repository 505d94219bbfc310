"""The directory plane as this one sees it: rights of a caller on a namespace, and namespaces made by our own ops."""

from dataclasses import dataclass

from loom.directory.v1 import access_pb2 as pb
from runtime.clock import Clock
from runtime.errors import LoomError
from runtime.identity import Caller
from runtime.lru import Lru
from runtime.optable import Method, method_of
from runtime.peers import Peers
from runtime.roles import Known, Verdict, resolve

PLANE = "directory"
TIMEOUT_S = 2.0
KEPT_S = 4.0
KEPT = 10_000
ADMIN, VIEWER = "admin", "viewer"


def _method(rpc: str) -> Method:
    return method_of(pb.DESCRIPTOR.services_by_name["AccessService"].methods_by_name[rpc])


CHECK, ESTABLISH, CHANGE_POLICY = _method("Check"), _method("Establish"), _method("ChangePolicy")


@dataclass(frozen=True, slots=True)
class Standing:
    """A namespace that a caller may read: its kind, the name it is stored under, and the caller's role."""

    namespace: str
    storage: str
    kind: str
    restricted: bool
    role: str


class Directory:
    """Asks over internal rpcs. What is said of unrestricted namespaces that exist is kept for a few seconds."""

    def __init__(self, peers: Peers, clock: Clock) -> None:
        self._peers, self._clock = peers, clock
        self._kept: Lru[tuple[str, str, str], tuple[float, pb.CheckResponse]] = Lru(KEPT)

    async def standing(self, org: str, namespace: str, caller: Caller, *, fresh: bool = False) -> Standing | None:
        """None for a namespace that is not there and for one that the caller may not read, alike.

        Raises UPSTREAM_UNAVAILABLE where the directory does not answer and nothing is kept.
        """
        if caller.mode == "token" and caller.org != org:
            return None
        found = await self._check(org, namespace, caller.subject, fresh=fresh)
        if found is None or not found.exists:
            return None
        role = ADMIN if caller.mode == "single_user" else _role(caller, namespace, found)
        return Standing(namespace, found.storage_name, found.kind, found.restricted, role) if role else None

    async def establish(
        self, org: str, namespace: str, caller: Caller, *, kind: str, join_policy: str, restricted: bool
    ) -> str:
        """Makes the namespace with the caller as its admin, or takes the caller's own. The name that it is stored under.

        Raises ALREADY_EXISTS for somebody else's, or one of another kind.
        """
        request = pb.EstablishRequest(
            org=org,
            namespace=namespace,
            subject=caller.subject,
            kind=kind,
            join_policy=join_policy,
            restricted=restricted,
            single_user=caller.mode == "single_user",
        )
        answer: pb.EstablishResponse = await self._peers.call(PLANE, ESTABLISH, request, TIMEOUT_S)
        self._kept.drop((org, namespace, caller.subject))
        return answer.storage_name

    async def change_policy(self, org: str, namespace: str, caller: Caller, join_policy: str) -> str:
        """Sets how people join a namespace that the caller administers."""
        request = pb.ChangePolicyRequest(org=org, namespace=namespace, subject=caller.subject, join_policy=join_policy)
        answer: pb.ChangePolicyResponse = await self._peers.call(PLANE, CHANGE_POLICY, request, TIMEOUT_S)
        return answer.join_policy

    async def _check(self, org: str, namespace: str, subject: str, *, fresh: bool) -> pb.CheckResponse | None:
        key, now = (org, namespace, subject), self._clock.monotonic()
        kept = self._kept.get(key)
        if kept is not None and kept[0] > now and not fresh:
            return kept[1]
        request = pb.CheckRequest(org=org, namespace=namespace, subject=subject)
        try:
            answer: pb.CheckResponse = await self._peers.call(PLANE, CHECK, request, TIMEOUT_S)
        except LoomError as error:
            if error.code.name == "NAMESPACE_FORBIDDEN" or error.code.category == "invalid":
                return None  # a name that no namespace can have
            raise
        if answer.exists and not answer.restricted:
            self._kept.put(key, (now + KEPT_S, answer))
        else:
            self._kept.drop(key)
        return answer


def _role(caller: Caller, namespace: str, found: pb.CheckResponse) -> str:
    known = Known(found.exists, found.restricted, found.role, found.org_admin, found.storage_name)
    decision = resolve(caller.claims, namespace, known, VIEWER, opens=False)
    return decision.role if decision.verdict is Verdict.ALLOWED else ""
