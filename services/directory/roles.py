"""Roles and what makes up a caller's own."""

from collections.abc import Mapping

from services.directory.names import ORG

NONE, VIEWER, WRITER, ADMIN = "", "viewer", "writer", "admin"
_RANK = {NONE: 0, VIEWER: 1, WRITER: 2, ADMIN: 3}


def greatest(*roles: str) -> str:
    return max(roles, key=_RANK.__getitem__)


def least(*roles: str) -> str:
    return min(roles, key=_RANK.__getitem__)


def role_on(name: str, restricted: bool, claims: Mapping[str, str], grant: str, org_admin: bool) -> str:
    """The role on a namespace that exists: the larger of claim and grant; in a restricted one the lesser.

    A wildcard claim and the organisation's admins have no part in a restricted one.
    """
    if restricted:
        return least(claims.get(name, NONE), grant)
    return greatest(claims.get(name, NONE), claims.get(ORG, NONE), grant, ADMIN if org_admin else NONE)
