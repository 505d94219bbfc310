"""Saves what was extracted, through the same way as every save."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from runtime.errors import LoomError
from services.memory.extract.found import SUMMARY, Found
from services.memory.identity import Scope
from services.memory.model import EXTRACTED, Draft
from services.memory.ops.drafts import SaveInput, draft_of, instant, public_text, summary_draft
from services.memory.ops.save import Save
from services.memory.types import Types
from services.memory.workers.extracted_store import ExtractedStore

Count = Callable[[str, int], None]


class Keeping:
    """A memory that its user has changed or deleted is left as it is."""

    def __init__(self, save: Save, store: ExtractedStore, types: Types, count: Count) -> None:
        self._save, self._store, self._types, self._count = save, store, types, count

    async def keep(self, scope: Scope, found: Sequence[Found], timeout_s: float | None) -> dict[str, list[int]]:
        """Saves; the memories' ids by the observations that they rest on. Raises what memory.save raises."""
        drafts = [draft for one in found if (draft := self._draft(one)) is not None]
        if not drafts:
            return {}
        taken = await self._store.taken_over(scope, [draft.topic_key for draft in drafts], timeout_s)
        wanted = [draft for draft in drafts if draft.topic_key not in taken]
        self._count("left_alone", len(drafts) - len(wanted))
        ids: dict[str, list[int]] = {}
        for draft, answer in zip(wanted, await self._save.execute_many(scope, wanted, timeout_s), strict=True):
            self._count(answer.saved.outcome, 1)
            for key in draft.evidence:
                ids.setdefault(key, []).append(answer.saved.id)
        return ids

    def _draft(self, found: Found) -> Draft | None:
        try:
            if found.type == SUMMARY:
                return replace(
                    summary_draft(found.content),
                    title=public_text("title", found.title),
                    topic_key=found.topic_key,
                    said_at=instant("observed_at", found.observed_at),
                    source=EXTRACTED,
                    evidence=found.evidence,
                )
            return draft_of(_input(found), self._types)
        except LoomError:
            # A kind that this installation does not have, or nothing but private text.
            self._count("refused", 1)
            return None


def _input(found: Found) -> SaveInput:
    return SaveInput(
        content=found.content,
        type=found.type,
        title=found.title,
        topic_key=found.topic_key,
        observed_at=found.observed_at,
        source=EXTRACTED,
        evidence=found.evidence,
    )
