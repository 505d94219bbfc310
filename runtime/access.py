"""Token mode: who calls, by a signed token, and whether the caller may, by the token and the directory.

What is refused before the directory is asked: a token that is missing, bad, expired or revoked, and a request that
contradicts it (another organisation, another user). What is decided here but done later, by `Admission`, once the
request is known to be good: making a memory namespace's row on its first write, and the names that planes store under.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from loom.options.v1 import options_pb2 as options
from runtime import roles, tokens
from runtime.call import AUTHORIZATION, Call
from runtime.directory import DenyList, Directory, unavailable
from runtime.errors import LoomError, forbidden, missing_field
from runtime.identity import Caller, Identity
from runtime.keys import INTERNAL_SCHEME, InternalKey
from runtime.optable import Op
from runtime.roles import Known, Verdict
from runtime.scopes import Finder, Scopes, finder_for
from runtime.tokens import Claims, Verifier

BEARER = "bearer "
NOBODY = "-"
ON_NAMESPACE = frozenset(roles.ROLES)
# Planes whose namespaces are made by namespace.create alone; elsewhere a token that names one opens it.
CLOSED_PLANES = frozenset({"directory", "code", "tracker"})
# Ops of these planes that read memories too: a namespace that a token names is there for them before its first memory.
OPENING = frozenset({"search"})
HELD = {"viewer": frozenset({"viewer"}), "writer": frozenset({"viewer", "writer"}), "admin": frozenset(roles.ROLES)}
# Age of the deny list from which on it protects nobody; with it, a revoked token ends within this time everywhere.
MAX_AGE_S = 5.0
# Decisions that are remembered of one token.
REMEMBERED = 16
FIELDS = "fields"
ANYONE = Identity({}, frozenset())


@dataclass(frozen=True, slots=True)
class Rule:
    """What an op's declaration asks of its caller, compiled once."""

    role: str
    writes: bool
    finder: Finder
    opens: bool
    # The directory knows namespaces by their public names; every other plane stores under storage names.
    is_directory: bool

    @classmethod
    def of(cls, op: Op) -> "Rule":
        finder = finder_for(op.request)
        role = op.role
        if role in {"writer", "admin"} and not finder.names_namespace:
            # There is no namespace to hold the role on.
            role = "org_admin"
        elif role == "viewer" and not finder.names_namespace:
            role = "member"
        opens = op.plane not in CLOSED_PLANES or op.name in OPENING
        return cls(role, op.writes, finder, opens, op.plane == "directory")


class TokenAuthenticator:
    """Implements runtime.identity.Authenticator. One for all planes of a process."""

    mode: Literal["tokens"] = "tokens"

    def __init__(
        self,
        verifier: Verifier,
        directory: Directory,
        deny: DenyList,
        key: InternalKey,
    ) -> None:
        self._verifier, self._directory, self._deny, self._key = verifier, directory, deny, key
        self._rules: dict[str, Rule] = {}

    async def identify(self, call: Call) -> Identity:
        """Raises LoomError: TOKEN_…, NAMESPACE_FORBIDDEN, ROLE_REQUIRED, UPSTREAM_UNAVAILABLE, MISSING_FIELD."""
        header = call.metadata.get(AUTHORIZATION, "")
        method = call.method
        if not isinstance(method, Op):
            self._refuse_strangers(header)
            return ANYONE
        if method.role == "public":
            return ANYONE
        claims = self._verifier.verify(_bearer(header))
        if self._deny.has(claims.org, claims.jti):
            raise tokens.invalid()
        rule = self._rules.get(method.path) or self._rule(method)
        self._refuse_when_silent(rule.writes)
        fields = identity_fields(claims)
        namespaces = _namespaces(call, rule, claims, fields)
        if rule.role in ON_NAMESPACE:
            remembered = self._remembered(call, claims, namespaces)
            return remembered or await self._on_namespaces(call, rule, claims, fields, namespaces)
        return await self._on_org(call, rule, claims, fields)

    def _refuse_strangers(self, header: str) -> None:
        if not header.startswith(INTERNAL_SCHEME):
            raise LoomError("TOKEN_MISSING", "the call needs the key that planes show each other")
        if not self._key.matches(header):
            raise tokens.invalid()

    def _rule(self, op: Op) -> Rule:
        rule = self._rules[op.path] = Rule.of(op)
        return rule

    def _refuse_when_silent(self, writes: bool) -> None:
        """Writes need a directory that answers; reads live on what was heard, as long as that is kept."""
        if (writes and self._deny.silent) or self._deny.age_s() > MAX_AGE_S:
            raise unavailable()

    async def _on_namespaces(
        self, call: Call, rule: Rule, claims: Claims, fields: dict[int, str], namespaces: Mapping[str, None]
    ) -> Identity:
        if not namespaces:
            raise missing_field("namespace")
        admission, held = Admission(self._directory, claims, rule), frozenset(roles.ROLES)
        for namespace in namespaces:
            # Who changes rights needs them now: a name may have been removed and taken anew a second ago.
            fresh = rule.is_directory
            known = None if fresh else self._directory.kept(claims.org, namespace, claims.subject)
            if known is None:
                known = await self._directory.known(claims.org, namespace, claims.subject, fresh=fresh)
                self._refuse_when_silent(rule.writes or known.restricted)
            held &= HELD[judge(claims, namespace, known, rule)]
            admission.note(namespace, known)
        call.namespace = next(iter(namespaces))
        if admission.is_due and not rule.is_directory:
            call.admit = admission
        call.caller = _caller(claims, known.org_admin or claims.administers_org)
        identity = Identity(fields, held)
        if len(namespaces) == 1 and known.exists and not (known.restricted or rule.is_directory):
            self._remember(call, claims, Decided(known, identity, call.caller, call.admit))
        return identity

    def _remembered(self, call: Call, claims: Claims, namespaces: Mapping[str, None]) -> Identity | None:
        """The decision that was made before, while what it was made on is what the directory says."""
        if len(namespaces) != 1:
            return None
        (namespace,) = namespaces
        decided: Decided | None = claims.memo.get((call.method.path, namespace))
        if decided is None or self._directory.kept(claims.org, namespace, claims.subject) is not decided.known:
            return None
        call.namespace, call.caller, call.admit = namespace, decided.caller, decided.admit
        return decided.identity

    def _remember(self, call: Call, claims: Claims, decided: "Decided") -> None:
        if len(claims.memo) >= REMEMBERED:
            claims.memo.clear()
        claims.memo[call.method.path, call.namespace] = decided

    async def _on_org(self, call: Call, rule: Rule, claims: Claims, fields: dict[int, str]) -> Identity:
        administers = claims.administers_org
        if not administers and (rule.is_directory or rule.role == "org_admin"):
            administers = (await self._directory.known(claims.org, "", claims.subject)).org_admin
        if rule.role == "org_admin" and not administers:
            raise role_required("org_admin")
        call.caller = _caller(claims, administers)
        return Identity(fields, frozenset())


@dataclass(frozen=True, slots=True)
class Decided:
    """A caller's admission to a namespace that exists, made on what the directory knows, `known`."""

    known: Known
    identity: Identity
    caller: Caller
    admit: "Admission | None"


class Admission:
    """What is left to do for an admitted request once it is known to be good."""

    __slots__ = ("_claims", "_directory", "_missing", "_rule", "_stored")

    def __init__(self, directory: Directory, claims: Claims, rule: Rule) -> None:
        self._directory, self._claims, self._rule = directory, claims, rule
        self._missing: list[str] = []
        self._stored: dict[str, str] = {}

    @property
    def is_due(self) -> bool:
        return bool(self._missing or self._stored)

    def note(self, namespace: str, known: Known) -> None:
        """`known` is what the decision about the namespace was made on."""
        if self._rule.writes and not known.exists:
            self._missing.append(namespace)
        else:
            self._stores(namespace, known)

    def _stores(self, namespace: str, known: Known) -> None:
        if known.storage_name and known.storage_name != namespace:
            self._stored[namespace] = known.storage_name

    async def __call__(self, call: Call) -> None:
        """Makes the rows, and puts storage names in the place of public ones."""
        claims = self._claims
        for namespace in self._missing:
            known = await self._directory.ensure(claims.org, namespace, claims.subject, claims.roles[namespace])
            if not known.exists:
                raise forbidden()
            # Somebody may have made it meanwhile, and restricted.
            judge(claims, namespace, known, self._rule)
            self._stores(namespace, known)
        if self._stored:
            self._rule.finder.rename(call.request, self._stored)


def identity_fields(claims: Claims) -> dict[int, str]:
    """What fills identity fields that the caller left empty, by identity source. Worked out once for each token."""
    fields = claims.memo.get(FIELDS)
    if fields is None:
        fields = claims.memo[FIELDS] = _fields(claims)
    return fields


def _fields(claims: Claims) -> dict[int, str]:
    fields = {options.IDENTITY_ORG: claims.org}
    if claims.is_user:
        fields[options.IDENTITY_USER] = claims.subject
        fields[options.IDENTITY_AGENT] = NOBODY
    else:
        fields[options.IDENTITY_AGENT] = claims.subject
    if len(claims.roles) == 1:
        (name,) = claims.roles
        if name != roles.WILDCARD:
            fields[options.IDENTITY_NAMESPACE] = name
    return fields


def judge(claims: Claims, namespace: str, known: Known, rule: Rule) -> str:
    """The caller's role. Raises NAMESPACE_FORBIDDEN or ROLE_REQUIRED."""
    decision = roles.resolve(claims.roles, namespace, known, rule.role, opens=rule.opens)
    if decision.verdict is Verdict.ALLOWED:
        return decision.role
    raise forbidden() if decision.verdict is Verdict.FORBIDDEN else role_required(rule.role)


def role_required(role: str) -> LoomError:
    """The caller is known here, and lacks the role."""
    return LoomError("ROLE_REQUIRED", f"the op needs the role {role}", required=role)


def _bearer(header: str) -> str:
    """The token in an authorization header. Raises TOKEN_MISSING without a header, TOKEN_INVALID for another scheme."""
    if not header.strip():
        raise tokens.missing()
    token = header[len(BEARER) :].strip() if header[: len(BEARER)].lower() == BEARER else ""
    if not token:
        raise tokens.invalid()
    return token


def _namespaces(call: Call, rule: Rule, claims: Claims, fields: Mapping[int, str]) -> Mapping[str, None]:
    """The namespaces that the request is about. Raises NAMESPACE_FORBIDDEN where it contradicts the token."""
    finder = rule.finder
    filled = fields.get(options.IDENTITY_NAMESPACE, "") if finder.takes_namespace else ""
    if finder.is_flat:
        org, namespace, user = finder.read(call.request)
        if (org and org != claims.org) or (user and not _may_name(claims, user)):
            raise forbidden()
        namespace = namespace or filled
        return {namespace: None} if namespace else {}
    found = Scopes()
    finder.find(call.request, filled, found)
    if found.orgs - {claims.org} or not all(_may_name(claims, user) for user in found.users):
        raise forbidden()
    return found.namespaces


def _may_name(claims: Claims, user: str) -> bool:
    """A user's token speaks for that user alone, or for none; a service says on whose behalf it runs."""
    return not claims.is_user or user in (claims.subject, NOBODY)


def _caller(claims: Claims, org_admin: bool) -> Caller:
    return Caller(claims.org, claims.subject, claims.kind, claims.roles, "token", org_admin, claims.jti)
