"""code.backport_gap: which release branches have a fix, with the evidence for each."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from services.tracker.history.conventions import Carried, carries, reverted
from services.tracker.history.first_build import cut_after
from services.tracker.history.rows import Row, by_number, instant, merged, number, numbers, same_sha, text, texts
from services.tracker.history.versions import release_line, same_branch

PRESENT, IN_FLIGHT, MISSING, NOT_NEEDED = "present", "in_flight", "missing", "not_needed"
ENDED = frozenset(
    ("eol", "end of life", "end_of_life", "ended", "archived", "retired", "closed", "unsupported", "obsolete")
)
_DONE = frozenset(("done", "merged", "backported", "complete", "completed"))
_GOING = frozenset(
    ("open", "pending", "in_progress", "in progress", "in_flight", "conflict", "conflicts", "created", "draft")
)
_REFUSED = frozenset(("no-backport", "no backport", "do-not-backport", "skip-backport", "backport-not-needed"))


@dataclass(frozen=True, slots=True)
class Gap:
    """One release branch. `pull_request` carries the fix there, or tried to; None where there is none."""

    branch: str
    status: str
    evidence: tuple[str, ...]
    pull_request: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Record:
    """What the rules look at: pull requests (fixes, backports, reverts, causes), version_history, releases."""

    pulls: Sequence[Row] = ()
    history: Sequence[Row] = ()
    releases: Sequence[Row] = ()


def backport_gap(
    fixes: Iterable[int], record: Record, issue: Row | None = None, branches: Iterable[str] = ()
) -> list[Gap]:
    """Status of each release branch, newest first. `fixes` are the numbers of the fixing pull requests, all of which
    a branch needs; `branches` adds to those that releases, history and pull requests name. Empty without a merged or
    open fix."""
    pulls = by_number(record.pulls)
    known = [pulls[fix] for fix in sorted(set(fixes)) if fix in pulls]
    # What a text carries is the same for every branch.
    carried = {number(fix): _carried(fix, pulls) for fix in known}
    gaps = []
    for branch in release_branches(record, branches):
        found = [_of_branch(branch, fix, carried[number(fix)], pulls, record, issue) for fix in known]
        if found:
            gaps.append(min(found, key=lambda gap: (_WORST[gap.status], gap.pull_request or 0)))
    return gaps


_WORST = {MISSING: 0, IN_FLIGHT: 1, PRESENT: 2, NOT_NEEDED: 3}


def release_branches(record: Record, more: Iterable[str] = ()) -> list[str]:
    """Release branches of the record, newest line first, one name for each line: the one that the record uses most."""
    named = [text(row, "branch") for row in (*record.releases, *record.history)]
    named += [text(row, "base_ref") for row in record.pulls] + list(more)
    lines: dict[tuple[int, ...], dict[str, int]] = {}
    for name in named:
        line = release_line(name)
        if line is not None:
            names = lines.setdefault(line, {})
            names[name] = names.get(name, 0) + 1
    return [min(names, key=lambda name: (-names[name], name)) for _, names in sorted(lines.items(), reverse=True)]


def _of_branch(
    branch: str,
    fix: Row,
    carried: Sequence[tuple[Row, Carried]],
    pulls: dict[int, Row],
    record: Record,
    issue: Row | None,
) -> Gap:
    carriers = _carriers(branch, carried)
    present = _present(branch, fix, carriers, record)
    undone = [row for row in pulls.values() if merged(row) and _undoes(row, branch, fix, carriers)]
    if present and not undone:
        return present
    going = _in_flight(branch, carriers)
    if going:
        return going
    spared = _not_needed(branch, fix, pulls, record, issue)
    if spared and not present:
        return Gap(branch, NOT_NEEDED, (spared,))
    return _missing(branch, fix, carriers, undone)


def _carried(fix: Row, pulls: dict[int, Row]) -> list[tuple[Row, Carried]]:
    """Whatever carries the fix, anywhere."""
    found = ((row, carries(row, number(fix), text(fix, "merge_sha"))) for row in pulls.values())
    return [(row, how) for row, how in found if how is not None]


def _carriers(branch: str, carried: Sequence[tuple[Row, Carried]]) -> list[tuple[Row, Carried]]:
    listed = [(row, how) for row, how in carried if same_branch(how.branch, branch)]
    return sorted(listed, key=lambda pair: number(pair[0]))


def _present(branch: str, fix: Row, carriers: Sequence[tuple[Row, Carried]], record: Record) -> Gap | None:
    if merged(fix) and same_branch(text(fix, "base_ref"), branch):
        return Gap(branch, PRESENT, (f"#{number(fix)} was merged into it",), number(fix))
    for row, how in carriers:
        if how.last_step and (merged(row) or text(row, "backport_state").casefold() in _DONE):
            return Gap(branch, PRESENT, (f"#{number(row)} was merged into it ({how.how})",), number(row))
    wanted = {number(fix), *(number(row) for row, _ in carriers)}
    for row in record.history:
        if same_branch(text(row, "branch"), branch) and (
            number(row, "pr_number") in wanted or same_sha(text(row, "sha"), text(fix, "merge_sha"))
        ):
            return Gap(
                branch,
                PRESENT,
                (f"version {text(row, 'version')} was built with it",),
                number(row, "pr_number") or None,
            )
    if merged(fix) and cut_after(branch, fix, record.history):
        return Gap(branch, PRESENT, (f"the branch was cut after #{number(fix)} was merged",), number(fix))
    return None


def _undoes(row: Row, branch: str, fix: Row, carriers: Sequence[tuple[Row, Carried]]) -> bool:
    """Whether it takes the fix back on the branch, and nothing carried the fix there again since."""
    if not same_branch(text(row, "base_ref"), branch):
        return False
    own = {number(fix), *(number(carrier) for carrier, _ in carriers)}
    again = [carrier for carrier, how in carriers if how.last_step and merged(carrier) and _later(carrier, row)]
    return bool(reverted(row) & own) and not again


def _later(row: Row, than: Row) -> bool:
    at, then = instant(row, "merged_at"), instant(than, "merged_at")
    return (at, number(row)) > (then, number(than)) if at and then else number(row) > number(than)


def _in_flight(branch: str, carriers: Sequence[tuple[Row, Carried]]) -> Gap | None:
    for row, how in carriers:
        state = text(row, "backport_state").casefold()
        if text(row, "state").casefold() == "open" or (state in _GOING and not merged(row)):
            return Gap(branch, IN_FLIGHT, (f"#{number(row)} is open ({how.how})",), number(row))
    for row, how in carriers:
        if merged(row) and not how.last_step:
            return Gap(
                branch, IN_FLIGHT, (f"#{number(row)} prepared it ({how.how}); not in the branch yet",), number(row)
            )
    return None


def _not_needed(branch: str, fix: Row, pulls: dict[int, Row], record: Record, issue: Row | None) -> str | None:
    affected = texts(issue, "affected_branches") if issue else []
    if affected and not any(same_branch(name, branch) for name in affected):
        return "the issue's affected branches do not name it"
    if any(label.casefold() in _REFUSED for label in texts(fix, "labels")):
        return f"#{number(fix)} is labelled as not to be backported"
    if _ended(branch, record.releases):
        return "the releases of the branch have ended"
    causes = [pulls[cause] for cause in numbers(issue or {}, "caused_by") if cause in pulls]
    if causes and not affected and all(_absent(branch, cause, pulls, record) for cause in causes):
        return "what caused it (" + ", ".join(f"#{number(cause)}" for cause in causes) + ") is not in the branch"
    return None


def _ended(branch: str, releases: Sequence[Row]) -> bool:
    states = [text(row, "state").casefold() for row in releases if same_branch(text(row, "branch"), branch)]
    return bool(states) and all(state in ENDED for state in states)


def _absent(branch: str, cause: Row, pulls: dict[int, Row], record: Record) -> bool:
    """The branch is known by its builds to lack the cause; a branch without builds is not known."""
    built = any(same_branch(text(row, "branch"), branch) for row in record.history)
    return built and _present(branch, cause, _carriers(branch, _carried(cause, pulls)), record) is None


def _missing(branch: str, fix: Row, carriers: Sequence[tuple[Row, Carried]], undone: Sequence[Row]) -> Gap:
    evidence = [f"#{number(row)} took it back" for row in sorted(undone, key=number)]
    closed = [row for row, _ in carriers if not merged(row) and text(row, "state").casefold() == "closed"]
    evidence += [f"#{number(row)} was closed without being merged" for row in closed]
    if not evidence:
        evidence = [f"no pull request carries #{number(fix)} to it"]
    return Gap(branch, MISSING, tuple(evidence), number(closed[-1]) if closed else None)
