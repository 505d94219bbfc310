"""tracker.answer: a question in words, answered by named templates, with citations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from runtime.errors import invalid_field, missing_field
from runtime.identity import Caller
from services.tracker.answers.anchors import anchors_of, with_components
from services.tracker.answers.catalogue import TEMPLATES
from services.tracker.answers.held import COMPONENT, Anchors
from services.tracker.answers.model import Line, Template
from services.tracker.answers.picking import Picked, nearest, pick
from services.tracker.ops.asking import Asked, Asking
from services.tracker.ops.near import COMPONENTS
from services.tracker.ops.records import once
from services.tracker.ops.trust import trust
from services.tracker.ops.unknown import unknown_names
from services.tracker.outcome import Common, Item, address, cut, title_of, word
from services.tracker.reads import NOT_PROVIDED, OK, REFUSED, Reading, together

LINE_CHARS = 800
SHA_CHARS = 7
NOTHING = "The record has nothing on that."
LACKING = "The record does not have what would tell that."
CLOSED = "That is closed to this namespace: only a restricted one reads it."


@dataclass(slots=True)
class Citation(Item):
    index: int = 0
    template: str = ""


@dataclass(slots=True)
class Run:
    name: str
    why: str
    anchors: list[str]
    sql: str = ""
    rows: int | None = None


@dataclass(slots=True)
class Suggestion:
    template: str
    answers: str
    example: str


@dataclass(slots=True)
class Answered:
    text: str
    citations: list[Citation]
    searched: list[str]
    templates: list[Run]
    suggestions: list[Suggestion]
    epistemic: str
    common: Common = field(default_factory=Common)


class AnswerOp:
    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def execute(
        self,
        org: str,
        namespace: str,
        question: str,
        given: Mapping[str, Sequence[Any]],
        explain_only: bool,
        limit: int,
        caller: Caller,
    ) -> Answered:
        """Raises MISSING_FIELD without a question and without anchors, INVALID_FIELD for too short a commit."""
        if not question.strip() and not any(given.values()):
            raise missing_field("question")
        if any(0 < len(sha.strip()) < SHA_CHARS for sha in given.get("shas", ())):
            raise invalid_field("anchors.shas", f"whole hashes, or their first {SHA_CHARS} or more characters")
        asked = await self._asking.primary(org, namespace, caller, ask=not explain_only)
        reading, anchors = asked.primary, anchors_of(question, given)
        picked = pick(question, anchors, TEMPLATES)
        if not explain_only and not picked:
            # The question may name a component of the record in passing; only the record knows.
            anchors = await _with_components(reading, question, anchors)
            picked = pick(question, anchors, TEMPLATES)
        if not picked:
            heard = trust(reading) if reading.leg_status else ""
            return replace(_suggest(question, reading, anchors), epistemic=heard, common=asked.common())
        read = [each for each in picked if _unread(each.template, reading) == ""]
        if explain_only:
            return Answered("", [], [], [_plan(each) for each in read], [], "", asked.common())
        answered = await _run(reading, read, anchors, limit) if read else _nothing_read(picked, reading)
        return _with_unread(answered, [each.template for each in picked if each not in read], asked)


def _unread(template: Template, reading: Reading) -> str:
    """Why the template cannot be run here; empty where it can. A question for it is not answered by something else.

    What a silent source offers is not known: its templates are run, and say that it was silent.
    """
    if template.restricted and not reading.binding.scope.restricted:
        return REFUSED
    known = bool(reading.binding.relations)
    return NOT_PROVIDED if known and not all(reading.provides(table) for table in template.tables) else ""


def _nothing_read(picked: Sequence[Picked], reading: Reading) -> Answered:
    closed = any(_unread(each.template, reading) == REFUSED for each in picked)
    return Answered(CLOSED if closed else LACKING, [], [], [], [], trust(reading))


def _with_unread(answered: Answered, unread: Sequence[Template], asked: Asked) -> Answered:
    """With the templates that the question is for and that could not be run."""
    reading, searched, missing = asked.primary, list(answered.searched), set[str]()
    for template in unread:
        state = _unread(template, reading)
        asked.note(reading, template.name, state)
        searched.append(_not_read(template, state))
        missing.update(table for table in template.tables if not reading.provides(table))
    common = asked.common()
    common = replace(common, not_provided=sorted(missing.union(common.not_provided)))
    return replace(answered, searched=searched, common=common)


async def _with_components(reading: Reading, question: str, anchors: Anchors) -> Anchors:
    if COMPONENT in anchors.kinds() or not question.strip():
        return anchors
    rows = await reading.rows("components", COMPONENTS)
    return with_components(anchors, question, [row["component"] for row in rows])


def _suggest(question: str, reading: Reading, anchors: Anchors) -> Answered:
    near = nearest(question, [each for each in TEMPLATES if not _unread(each, reading)], anchors)
    return Answered("", [], [], [], [Suggestion(t.name, t.answers, t.example) for t in near], "")


def _plan(picked: Picked) -> Run:
    template = picked.template
    return Run(template.name, picked.why, list(template.anchors), template.statement.sql)


async def _run(reading: Reading, picked: Sequence[Picked], anchors: Anchors, limit: int) -> Answered:
    found = await together(
        *(
            reading.rows(each.template.name, each.template.statement, dict(each.template.params(anchors, limit)))
            for each in picked
        )
    )
    legs = list(zip(picked, map(once, found), strict=True))
    fruitless = [each for each, rows in legs if not rows and reading.leg_status.get(each.template.name) == OK]
    unknown = await unknown_names(reading, fruitless, anchors)
    text, citations, runs = [cut(line, LINE_CHARS)[0] for lines in unknown.values() for line in lines], [], []
    for each, rows in legs:
        template = each.template
        runs.append(Run(template.name, each.why, list(template.anchors), "", len(rows)))
        if template.nothing and each in fruitless and unknown.keys().isdisjoint(template.anchors):
            text.append(template.nothing)
        for line in template.wording(rows, anchors):
            text.append(_cited(line, template, citations, reading.tracker_namespace))
    searched = [_searched(each.template, reading) for each in picked]
    said = " ".join(text) or ("" if reading.tracker_unavailable else NOTHING)
    return Answered(said, citations, searched, runs, [], trust(reading))


def _cited(line: Line, template: Template, citations: list[Citation], namespace: str) -> str:
    """The sentence with its mark; an item that is cited already keeps its number."""
    text = cut(line.text, LINE_CHARS)[0]
    if line.row is None:
        return text
    source_id = word(line.row.get("source_id") or line.row.get("id"))
    known = next((each for each in citations if each.source_id == source_id), None)
    if known is None:
        known = _citation(line, template, len(citations) + 1, namespace, source_id)
        citations.append(known)
    return f"{text} [{known.index}]"


def _citation(line: Line, template: Template, index: int, namespace: str, source_id: str) -> Citation:
    row = line.row or {}
    return Citation(
        tracker_namespace=namespace,
        source_id=source_id,
        number=row.get("number") or 0,
        kind=row.get("kind") or "",
        title=title_of(row.get("title") or ""),
        state=word(row.get("state")),
        url=address(row.get("url")),
        component=word(row.get("component")),
        severity=word(row.get("severity")),
        created_at=row.get("created_at"),
        why=[template.answers],
        index=index,
        template=template.name,
    )


def _searched(template: Template, reading: Reading) -> str:
    state = reading.leg_status.get(template.name, "skipped")
    return f"{_capital(template.searched)}." if state == OK else _not_read(template, state)


def _not_read(template: Template, state: str) -> str:
    return f"{_capital(template.searched)}: not read ({state})."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
