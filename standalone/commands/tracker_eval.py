"""`loom tracker eval FILE…`: how good the duplicate check is on a team's own export, before it is trusted.

Nothing leaves the machine, and nothing is stored: files in, numbers and a plot out.
"""

import argparse
import asyncio
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loom.cli.terminal import FAILED, OK, UsageError, say, show, warn
from runtime.embedding.interface import EmbedderUnavailable, Refused
from runtime.embedding.load import embedders
from runtime.embedding.service import Embedding
from runtime.embedding.settings import EmbedderSettings
from runtime.settings import SettingsError, load_all
from services.tracker.checking.vectors import embedded_text
from services.tracker.record.load.read import Reader
from services.tracker.similar.boilerplate import line_keys
from services.tracker.similar.evaluation import Evaluation, Ranking, evaluate
from services.tracker.similar.model import Candidate
from services.tracker.similar.walk import Record

HELP = "judge the duplicate check on a labelled export: recall, precision, calibration and a plot"
BODY_CHARS = 8_000
BATCH = 256
_REASONS = {
    "too_few_duplicates": "no fit: fewer than 30 reports say of which older one they are a duplicate (duplicate_of)",
    "not_fittable": "no fit: the older half of the record has too few duplicates of reports that can be found",
    "too_few_sure_duplicates": "on this record the check would answer `related` at most: too few are sure enough to tell",
    "precision_too_low": "on this record the check would answer `related` at most: its precision is below 0.7",
    "": "on this record the check would answer `duplicate_of` from the threshold on",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="exports of issues, as `loom tracker load` takes them")
    parser.add_argument("--repo", metavar="ORG/REPO", help="repository of records that name none")
    parser.add_argument(
        "--plot", metavar="PNG", default="reliability.png", help="where the plot goes (reliability.png)"
    )
    parser.add_argument("--no-plot", action="store_true", help="numbers alone")
    parser.add_argument("--no-vectors", action="store_true", help="words alone: faster, and a little worse")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    paths = [Path(name) for name in args.files]
    for path in paths:
        if not path.is_file():
            raise UsageError(f"there is no file {path}")
    reports = _reports(args, paths)
    if not reports:
        warn("loom tracker eval: no issue was read")
        return FAILED
    vectors = None if args.no_vectors else _vectors(reports)
    found = evaluate(Record(reports, vectors), None if args.json else _told)
    plotted = None if args.no_plot or not found.bins else _plotted(found, Path(args.plot))
    if args.json:
        show({**asdict(found), "plot": plotted}, compact=True)
    else:
        for text in lines(found):
            say(text)
        say(f"plot: {plotted}" if plotted else "no plot")
    return OK


def _reports(args: argparse.Namespace, paths: Sequence[Path]) -> list[Candidate]:
    """Issues of the files, each once: the last of those with one name."""
    try:
        reader = Reader(paths, repo=args.repo)
    except ValueError as error:
        raise UsageError(f"--{error}") from None
    found: dict[str, Candidate] = {}
    for batch in reader:
        if batch.table == "github_issues":
            for values in batch.rows():
                candidate = _candidate(dict(zip(batch.names, values, strict=True)))
                found[candidate.source_id] = candidate
    for report in reader.reports:
        for text in report.lines():
            warn(text)
    return sorted(found.values(), key=lambda each: (each.created_at is None, each.created_at, each.source_id))


def _candidate(row: dict[str, Any]) -> Candidate:
    return Candidate.of(row | {"title": row.get("title") or "", "body": (row.get("body") or "")[:BODY_CHARS]})


def _vectors(reports: Sequence[Candidate]) -> NDArray[np.float32] | None:
    """A vector of each report, as the record's own would be; None where no embedder is there."""
    try:
        made = embedders(load_all([EmbedderSettings], os.environ)[EmbedderSettings])
        return asyncio.run(_embedded(made[0], _texts(reports))) if made else None
    except (EmbedderUnavailable, Refused, SettingsError, ValueError) as error:
        warn(f"loom tracker eval: without vectors: {error}")
        return None


async def _embedded(embedding: Embedding, texts: Sequence[str]) -> NDArray[np.float32]:
    found = []
    try:
        for start in range(0, len(texts), BATCH):
            found.append(await embedding.texts(texts[start : start + BATCH]))
            _told(min(start + BATCH, len(texts)), len(texts), "texts embedded")
    finally:
        await embedding.close()
    return np.concatenate(found)


def _texts(reports: Iterable[Candidate]) -> list[str]:
    """What is embedded of each: without the lines that ten reports before it shared."""
    shared: dict[str, int] = {}
    texts = []
    for report in reports:
        texts.append(embedded_text(report.title, report.body, shared))
        for key in set(line_keys(report.body).values()):
            shared[key] = shared.get(key, 0) + 1
    return texts


def _told(done: int, total: int, what: str = "drafts asked") -> None:
    """A line now and then: on a large record this takes minutes."""
    step = 10 * BATCH if what != "drafts asked" else 1_000
    if done % step == 0:
        warn(f"loom tracker eval: {done:,} of {total:,} {what}")


def _plotted(found: Evaluation, path: Path) -> str | None:
    # Imported here: no other command draws.
    from standalone.plotting import reliability

    assert found.quality is not None
    threshold = None if found.reason else found.threshold
    note = f"newer half: {found.quality.drafts:,} drafts, calibration error {found.quality.ece:.3f}"
    try:
        reliability(found.bins, threshold, "Duplicate check: said and came", note, path)
    except OSError as error:
        warn(f"loom tracker eval: cannot write {path}: {error.strerror or type(error).__name__}")
        return None
    return str(path)


def _ranked(ranking: Ranking, half: str) -> list[str]:
    """Nothing was measured where nothing is labelled: noughts would read as a bad result."""
    if not ranking.duplicates:
        return ["no report is labelled as a duplicate of an older one, so there is nothing to rank"]
    return [
        f"ranking of {ranking.duplicates:,} duplicates ({half}):",
        f"  recall@1 {ranking.recall_1:.3f}   recall@10 {ranking.recall_10:.3f}   MAP {ranking.mean_average_precision:.3f}",
    ]


def lines(found: Evaluation) -> list[str]:
    """The evaluation in words."""
    ranking, measured = found.ranking, found.quality
    legs = "words, frames, facts and vectors" if found.has_vectors else "words, frames and facts; no vectors"
    half = "the newer half, judged by a fit of the older" if measured else "all, in the order that needs no fit"
    shown = [
        f"{found.reports:,} reports, {found.duplicates:,} labelled duplicates; {found.asked:,} asked as they were filed",
        f"legs: {legs}",
        *_ranked(ranking, half),
    ]
    if measured is not None and found.threshold is not None:
        precision = "-" if measured.precision is None else f"{measured.precision:.3f}"
        shown += [
            f"verdicts on {measured.drafts:,} newer drafts, {measured.duplicates:,} of them duplicates:",
            f"  from {found.threshold:.3f} on: {measured.served} called duplicates, precision {precision}, "
            f"recall {measured.recall:.3f}",
            f"  calibration error (ECE) {measured.ece:.4f}   Brier {measured.brier:.4f}   "
            f"average precision {measured.average_precision:.3f}",
            f"  related: the original of {measured.related_recall:.0%} of the duplicates; of other drafts "
            f"{measured.related_share:.0%} have anything related",
        ]
    return [*shown, _REASONS.get(found.reason, found.reason)]
