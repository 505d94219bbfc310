"""Who calls. Until a signing key is set, single-user mode holds; runtime/access.py has the other one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from loom.options.v1 import options_pb2 as options
from runtime.call import Call

# Ops of these names use the trackers' organisation.
ON_TRACKERS = ("code.", "tracker.")
# Who calls in single-user mode.
SUBJECT = "local"
EVERYTHING = {"*": "admin"}


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, as the auth link found out: `Call.caller` for the ops that judge by themselves.

    `claims` are the token's: namespace (`*` for every one that exists and is not restricted) to role. `org_admin` is true
    for a caller that administers the organisation. `jti` is the token's id, empty without a token. In single-user mode
    the subject is `local`, and it administers whatever organisation the request names.
    """

    org: str
    subject: str
    kind: Literal["service", "user"]
    claims: Mapping[str, str]
    mode: Literal["single_user", "token"]
    org_admin: bool
    jti: str = ""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a transport knows of the caller: the field values it fills where the caller sent none, by identity source."""

    fields: dict[int, str]
    roles: frozenset[str]

    def with_hints(self, agent: str | None, session: str | None) -> "Identity":
        """With what the door learned from the client itself; a token's own values go first."""
        fields = dict(self.fields)
        if agent and fields.get(options.IDENTITY_AGENT, "-") == "-":
            fields[options.IDENTITY_AGENT] = agent
        if session:
            fields.setdefault(options.IDENTITY_SESSION, session)
        return replace(self, fields=fields)


class Authenticator(Protocol):
    """Finds out who calls, and sets `Call.caller`. Raises LoomError when the caller may not."""

    @property
    def mode(self) -> Literal["single_user", "tokens"]:
        """What ops.capabilities says."""
        ...

    async def identify(self, call: Call) -> Identity: ...


class SingleUser:
    """No token, every role, the installation's own org and namespace. Only for a loopback listener.

    Ops on trackers and code belong to `tracker_org`; without one to `org`, whose plane then says that it serves none.
    """

    mode: Literal["single_user"] = "single_user"

    def __init__(self, org: str, namespace: str, tracker_org: str = "") -> None:
        self._org, self._tracker_org = org, tracker_org or org
        self._identity, self._on_trackers = (_all_roles(each, namespace) for each in (self._org, self._tracker_org))

    async def identify(self, call: Call) -> Identity:
        on_trackers = call.name.startswith(ON_TRACKERS)
        org = getattr(call.request, "org", "") or (self._tracker_org if on_trackers else self._org)
        call.caller = Caller(org, SUBJECT, "user", EVERYTHING, "single_user", org_admin=True)
        call.namespace = getattr(call.request, "namespace", "") or self._identity.fields[options.IDENTITY_NAMESPACE]
        return self._on_trackers if on_trackers else self._identity


def _all_roles(org: str, namespace: str) -> Identity:
    fields = {
        options.IDENTITY_ORG: org,
        options.IDENTITY_NAMESPACE: namespace,
        options.IDENTITY_AGENT: "-",
    }
    return Identity(fields, frozenset({"viewer", "writer", "admin"}))
