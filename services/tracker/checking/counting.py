"""Statistics for a check over a source that no pass came by yet: one statement counts the draft's own terms."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from services.tracker.checking import statements as sql
from services.tracker.checking.draft import before_ms
from services.tracker.reads import Reading
from services.tracker.similar.model import Draft
from services.tracker.similar.needles import needles
from services.tracker.similar.statistics import Statistics, of_frequencies, of_rows
from services.tracker.similar.words import terms

LEG = "text"
# Enough to know how long reports are, and which lines they share.
SAMPLE = 100


async def statistics_of(reading: Reading, draft: Draft, stored: Statistics | None) -> Statistics:
    """The stored ones, else those of the draft's own terms, which one statement counts at the source."""
    if stored is not None and stored.documents:
        return stored
    asked = needles(draft.title, draft.body, Statistics(), most=sql.COUNTED)
    if not asked:
        return Statistics()
    rows = await reading.rows(LEG, sql.COUNTS, sql.counting(asked, before_ms(draft)))
    if not rows or not rows[0]["counts"]:
        return Statistics()
    documents = int(rows[0]["documents"])
    counts = dict(zip((each.term for each in asked), (int(c) for c in rows[0]["counts"]), strict=False))
    # A term that was not counted must not pass for the rarest of all: it weighs nothing.
    uncounted = dict.fromkeys(terms(f"{draft.title}\n{draft.body}"), documents)
    return of_frequencies(documents, uncounted | counts, [(draft.title, draft.body)])


def sampled(statistics: Statistics, rows: Sequence[dict[str, Any]]) -> Statistics:
    """With lengths and shared lines of reports that were found, in the place of the draft's own."""
    if not rows:
        return statistics
    sample = of_rows((row["title"], row["body"]) for row in rows[:SAMPLE])
    return replace(
        statistics, title_length=sample.title_length, body_length=sample.body_length, lines=dict(sample.lines)
    )
