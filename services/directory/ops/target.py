"""What several ops share: lookups that refuse, and rows to write."""

from runtime.errors import forbidden, invalid_field
from services.directory.ledger import Change
from services.directory.names import SUBJECT, is_subject
from services.directory.rows import PENDING, Grant, JoinRequest, Namespace
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


async def pending(store: Directory, org: str, namespace_id: str, subject: str) -> JoinRequest | None:
    """The subject's request, where it waits for an answer."""
    found = await store.request(org, namespace_id, subject)
    return found if found and found.state == PENDING else None


def grant(change: Change, namespace_id: str, subject: str, role: str) -> Grant:
    """A grant by whoever makes the change; an empty role revokes."""
    return Grant(change.org, namespace_id, subject, role, change.actor.subject, change.now, change.version())


def answers(change: Change, asked: JoinRequest | None, state: str) -> list[JoinRequest]:
    """The request with its answer; nothing where none waits."""
    if asked is None:
        return []
    return [asked._replace(state=state, answered_by=change.actor.subject, version=change.version())]
