"""Links: the change that fixed an issue, its references scrubbed."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from services.tracker.similar import text
from services.tracker.similar.document import Document
from services.tracker.similar.link import Pull, closeness, link, pull_statistics
from services.tracker.similar.model import Candidate
from services.tracker.similar.statistics import Statistics
from tests.bench.report import Table, verdict
from tests.bench.tracker_similar import data

Floats = NDArray[np.float64]


def run() -> list[Table]:
    found = data.links()
    if found is None:
        return []
    issues, pulls, gold = found
    statistics = pull_statistics(pulls)
    table = Table(
        "links",
        f"alloy: the change that fixed an issue ({len(issues)} issues, {len(pulls):,} changes)",
        ("method", "newer half: Hit@1", "MAP", "all: Hit@1", "MAP"),
    )
    half, best = len(issues) // 2, [0.0, 0.0]
    rankings = {name: [] for name in ("BM25", "TF-IDF", "TF-IDF x closeness")}
    documents = [Document.of(pull.title, f"{pull.body} {' '.join(pull.paths)}") for pull in pulls]
    for issue in issues:
        for name, scores in _plain(issue, pulls, documents, statistics).items():
            order = np.argsort(-scores, kind="stable")
            rankings[name].append([pulls[place].source_id for place in order])
    for name, ranked in rankings.items():
        newer, whole = (_line(issues[at:], ranked[at:], gold) for at in (half, 0))
        best = [max(best[0], newer[0]), max(best[1], newer[1])]
        table.rows.append((name, *(f"{value:.3f}" for value in (*newer, *whole))))
    ours = [[item.pull for item in link(issue, pulls, statistics, {}, most=len(pulls))] for issue in issues]
    newer, whole = (_line(issues[at:], ours[at:], gold) for at in (half, 0))
    table.rows.append(("ours", *(f"{value:.3f}" for value in (*newer, *whole))))
    table.notes += [
        verdict("Hit@1 of the newer half, above every row", newer[0], best[0], at_least=True),
        verdict("MAP of the newer half, above every row", newer[1], best[1], at_least=True),
    ]
    return [table]


def _plain(
    issue: Candidate, pulls: Sequence[Pull], documents: Sequence[Document], statistics: Statistics
) -> dict[str, Floats]:
    scores = text.score(statistics.document(issue.title, issue.body), documents, statistics)
    near = np.array([closeness(issue.closed_at, pull.merged_at) for pull in pulls])
    return {"BM25": scores.bm25f, "TF-IDF": scores.tfidf, "TF-IDF x closeness": scores.tfidf * near}


def _line(
    issues: Sequence[Candidate], ranked: Sequence[Sequence[str]], gold: dict[str, set[str]]
) -> tuple[float, float]:
    """Hit@1 and MAP over all right changes of each issue."""
    hits, precisions = [], []
    for issue, order in zip(issues, ranked, strict=True):
        right = gold[issue.source_id]
        places = [place for place, source_id in enumerate(order, 1) if source_id in right]
        hits.append(bool(places) and places[0] == 1)
        precisions.append(sum(found / place for found, place in enumerate(places, 1)) / len(right))
    return float(np.mean(hits)), float(np.mean(precisions))
