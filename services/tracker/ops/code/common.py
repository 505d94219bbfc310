"""What the code ops share: numbers, repositories, instants, and the fields that each answer has."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from runtime.errors import LoomError, invalid_field
from services.tracker.names import REPO, is_repo, repo_of
from services.tracker.ops.asking import Asked
from services.tracker.ops.code.statements import ISSUES, MOST_BUILDS
from services.tracker.ops.trust import DEGRADED, UNAVAILABLE, trust
from services.tracker.outcome import Common
from services.tracker.reads import Reading
from services.tracker.signal.cells import microseconds

UNKNOWN_ITEM = "unknown_item"
# ClickHouse takes 255 at most in one search for many words; each letter of them costs, so short ones are left out.
MOST_WORDS = 200
SHORTEST_WORD = 3
# In the place of an empty list of words, which a search takes none of: no text has it.
NOT_THERE = "\0"
Row = Mapping[str, Any]


@dataclass(slots=True, kw_only=True)
class CodeAnswer:
    """The fields that every code op answers."""

    verdict: str
    causes: list[str]
    epistemic: str
    common: Common = field(default_factory=Common)


def told(asked: Asked) -> tuple[str, Common]:
    """How far to trust what was read, and what is said of the reading."""
    return trust(*asked.readings), asked.common()


def settled(asked: Asked, verdict: str) -> str:
    """The verdict, or `unavailable` where silence made it: nobody was asked, or the one who knows was not heard."""
    epistemic = trust(*asked.readings)
    silent = epistemic == UNAVAILABLE or (epistemic == DEGRADED and verdict == UNKNOWN_ITEM)
    return UNAVAILABLE if silent else verdict


def unheard(asked: Asked) -> list[str]:
    """A sentence where silence weakens the verdict."""
    epistemic = trust(*asked.readings)
    if epistemic == UNAVAILABLE:
        return ["the tracker did not answer: nothing is cleared"]
    return ["a part of the tracker did not answer: see leg_status"] if epistemic == DEGRADED else []


def prefix_of(repo: str) -> str:
    """What a `source_id` of the repository starts with; any where none is named. Raises INVALID_FIELD."""
    if repo and not is_repo(repo):
        raise invalid_field("repo", REPO)
    return f"{repo}#" if repo else ""


def its_prefix(row: Row) -> str:
    """The repository of a row: numbers of others mean other things."""
    return repo_of(str(row["source_id"])) + "#"


def exactly_one(first: tuple[str, object], second: tuple[str, object]) -> None:
    """Raises INVALID_FIELD unless one of two fields is given."""
    if (first[1] in (None, "")) == (second[1] in (None, "")):
        raise invalid_field(first[0], f"given, or {second[0]}, but not both")


def nothing_asked(name: str, what: str) -> LoomError:
    """A question without any of the fields that it could be about; `name` is the first of them."""
    return LoomError("MISSING_FIELD", f"{name} is required: {what}", field=name)


def micro(at: datetime) -> int:
    return microseconds(at)


def words(found: Iterable[str]) -> list[str]:
    """What may go into a search for many words, first ones first."""
    kept = [word for word in dict.fromkeys(found) if len(word) >= SHORTEST_WORD]
    return kept[:MOST_WORDS]


async def issue_of(reading: Reading, number: int, prefix: str) -> Row | None:
    """The issue of that number that changed last; its repository's alone where one is named."""
    rows = await reading.rows("issue", ISSUES, {"numbers": [number], "repo": prefix})
    return rows[0] if rows else None


def of_repository(rows: Sequence[Row], prefix: str) -> list[Row]:
    """Builds or releases of one repository; those that name none too, since not every record says whose they are."""
    repo = prefix.removesuffix("#").casefold()
    return [row for row in rows if not repo or not row.get("repo") or str(row["repo"]).casefold() == repo]


def only_newest(builds: Sequence[Row]) -> list[str]:
    """A sentence where the record has more builds than are looked at."""
    whole = len(builds) < MOST_BUILDS
    return [] if whole else [f"only the newest {MOST_BUILDS:,} builds were looked at: older ones may have it"]


def only_of(rows: Sequence[Row], prefix: str) -> list[Row]:
    return [row for row in rows if str(row["source_id"]).startswith(prefix)]
