"""Names that a question of tracker.answer holds and the record does not: said, with what looks like them.

Only such a name explains why nothing was found; without this "no open issue is planned for it" would clear a version
that nobody ever made.
"""

from collections.abc import Callable, Iterable, Sequence

from services.tracker.answers.held import COMPONENT, TEST, VERSION, Anchors
from services.tracker.answers.picking import Picked
from services.tracker.ops.near import COMPONENTS, LISTED, MILESTONES, TEST_NAMES, VERSIONS, nearest
from services.tracker.outcome import word
from services.tracker.reads import OK, Reading, Statement
from services.tracker.shipping import bare

NAMES = "names"
SHOWN = 3


async def unknown_names(reading: Reading, fruitless: Sequence[Picked], anchors: Anchors) -> dict[str, list[str]]:
    """Sentences by kind of anchor, for templates that found nothing and need that anchor alone.

    A kind is there only where each of its names is unknown: its templates have nothing else to say.
    """
    kinds = dict.fromkeys(each.template.anchors[0] for each in fruitless if len(each.template.anchors) == 1)
    found = {kind: await _HOW[kind](reading, anchors) for kind in kinds if kind in _HOW}
    return {kind: said for kind, said in found.items() if said}


async def _versions(reading: Reading, anchors: Anchors) -> list[str]:
    releases = await _column(reading, VERSIONS, "releases", "version")
    milestones = await _column(reading, MILESTONES, "github_issues", "milestone")
    if releases is None or milestones is None or not (releases or milestones):
        return []
    what = "No release and no milestone" if releases and milestones else "No release" if releases else "No milestone"
    return _said(anchors.versions, [*releases, *milestones], bare, f"{what} of the record is called")


async def _components(reading: Reading, anchors: Anchors) -> list[str]:
    known = await _column(reading, COMPONENTS, "github_issues", "component")
    return _said(anchors.components, known, str.casefold, "No issue has the component") if known else []


async def _tests(reading: Reading, anchors: Anchors) -> list[str]:
    said = []
    for name in anchors.tests:
        rows = await reading.rows(NAMES, TEST_NAMES, {"name": name})
        known = [row["test_name"] for row in rows]
        if reading.leg_status.get(NAMES) != OK or name in known:
            return []
        said.append(_sentence("No run in the last 30 days is of the test", name, known))
    return said


async def _column(reading: Reading, statement: Statement, table: str, column: str) -> list[str] | None:
    """[] where the source does not offer it; None where what it holds is not known: it was silent, or has too many."""
    if not reading.provides(table, column):
        return []
    rows = await reading.rows(NAMES, statement)
    return [row[column] for row in rows] if reading.leg_status.get(NAMES) == OK and len(rows) < LISTED else None


def _said(asked: Iterable[str], known: Sequence[str], fold: Callable[[str], str], start: str) -> list[str]:
    held, said = {fold(name) for name in known}, []
    for name in asked:
        if fold(name) in held:
            return []
        said.append(_sentence(start, name, nearest(fold(name), known)))
    return said


def _sentence(start: str, name: str, near: Sequence[str]) -> str:
    alike = f"; like it: {', '.join(word(each) for each in near[:SHOWN])}" if near else ""
    return f"{start} {word(name)}{alike}."


_HOW = {VERSION: _versions, COMPONENT: _components, TEST: _tests}
