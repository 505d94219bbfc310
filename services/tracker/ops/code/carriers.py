"""Pull requests that speak of a change: what carries it to branches, what takes it back, and what is said of those."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from services.tracker.history.backports import followed
from services.tracker.history.rows import instant, text
from services.tracker.ops.code import statements as ask
from services.tracker.ops.code.common import MOST_WORDS, NOT_THERE, Row, micro
from services.tracker.reads import Reading, together

SHA_CHARS = 10
# A revert, what takes that back, and what takes that back again; each is a look at all pull requests.
MOST_ROUNDS = 3


async def speaking_of(
    reading: Reading, changes: Mapping[int, str], since: int, prefix: str, leg: str = "carriers"
) -> list[Row]:
    """Pull requests of the repository that name one of `changes` (number to commit), made since then (microseconds)."""
    listed = sorted(changes)[: MOST_WORDS // 4]
    shas = [changes[number][:SHA_CHARS].lower() for number in listed]
    asked = {
        "numbers": listed,
        "names": [
            name for number in listed for name in (f"#{number}", f"GH-{number}", f"pull/{number}", f"PR {number}")
        ],
        "bare": [str(number) for number in listed],
        "shas": [sha for sha in shas if len(sha) == SHA_CHARS] or [NOT_THERE],
        "since": since,
        "repo": prefix,
    }
    return await reading.rows(leg, ask.CARRIERS, asked)


async def around_of(reading: Reading, fixes: Sequence[Row], caused_by: Sequence[int], prefix: str) -> list[Row]:
    """What speaks of the fixes, what speaks of that in turn, and what caused the issue."""
    causes = {"numbers": list(caused_by), "issues": [], "repo": prefix}
    around, caused = await together(
        _chain(reading, fixes, prefix), reading.rows("causes", ask.PULLS, causes) if caused_by else _nothing()
    )
    return [*around, *caused]


async def _chain(reading: Reading, fixes: Sequence[Row], prefix: str) -> list[Row]:
    """A revert names what it takes back, and not the fix that this carried: so each is asked for in its turn."""
    rows: list[Row] = []
    seen: set[int] = set()
    fresh = commits(fixes)
    since = began(fixes)
    for turn in range(MOST_ROUNDS):
        if not fresh:
            break
        seen |= fresh.keys()
        found = await speaking_of(reading, fresh, since, prefix, "reverts" if turn else "carriers")
        rows += found
        fresh = await asyncio.to_thread(followed, found, fresh)
        fresh = {number: sha for number, sha in fresh.items() if number not in seen}
    return rows


def commits(rows: Iterable[Row]) -> dict[int, str]:
    return {row["number"]: text(row, "merge_sha") for row in rows}


def began(rows: Iterable[Row]) -> int:
    """When the first of them was made, in microseconds; 0 where that is not known."""
    first = min((at for row in rows if (at := instant(row, "created_at")) is not None), default=None)
    return micro(first) if first else 0


async def _nothing() -> list[Row]:
    return []
