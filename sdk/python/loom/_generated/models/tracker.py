"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as _field
from typing import Any, Required, Self, TypedDict

from loom._op import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class AddSourceResponse:
    """What was found, and whether it was stored."""

    added: bool = False
    """True when the source is registered."""
    verdict: SourceVerdict | None = None
    """What the check found."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            added=data.get("added") or False,
            verdict=None if data.get("verdict") is None else SourceVerdict.from_dict(data["verdict"]),
            ignored_args=data.get("ignored_args") or [],
        )


class AnchorsInput(TypedDict, total=False):
    """Things that a question is about."""

    numbers: list[int]
    """Numbers of issues or pull requests (each below 2^53). From 1 to 9,007,199,254,740,991. Limit: 10 entries."""
    tests: list[str]
    """Names of tests. Limit: 10 entries of 1,024 characters."""
    versions: list[str]
    """Versions. Limit: 10 entries of 128 characters."""
    shas: list[str]
    """Commit hashes, whole or their first 7 or more characters. Limit: 10 entries of 64 characters."""
    paths: list[str]
    """Paths of files. Limit: 20 entries of 1,024 characters."""
    frames: list[str]
    """Stack frames. Limit: 50 entries of 1,024 characters."""
    components: list[str]
    """Components. Limit: 10 entries of 256 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerResponse:
    """The answer."""

    text: str = ""
    """The answer in words, each statement with its citation, such as [1]; empty when nothing was found or read."""
    citations: list[Citation] = _field(default_factory=list)
    """What the text cites, in order."""
    searched: list[str] = _field(default_factory=list)
    """What was searched, one sentence each."""
    templates: list[TemplateRun] = _field(default_factory=list)
    """Templates that were run, or with `explain_only` would be."""
    suggestions: list[Suggestion] = _field(default_factory=list)
    """Where no template fits: the nearest ones, each with an example question."""
    epistemic: str = ""
    """`uncalibrated`, `degraded` when a leg was silent, `unavailable`, or empty where nothing was judged."""
    tracker_namespace: str = ""
    """The tracker namespace that was read; empty when none was."""
    tracker_unavailable: bool = False
    """True when the tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence."""
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that the source does not offer and the op would have
    used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            text=data.get("text") or "",
            citations=[Citation.from_dict(item) for item in data.get("citations") or []],
            searched=data.get("searched") or [],
            templates=[TemplateRun.from_dict(item) for item in data.get("templates") or []],
            suggestions=[Suggestion.from_dict(item) for item in data.get("suggestions") or []],
            epistemic=data.get("epistemic") or "",
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BindingResponse:
    """What it resolves to."""

    kind: str = ""
    """`tracker`, `code`, or `none`: unbound, refused and no tracker alike."""
    trackers: list[BoundTracker] = _field(default_factory=list)
    """Trackers that the caller may read, primary first."""
    templates: list[str] = _field(default_factory=list)
    """Templates of tracker.answer that the caller may run."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            kind=data.get("kind") or "",
            trackers=[BoundTracker.from_dict(item) for item in data.get("trackers") or []],
            templates=data.get("templates") or [],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocker:
    """An issue that blocks a release."""

    tracker_namespace: str = ""
    """Tracker namespace that it was read from."""
    source_id: str = ""
    """`Org/repo#number`."""
    number: int = 0
    """Number within its repository (below 2^53)."""
    kind: str = ""
    """`issue`, `pr`, `incident`, `case` or `thread`."""
    title: str = ""
    """Title; cut ones end with `…`."""
    state: str = ""
    """`open`, `closed` or `merged`."""
    url: str = ""
    """Address at its tracker; empty when unknown."""
    component: str = ""
    """Component; empty when unknown."""
    severity: str = ""
    """Severity, as its tracker words it; empty when unknown."""
    created_at: str = ""
    """When it was created, RFC 3339 in UTC; empty when unknown."""
    score: float | None = None
    """How well it fits, in [0, 1]; null where nothing was scored."""
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one reason each."""
    status: str = ""
    """Where its fix is: `no_fix`, `fix_open`, `fix_merged`, `backport_open` or `on_branch`."""
    fixed_by: list[int] = _field(default_factory=list)
    """Pull requests that fix it (each below 2^53)."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            tracker_namespace=data.get("tracker_namespace") or "",
            source_id=data.get("source_id") or "",
            number=data.get("number") or 0,
            kind=data.get("kind") or "",
            title=data.get("title") or "",
            state=data.get("state") or "",
            url=data.get("url") or "",
            component=data.get("component") or "",
            severity=data.get("severity") or "",
            created_at=data.get("created_at") or "",
            score=data.get("score"),
            why=data.get("why") or [],
            status=data.get("status") or "",
            fixed_by=data.get("fixed_by") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundTracker:
    """A tracker that a namespace resolves to."""

    namespace: str = ""
    """Its namespace."""
    primary: bool = False
    """True for the one that ops by number read."""
    repos: list[str] = _field(default_factory=list)
    """Repositories that it covers, `Org/repo` each."""
    restricted: bool = False
    """True when it is restricted: private rows and incidents are read."""
    state: str = ""
    """`serving`, or why not: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`."""
    features: list[str] = _field(default_factory=list)
    """Features that its source offers."""
    fit: FitQuality | None = None
    """Quality of its duplicate-check fit on data that was held out; null when there is no fit."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            namespace=data.get("namespace") or "",
            primary=data.get("primary") or False,
            repos=data.get("repos") or [],
            restricted=data.get("restricted") or False,
            state=data.get("state") or "",
            features=data.get("features") or [],
            fit=None if data.get("fit") is None else FitQuality.from_dict(data["fit"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFit:
    """Quality of a fit on reports newer than those that it was made of."""

    fitted_at: str = ""
    """When it was made, RFC 3339 in UTC."""
    namespace: str = ""
    """Namespace that it was made for: another one's where a restricted namespace borrows it."""
    serves_duplicates: bool = False
    """True when it serves the verdict `duplicate_of`."""
    reason: str = ""
    """Why it does not; empty when it does."""
    precision: float | None = None
    """Precision at the threshold, in [0, 1]; null where nothing reached it."""
    recall: float = 0.0
    """Recall at the threshold, in [0, 1]."""
    brier: float = 0.0
    """Brier score, in [0, 1]; less is better."""
    ece: float = 0.0
    """Expected calibration error, in [0, 1]; less is better."""
    drafts: int = 0
    """Drafts that it was measured on (below 2^53)."""
    related_recall: float = 0.0
    """Share of duplicates whose original was at least `related`, in [0, 1]."""
    related_share: float = 0.0
    """Share of other drafts that had anything related, in [0, 1]."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            fitted_at=data.get("fitted_at") or "",
            namespace=data.get("namespace") or "",
            serves_duplicates=data.get("serves_duplicates") or False,
            reason=data.get("reason") or "",
            precision=data.get("precision"),
            recall=data.get("recall") or 0.0,
            brier=data.get("brier") or 0.0,
            ece=data.get("ece") or 0.0,
            drafts=data.get("drafts") or 0,
            related_recall=data.get("related_recall") or 0.0,
            related_share=data.get("related_share") or 0.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSourceResponse:
    """What was found."""

    verdict: SourceVerdict | None = None
    """What the check found."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=None if data.get("verdict") is None else SourceVerdict.from_dict(data["verdict"]),
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Something that a text cites."""

    tracker_namespace: str = ""
    """Tracker namespace that it was read from."""
    source_id: str = ""
    """`Org/repo#number`."""
    number: int = 0
    """Number within its repository (below 2^53)."""
    kind: str = ""
    """`issue`, `pr`, `incident`, `case` or `thread`."""
    title: str = ""
    """Title; cut ones end with `…`."""
    state: str = ""
    """`open`, `closed` or `merged`."""
    url: str = ""
    """Address at its tracker; empty when unknown."""
    component: str = ""
    """Component; empty when unknown."""
    severity: str = ""
    """Severity, as its tracker words it; empty when unknown."""
    created_at: str = ""
    """When it was created, RFC 3339 in UTC; empty when unknown."""
    score: float | None = None
    """How well it fits, in [0, 1]; null where nothing was scored."""
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one reason each."""
    index: int = 0
    """Number of the citation in the text, from 1."""
    template: str = ""
    """Template that found it."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            tracker_namespace=data.get("tracker_namespace") or "",
            source_id=data.get("source_id") or "",
            number=data.get("number") or 0,
            kind=data.get("kind") or "",
            title=data.get("title") or "",
            state=data.get("state") or "",
            url=data.get("url") or "",
            component=data.get("component") or "",
            severity=data.get("severity") or "",
            created_at=data.get("created_at") or "",
            score=data.get("score"),
            why=data.get("why") or [],
            index=data.get("index") or 0,
            template=data.get("template") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentResponse:
    """The component."""

    component: str = ""
    """The component as the record has it; empty when it has none such."""
    risk: Risk | None = None
    """Latest risk snapshot; null when there is none."""
    items: list[Item] = _field(default_factory=list)
    """Open issues, most severe first, then newest."""
    open_issues: int | None = None
    """Open issues in all (below 2^53); null when it was not counted."""
    incidents: list[Incident] = _field(default_factory=list)
    """Incidents of the last 90 days, newest first; in restricted namespaces alone."""
    near: list[str] = _field(default_factory=list)
    """Components that look like the one asked for, when the record has none such."""
    tracker_namespace: str = ""
    """The tracker namespace that was read; empty when none was."""
    tracker_unavailable: bool = False
    """True when the tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence."""
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that the source does not offer and the op would have
    used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            component=data.get("component") or "",
            risk=None if data.get("risk") is None else Risk.from_dict(data["risk"]),
            items=[Item.from_dict(item) for item in data.get("items") or []],
            open_issues=data.get("open_issues"),
            incidents=[Incident.from_dict(item) for item in data.get("incidents") or []],
            near=data.get("near") or [],
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractColumn:
    """One column of the contract."""

    name: str = ""
    """Name."""
    required: bool = False
    """True when the table has to have it."""
    type: str = ""
    """Family of its type, such as `integer`, `flag`, `datetime` or `strings`."""
    aliases: list[str] = _field(default_factory=list)
    """Names that are accepted without a mapping."""
    meaning: str = ""
    """What it holds."""
    takes: str = ""
    """Which types of a source are read as it, in words."""
    values: list[str] = _field(default_factory=list)
    """Values that the ops understand, where they are few."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            name=data.get("name") or "",
            required=data.get("required") or False,
            type=data.get("type") or "",
            aliases=data.get("aliases") or [],
            meaning=data.get("meaning") or "",
            takes=data.get("takes") or "",
            values=data.get("values") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractFeature:
    """Something that optional tables and columns unlock."""

    name: str = ""
    """Name."""
    meaning: str = ""
    """What needs it."""
    all_of: list[str] = _field(default_factory=list)
    """Tables and columns (`table` or `table.column`) that it needs, all of them."""
    any_of: list[str] = _field(default_factory=list)
    """Tables and columns of which it needs one."""
    better_with: list[str] = _field(default_factory=list)
    """Tables and columns that make its answers fuller."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            name=data.get("name") or "",
            meaning=data.get("meaning") or "",
            all_of=data.get("all_of") or [],
            any_of=data.get("any_of") or [],
            better_with=data.get("better_with") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractResponse:
    """The record contract."""

    tables: list[ContractTable] = _field(default_factory=list)
    """Tables, required ones first."""
    features: list[ContractFeature] = _field(default_factory=list)
    """What optional parts unlock."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            tables=[ContractTable.from_dict(item) for item in data.get("tables") or []],
            features=[ContractFeature.from_dict(item) for item in data.get("features") or []],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractTable:
    """One table of the contract."""

    name: str = ""
    """Name."""
    required: bool = False
    """True when a source has to offer it."""
    meaning: str = ""
    """What a row is."""
    columns: list[ContractColumn] = _field(default_factory=list)
    """Columns, required ones first."""
    view_template: str = ""
    """A blank `CREATE OR REPLACE VIEW` that offers the table."""
    restricted_only: bool = False
    """True when only restricted namespaces may read it."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            name=data.get("name") or "",
            required=data.get("required") or False,
            meaning=data.get("meaning") or "",
            columns=[ContractColumn.from_dict(item) for item in data.get("columns") or []],
            view_template=data.get("view_template") or "",
            restricted_only=data.get("restricted_only") or False,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateCheckResponse:
    """Whether the draft exists already."""

    verdict: str = ""
    """`duplicate_of`, `related` or `none`."""
    epistemic: str = ""
    """How far to trust it: `calibrated`; `uncalibrated` (no fit, so `related` at most); `degraded` (something was
    silent, so `none` clears nothing); `unavailable`.
    """
    answer: str = ""
    """One sentence."""
    confidence: float | None = None
    """Probability that the verdict is right, in [0, 1]; null unless it is calibrated."""
    items: list[DuplicateItem] = _field(default_factory=list)
    """What the verdict rests on, best first; empty for `none`."""
    nearest: list[DuplicateItem] = _field(default_factory=list)
    """The best ranked reports, whatever the verdict."""
    related_prs: list[SimilarItem] = _field(default_factory=list)
    """Pull requests that may be about the draft, for `related` and `none`."""
    threshold: float | None = None
    """Probability from which on a report is called a duplicate; null where no fit serves that verdict."""
    fit: CheckFit | None = None
    """Quality of the fit on reports that it had not seen; null where there is none."""
    namespaces_read: list[str] = _field(default_factory=list)
    """Tracker namespaces that were read."""
    reasons: list[str] = _field(default_factory=list)
    """Why the verdict is no stronger, such as `no_fit`, `process_ticket` or `titles_differ_by_version`."""
    tracker_namespace: str = ""
    """The tracker namespace that was read; empty when none was."""
    tracker_unavailable: bool = False
    """True when the tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `off`, `not_asked` (the draft gives it nothing to look for, or no
    vector was made yet), `not_provided`, `skipped`, or the reason of its silence.
    """
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that the source does not offer and the op would have
    used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=data.get("verdict") or "",
            epistemic=data.get("epistemic") or "",
            answer=data.get("answer") or "",
            confidence=data.get("confidence"),
            items=[DuplicateItem.from_dict(item) for item in data.get("items") or []],
            nearest=[DuplicateItem.from_dict(item) for item in data.get("nearest") or []],
            related_prs=[SimilarItem.from_dict(item) for item in data.get("related_prs") or []],
            threshold=data.get("threshold"),
            fit=None if data.get("fit") is None else CheckFit.from_dict(data["fit"]),
            namespaces_read=data.get("namespaces_read") or [],
            reasons=data.get("reasons") or [],
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateItem:
    """A report that the draft may repeat: the root of its duplicates."""

    tracker_namespace: str = ""
    """Tracker namespace that it was read from."""
    source_id: str = ""
    """`Org/repo#number`."""
    number: int = 0
    """Number within its repository (below 2^53)."""
    kind: str = ""
    """`issue`, `pr`, `incident`, `case` or `thread`."""
    title: str = ""
    """Title; cut ones end with `…`."""
    state: str = ""
    """`open`, `closed` or `merged`."""
    url: str = ""
    """Address at its tracker; empty when unknown."""
    component: str = ""
    """Component; empty when unknown."""
    severity: str = ""
    """Severity, as its tracker words it; empty when unknown."""
    created_at: str = ""
    """When it was created, RFC 3339 in UTC; empty when unknown."""
    score: float | None = None
    """How well it fits, in [0, 1]: its probability where there is a fit, else 1/2 where reports begin to be related."""
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one reason each."""
    legs: list[str] = _field(default_factory=list)
    """Legs that found it; none for a root that only its duplicates led to."""
    probability: float | None = None
    """Probability that the draft repeats it, in [0, 1]; null without a fit."""
    possible_regression: bool = False
    """True when it was closed as fixed before the draft: the draft may be a regression."""
    closed_at: str = ""
    """When it was closed, RFC 3339 in UTC; empty when it is open."""
    fix_release: str = ""
    """Release that its fix is in, as far as it was out at `as_of`; empty when unknown."""
    fixed_by: list[int] = _field(default_factory=list)
    """Pull requests that fix it (each below 2^53)."""
    backports: list[int] = _field(default_factory=list)
    """Backports of those (each below 2^53)."""
    members: list[str] = _field(default_factory=list)
    """Other reports of the same bucket that were found, `Org/repo#number` each."""
    caps: list[str] = _field(default_factory=list)
    """Why it can be `related` at most, whatever its probability."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            tracker_namespace=data.get("tracker_namespace") or "",
            source_id=data.get("source_id") or "",
            number=data.get("number") or 0,
            kind=data.get("kind") or "",
            title=data.get("title") or "",
            state=data.get("state") or "",
            url=data.get("url") or "",
            component=data.get("component") or "",
            severity=data.get("severity") or "",
            created_at=data.get("created_at") or "",
            score=data.get("score"),
            why=data.get("why") or [],
            legs=data.get("legs") or [],
            probability=data.get("probability"),
            possible_regression=data.get("possible_regression") or False,
            closed_at=data.get("closed_at") or "",
            fix_release=data.get("fix_release") or "",
            fixed_by=data.get("fixed_by") or [],
            backports=data.get("backports") or [],
            members=data.get("members") or [],
            caps=data.get("caps") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FitQuality:
    """Quality of a stored fit, measured on data that was held out."""

    fitted_at: str = ""
    """When it was made, RFC 3339 in UTC."""
    precision: float | None = None
    """Precision at the threshold, in [0, 1]; null where nothing reached it."""
    recall: float = 0.0
    """Recall at the served threshold, in [0, 1]."""
    brier: float = 0.0
    """Brier score, in [0, 1]; less is better."""
    threshold: float | None = None
    """Probability from which on a duplicate is called one; null when the fit serves no duplicate verdict."""
    pairs: int = 0
    """Drafts that it was measured on (below 2^53)."""
    related_recall: float = 0.0
    """Share of duplicates whose original was at least `related`, in [0, 1]."""
    related_share: float = 0.0
    """Share of other drafts that had anything related, in [0, 1]."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            fitted_at=data.get("fitted_at") or "",
            precision=data.get("precision"),
            recall=data.get("recall") or 0.0,
            brier=data.get("brier") or 0.0,
            threshold=data.get("threshold"),
            pairs=data.get("pairs") or 0,
            related_recall=data.get("related_recall") or 0.0,
            related_share=data.get("related_share") or 0.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FlakyResponse:
    """What issues say of it."""

    verdict: str = ""
    """`flaky_by_issue`, or `no_flaky_signal`, which is silence and not health."""
    items: list[Item] = _field(default_factory=list)
    """Issues that name the test, open ones first."""
    similar_names: list[str] = _field(default_factory=list)
    """Tests with similar names, when nothing names this one."""
    epistemic: str = ""
    """`calibrated`, `uncalibrated`, `degraded` or `unavailable`: how far to trust the verdict."""
    tracker_namespace: str = ""
    """The tracker namespace that was read; empty when none was."""
    tracker_unavailable: bool = False
    """True when the tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence."""
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that the source does not offer and the op would have
    used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    signal: FlakySignal | None = None
    """What its CI runs tell, when `include_signal` asked for it; else null. tracker.test_signal has the evidence."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=data.get("verdict") or "",
            items=[Item.from_dict(item) for item in data.get("items") or []],
            similar_names=data.get("similar_names") or [],
            epistemic=data.get("epistemic") or "",
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            signal=None if data.get("signal") is None else FlakySignal.from_dict(data["signal"]),
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FlakySignal:
    """The verdict of tracker.test_signal."""

    verdict: str = ""
    """`flaky`, `regression_candidate`, `infra_candidate`, `no_signal` (silence, not health) or `unknown_test`."""
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one sentence each."""
    lower_bound: float = 0.0
    """Wilson 95 % lower bound of the rate that the verdict speaks of, in [0, 1]."""
    window_days: int = 0
    """Days back that runs were looked at."""
    since: str = ""
    """First event of the verdict, RFC 3339 in UTC; empty when there is none, or it began before the window."""
    candidates: list[str] = _field(default_factory=list)
    """For a regression the commits that may have caused it; for an unknown test similar names."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=data.get("verdict") or "",
            why=data.get("why") or [],
            lower_bound=data.get("lower_bound") or 0.0,
            window_days=data.get("window_days") or 0,
            since=data.get("since") or "",
            candidates=data.get("candidates") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """A snapshot of a release's health."""

    snapshot_at: str = ""
    """When it was taken, RFC 3339 in UTC."""
    status: str = ""
    """Status, as its tracker words it."""
    blockers_open: int | None = None
    """Blockers that were open (below 2^53); null when unknown."""
    ci_pass_rate: float | None = None
    """Share of CI that passed, in [0, 1]; null when unknown."""
    notes: str = ""
    """Notes; empty when there are none."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            snapshot_at=data.get("snapshot_at") or "",
            status=data.get("status") or "",
            blockers_open=data.get("blockers_open"),
            ci_pass_rate=data.get("ci_pass_rate"),
            notes=data.get("notes") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """One incident."""

    id: str = ""
    """Its id at its tracker."""
    title: str = ""
    """Title."""
    severity: str = ""
    """Severity, as its tracker words it; empty when unknown."""
    state: str = ""
    """State, as its tracker words it; empty when unknown."""
    started_at: str = ""
    """When it started, RFC 3339 in UTC; empty when unknown."""
    resolved_at: str = ""
    """When it was resolved, RFC 3339 in UTC; empty when it was not."""
    issue_numbers: list[int] = _field(default_factory=list)
    """Issues that it belongs to (each below 2^53)."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            id=data.get("id") or "",
            title=data.get("title") or "",
            severity=data.get("severity") or "",
            state=data.get("state") or "",
            started_at=data.get("started_at") or "",
            resolved_at=data.get("resolved_at") or "",
            issue_numbers=data.get("issue_numbers") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectSourceResponse:
    """What is there."""

    status: str = ""
    """Whether it could be looked at: `ok`, `unreachable`, `timeout` or `refused` (the login)."""
    tables: list[InspectedTable] = _field(default_factory=list)
    """Tables, those that fit the contract best first; at most 500."""
    mapping: JsonValue = None
    """The proposed mapping, as tracker.source.add takes it; null when nothing fits."""
    columns: list[ProposedColumn] = _field(default_factory=list)
    """The proposal, column by column."""
    missing: list[str] = _field(default_factory=list)
    """What the proposal would still lack, one sentence each."""
    server_version: str = ""
    """Version of the server; empty when unknown."""
    readonly: int | None = None
    """Level of `readonly` that the login has: 0, 1 or 2; null when unknown."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            status=data.get("status") or "",
            tables=[InspectedTable.from_dict(item) for item in data.get("tables") or []],
            mapping=data.get("mapping"),
            columns=[ProposedColumn.from_dict(item) for item in data.get("columns") or []],
            missing=data.get("missing") or [],
            server_version=data.get("server_version") or "",
            readonly=data.get("readonly"),
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedColumn:
    """One column of a source."""

    name: str = ""
    """Name."""
    type: str = ""
    """Type, as the source words it."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(name=data.get("name") or "", type=data.get("type") or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedTable:
    """One table of a source."""

    database: str = ""
    """Database."""
    name: str = ""
    """Name."""
    rows: int | None = None
    """Rows (below 2^53); null when unknown, as for a view."""
    columns: list[InspectedColumn] = _field(default_factory=list)
    """Columns in order."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            database=data.get("database") or "",
            name=data.get("name") or "",
            rows=data.get("rows"),
            columns=[InspectedColumn.from_dict(item) for item in data.get("columns") or []],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item of a tracker."""

    tracker_namespace: str = ""
    """Tracker namespace that it was read from."""
    source_id: str = ""
    """`Org/repo#number`."""
    number: int = 0
    """Number within its repository (below 2^53)."""
    kind: str = ""
    """`issue`, `pr`, `incident`, `case` or `thread`."""
    title: str = ""
    """Title; cut ones end with `…`."""
    state: str = ""
    """`open`, `closed` or `merged`."""
    url: str = ""
    """Address at its tracker; empty when unknown."""
    component: str = ""
    """Component; empty when unknown."""
    severity: str = ""
    """Severity, as its tracker words it; empty when unknown."""
    created_at: str = ""
    """When it was created, RFC 3339 in UTC; empty when unknown."""
    score: float | None = None
    """How well it fits, in [0, 1]; null where nothing was scored."""
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one reason each."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            tracker_namespace=data.get("tracker_namespace") or "",
            source_id=data.get("source_id") or "",
            number=data.get("number") or 0,
            kind=data.get("kind") or "",
            title=data.get("title") or "",
            state=data.get("state") or "",
            url=data.get("url") or "",
            component=data.get("component") or "",
            severity=data.get("severity") or "",
            created_at=data.get("created_at") or "",
            score=data.get("score"),
            why=data.get("why") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRecord:
    """One issue or pull request, with what its record says of it."""

    tracker_namespace: str = ""
    """Tracker namespace that it was read from."""
    source_id: str = ""
    """`Org/repo#number`."""
    number: int = 0
    """Number within its repository (below 2^53)."""
    kind: str = ""
    """`issue`, `pr`, `incident`, `case` or `thread`."""
    title: str = ""
    """Title; cut ones end with `…`."""
    state: str = ""
    """`open`, `closed` or `merged`."""
    url: str = ""
    """Address at its tracker; empty when unknown."""
    component: str = ""
    """Component; empty when unknown."""
    severity: str = ""
    """Severity, as its tracker words it; empty when unknown."""
    created_at: str = ""
    """When it was created, RFC 3339 in UTC; empty when unknown."""
    score: float | None = None
    """How well it fits, in [0, 1]; null where nothing was scored."""
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one reason each."""
    body: str = ""
    """Text; cut ones end with `…` and have `body_clipped`."""
    body_clipped: bool = False
    """True when the text was cut."""
    labels: list[str] = _field(default_factory=list)
    """Labels."""
    author: str = ""
    """Who wrote it; empty when unknown."""
    updated_at: str = ""
    """When it was last changed, RFC 3339 in UTC; empty when unknown."""
    closed_at: str = ""
    """When it was closed, RFC 3339 in UTC; empty when it is open or unknown."""
    merged_at: str = ""
    """When it was merged, RFC 3339 in UTC; empty when it was not."""
    milestone: str = ""
    """Milestone; empty when it has none."""
    version: str = ""
    """Version that it was reported for, or released in; empty when unknown."""
    state_reason: str = ""
    """Why it was closed, as its tracker words it; empty when unknown."""
    error_codes: list[str] = _field(default_factory=list)
    """Error codes that it names."""
    tests: list[str] = _field(default_factory=list)
    """Tests that it names."""
    affected_branches: list[str] = _field(default_factory=list)
    """Branches that it affects."""
    bisect_verdict: str = ""
    """Verdict of a bisect, as its tracker words it; empty when there is none."""
    triage_reproduces_on: list[str] = _field(default_factory=list)
    """Versions that it was reproduced on."""
    triage_clean_on: list[str] = _field(default_factory=list)
    """Versions that it was not reproduced on."""
    base_ref: str = ""
    """Branch that a pull request goes to; empty for an issue."""
    head_ref: str = ""
    """Branch that a pull request comes from; empty for an issue."""
    merge_sha: str = ""
    """Commit that a pull request was merged as; empty when it was not."""
    paths: list[str] = _field(default_factory=list)
    """Paths that a pull request changes, the first 100."""
    pull_requests: list[PullRequest] = _field(default_factory=list)
    """Pull requests that fix an issue, and backports of a pull request, with their CI."""
    graph: list[Relation] = _field(default_factory=list)
    """What it is connected with: fixes, causes, duplicates and backports, two steps around it."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            tracker_namespace=data.get("tracker_namespace") or "",
            source_id=data.get("source_id") or "",
            number=data.get("number") or 0,
            kind=data.get("kind") or "",
            title=data.get("title") or "",
            state=data.get("state") or "",
            url=data.get("url") or "",
            component=data.get("component") or "",
            severity=data.get("severity") or "",
            created_at=data.get("created_at") or "",
            score=data.get("score"),
            why=data.get("why") or [],
            body=data.get("body") or "",
            body_clipped=data.get("body_clipped") or False,
            labels=data.get("labels") or [],
            author=data.get("author") or "",
            updated_at=data.get("updated_at") or "",
            closed_at=data.get("closed_at") or "",
            merged_at=data.get("merged_at") or "",
            milestone=data.get("milestone") or "",
            version=data.get("version") or "",
            state_reason=data.get("state_reason") or "",
            error_codes=data.get("error_codes") or [],
            tests=data.get("tests") or [],
            affected_branches=data.get("affected_branches") or [],
            bisect_verdict=data.get("bisect_verdict") or "",
            triage_reproduces_on=data.get("triage_reproduces_on") or [],
            triage_clean_on=data.get("triage_clean_on") or [],
            base_ref=data.get("base_ref") or "",
            head_ref=data.get("head_ref") or "",
            merge_sha=data.get("merge_sha") or "",
            paths=data.get("paths") or [],
            pull_requests=[PullRequest.from_dict(item) for item in data.get("pull_requests") or []],
            graph=[Relation.from_dict(item) for item in data.get("graph") or []],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemResponse:
    """The record of each."""

    items: list[ItemRecord] = _field(default_factory=list)
    """What was found, in the order of the numbers that were asked for."""
    missing: list[int] = _field(default_factory=list)
    """Numbers that the namespace's repositories do not have (each below 2^53)."""
    tracker_namespace: str = ""
    """The tracker namespace that was read; empty when none was."""
    tracker_unavailable: bool = False
    """True when the tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence."""
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that the source does not offer and the op would have
    used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            items=[ItemRecord.from_dict(item) for item in data.get("items") or []],
            missing=data.get("missing") or [],
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One link, seen from the item that was asked for."""

    tracker_namespace: str = ""
    """Tracker namespace that it was read from."""
    source_id: str = ""
    """`Org/repo#number`."""
    number: int = 0
    """Number within its repository (below 2^53)."""
    kind: str = ""
    """`issue`, `pr`, `incident`, `case` or `thread`."""
    title: str = ""
    """Title; cut ones end with `…`."""
    state: str = ""
    """`open`, `closed` or `merged`."""
    url: str = ""
    """Address at its tracker; empty when unknown."""
    component: str = ""
    """Component; empty when unknown."""
    severity: str = ""
    """Severity, as its tracker words it; empty when unknown."""
    created_at: str = ""
    """When it was created, RFC 3339 in UTC; empty when unknown."""
    score: float | None = None
    """How well it fits, in [0, 1]; null where nothing was scored."""
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one reason each."""
    written: bool = False
    """True when the tracker has the link in writing."""
    relation: str = ""
    """What the linked item is to the one asked for: `fixed_by`, `fixes`, `caused_by`, `causes`, `duplicate_of`,
    `duplicated_by`, `backport_of`, `backported_by`, `mentions`, `mentioned_by` or `candidate`.
    """

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            tracker_namespace=data.get("tracker_namespace") or "",
            source_id=data.get("source_id") or "",
            number=data.get("number") or 0,
            kind=data.get("kind") or "",
            title=data.get("title") or "",
            state=data.get("state") or "",
            url=data.get("url") or "",
            component=data.get("component") or "",
            severity=data.get("severity") or "",
            created_at=data.get("created_at") or "",
            score=data.get("score"),
            why=data.get("why") or [],
            written=data.get("written") or False,
            relation=data.get("relation") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksResponse:
    """The links."""

    items: list[Link] = _field(default_factory=list)
    """Written links first, then by score."""
    missing: int | None = None
    """Number that was asked for (below 2^53), when the namespace's repositories do not have it; else null."""
    tracker_namespace: str = ""
    """The tracker namespace that was read; empty when none was."""
    tracker_unavailable: bool = False
    """True when the tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence."""
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that the source does not offer and the op would have
    used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            items=[Link.from_dict(item) for item in data.get("items") or []],
            missing=data.get("missing"),
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSourcesResponse:
    """The sources."""

    sources: list[Source] = _field(default_factory=list)
    """In the order of their names."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            sources=[Source.from_dict(item) for item in data.get("sources") or []],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadRecordResponse:
    """What was stored."""

    stored: int = 0
    """Rows of this call that were taken (below 2^53)."""
    refused: list[RefusedRow] = _field(default_factory=list)
    """Rows of this call that were not, the first 100, with their place and the reason."""
    refused_count: int = 0
    """Rows of this call that were not taken, in all (below 2^53)."""
    shown: bool = False
    """True when the load is shown: questions are answered from it now."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            stored=data.get("stored") or 0,
            refused=[RefusedRow.from_dict(item) for item in data.get("refused") or []],
            refused_count=data.get("refused_count") or 0,
            shown=data.get("shown") or False,
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedColumn:
    """One column of a proposed mapping."""

    table: str = ""
    """Contract table."""
    column: str = ""
    """Contract column."""
    source: str = ""
    """Column or expression at the source."""
    confidence: float = 0.0
    """How sure the proposal is, in [0, 1]."""
    why: str = ""
    """Why."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            table=data.get("table") or "",
            column=data.get("column") or "",
            source=data.get("source") or "",
            confidence=data.get("confidence") or 0.0,
            why=data.get("why") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A pull request beside an item."""

    number: int = 0
    """Number (below 2^53)."""
    source_id: str = ""
    """`Org/repo#number`."""
    title: str = ""
    """Title."""
    state: str = ""
    """`open`, `closed` or `merged`."""
    relation: str = ""
    """What it is to the item: `fix`, `backport` or `self`."""
    base_ref: str = ""
    """Branch that it goes to."""
    merged_at: str = ""
    """When it was merged, RFC 3339 in UTC; empty when it was not."""
    release: str = ""
    """Release that it is in; empty when unknown."""
    backport_state: str = ""
    """State of a backport, as its tracker words it; empty when it is none."""
    ci: str = ""
    """CI at its newest commit: `passed`, `failed`, `running`, or empty when unknown."""
    failed_checks: list[str] = _field(default_factory=list)
    """Names of the checks that failed at its newest commit, the first 20."""
    report_url: str = ""
    """Address of a report of that CI; empty when there is none."""
    url: str = ""
    """Address at its tracker; empty when unknown."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            number=data.get("number") or 0,
            source_id=data.get("source_id") or "",
            title=data.get("title") or "",
            state=data.get("state") or "",
            relation=data.get("relation") or "",
            base_ref=data.get("base_ref") or "",
            merged_at=data.get("merged_at") or "",
            release=data.get("release") or "",
            backport_state=data.get("backport_state") or "",
            ci=data.get("ci") or "",
            failed_checks=data.get("failed_checks") or [],
            report_url=data.get("report_url") or "",
            url=data.get("url") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedRow:
    """A row that was not stored."""

    index: int = 0
    """Its place in the list, from 0."""
    reason: str = ""
    """Why."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(index=data.get("index") or 0, reason=data.get("reason") or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One step of the graph."""

    source: str = ""
    """Where it starts, `Org/repo#number`."""
    target: str = ""
    """Where it leads, `Org/repo#number`."""
    relation: str = ""
    """`fixed_by`, `caused_by`, `closes`, `duplicate_of` or `backport_of`."""
    steps: int = 0
    """Steps from the item: 1 or 2."""
    title: str = ""
    """Title of where it leads."""
    state: str = ""
    """State of where it leads."""
    kind: str = ""
    """`issue` or `pr`."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            source=data.get("source") or "",
            target=data.get("target") or "",
            relation=data.get("relation") or "",
            steps=data.get("steps") or 0,
            title=data.get("title") or "",
            state=data.get("state") or "",
            kind=data.get("kind") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseResponse:
    """Whether it can ship."""

    verdict: str = ""
    """`ready`, `blocked`, `released` or `unknown`."""
    answer: str = ""
    """One sentence."""
    version: str = ""
    """Version as the record has it; empty when it has none such."""
    branch: str = ""
    """Branch of the release; empty when unknown."""
    state: str = ""
    """State of the release, as its tracker words it; empty when unknown."""
    released_at: str = ""
    """When it was released, RFC 3339 in UTC; empty when it was not."""
    blockers: list[Blocker] = _field(default_factory=list)
    """Open issues that block it, most severe first."""
    health: Health | None = None
    """Latest health snapshot; null when there is none."""
    missing: list[str] = _field(default_factory=list)
    """What is missing to ship, one sentence each."""
    waiting_backports: list[WaitingFix] = _field(default_factory=list)
    """Merged fixes that are not on the release's branch yet."""
    near: list[str] = _field(default_factory=list)
    """Versions that look like the one asked for, when the record has none such."""
    epistemic: str = ""
    """How far to trust the verdict: `uncalibrated`, `degraded` or `unavailable`."""
    tracker_namespace: str = ""
    """The tracker namespace that was read; empty when none was."""
    tracker_unavailable: bool = False
    """True when the tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence."""
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that the source does not offer and the op would have
    used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=data.get("verdict") or "",
            answer=data.get("answer") or "",
            version=data.get("version") or "",
            branch=data.get("branch") or "",
            state=data.get("state") or "",
            released_at=data.get("released_at") or "",
            blockers=[Blocker.from_dict(item) for item in data.get("blockers") or []],
            health=None if data.get("health") is None else Health.from_dict(data["health"]),
            missing=data.get("missing") or [],
            waiting_backports=[WaitingFix.from_dict(item) for item in data.get("waiting_backports") or []],
            near=data.get("near") or [],
            epistemic=data.get("epistemic") or "",
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RemapSourceResponse:
    """What was found with it."""

    changed: bool = False
    """True when the mapping is the source's now."""
    verdict: SourceVerdict | None = None
    """What the check found."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            changed=data.get("changed") or False,
            verdict=None if data.get("verdict") is None else SourceVerdict.from_dict(data["verdict"]),
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveSourceResponse:
    """What was removed."""

    removed: bool = False
    """True when there was one."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(removed=data.get("removed") or False, ignored_args=data.get("ignored_args") or [])


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """A snapshot of a component's risk."""

    snapshot_at: str = ""
    """When it was taken, RFC 3339 in UTC."""
    score: float | None = None
    """Score, on the tracker's own scale; null when unknown."""
    open_issues: int | None = None
    """Open issues (below 2^53); null when unknown."""
    open_severe: int | None = None
    """Open severe issues (below 2^53); null when unknown."""
    trend: str = ""
    """Trend, as its tracker words it; empty when unknown."""
    owners: list[str] = _field(default_factory=list)
    """Who owns it."""
    notes: str = ""
    """Notes; empty when there are none."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            snapshot_at=data.get("snapshot_at") or "",
            score=data.get("score"),
            open_issues=data.get("open_issues"),
            open_severe=data.get("open_severe"),
            trend=data.get("trend") or "",
            owners=data.get("owners") or [],
            notes=data.get("notes") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RotateSourceResponse:
    """What was found with them."""

    changed: bool = False
    """True when the credentials are the source's now."""
    verdict: SourceVerdict | None = None
    """What the check found."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            changed=data.get("changed") or False,
            verdict=None if data.get("verdict") is None else SourceVerdict.from_dict(data["verdict"]),
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalChurn:
    """Changes of the test's own files."""

    files: list[str] = _field(default_factory=list)
    """The files, as far as pull requests name them."""
    changes: int = 0
    """Merged pull requests of the window that touched them."""
    pull_requests: list[int] = _field(default_factory=list)
    """The newest of these (each below 2^53)."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            files=data.get("files") or [],
            changes=data.get("changes") or 0,
            pull_requests=data.get("pull_requests") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalFeatures:
    """Counts are of runs outside of storms; skips are neither passes nor failures."""

    runs: int = 0
    """Runs with a result (below 2^53)."""
    fails: int = 0
    """Runs that failed (below 2^53)."""
    passes: int = 0
    """Runs that passed (below 2^53)."""
    skips: int = 0
    """Runs that were skipped (below 2^53)."""
    other_statuses: int = 0
    """Runs with a status that is not known (below 2^53)."""
    fail_rate: float | None = None
    """Share of runs that failed, in [0, 1]; null without runs."""
    interval_low: float = 0.0
    """Wilson 95 % interval of that share: its lower end."""
    interval_high: float = 0.0
    """Its upper end."""
    rate_of: str = ""
    """What `lower_bound` is the bound of, in words."""
    flaky_fails: int = 0
    """Failed runs that the evidence for flakiness counts: the contradicted ones (below 2^53)."""
    flaky_evidence: float = 0.0
    """Weight of that evidence; `thresholds.flaky_evidence` is enough."""
    flips_same_commit: int = 0
    """Commits on which one check both failed and passed."""
    flips_between_commits: int = 0
    """Commits that failed alone between commits that passed."""
    pull_requests_failed: int = 0
    """Pull requests on which the test failed."""
    branch_commits: int = 0
    """Commits of branches on which it ran."""
    pull_request_runs: int = 0
    """Its runs on pull requests (below 2^53)."""
    first_failing: str = ""
    """First failing commit of a regression; empty when there is none, or it began before the window."""
    last_passing: str = ""
    """Last commit before it that passed; empty when there is none."""
    solid_fails: int = 0
    """Failures running since that commit (below 2^53)."""
    fixed: bool = False
    """True when it failed solidly and passes again by now."""
    storms_known: bool = False
    """False when nobody looked what the other tests did, so that storms are not told from the test's own failures."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            runs=data.get("runs") or 0,
            fails=data.get("fails") or 0,
            passes=data.get("passes") or 0,
            skips=data.get("skips") or 0,
            other_statuses=data.get("other_statuses") or 0,
            fail_rate=data.get("fail_rate"),
            interval_low=data.get("interval_low") or 0.0,
            interval_high=data.get("interval_high") or 0.0,
            rate_of=data.get("rate_of") or "",
            flaky_fails=data.get("flaky_fails") or 0,
            flaky_evidence=data.get("flaky_evidence") or 0.0,
            flips_same_commit=data.get("flips_same_commit") or 0,
            flips_between_commits=data.get("flips_between_commits") or 0,
            pull_requests_failed=data.get("pull_requests_failed") or 0,
            branch_commits=data.get("branch_commits") or 0,
            pull_request_runs=data.get("pull_request_runs") or 0,
            first_failing=data.get("first_failing") or "",
            last_passing=data.get("last_passing") or "",
            solid_fails=data.get("solid_fails") or 0,
            fixed=data.get("fixed") or False,
            storms_known=data.get("storms_known") or False,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalInfra:
    """What the infrastructure did."""

    storm_fails: int = 0
    """Failures of the test in failure storms, which left the statistics (below 2^53)."""
    storm_passes: int = 0
    """Passes of the test in them (below 2^53)."""
    storm_hours: list[str] = _field(default_factory=list)
    """Hours of storms in which it failed, RFC 3339 in UTC."""
    tied_to: SignalPlace | None = None
    """The one place that its failures are tied to; null when there is none."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            storm_fails=data.get("storm_fails") or 0,
            storm_passes=data.get("storm_passes") or 0,
            storm_hours=data.get("storm_hours") or [],
            tied_to=None if data.get("tied_to") is None else SignalPlace.from_dict(data["tied_to"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalPlace:
    """A place that failures are tied to."""

    kind: str = ""
    """`runner` or `check`."""
    place: str = ""
    """Its name."""
    changes: int = 0
    """Changes that failed there."""
    fails: int = 0
    """Runs that failed there (below 2^53)."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            kind=data.get("kind") or "",
            place=data.get("place") or "",
            changes=data.get("changes") or 0,
            fails=data.get("fails") or 0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalRollup:
    """Where the runs were read from."""

    source: str = ""
    """`rolled`: daily roll-ups and the hours since; `live`: all of them from the source; `none`: nowhere."""
    fresh_from: str = ""
    """From when on runs were read live, RFC 3339 in UTC; empty when none were."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(source=data.get("source") or "", fresh_from=data.get("fresh_from") or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalSmell:
    """One line of a test that makes it depend on more than the code."""

    smell: str = ""
    """`sleep`, `wall_clock`, `random`, `network`, `shared_state` or `order`."""
    path: str = ""
    """File."""
    line: int = 0
    """Line in the new file."""
    pr: int = 0
    """Pull request whose diff shows it (below 2^53)."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            smell=data.get("smell") or "",
            path=data.get("path") or "",
            line=data.get("line") or 0,
            pr=data.get("pr") or 0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalStreak:
    """Outcomes at a pull request's head. What failed on an earlier head says nothing about the head."""

    pr: int = 0
    """Number of the pull request (below 2^53)."""
    sha: str = ""
    """Its head commit; empty when it has no run."""
    outcome: str = ""
    """Newest outcome: `passing`, `failing`, or `none` without a result."""
    length: int = 0
    """Runs with that outcome, counted back from the newest."""
    passes: int = 0
    """Runs that passed at the head."""
    fails: int = 0
    """Runs that failed at the head."""
    since: str = ""
    """When the streak began, RFC 3339 in UTC; empty when there is none."""
    failing_checks: list[str] = _field(default_factory=list)
    """Checks that failed at the head."""
    contradicted: bool = False
    """True when one check both failed and passed there."""
    stale_heads: int = 0
    """Earlier heads with runs."""
    stale_fails: int = 0
    """Failures on these."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            pr=data.get("pr") or 0,
            sha=data.get("sha") or "",
            outcome=data.get("outcome") or "",
            length=data.get("length") or 0,
            passes=data.get("passes") or 0,
            fails=data.get("fails") or 0,
            since=data.get("since") or "",
            failing_checks=data.get("failing_checks") or [],
            contradicted=data.get("contradicted") or False,
            stale_heads=data.get("stale_heads") or 0,
            stale_fails=data.get("stale_fails") or 0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarItem:
    """An issue or pull request that is like what was asked for."""

    tracker_namespace: str = ""
    """Tracker namespace that it was read from."""
    source_id: str = ""
    """`Org/repo#number`."""
    number: int = 0
    """Number within its repository (below 2^53)."""
    kind: str = ""
    """`issue`, `pr`, `incident`, `case` or `thread`."""
    title: str = ""
    """Title; cut ones end with `…`."""
    state: str = ""
    """`open`, `closed` or `merged`."""
    url: str = ""
    """Address at its tracker; empty when unknown."""
    component: str = ""
    """Component; empty when unknown."""
    severity: str = ""
    """Severity, as its tracker words it; empty when unknown."""
    created_at: str = ""
    """When it was created, RFC 3339 in UTC; empty when unknown."""
    score: float | None = None
    """How well it fits, in [0, 1]; null where nothing was scored."""
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one reason each."""
    legs: list[str] = _field(default_factory=list)
    """Legs that found it: `text`, `frames`, `numbers`, `vectors`, `fix_in_flight` or `prs`."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            tracker_namespace=data.get("tracker_namespace") or "",
            source_id=data.get("source_id") or "",
            number=data.get("number") or 0,
            kind=data.get("kind") or "",
            title=data.get("title") or "",
            state=data.get("state") or "",
            url=data.get("url") or "",
            component=data.get("component") or "",
            severity=data.get("severity") or "",
            created_at=data.get("created_at") or "",
            score=data.get("score"),
            why=data.get("why") or [],
            legs=data.get("legs") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarResponse:
    """What is like it."""

    items: list[SimilarItem] = _field(default_factory=list)
    """Best first; empty where nothing shares more than words of every report."""
    epistemic: str = ""
    """`calibrated`, `uncalibrated`, `degraded` or `unavailable`: how far to trust that nothing is missing."""
    namespaces_read: list[str] = _field(default_factory=list)
    """Tracker namespaces that were read."""
    missing: int | None = None
    """Number that was asked for (below 2^53), when the namespace's repositories do not have it; else null."""
    tracker_namespace: str = ""
    """The tracker namespace that was read; empty when none was."""
    tracker_unavailable: bool = False
    """True when the tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `off`, `not_asked` (the draft gives it nothing to look for, or no
    vector was made yet), `not_provided`, `skipped`, or the reason of its silence.
    """
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that the source does not offer and the op would have
    used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            items=[SimilarItem.from_dict(item) for item in data.get("items") or []],
            epistemic=data.get("epistemic") or "",
            namespaces_read=data.get("namespaces_read") or [],
            missing=data.get("missing"),
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source, without credentials."""

    name: str = ""
    """Name."""
    kind: str = ""
    """`clickhouse`, or `local` for a record in Loom's own database."""
    host: str = ""
    """Host; empty for a local one."""
    port: int = 0
    """Port; 0 for a local one."""
    secure: bool = False
    """True when it is reached by TLS."""
    database: str = ""
    """Database."""
    namespaces: list[SourceNamespace] = _field(default_factory=list)
    """Its namespaces that the caller can see."""
    mapped: bool = False
    """True when it has a mapping of its own."""
    state: str = ""
    """`serving`, or why not: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`."""
    added_by: str = ""
    """Who registered it."""
    added_at: str = ""
    """When it was registered, RFC 3339 in UTC."""
    key_id: str = ""
    """Id of the key that its credentials are encrypted with; empty for a local one."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            name=data.get("name") or "",
            kind=data.get("kind") or "",
            host=data.get("host") or "",
            port=data.get("port") or 0,
            secure=data.get("secure") or False,
            database=data.get("database") or "",
            namespaces=[SourceNamespace.from_dict(item) for item in data.get("namespaces") or []],
            mapped=data.get("mapped") or False,
            state=data.get("state") or "",
            added_by=data.get("added_by") or "",
            added_at=data.get("added_at") or "",
            key_id=data.get("key_id") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceNamespace:
    """A tracker namespace of a source."""

    namespace: str = ""
    """The namespace, such as `core-issues`."""
    repos: list[str] = _field(default_factory=list)
    """Repositories, such as `Org/repo`; no other one is ever read."""
    restricted: bool = False
    """True for a restricted namespace: private rows and incidents are read, and access needs a naming token and a
    grant.
    """
    join_policy: str = ""
    """How people join: `open` at once, `approval` by its admins; empty means `open`, and `approval` where restricted.
    """

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            namespace=data.get("namespace") or "",
            repos=data.get("repos") or [],
            restricted=data.get("restricted") or False,
            join_policy=data.get("join_policy") or "",
        )


class SourceNamespaceInput(TypedDict, total=False):
    """A tracker namespace of a source."""

    namespace: Required[str]
    """The namespace, such as `core-issues`. Limit: 128 characters."""
    repos: Required[list[str]]
    """Repositories, such as `Org/repo`; no other one is ever read. Limit: 100 entries of 256 characters."""
    restricted: bool
    """True for a restricted namespace: private rows and incidents are read, and access needs a naming token and a
    grant.
    """
    join_policy: str
    """How people join: `open` at once, `approval` by its admins; empty means `open`, and `approval` where restricted.
    One of `open`, `approval`.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceVerdict:
    """What a check of a source found."""

    ok: bool = False
    """True when it may serve."""
    summary: str = ""
    """One sentence for a person."""
    reachable: str = ""
    """`ok`, `unreachable`, `timeout` or `refused` (the login)."""
    read_only: bool | None = None
    """True when the login cannot write; null when it could not be found out."""
    readonly: int | None = None
    """Level of `readonly` that the login has: 0, 1 or 2; null when unknown."""
    tables: list[TableVerdict] = _field(default_factory=list)
    """Tables of the contract, each with what it lacks."""
    features: list[str] = _field(default_factory=list)
    """Features that it offers."""
    clock_skew_s: float | None = None
    """Seconds that the source's clock is ahead of ours; null when unknown."""
    latency_ms: float | None = None
    """Milliseconds of the quickest of three round trips; null when unknown."""
    server_version: str = ""
    """Version of the server; empty when unknown."""
    checked_at: str = ""
    """When it was checked, RFC 3339 in UTC."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            ok=data.get("ok") or False,
            summary=data.get("summary") or "",
            reachable=data.get("reachable") or "",
            read_only=data.get("read_only"),
            readonly=data.get("readonly"),
            tables=[TableVerdict.from_dict(item) for item in data.get("tables") or []],
            features=data.get("features") or [],
            clock_skew_s=data.get("clock_skew_s"),
            latency_ms=data.get("latency_ms"),
            server_version=data.get("server_version") or "",
            checked_at=data.get("checked_at") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A template that might fit."""

    template: str = ""
    """Name."""
    answers: str = ""
    """What it answers."""
    example: str = ""
    """A question that it answers."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            template=data.get("template") or "", answers=data.get("answers") or "", example=data.get("example") or ""
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TableVerdict:
    """What a check found of one table of the contract."""

    table: str = ""
    """Contract table."""
    status: str = ""
    """`ok`, `absent` or `failed`."""
    missing: list[str] = _field(default_factory=list)
    """Required columns that are missing."""
    wrong_types: list[str] = _field(default_factory=list)
    """Columns of a wrong type, one sentence each."""
    not_provided: list[str] = _field(default_factory=list)
    """Optional columns that are not offered."""
    rows: int | None = None
    """Rows (below 2^53); null when unknown."""
    view_draft: str = ""
    """For a table that fails, a draft `CREATE OR REPLACE VIEW` that would offer it; else empty."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            table=data.get("table") or "",
            status=data.get("status") or "",
            missing=data.get("missing") or [],
            wrong_types=data.get("wrong_types") or [],
            not_provided=data.get("not_provided") or [],
            rows=data.get("rows"),
            view_draft=data.get("view_draft") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateRun:
    """A template of tracker.answer, run or planned."""

    name: str = ""
    """Name."""
    why: str = ""
    """Why it was picked."""
    anchors: list[str] = _field(default_factory=list)
    """Anchors that it uses, such as `number` or `version`."""
    sql: str = ""
    """Shape of its statement with `explain_only`: contract tables and parameters, no values; else empty."""
    rows: int | None = None
    """Rows that it found (below 2^53); null when it was not run."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            name=data.get("name") or "",
            why=data.get("why") or "",
            anchors=data.get("anchors") or [],
            sql=data.get("sql") or "",
            rows=data.get("rows"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSignalResponse:
    """The verdict and what it rests on."""

    verdict: str = ""
    """`flaky`, `regression_candidate`, `infra_candidate`, `no_signal` (silence, not health) or `unknown_test`."""
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one sentence each."""
    lower_bound: float = 0.0
    """Wilson 95 % lower bound, in [0, 1], of the rate that `features.rate_of` names."""
    window_days: int = 0
    """Days back that runs were looked at."""
    since: str = ""
    """First event of the verdict, RFC 3339 in UTC; empty when there is none, or it began before the window."""
    features: SignalFeatures | None = None
    """The numbers behind the verdict."""
    infra: SignalInfra | None = None
    """What the infrastructure did."""
    churn: SignalChurn | None = None
    """How often the test's own files were changed in the window."""
    streak: SignalStreak | None = None
    """Outcomes at the head of the pull request that was asked about; null when none was."""
    smells: list[SignalSmell] = _field(default_factory=list)
    """Lines in the test's own files that make tests depend on more than the code, as far as diffs show them."""
    rollup: SignalRollup | None = None
    """Where the runs were read from."""
    thresholds: dict[str, float] = _field(default_factory=dict)
    """The numbers that the verdict turns on, by name."""
    candidates: list[str] = _field(default_factory=list)
    """For a regression the commits that may have caused it, first failing one first; for an unknown test similar names.
    """
    epistemic: str = ""
    """How far to trust the verdict: `uncalibrated`, `degraded` (a leg was silent) or `unavailable`."""
    tracker_namespace: str = ""
    """The tracker namespace that was read; empty when none was."""
    tracker_unavailable: bool = False
    """True when the tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence."""
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that the source does not offer and the op would have
    used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=data.get("verdict") or "",
            why=data.get("why") or [],
            lower_bound=data.get("lower_bound") or 0.0,
            window_days=data.get("window_days") or 0,
            since=data.get("since") or "",
            features=None if data.get("features") is None else SignalFeatures.from_dict(data["features"]),
            infra=None if data.get("infra") is None else SignalInfra.from_dict(data["infra"]),
            churn=None if data.get("churn") is None else SignalChurn.from_dict(data["churn"]),
            streak=None if data.get("streak") is None else SignalStreak.from_dict(data["streak"]),
            smells=[SignalSmell.from_dict(item) for item in data.get("smells") or []],
            rollup=None if data.get("rollup") is None else SignalRollup.from_dict(data["rollup"]),
            thresholds=data.get("thresholds") or {},
            candidates=data.get("candidates") or [],
            epistemic=data.get("epistemic") or "",
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingFix:
    """A merged fix that is not on a release's branch yet."""

    tracker_namespace: str = ""
    """Tracker namespace that it was read from."""
    source_id: str = ""
    """`Org/repo#number`."""
    number: int = 0
    """Number within its repository (below 2^53)."""
    kind: str = ""
    """`issue`, `pr`, `incident`, `case` or `thread`."""
    title: str = ""
    """Title; cut ones end with `…`."""
    state: str = ""
    """`open`, `closed` or `merged`."""
    url: str = ""
    """Address at its tracker; empty when unknown."""
    component: str = ""
    """Component; empty when unknown."""
    severity: str = ""
    """Severity, as its tracker words it; empty when unknown."""
    created_at: str = ""
    """When it was created, RFC 3339 in UTC; empty when unknown."""
    score: float | None = None
    """How well it fits, in [0, 1]; null where nothing was scored."""
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one reason each."""
    base_ref: str = ""
    """Branch that the fix was merged to."""
    merged_at: str = ""
    """When it was merged, RFC 3339 in UTC."""
    backport_state: str = ""
    """State of its backport, as its tracker words it; empty when there is none."""
    issue_number: int | None = None
    """Issue that asks for it (below 2^53); null when none does."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            tracker_namespace=data.get("tracker_namespace") or "",
            source_id=data.get("source_id") or "",
            number=data.get("number") or 0,
            kind=data.get("kind") or "",
            title=data.get("title") or "",
            state=data.get("state") or "",
            url=data.get("url") or "",
            component=data.get("component") or "",
            severity=data.get("severity") or "",
            created_at=data.get("created_at") or "",
            score=data.get("score"),
            why=data.get("why") or [],
            base_ref=data.get("base_ref") or "",
            merged_at=data.get("merged_at") or "",
            backport_state=data.get("backport_state") or "",
            issue_number=data.get("issue_number"),
        )
