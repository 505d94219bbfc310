"""Checks that several ops share."""

from runtime.errors import forbidden, invalid_field
from services.directory.names import SUBJECT, is_subject
from services.directory.rows import Namespace
from services.directory.store import Directory


async def active(store: Directory, org: str, name: str) -> Namespace:
    """The namespace. Raises NAMESPACE_FORBIDDEN where there is none: it may have been removed since the caller's role
    was checked."""
    found = await store.namespace(org, name)
    if found is None or not found.active:
        raise forbidden()
    return found


def subject_of(subject: str) -> str:
    """Raises INVALID_FIELD for what can be granted nothing."""
    if not is_subject(subject):
        raise invalid_field("subject", SUBJECT)
    return subject
