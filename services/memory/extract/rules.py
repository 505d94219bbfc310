"""The deterministic extractor: a session's observations to memories, by rules alone.

The same observations give the same memories: texts, keys and times come from them and from nothing else.
"""

from collections.abc import Collection, Sequence

from services.memory.extract.calls import Observed, in_order
from services.memory.extract.discoveries import discoveries
from services.memory.extract.found import Found
from services.memory.extract.patterns import patterns
from services.memory.extract.statements import statements
from services.memory.extract.summaries import summary


def extract(session_id: str, rows: Sequence[Observed], claimed: Collection[str]) -> list[Found]:
    """What the rows of one session and user give. `claimed` are the keys of those that are new.

    What earlier rows alone gave was said when they were new, and may have been changed or deleted since; the summary
    is of all rows.
    """
    ordered = in_order(rows)
    if not any(row.memory_key in claimed for row in ordered):
        return []
    project = next((row.project for row in ordered if row.project), "")
    solved, unsolved = discoveries(ordered, project)
    found = [*solved, *patterns(ordered, project), *statements(ordered, project)]
    new = [one for one in found if not set(claimed).isdisjoint(one.evidence)]
    return [*new, *summary(session_id, ordered, found, unsolved, project)]
