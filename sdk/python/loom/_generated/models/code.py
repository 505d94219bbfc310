"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as _field
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class AddBranchResponse:
    """The branch that was registered."""

    created: Repo | None = None
    """The branch."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            created=None if data.get("created") is None else Repo.from_dict(data["created"]),
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddRepoResponse:
    """The repository that was registered."""

    created: Repo | None = None
    """The repository."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            created=None if data.get("created") is None else Repo.from_dict(data["created"]),
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BackportGapResponse:
    """Where the fix is."""

    verdict: str = ""
    """`complete`, `in_flight`, `missing`, `no_fix` when none is known, `no_branches` when the record names none, or
    `unknown_item`. `unavailable` where the tracker did not answer.
    """
    causes: list[str] = _field(default_factory=list)
    """What the verdict rests on, or what kept it from being better, one sentence each."""
    epistemic: str = ""
    """How far to trust the verdict: `uncalibrated`, `degraded` (a leg was silent) or `unavailable`."""
    tracker_namespace: str = ""
    """The tracker namespace that was read, the primary of several; empty when none was."""
    tracker_unavailable: bool = False
    """True when a tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence.
    With several trackers legs are named `namespace/leg`.
    """
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that a source does not offer and the op would have used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    branches: list[BranchGap] = _field(default_factory=list)
    """One entry per release branch, newest line first."""
    fixes: list[int] = _field(default_factory=list)
    """Pull requests that fix it (each below 2^53)."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=data.get("verdict") or "",
            causes=data.get("causes") or [],
            epistemic=data.get("epistemic") or "",
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            branches=[BranchGap.from_dict(item) for item in data.get("branches") or []],
            fixes=data.get("fixes") or [],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BackportGapsResponse:
    """The board."""

    verdict: str = ""
    """`complete`, `in_flight`, `missing`, `no_fix` when there are no fixes, or `no_branches` when the record names
    none. `unavailable` where the tracker did not answer.
    """
    causes: list[str] = _field(default_factory=list)
    """What the verdict rests on, or what kept it from being better, one sentence each."""
    epistemic: str = ""
    """How far to trust the verdict: `uncalibrated`, `degraded` (a leg was silent) or `unavailable`."""
    tracker_namespace: str = ""
    """The tracker namespace that was read, the primary of several; empty when none was."""
    tracker_unavailable: bool = False
    """True when a tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence.
    With several trackers legs are named `namespace/leg`.
    """
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that a source does not offer and the op would have used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    fixes: list[FixGaps] = _field(default_factory=list)
    """Fixes with what is missing first, then newest first."""
    missing_numbers: list[int] = _field(default_factory=list)
    """Numbers that the record does not have (each below 2^53)."""
    missing_by_branch: dict[str, int] = _field(default_factory=dict)
    """Fixes that lack a branch, by branch."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=data.get("verdict") or "",
            causes=data.get("causes") or [],
            epistemic=data.get("epistemic") or "",
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            fixes=[FixGaps.from_dict(item) for item in data.get("fixes") or []],
            missing_numbers=data.get("missing_numbers") or [],
            missing_by_branch=data.get("missing_by_branch") or {},
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BisectCandidatesResponse:
    """The ranking."""

    verdict: str = ""
    """`candidates`, `no_candidates`, `unknown_item`, or `no_report` when there is nothing to look for. `unavailable`
    where the tracker did not answer.
    """
    causes: list[str] = _field(default_factory=list)
    """What the verdict rests on, or what kept it from being better, one sentence each."""
    epistemic: str = ""
    """How far to trust the verdict: `uncalibrated`, `degraded` (a leg was silent) or `unavailable`."""
    tracker_namespace: str = ""
    """The tracker namespace that was read, the primary of several; empty when none was."""
    tracker_unavailable: bool = False
    """True when a tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence.
    With several trackers legs are named `namespace/leg`.
    """
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that a source does not offer and the op would have used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    candidates: list[Suspect] = _field(default_factory=list)
    """Pull requests, the most suspect first."""
    window: BisectWindow | None = None
    """The window that was searched."""
    partial: bool = False
    """True when the window is open at an end, or time or room ran out; `partial_reason` says which."""
    partial_reason: str = ""
    """Why it is partial; empty when it is not."""
    scanned: int = 0
    """Pull requests of the window whose changes were looked at."""
    in_window: int = 0
    """Pull requests that were merged in the window."""
    after_report: int = 0
    """Pull requests that were left out, as they were merged after the report."""
    patterns: list[str] = _field(default_factory=list)
    """The report's rarest words among the window's changes, which the ranking looked for."""
    component_dirs: list[str] = _field(default_factory=list)
    """Directories of the component, as learned from its pull requests."""
    known_fixes: list[int] = _field(default_factory=list)
    """Fixes of the issue that are known (each below 2^53): what they changed was followed back."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=data.get("verdict") or "",
            causes=data.get("causes") or [],
            epistemic=data.get("epistemic") or "",
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            candidates=[Suspect.from_dict(item) for item in data.get("candidates") or []],
            window=None if data.get("window") is None else BisectWindow.from_dict(data["window"]),
            partial=data.get("partial") or False,
            partial_reason=data.get("partial_reason") or "",
            scanned=data.get("scanned") or 0,
            in_window=data.get("in_window") or 0,
            after_report=data.get("after_report") or 0,
            patterns=data.get("patterns") or [],
            component_dirs=data.get("component_dirs") or [],
            known_fixes=data.get("known_fixes") or [],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BisectWindow:
    """After `good` up to and including `bad`."""

    good: str = ""
    """The good end as it was given; empty when it is open."""
    good_at: str = ""
    """When that was, RFC 3339 in UTC; empty when it is open."""
    good_how: str = ""
    """How that is known."""
    bad: str = ""
    """The bad end as it was given; empty when it is open."""
    bad_at: str = ""
    """When that was, RFC 3339 in UTC; empty when it is open."""
    bad_how: str = ""
    """How that is known."""
    unknown: list[str] = _field(default_factory=list)
    """States that were given and that the record does not know."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            good=data.get("good") or "",
            good_at=data.get("good_at") or "",
            good_how=data.get("good_how") or "",
            bad=data.get("bad") or "",
            bad_at=data.get("bad_at") or "",
            bad_how=data.get("bad_how") or "",
            unknown=data.get("unknown") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchGap:
    """A fix on one release branch."""

    branch: str = ""
    """Branch."""
    status: str = ""
    """`present`, `in_flight`, `missing` or `not_needed`."""
    evidence: list[str] = _field(default_factory=list)
    """What that rests on."""
    pull_request: int | None = None
    """Pull request that carries the fix there, or tried to (below 2^53); null when there is none."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            branch=data.get("branch") or "",
            status=data.get("status") or "",
            evidence=data.get("evidence") or [],
            pull_request=data.get("pull_request"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """The first build of a branch that has the change."""

    branch: str = ""
    """Branch."""
    version: str = ""
    """Version of the build."""
    sha: str = ""
    """Commit of the build; empty when unknown."""
    built_at: str = ""
    """When it was built, RFC 3339 in UTC; empty when unknown."""
    evidence: str = ""
    """`recorded` (the record of builds names the change), `cut_after` (the branch began with a build that has it) or
    `by_date` (nothing names it: the first build of its branch after it was merged).
    """
    release: str = ""
    """First release of the branch from that build on; empty when there is none."""
    released_at: str = ""
    """When that was released, RFC 3339 in UTC; empty when it was not."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            branch=data.get("branch") or "",
            version=data.get("version") or "",
            sha=data.get("sha") or "",
            built_at=data.get("built_at") or "",
            evidence=data.get("evidence") or "",
            release=data.get("release") or "",
            released_at=data.get("released_at") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPackResponse:
    """The bundle."""

    verdict: str = ""
    """`packed` or `unknown_item`. `unavailable` where the tracker did not answer."""
    causes: list[str] = _field(default_factory=list)
    """What the verdict rests on, or what kept it from being better, one sentence each."""
    epistemic: str = ""
    """How far to trust the verdict: `uncalibrated`, `degraded` (a leg was silent) or `unavailable`."""
    tracker_namespace: str = ""
    """The tracker namespace that was read, the primary of several; empty when none was."""
    tracker_unavailable: bool = False
    """True when a tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence.
    With several trackers legs are named `namespace/leg`.
    """
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that a source does not offer and the op would have used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    pack: str = ""
    """The bundle as Markdown, at most `max_chars` characters."""
    sections: list[PackSection] = _field(default_factory=list)
    """Its sections, in order."""
    left_out: list[str] = _field(default_factory=list)
    """What is not in it: sections or parts of them, each with its reason."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=data.get("verdict") or "",
            causes=data.get("causes") or [],
            epistemic=data.get("epistemic") or "",
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            pack=data.get("pack") or "",
            sections=[PackSection.from_dict(item) for item in data.get("sections") or []],
            left_out=data.get("left_out") or [],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstBuildResponse:
    """Where it is in."""

    verdict: str = ""
    """`built`, `not_built` when no build or release has it, or `unknown_item`. `unavailable` where the tracker did not
    answer.
    """
    causes: list[str] = _field(default_factory=list)
    """What the verdict rests on, or what kept it from being better, one sentence each."""
    epistemic: str = ""
    """How far to trust the verdict: `uncalibrated`, `degraded` (a leg was silent) or `unavailable`."""
    tracker_namespace: str = ""
    """The tracker namespace that was read, the primary of several; empty when none was."""
    tracker_unavailable: bool = False
    """True when a tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence.
    With several trackers legs are named `namespace/leg`.
    """
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that a source does not offer and the op would have used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    builds: list[Build] = _field(default_factory=list)
    """One entry per branch, lowest version first."""
    pr_number: int | None = None
    """The pull request (below 2^53); null when the record knows none for the commit."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=data.get("verdict") or "",
            causes=data.get("causes") or [],
            epistemic=data.get("epistemic") or "",
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            builds=[Build.from_dict(item) for item in data.get("builds") or []],
            pr_number=data.get("pr_number"),
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FixGaps:
    """One fix on the board."""

    number: int = 0
    """Number of the pull request (below 2^53)."""
    source_id: str = ""
    """`Org/repo#number`."""
    title: str = ""
    """Title; cut ones end with `…`."""
    merged_at: str = ""
    """When it was merged, RFC 3339 in UTC; empty when it was not."""
    issues: list[int] = _field(default_factory=list)
    """Issues that it closes (each below 2^53)."""
    branches: list[BranchGap] = _field(default_factory=list)
    """One entry per release branch, newest line first."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            number=data.get("number") or 0,
            source_id=data.get("source_id") or "",
            title=data.get("title") or "",
            merged_at=data.get("merged_at") or "",
            issues=data.get("issues") or [],
            branches=[BranchGap.from_dict(item) for item in data.get("branches") or []],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryResponse:
    """What touched them."""

    verdict: str = ""
    """`touched` or `untouched`. `unavailable` where the tracker did not answer."""
    causes: list[str] = _field(default_factory=list)
    """What the verdict rests on, or what kept it from being better, one sentence each."""
    epistemic: str = ""
    """How far to trust the verdict: `uncalibrated`, `degraded` (a leg was silent) or `unavailable`."""
    tracker_namespace: str = ""
    """The tracker namespace that was read, the primary of several; empty when none was."""
    tracker_unavailable: bool = False
    """True when a tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence.
    With several trackers legs are named `namespace/leg`.
    """
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that a source does not offer and the op would have used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    items: list[Touch] = _field(default_factory=list)
    """Newest first."""
    namespaces_read: list[str] = _field(default_factory=list)
    """Tracker namespaces that were read."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=data.get("verdict") or "",
            causes=data.get("causes") or [],
            epistemic=data.get("epistemic") or "",
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            items=[Touch.from_dict(item) for item in data.get("items") or []],
            namespaces_read=data.get("namespaces_read") or [],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListReposResponse:
    """The repositories."""

    repos: list[Repo] = _field(default_factory=list)
    """In the order of their namespaces."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            repos=[Repo.from_dict(item) for item in data.get("repos") or []],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PackSection:
    """One section of the bundle."""

    name: str = ""
    """`item`, `links`, `similar`, `bisect`, `tests`, `backports`, `graph` or `body`."""
    chars: int = 0
    """Its characters."""
    clipped: bool = False
    """True when its end was cut off."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(name=data.get("name") or "", chars=data.get("chars") or 0, clipped=data.get("clipped") or False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrCheckResponse:
    """Pull requests that are about the same."""

    verdict: str = ""
    """`addressed`, `related` or `none`. `unavailable` where the tracker did not answer."""
    causes: list[str] = _field(default_factory=list)
    """What the verdict rests on, or what kept it from being better, one sentence each."""
    epistemic: str = ""
    """How far to trust the verdict: `uncalibrated`, `degraded` (a leg was silent) or `unavailable`."""
    tracker_namespace: str = ""
    """The tracker namespace that was read, the primary of several; empty when none was."""
    tracker_unavailable: bool = False
    """True when a tracker's source was silent, so that nothing here clears anything."""
    unavailable_reason: str = ""
    """Why it was silent: `off`, `timeout`, `circuit_open`, `unreachable` or `contract`; empty when it was not."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the op and how it fared: `ok`, `not_provided`, `refused`, `skipped`, or the reason of its silence.
    With several trackers legs are named `namespace/leg`.
    """
    not_provided: list[str] = _field(default_factory=list)
    """Contract tables and columns (`table` or `table.column`) that a source does not offer and the op would have used.
    """
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    items: list[RelatedPull] = _field(default_factory=list)
    """Best first."""
    namespaces_read: list[str] = _field(default_factory=list)
    """Tracker namespaces that were read."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=data.get("verdict") or "",
            causes=data.get("causes") or [],
            epistemic=data.get("epistemic") or "",
            tracker_namespace=data.get("tracker_namespace") or "",
            tracker_unavailable=data.get("tracker_unavailable") or False,
            unavailable_reason=data.get("unavailable_reason") or "",
            leg_status=data.get("leg_status") or {},
            not_provided=data.get("not_provided") or [],
            timings_ms=data.get("timings_ms") or {},
            items=[RelatedPull.from_dict(item) for item in data.get("items") or []],
            namespaces_read=data.get("namespaces_read") or [],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedPull:
    """One pull request."""

    tracker_namespace: str = ""
    """Tracker namespace that it was read from."""
    source_id: str = ""
    """`Org/repo#number`."""
    number: int = 0
    """Number within its repository (below 2^53)."""
    kind: str = ""
    """`issue` or `pr`."""
    title: str = ""
    """Title; cut ones end with `…`."""
    state: str = ""
    """`open`, `closed` or `merged`."""
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one reason each."""
    verdict: str = ""
    """`addresses` or `related`."""
    score: float = 0.0
    """Weighted sum of `features`; compares within one answer alone."""
    features: dict[str, float] = _field(default_factory=dict)
    """Shares, in [0, 1], of what the draft names that it has too: `closes`, `paths`, `symbols`, `title_words`,
    `component`.
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
            why=data.get("why") or [],
            verdict=data.get("verdict") or "",
            score=data.get("score") or 0.0,
            features=data.get("features") or {},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Repo:
    """A code namespace."""

    namespace: str = ""
    """Its namespace."""
    repo: str = ""
    """The repository, `Org/repo`."""
    branch: str = ""
    """Branch; empty for the repository as a whole."""
    root: str = ""
    """Code namespace that it is a branch of; empty for none."""
    trackers: list[str] = _field(default_factory=list)
    """Trackers that are linked and that the caller may read, primary first."""
    linked_by: str = ""
    """Where the links come from: `own`, `root`, `operator` or `none`."""
    created_by: str = ""
    """Who registered it."""
    created_at: str = ""
    """When it was registered, RFC 3339 in UTC."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            namespace=data.get("namespace") or "",
            repo=data.get("repo") or "",
            branch=data.get("branch") or "",
            root=data.get("root") or "",
            trackers=data.get("trackers") or [],
            linked_by=data.get("linked_by") or "",
            created_by=data.get("created_by") or "",
            created_at=data.get("created_at") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAccessResponse:
    """What holds now."""

    join_policy: str = ""
    """How people join."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(join_policy=data.get("join_policy") or "", ignored_args=data.get("ignored_args") or [])


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSourceResponse:
    """What is linked now."""

    trackers: list[str] = _field(default_factory=list)
    """Tracker namespaces, primary first."""
    not_covering: list[str] = _field(default_factory=list)
    """Those whose repositories do not cover this one; they are linked all the same."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            trackers=data.get("trackers") or [],
            not_covering=data.get("not_covering") or [],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """One candidate."""

    number: int = 0
    """Number of the pull request (below 2^53)."""
    source_id: str = ""
    """`Org/repo#number`."""
    title: str = ""
    """Title; cut ones end with `…`."""
    merged_at: str = ""
    """When it was merged, RFC 3339 in UTC."""
    merge_sha: str = ""
    """Commit that it was merged as; empty when unknown."""
    score: float = 0.0
    """Sum of reciprocal ranks over the kinds of evidence; compares within one answer alone."""
    legs: list[str] = _field(default_factory=list)
    """Kinds of evidence that found it, strongest first: `fix`, `frames`, `paths`, `symbols`, `patterns`, `component`.
    """
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one reason each."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            number=data.get("number") or 0,
            source_id=data.get("source_id") or "",
            title=data.get("title") or "",
            merged_at=data.get("merged_at") or "",
            merge_sha=data.get("merge_sha") or "",
            score=data.get("score") or 0.0,
            legs=data.get("legs") or [],
            why=data.get("why") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """One thing that touched them."""

    tracker_namespace: str = ""
    """Tracker namespace that it was read from."""
    source_id: str = ""
    """`Org/repo#number`."""
    number: int = 0
    """Number within its repository (below 2^53)."""
    kind: str = ""
    """`issue` or `pr`."""
    title: str = ""
    """Title; cut ones end with `…`."""
    state: str = ""
    """`open`, `closed` or `merged`."""
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one reason each."""
    at: str = ""
    """When it was merged, closed or created, whichever there is first, RFC 3339 in UTC."""

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
            why=data.get("why") or [],
            at=data.get("at") or "",
        )
