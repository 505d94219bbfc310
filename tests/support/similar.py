"""A small made record for the duplicate check."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from services.tracker.similar.features import NAMES
from services.tracker.similar.fit import Fit, Logistic, Quality
from services.tracker.similar.model import Candidate, Draft
from services.tracker.similar.statistics import Statistics, of_rows

REPO = "Acme/kv"
START = datetime(2024, 1, 1, tzinfo=UTC)
OK = {"text": "ok", "frames": "ok", "numbers": "ok", "vectors": "off", "fix_in_flight": "ok"}

_NOUNS = "quorum lease snapshot compaction follower ledger gossip shard bucket cursor replica journal"
_WORDS = _NOUNS.split()


def report(number: int, title: str, body: str = "", **given: object) -> Candidate:
    """Report `number` was filed on day `number`."""
    facts = {"created_at": START + timedelta(days=number), "state": "open"} | given
    return Candidate(f"{REPO}#{number}", number, title, body, **facts)


def draft(title: str, body: str = "", **given: object) -> Draft:
    """Filed on day 1,000."""
    facts = {"created_at": START + timedelta(days=1_000), "repo": REPO} | given
    return Draft(title, body, **facts)


def background() -> list[Candidate]:
    """Sixty unlike reports."""
    found = []
    for number in range(1, 61):
        first, second, third = (_WORDS[(number * step + number // 12) % len(_WORDS)] for step in (1, 5, 7))
        title = f"{first} {second} stalls after {third}{number}"
        found.append(report(number, title, f"The {third} of node {number} waits for a {first} and never returns."))
    return found


def statistics(*more: Candidate) -> Statistics:
    return of_rows((item.title, item.body) for item in [*background(), *more])


def fit(**changed: object) -> Fit:
    """A fit that follows the default order: its zero is a probability of one half at 1 above `related`."""
    plain = Logistic(dict.fromkeys(NAMES, 0.0), dict.fromkeys(NAMES, 1.0), dict.fromkeys(NAMES, 0.0), -1.0, 1.0)
    quality = Quality(100, 20, 10, 0.9, 0.4, 0.05, 0.01, 0.5, 0.2)
    return replace(Fit(plain, plain, 0.6, True, "", quality), **changed)
