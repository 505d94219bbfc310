"""Prints every method side by side. Settings were chosen on the questions of even number; both halves are shown.

python -m tests.bench.memory_quality [--by-user] [--product] [--http [URL]]
"""

import argparse
import asyncio
import contextlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from runtime.embedding.minilm import installed
from tests.bench.memory_quality import over_http, product
from tests.bench.memory_quality.corpus import Corpus
from tests.bench.memory_quality.dataset import USERS, Question, load, questions
from tests.bench.memory_quality.methods import METHODS, Method, ours
from tests.bench.memory_quality.metrics import Metrics, metrics
from tests.support.server import Server

OWN = "own"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.memory_quality", description=__doc__)
    parser.add_argument("--by-user", action="store_true", help="one table per user instead of one per half")
    parser.add_argument("--product", action="store_true", help="ask memory.search over chDB in this process too")
    parser.add_argument(
        "--http",
        metavar="URL",
        nargs="?",
        const=OWN,
        help="ask a running server too, in a namespace of its own; without a URL one is started",
    )
    parser.add_argument("--token", default="", help="bearer token for the server")
    parser.add_argument("--wait", type=float, default=120.0, help="most seconds that the server gets to make vectors")
    arguments = parser.parse_args()
    embedder = installed()
    corpora = {user: Corpus(load(user), embedder) for user in USERS}
    asked = questions()
    answerable = [question for question in asked if question.gold]
    groups: Mapping[str, Sequence[Question]] = (
        {user: [question for question in answerable if question.user == user] for user in USERS}
        if arguments.by_user
        else {"chosen on": answerable[0::2], "reported": answerable[1::2]}
    )
    console = Console(width=140)
    table = quality_table(corpora, groups)
    if arguments.product:
        _add(table, "ours, memory.search in this process", asyncio.run(product.rankings(answerable)), groups)
    if arguments.http:
        with contextlib.nullcontext(arguments.http) if arguments.http != OWN else _own_server() as url:
            found = over_http.rankings(answerable, url, arguments.token, arguments.wait)
        _add(table, "ours, memory.search over HTTP", found, groups)
    console.print(table)
    console.print(empty_table(corpora, asked))


@contextlib.contextmanager
def _own_server() -> Iterator[str]:
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "data", Path(folder) / "log", {"LOOM_MEMORY_EXTRACT": "off"}) as running,
    ):
        yield running.base_url


def quality_table(corpora: Mapping[str, Corpus], groups: Mapping[str, Sequence[Question]]) -> Table:
    table = Table("method", *(f"{name}\nany@5 any@10 all@10  MRR" for name in groups))
    for name, method in METHODS.items():
        cells = [_cell(evaluate(corpora, method, group)) for group in groups.values()]
        table.add_row(name, *cells)
    table.add_row("questions", *(str(len(group)) for group in groups.values()))
    return table


def _add(
    table: Table, name: str, found: Mapping[Question, Sequence[str]], groups: Mapping[str, Sequence[Question]]
) -> None:
    cells = [_cell(metrics([(found[question], question.gold) for question in group])) for group in groups.values()]
    table.add_row(name, *cells)


def evaluate(corpora: Mapping[str, Corpus], method: Method, asked: Sequence[Question]) -> Metrics:
    rankings = []
    for question in asked:
        corpus = corpora[question.user]
        scores = method(corpus, question.text)
        order = np.argsort(-scores, kind="stable")[:50]
        rankings.append(([corpus.labels[index] for index in order if scores[index] > 0], question.gold))
    return metrics(rankings)


def empty_table(corpora: Mapping[str, Corpus], asked: Sequence[Question]) -> Table:
    """What a least text relevance keeps: questions with an answer, and those without."""
    best = [(float(ours(corpora[question.user], question.text).max()), bool(question.gold)) for question in asked]
    table = Table("least text relevance", "answerable questions with hits", "unanswerable questions with hits")
    for least in (0.0, 0.2, 0.3, 0.4, 0.5, 0.6):
        kept = [[top >= least and top > 0 for top, gold in best if gold is wanted] for wanted in (True, False)]
        table.add_row(f"{least:.1f}", *(f"{sum(group)} of {len(group)}" for group in kept))
    return table


def _cell(values: Metrics) -> str:
    return f"{values.any5:5.1f}  {values.any10:5.1f}   {values.all10:5.1f} {values.mrr:5.1f}"


if __name__ == "__main__":
    main()
