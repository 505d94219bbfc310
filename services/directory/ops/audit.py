"""directory.audit: the record of changes of rights."""

from services.directory.ops.pages import cut, seq_of, seq_token
from services.directory.rows import AuditEntry
from services.directory.store import Directory


class Audit:
    def __init__(self, store: Directory) -> None:
        self._store = store

    async def execute(
        self, org: str, namespace: str, subject: str, size: int, token: str
    ) -> tuple[list[AuditEntry], str]:
        """Entries, newest first, and the next page's token. Empty namespace and subject mean any."""
        before = seq_of(token)
        found, more = cut(await self._store.audit(org, namespace, subject, before, size + 1), size)
        return found, seq_token(found[-1].seq, found[-1].id) if more else ""
