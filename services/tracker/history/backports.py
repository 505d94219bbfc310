"""code.backport_gap: which release branches have a fix, with the evidence for each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from services.tracker.history.builds import Builds
from services.tracker.history.conventions import Carried, Spoken
from services.tracker.history.first_build import cut_after
from services.tracker.history.rows import Row, by_number, instant, merged, number, numbers, text, texts
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
    return Board(record, branches).gaps(fixes, issue)


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


class Board:
    """A record laid out once, for any number of fixes."""

    def __init__(self, record: Record, branches: Iterable[str] = ()) -> None:
        self._pulls = by_number(record.pulls)
        self._builds = Builds(record.history)
        self._said = [Spoken(row) for row in self._pulls.values()]
        self._reverts = _standing([said for said in self._said if said.reverted and merged(said.row)])
        self._branches = [_Branch(name, self._builds, record.releases) for name in release_branches(record, branches)]

    def gaps(self, fixes: Iterable[int], issue: Row | None = None) -> list[Gap]:
        """As `backport_gap`."""
        rows = [self._pulls[fix] for fix in sorted(set(fixes)) if fix in self._pulls]
        known = [self._change(row) for row in rows]
        causes = [self._change(self._pulls[one]) for one in numbers(issue or {}, "caused_by") if one in self._pulls]
        # A fix that was taken back, and the one that came after: a branch needs either.
        instead = [(number(fix), number(by)) for fix in rows for by in rows if self._replaced(fix, by)]
        gaps = []
        for branch in self._branches:
            found = {number(fix.row): self._of_branch(branch, fix, issue, causes) for fix in known}
            for fix, by in instead:
                if fix in found and by in found:
                    del found[by if found[fix].status == PRESENT else fix]
            if found:
                gaps.append(min(found.values(), key=lambda gap: (_WORST[gap.status], gap.pull_request or 0)))
        return gaps

    def _replaced(self, fix: Row, by: Row) -> bool:
        """Whether a fix was taken back where it was merged, and the other one merged there since."""
        base = text(fix, "base_ref")
        if not merged(by) or text(by, "base_ref") != base:
            return False
        back = [said.row for said in self._reverts if number(fix) in said.reverted]
        return any(text(row, "base_ref") == base and _later(by, row) for row in back)

    def _change(self, row: Row) -> "_Change":
        """What carries it, anywhere, and the branches that were cut after it: the same for every branch."""
        sha = text(row, "merge_sha")
        found = ((said.row, said.carries(number(row), sha)) for said in self._said)
        carried = sorted(((one, how) for one, how in found if how is not None), key=lambda pair: number(pair[0]))
        return _Change(row, carried, cut_after(row, self._builds) if merged(row) else [])

    def _of_branch(self, branch: "_Branch", fix: "_Change", issue: Row | None, causes: Sequence["_Change"]) -> Gap:
        carriers = fix.carriers(branch.name)
        present = _present(branch, fix, self._builds)
        undone = [said.row for said in self._reverts if _undoes(said, branch, fix.row, carriers)]
        if present and not undone:
            return present
        going = _in_flight(branch.name, fix.row, carriers)
        if going:
            return going
        spared = self._not_needed(branch, fix.row, issue, causes)
        if spared and not present:
            return Gap(branch.name, NOT_NEEDED, (spared,))
        return _missing(branch.name, fix.row, carriers, undone)

    def _not_needed(self, branch: "_Branch", fix: Row, issue: Row | None, causes: Sequence["_Change"]) -> str | None:
        affected = texts(issue, "affected_branches") if issue else []
        if affected and not any(same_branch(name, branch.name) for name in affected):
            return "the issue's affected branches do not name it"
        if any(label.casefold() in _REFUSED for label in texts(fix, "labels")):
            return f"#{number(fix)} is labelled as not to be backported"
        if branch.ended:
            return "the releases of the branch have ended"
        # A branch without builds is not known to lack anything.
        if causes and not affected and branch.built and all(not _present(branch, one, self._builds) for one in causes):
            return "what caused it (" + ", ".join(f"#{number(one.row)}" for one in causes) + ") is not in the branch"
        return None


def followed(rows: Iterable[Row], changes: Mapping[int, str]) -> dict[int, str]:
    """Of pull requests those that carry one of the changes (number to merge commit) elsewhere, or take one back."""
    found = {}
    for said in map(Spoken, rows):
        if said.reverted & changes.keys() or any(said.carries(one, sha) for one, sha in changes.items()):
            found[number(said.row)] = text(said.row, "merge_sha")
    return found


class _Branch:
    """`built`: version_history knows it; `began`: its first build. `ended`: all of its releases have."""

    def __init__(self, name: str, builds: Builds, releases: Sequence[Row]) -> None:
        states = [text(row, "state").casefold() for row in releases if same_branch(text(row, "branch"), name)]
        built = builds.of_branch(name)
        self.name, self.built = name, bool(built)
        self.began = instant(built[0], "built_at") if built else None
        self.ended = bool(states) and all(state in ENDED for state in states)


@dataclass(frozen=True, slots=True)
class _Change:
    """A pull request, what carries it to branches, and the branches that were cut with it."""

    row: Row
    carried: Sequence[tuple[Row, Carried]]
    cut: Sequence[str]

    def carriers(self, branch: str) -> list[tuple[Row, Carried]]:
        return [(row, how) for row, how in self.carried if same_branch(how.branch, branch)]


def _present(branch: _Branch, change: _Change, builds: Builds) -> Gap | None:
    name, fix, carriers = branch.name, change.row, change.carriers(branch.name)
    if merged(fix) and same_branch(text(fix, "base_ref"), name):
        return Gap(name, PRESENT, (f"#{number(fix)} was merged into it",), number(fix))
    for row, how in carriers:
        if how.last_step and (merged(row) or text(row, "backport_state").casefold() in _DONE):
            return Gap(name, PRESENT, (f"#{number(row)} was merged into it ({how.how})",), number(row))
    wanted = {number(fix), *(number(row) for row, _ in carriers)}
    for row in builds.naming(wanted, [text(fix, "merge_sha")]):
        if same_branch(text(row, "branch"), name):
            built = f"version {text(row, 'version')} was built with it"
            return Gap(name, PRESENT, (built,), number(row, "pr_number") or None)
    if any(same_branch(one, name) for one in change.cut):
        return Gap(name, PRESENT, (f"the branch was cut after #{number(fix)} was merged",), number(fix))
    return None


def _standing(reverts: Sequence[Spoken]) -> list[Spoken]:
    """Reverts that no later one of the same branch took back; one that was taken back itself takes nothing back."""
    standing: list[Spoken] = []
    for said in sorted(reverts, key=lambda one: (_merged_at(one.row), number(one.row)), reverse=True):
        base = text(said.row, "base_ref")
        if not any(
            number(said.row) in later.reverted and same_branch(text(later.row, "base_ref"), base) for later in standing
        ):
            standing.append(said)
    return standing


def _merged_at(row: Row) -> float:
    at = instant(row, "merged_at")
    return at.timestamp() if at else float("-inf")


def _undoes(said: Spoken, branch: _Branch, fix: Row, carriers: Sequence[tuple[Row, Carried]]) -> bool:
    """Whether it takes the fix back on the branch, or where that was cut from and before it was, and nothing carried
    the fix there again since.
    """
    base = text(said.row, "base_ref")
    cut_since = branch.began is not None and 0 < _merged_at(said.row) <= branch.began.timestamp()
    if not same_branch(base, branch.name) and not (cut_since and same_branch(base, text(fix, "base_ref"))):
        return False
    own = {number(fix), *(number(carrier) for carrier, _ in carriers)}
    again = [one for one, how in carriers if how.last_step and merged(one) and _later(one, said.row)]
    return bool(said.reverted & own) and not again


def _later(row: Row, than: Row) -> bool:
    at, then = instant(row, "merged_at"), instant(than, "merged_at")
    return (at, number(row)) > (then, number(than)) if at and then else number(row) > number(than)


def _in_flight(branch: str, fix: Row, carriers: Sequence[tuple[Row, Carried]]) -> Gap | None:
    if text(fix, "state").casefold() == "open" and same_branch(text(fix, "base_ref"), branch):
        return Gap(branch, IN_FLIGHT, (f"#{number(fix)} is open against it",), number(fix))
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


def _missing(branch: str, fix: Row, carriers: Sequence[tuple[Row, Carried]], undone: Sequence[Row]) -> Gap:
    evidence = [f"#{number(row)} took it back" for row in sorted(undone, key=number)]
    closed = [row for row, _ in carriers if not merged(row) and text(row, "state").casefold() == "closed"]
    evidence += [f"#{number(row)} was closed without being merged" for row in closed]
    if not evidence:
        evidence = [f"no pull request carries #{number(fix)} to it"]
    return Gap(branch, MISSING, tuple(evidence), number(closed[-1]) if closed else None)
