"""What a caller may do in a namespace: a pure rule over its token's claims and what the directory knows.

| namespace | the caller's role |
|---|---|
| without a row | the claim that names it, where the plane keeps memories; else none |
| with a row, not restricted | the largest of: naming claim, `*` claim, live grant, and admin for an admin of the org |
| restricted | the lesser of the claim that names it and the live grant; both are needed |
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

WILDCARD = "*"
# In the names that planes store under, and in no name that a caller may use.
STORAGE_MARK = "\u241f"
ROLES = ("viewer", "writer", "admin")
RANK = {"": 0, "viewer": 1, "writer": 2, "admin": 3}
_BY_RANK = ("", *ROLES)


class Verdict(Enum):
    """FORBIDDEN tells nothing; ROLE_TOO_SMALL tells a caller who may know of the namespace what it lacks."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"
    ROLE_TOO_SMALL = "role_too_small"


@dataclass(frozen=True, slots=True)
class Known:
    """What the directory knows of a subject in a namespace. `role` is its direct grant, empty for none."""

    exists: bool = False
    restricted: bool = False
    role: str = ""
    org_admin: bool = False
    storage_name: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """`role` is what the caller has, empty for none."""

    verdict: Verdict
    role: str


def resolve(claims: Mapping[str, str], namespace: str, known: Known, required: str, *, opens: bool = True) -> Decision:
    """Whether a caller with these claims has the `required` role.

    `opens` is true where a claim that names a namespace without a row opens it.
    """
    rank = _rank(claims, namespace, known, opens)
    if rank >= RANK[required]:
        return Decision(Verdict.ALLOWED, _BY_RANK[rank])
    hidden = rank == 0 or known.restricted
    return Decision(Verdict.FORBIDDEN if hidden else Verdict.ROLE_TOO_SMALL, _BY_RANK[rank])


def _rank(claims: Mapping[str, str], namespace: str, known: Known, opens: bool) -> int:
    # `*` stands for many in a claim; no namespace is called so.
    if namespace == WILDCARD or STORAGE_MARK in namespace:
        return 0
    named = RANK.get(claims.get(namespace, ""), 0)
    if not known.exists:
        return named if opens else 0
    granted = RANK.get(known.role, 0)
    if known.restricted:
        return min(named, granted)
    return max(named, granted, RANK.get(claims.get(WILDCARD, ""), 0), RANK["admin"] if known.org_admin else 0)
