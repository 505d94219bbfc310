"""Drafts of one session's memories: by the language model where there is one, by the rules in any other case."""

import asyncio
import logging
from collections.abc import Callable, Sequence

from runtime.llm import Llm, LlmError
from services.memory.extract.answers import BadAnswerError, believed, question
from services.memory.extract.calls import Observed
from services.memory.extract.found import SUMMARY, Found
from services.memory.extract.rules import extract
from services.memory.types import Types

log = logging.getLogger("loom.memory")

Count = Callable[[str, int], None]


class Drafting:
    """`llm` is None where none is configured. `count` is told what happened, in words of the metrics."""

    def __init__(self, types: Types, count: Count, llm: Llm | None = None, most_chars: int = 0) -> None:
        self._types, self._count, self._llm, self._most_chars = (*types.names, SUMMARY), count, llm, most_chars

    @property
    def has_llm(self) -> bool:
        return self._llm is not None

    async def draft(self, session_id: str, rows: Sequence[Observed], earlier: Sequence[Observed]) -> list[Found]:
        """Memories that the new `rows` give; `earlier` are those of the same session before them."""
        claimed = {row.memory_key for row in rows}
        # In a thread: a long session takes tenths of a second, in which calls of users would wait.
        by_rules = await asyncio.to_thread(extract, session_id, [*earlier, *rows], claimed)
        if self._llm is None or not any(row.has_content for row in rows):
            return by_rules
        try:
            by_llm = await self._by_llm(self._llm, session_id, rows, earlier)
        except (LlmError, BadAnswerError) as error:
            log.warning("the language model drafts nothing, the rules do: %s", error)
            self._count("llm_failed", 1)
            return by_rules
        if any(found.type == SUMMARY for found in by_llm):
            return by_llm
        return [*by_llm, *(found for found in by_rules if found.type == SUMMARY)]

    async def _by_llm(
        self, llm: Llm, session_id: str, rows: Sequence[Observed], earlier: Sequence[Observed]
    ) -> list[Found]:
        asked = question(self._types, earlier, rows, self._most_chars)
        found, dropped = believed(await llm.answer(asked.system, asked.user), asked, self._types, session_id)
        self._count("llm_drafted", len(found))
        self._count("llm_dropped", dropped)
        return found

    async def close(self) -> None:
        if self._llm:
            await self._llm.close()
