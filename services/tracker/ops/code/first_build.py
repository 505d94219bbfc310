"""code.first_build: the first build and release of each branch that contains a change."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from runtime.errors import invalid_field
from runtime.identity import Caller
from services.tracker.history.conventions import carries
from services.tracker.history.first_build import first_builds
from services.tracker.history.rows import merged, text
from services.tracker.ops.asking import Asked, Asking
from services.tracker.ops.code import statements as ask
from services.tracker.ops.code.carriers import began, commits, speaking_of
from services.tracker.ops.code.common import (
    UNKNOWN_ITEM,
    CodeAnswer,
    Row,
    exactly_one,
    its_prefix,
    of_repository,
    only_newest,
    prefix_of,
    settled,
    told,
    unheard,
)
from services.tracker.reads import Reading, together

BUILT, NOT_BUILT = "built", "not_built"
_SHA = re.compile(r"[0-9a-fA-F]{7,40}")


@dataclass(slots=True)
class FirstOfBranch:
    branch: str
    version: str
    sha: str
    built_at: str | None
    evidence: str
    release: str | None
    released_at: str | None


@dataclass(slots=True, kw_only=True)
class FirstBuild(CodeAnswer):
    builds: list[FirstOfBranch] = field(default_factory=list)
    pr_number: int | None = None


class FirstBuildOp:
    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def execute(
        self, org: str, namespace: str, caller: Caller, *, repo: str = "", pr_number: int | None = None, sha: str = ""
    ) -> FirstBuild:
        """Raises NOT_A_TRACKER_NAMESPACE, INVALID_FIELD."""
        exactly_one(("pr_number", pr_number), ("sha", sha))
        if sha and not _SHA.fullmatch(sha):
            raise invalid_field("sha", "7 to 40 hexadecimal digits")
        prefix = prefix_of(repo)
        asked = await self._asking.primary(org, namespace, caller)
        reading = asked.primary
        pulls, builds, releases = await together(
            _pulls(reading, pr_number, sha.lower(), prefix),
            reading.rows("builds", ask.BUILDS),
            reading.rows("releases", ask.RELEASES),
        )
        if not pulls and pr_number is not None:
            return _told(asked, UNKNOWN_ITEM, ["the tracker's repositories have no such pull request"], [])
        carriers = await _backports(reading, pulls)
        kept = [row for row in (*pulls, *carriers) if merged(row)]
        own = its_prefix(pulls[0]) if pulls else prefix
        history, shipped = of_repository(builds, own), of_repository(releases, own)
        found = await asyncio.to_thread(first_builds, history, shipped, pulls=kept, shas=[sha] if sha else ())
        shown = [FirstOfBranch(**asdict(each)) for each in found]
        verdict, causes = _verdict(shown, pulls, sha)
        causes += only_newest(builds)
        return _told(asked, verdict, causes, shown, pulls[0]["number"] if pulls else None)


async def _pulls(reading: Reading, number: int | None, sha: str, prefix: str) -> list[Row]:
    """The pull request, as the row of it that changed last."""
    if number is not None:
        asked = {"numbers": [number], "issues": [], "repo": prefix}
        return (await reading.rows("pull", ask.PULLS, asked))[:1]
    return (await reading.rows("pull", ask.OF_COMMITS, {"shas": [sha], "repo": prefix}))[:1]


async def _backports(reading: Reading, pulls: Sequence[Row]) -> list[Row]:
    """Pull requests that carry it elsewhere, by the record or by what they say."""
    if not pulls:
        return []
    number, sha = pulls[0]["number"], text(pulls[0], "merge_sha").lower()
    rows = await speaking_of(reading, commits(pulls), began(pulls), its_prefix(pulls[0]))
    # Off the loop: long texts take a while to read.
    return await asyncio.to_thread(lambda: [row for row in rows if carries(row, number, sha) is not None])


def _verdict(found: Sequence[FirstOfBranch], pulls: Sequence[Row], sha: str) -> tuple[str, list[str]]:
    if found:
        first = found[0]
        said = f"{first.version} of {first.branch or 'an unnamed branch'} is the first build that has it"
        return BUILT, [said, *([] if any(each.release for each in found) else ["no release has it yet"])]
    if pulls and not merged(pulls[0]):
        return NOT_BUILT, [f"the pull request is {text(pulls[0], 'state') or 'not merged'}"]
    if sha and not pulls:
        return UNKNOWN_ITEM, ["neither a pull request nor a build names the commit"]
    return NOT_BUILT, ["it is merged, and no build or release names it or came after it"]


def _told(
    asked: Asked, verdict: str, causes: list[str], builds: list[FirstOfBranch], number: int | None = None
) -> FirstBuild:
    epistemic, common = told(asked)
    silent = unheard(asked)
    return FirstBuild(
        verdict=settled(asked, verdict),
        causes=silent + (causes if builds or not silent else []),
        epistemic=epistemic,
        common=common,
        builds=builds,
        pr_number=number,
    )
