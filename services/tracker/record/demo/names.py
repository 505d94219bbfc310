"""Names of branches and builds."""

import re

from services.tracker.record.demo.lines import MAIN
from services.tracker.record.demo.model import Change, Kind

_WORD = re.compile(r"[a-z0-9]+")


def head_ref(change: Change) -> str:
    """The branch that a change comes from; that of a linked fix now and then names its issue."""
    if change.backport_of is not None:
        return f"backport/{change.backport_of.number}-to-{change.base.rpartition('/')[2]}"
    if change.defect is not None and change.kind is Kind.FIX:
        slug = slugged(change.defect.fix)
        return f"fix/{change.fixes[0].number}-{slug}" if change.linked and change.number % 3 == 0 else f"fix/{slug}"
    return f"{'feature' if change.kind is Kind.FEATURE else 'chore'}/{slugged(change.subject)}-{change.number % 100}"


def slugged(text: str) -> str:
    """The first words of the text, with dashes."""
    return "-".join(_WORD.findall(text.lower())[:5])


def label_of(branch: str) -> str:
    """The label that asks for a backport to a branch."""
    return f"backport-{branch.rpartition('/')[2]}" if branch != MAIN else ""
