"""The one fix of an issue that the record links to none: what its pull requests say, as tracker_links found it.

Only a closing keyword counts, and only above a score: words and dates that agree make a candidate for a reader, not a
fix that something else may be built on.
"""

from runtime.errors import LoomError
from services.tracker.checking.links_store import LinkStore
from services.tracker.names import repo_of
from services.tracker.ops.asking import Asked
from services.tracker.ops.code.common import Row

LEG = "recovered"
OK, UNREACHABLE = "ok", "unreachable"


class KnownFix:
    """One for the plane. `least` is the score from which on a recovered link is taken."""

    def __init__(self, links: LinkStore, least: float) -> None:
        self._links, self._least = links, least

    async def of(self, asked: Asked, issue: Row) -> int | None:
        """The number of the pull request, of the issue's own repository; None where none names the issue as closed.

        Its row is still to be read, through the namespace's filters.
        """
        source, item = asked.bounds[0].source, str(issue["source_id"])
        try:
            found = await self._links.of_issue(source.org, source.id, item)
        except LoomError:
            asked.note(asked.primary, LEG, UNREACHABLE)
            return None
        asked.note(asked.primary, LEG, OK)
        said = [each for each in found if each.written and each.score >= self._least]
        own = [each for each in said if repo_of(each.pr) == repo_of(item)]
        return int(own[0].pr.rpartition("#")[2]) if own else None
