"""Whether a login can only read, out of what ClickHouse says of its grants. Pure: nothing is tried on data."""

import re
from collections.abc import Iterable

# What a login may be granted and still only read. SOURCES and their kin read elsewhere; INTROSPECTION reads the server.
_READS = frozenset(
    {
        *("SELECT", "SHOW", "CHECK", "USAGE", "NONE", "READ", "DICTGET", "DICTHAS", "DICTGETHIERARCHY", "DICTISIN"),
        *("INTROSPECTION", "ADDRESSTOLINE", "ADDRESSTOLINEWITHINLINES", "ADDRESSTOSYMBOL", "DEMANGLE", "KILL QUERY"),
        *(
            "SHOW DATABASES",
            "SHOW TABLES",
            "SHOW COLUMNS",
            "SHOW DICTIONARIES",
            "SHOW ACCESS",
            "SHOW USERS",
            "SHOW ROLES",
        ),
        *("SHOW ROW POLICIES", "SHOW QUOTAS", "SHOW SETTINGS PROFILES", "SHOW NAMED COLLECTIONS", "SHOW HANDLERS"),
        *("SHOW NAMED COLLECTIONS SECRETS", "DISPLAYSECRETSINSHOWANDSELECT", "CREATE TEMPORARY TABLE", "CLUSTER"),
        "TABLE ENGINE",
    }
)
_GRANT = re.compile(r"^GRANT\s+(?P<what>.+?)\s+ON\s+\S", re.IGNORECASE | re.DOTALL)
_ROLE = re.compile(r"^GRANT\s+(?P<roles>.+?)\s+TO\s", re.IGNORECASE | re.DOTALL)
_COLUMNS = re.compile(r"\([^()]*\)")
_SHOWN = 20


def writes(statements: Iterable[str]) -> tuple[str, ...]:
    """The privileges, of the statements that SHOW GRANTS prints, that let a login change something; sorted, at most 20."""
    found: set[str] = set()
    for statement in statements:
        if match := _GRANT.match(statement.strip()):
            for part in _COLUMNS.sub("", match["what"]).split(","):
                privilege = " ".join(part.split()).upper()
                if privilege and privilege not in _READS:
                    found.add(privilege if re.fullmatch(r"[A-Z ]{1,40}", privilege) else "OTHER")
    return tuple(sorted(found)[:_SHOWN])


def has_roles(statements: Iterable[str]) -> bool:
    """Whether some of the login's rights come by roles, whose grants these statements do not spell out."""
    return any(not _GRANT.match(text.strip()) and _ROLE.match(text.strip()) for text in statements)


def only_reads(readonly: int, statements: Iterable[str] | None) -> bool | None:
    """Whether the login can only read; None where neither its `readonly` nor its grants can tell.

    `readonly` 1 and 2 forbid writes whatever is granted, and a login cannot leave them.
    """
    if readonly in (1, 2):
        return True
    if statements is None:
        return None
    shown = list(statements)
    if writes(shown):
        return False
    return None if has_roles(shown) else True
