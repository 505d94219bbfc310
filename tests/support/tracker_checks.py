"""The ops of the duplicate check over one local record, in which each rule has a repository and a namespace of its own.

async with checks_over([target, *others]) as checks:
    checks.bind("rule", "Acme/rule")
    await checks.fitted("rule")
    found = await checks.check("rule", title=TITLE)
    found = await checks.check("rule+other", title=TITLE)      # both linked, the first is the primary
"""

import itertools
import threading
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runtime.embedding.interface import EmbedderUnavailable, unit
from runtime.embedding.service import Embedding
from runtime.identity import Caller
from services.tracker.checking.checker import Checker
from services.tracker.checking.draft import Asked
from services.tracker.checking.fits import FitStore
from services.tracker.checking.legs import Legs
from services.tracker.checking.semantic import Semantic
from services.tracker.checking.vectors import ItemVectors, Row
from services.tracker.ops.asking import Asking
from services.tracker.ops.checks import Checking
from services.tracker.ops.duplicate_check import DuplicateCheck, Judge, Options, Outcome
from services.tracker.ops.similar import Similar, SimilarOp
from services.tracker.reads import NamespaceBinding
from services.tracker.resolve import NONE, not_a_tracker
from services.tracker.rows import Bound, Resolution, SourceNamespace, SourceRow
from services.tracker.similar.fit import Fit
from services.tracker.similar.model import Candidate
from services.tracker.similar.statistics import Statistics
from services.tracker.sources.model import Answer, LiveClient
from services.tracker.sources.silence import Reason, Silent
from tests.support.similar import REPO, background, fit, statistics
from tests.support.tracker_record import CALLER, ORG, Recorded, batch, recorded

NOW = datetime(2027, 1, 1, tzinfo=UTC)
_NUMBERS = itertools.count()
KNOWN = {each.name for each in fields(Candidate)} - {"cosine", "touched", "legs", "fix_release"}


def row_of(report: Candidate, repo: str, **more: Any) -> dict[str, Any]:
    """A report as the source holds it, in a repository."""
    row = {name: value for name in KNOWN if (value := getattr(report, name)) not in ("", (), None, 0)}
    row = {name: list(value) if isinstance(value, tuple) else value for name, value in row.items()}
    plain = {"source_id": f"{repo}#{report.number}", "title": report.title, "body": report.body, "is_private": 0}
    return {**row, **plain, "updated_at": report.created_at, **more}


def pull_row(number: int, title: str, repo: str, created: datetime, **more: Any) -> dict[str, Any]:
    """A merged pull request."""
    return {
        "source_id": f"{repo}#{number}",
        "number": number,
        "title": title,
        "body": "",
        "state": "merged",
        "created_at": created,
        "updated_at": created,
        "merged_at": created + timedelta(days=1),
        "is_private": 0,
        **more,
    }


class Concepts:
    """An embedder: a text's vector says which of the words it knows are in it."""

    name, floor, ceiling = "concepts", 0.0, 1.0

    def __init__(self, *concepts: str) -> None:
        self._concepts = [each.split("|") for each in concepts]
        self.dim = len(concepts) + 1
        self.hold: threading.Event | None = None
        self.fails = False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.hold is not None:
            self.hold.wait(30.0)
        if self.fails:
            raise EmbedderUnavailable("told to")
        rows = [[float(any(word in text.lower() for word in words)) for words in self._concepts] for text in texts]
        return unit(np.array([[*row, 0.01] for row in rows], dtype=np.float32))

    def close(self) -> None:
        """Nothing to let go of."""


class Trackers:
    """Stands for the resolver: `a+b` reads both."""

    def __init__(self) -> None:
        self.bounds: dict[str, Bound] = {}

    async def resolve(self, org: str, namespace: str, caller: Caller) -> Resolution:
        names = namespace.split("+")
        if any(name not in self.bounds for name in names):
            return NONE
        return Resolution("code", tuple(self.bounds[name] for name in names))

    async def readable(self, org: str, namespace: str, caller: Caller) -> Sequence[Bound]:
        found = (await self.resolve(org, namespace, caller)).trackers
        if not found:
            raise not_a_tracker()
        return found[:4]

    async def primary(self, org: str, namespace: str, caller: Caller) -> Bound:
        return (await self.readable(org, namespace, caller))[0]


class Registered:
    """Stands for the registry: one source with every namespace that was bound."""

    def __init__(self, trackers: Trackers) -> None:
        self._trackers = trackers

    async def sources(self, org: str) -> list[SourceRow]:
        sources: dict[str, SourceRow] = {}
        for each in self._trackers.bounds.values():
            space = SourceNamespace(each.namespace, each.storage, each.repos, each.restricted)
            known = sources.setdefault(each.source.id, replace(each.source, namespaces=()))
            sources[each.source.id] = replace(known, namespaces=(*known.namespaces, space))
        return list(sources.values())


@dataclass
class Failing:
    """A serving in which statements of a namespace may get no answer: `silence["ns"] = {"similar.text": TIMEOUT}`."""

    serving: Any
    silence: dict[str, Mapping[str, Reason]] = field(default_factory=dict)
    hidden: dict[str, set[str]] = field(default_factory=dict)
    sent: list[str] = field(default_factory=list)

    async def binding(self, bound: Bound, *, ask: bool = True) -> NamespaceBinding:
        found = await self.serving.binding(bound, ask=ask)
        client = _Client(found.client, self.silence.get(bound.namespace, {}), self.sent)
        hidden = self.hidden.get(bound.namespace, set())
        relations = {name: each for name, each in found.relations.items() if name not in hidden}
        return NamespaceBinding(found.tracker_namespace, client, found.scope, relations, found.silent)


@dataclass
class _Client:
    client: LiveClient
    silence: Mapping[str, Reason]
    sent: list[str]

    async def rows(self, name: str, sql: str, params: Any = None, *, budget_s: float | None = None) -> Answer:
        self.sent.append(name)
        reason = self.silence.get(name) or self.silence.get("*")
        if reason is not None:
            raise Silent(reason)
        return await self.client.rows(name, sql, params, budget_s=budget_s)

    async def close(self) -> None:
        """The client is its owner's."""


@dataclass
class Checks:
    """The ops and what they are made of. `embedder` is None where the vector leg is switched off."""

    record: Recorded
    trackers: Trackers
    failing: Failing
    fits: FitStore
    vectors: ItemVectors
    asking: Asking
    semantic: Semantic
    embedder: Concepts | None
    checking: Checking
    number: int = field(default_factory=_NUMBERS.__next__)

    def bind(self, name: str, *repos: str, restricted: bool = False, source: str = "") -> None:
        """A namespace over its repositories and over the sixty unlike reports of every record."""
        row = replace(self.record.source, id=source) if source else self.record.source
        self.trackers.bounds[name] = Bound(name, f"{name}~{self.number}", row, (*repos, REPO), restricted)

    async def fitted(self, name: str, made: Fit | None = None, known: Statistics | None = None) -> None:
        bound = self.trackers.bounds[name]
        await self.fits.put(ORG, bound.storage, bound.source.id, made or fit(), known or statistics())

    async def embedded(self, *rows: Mapping[str, Any]) -> None:
        """Vectors of these reports."""
        assert self.embedder is not None
        made = self.embedder.embed([f"{row['title']}\n{row['body']}" for row in rows])
        items = [
            Row(row["source_id"], "issue", 1, row["created_at"], vector.tolist())
            for row, vector in zip(rows, made, strict=True)
        ]
        await self.vectors.put(ORG, self.record.source.id, self.embedder.name, items, 1)

    async def check(
        self,
        namespace: str,
        title: str = "",
        body: str = "",
        *,
        number: int | None = None,
        top_k: int = 10,
        related_prs: bool = True,
        rerank: bool = False,
        only: Sequence[str] = (),
        judge: Judge | None = None,
        **asked: Any,
    ) -> Outcome:
        op = DuplicateCheck(self.checking, judge)
        options = Options(top_k, related_prs, rerank, list(only))
        return await op.execute(ORG, namespace, Asked(title=title, body=body, **asked), number, options, CALLER)

    async def similar(
        self,
        namespace: str,
        text: str = "",
        *,
        number: int | None = None,
        kinds: Sequence[str] = (),
        top_k: int = 10,
        **asked: Any,
    ) -> Similar:
        title, _, body = text.partition("\n")
        given = Asked(title=title, body=body, **asked)
        return await SimilarOp(self.checking).execute(ORG, namespace, given, number, list(kinds), top_k, CALLER)


@asynccontextmanager
async def checks_over(
    issues: Iterable[Mapping[str, Any]],
    pulls: Iterable[Mapping[str, Any]] = (),
    releases: Iterable[Mapping[str, Any]] = (),
    *,
    embedder: Concepts | None = None,
    budget_s: float = 30.0,
) -> AsyncIterator[Checks]:
    """Rows of a local record, with the sixty unlike reports beside them."""
    tables = [batch("github_issues", [*(row_of(each, REPO) for each in background()), *issues])]
    for table, rows in (("github_prs", list(pulls)), ("releases", list(releases))):
        if rows:
            tables.append(batch(table, rows))
    async with recorded(tables, now=NOW) as record:
        yield over(record, embedder=embedder, budget_s=budget_s)


def over(
    record: Recorded, *, embedder: Concepts | None = None, budget_s: float = 30.0, catch_up_s: float | None = None
) -> Checks:
    """The ops over a record that is open; `budget_s` is the vector leg's, and that of catching up where none is given."""
    trackers, failing = Trackers(), Failing(record.serving)
    asking = Asking(trackers, failing, record.live, record.clock)  # type: ignore[arg-type]
    fits, vectors = FitStore(record.store, record.clock), ItemVectors(record.store)
    embedding = Embedding(lambda: embedder) if embedder else None
    semantic = Semantic(
        vectors, embedding, record.clock, budget_s=budget_s, catch_up_s=budget_s if catch_up_s is None else catch_up_s
    )
    checking = Checking(asking, Checker(Legs(semantic), fits), Registered(trackers))  # type: ignore[arg-type]
    return Checks(record, trackers, failing, fits, vectors, asking, semantic, embedder, checking)
