"""(f) Memory: what a search costs as a user's memories grow, and saves, each against SQLite's FTS5.

The words' side of a search is the same work as FTS5's; Loom searches vectors too, dates, neighbours and revisions, and
says which memories are alike with every save. FTS5 runs in the bench's process, Loom over HTTP and in that process.
"""

import itertools
import json
import time
from collections.abc import Callable, Iterator

import numpy as np

from loom.memory import Memory
from tests.bench.options import Options
from tests.bench.payloads import MARK
from tests.bench.proc import Process
from tests.bench.report import Table, verdict
from tests.bench.rounds import Sample, Subject, cpu, interleaved, median, rate, ratio
from tests.bench.servers.loom import loom
from tests.bench.servers.memories import SCOPE, Fts, fill, questions, texts

SIZES = (1_000, 10_000, 100_000)
BATCH, CALLERS, BODIES = 500, 32, 400
HTTP, INSIDE, FTS = "Loom, HTTP", "Loom, in process", "SQLite FTS5, in process"
ONE, MANY, SINGLE_FTS = (
    "Loom, memory.save, 1 caller",
    f"Loom, memory.save, {CALLERS} callers",
    "SQLite FTS5, one by one",
)
BATCHES, BATCH_FTS = f"Loom, memory.save_batch of {BATCH}", f"SQLite FTS5, {BATCH} at once"
P95_MS, SAVES, ITEMS = 150.0, 50.0, 1_000.0


def run(options: Options) -> list[Table]:
    found = {size: _searches(options, size) for size in SIZES if size <= max(options.records, SIZES[0])}
    return [_search_table(found), _save_table(_saves(options))]


def _searches(options: Options, size: int) -> dict[str, list[Sample]]:
    folder, asked = options.file(f"memories-{size}"), questions(BODIES)
    fill(folder, size)
    fts = Fts(options.file(f"memories-{size}.db"))
    fts.add(list(itertools.islice(texts(0), size)))
    bodies = [json.dumps({**SCOPE._asdict(), "query": question}) for question in asked]
    with loom(folder, options.file("memories.log")) as server:
        subjects = {
            HTTP: _subject(options, server, "/v1/memory.search", bodies),
            FTS: _turn(options, itertools.cycle(asked), fts.search),
        }
        found = interleaved(subjects, options.rounds)
    # One process at a time holds a data folder.
    with Memory.from_path(folder, org=SCOPE.org, namespace=SCOPE.namespace) as memory:

        def ask(question: str) -> None:
            if not len(memory.mem_search(query=question, user_id=SCOPE.user_id)):
                raise RuntimeError("a question of words that are stored found nothing")

        inside = _turn(options, itertools.cycle(asked), ask)
        found |= interleaved({INSIDE: inside}, options.rounds)
    fts.close()
    return found


def _saves(options: Options) -> dict[str, list[Sample]]:
    single = [json.dumps({**SCOPE._asdict(), **_text(text)}) for text in itertools.islice(texts(2), BODIES)]
    source, rows, fts = texts(3), texts(4), Fts(options.file("saves.db"))
    many = [json.dumps({**SCOPE._asdict(), "items": [_text(next(source)) for _ in range(BATCH)]}) for _ in range(20)]
    alone = {SINGLE_FTS: _turn(options, rows, lambda text: fts.add([text]))}
    together = {BATCH_FTS: _turn(options, iter(lambda: [next(rows) for _ in range(BATCH)], None), fts.add, BATCH)}
    found: dict[str, list[Sample]] = {}
    # A server each: one that still makes the vectors of an earlier load would slow down the next.
    for name, path, bodies, callers, size, other in (
        (ONE, "/v1/memory.save", single, 1, 1, alone),
        (MANY, "/v1/memory.save", single, CALLERS, 1, alone),
        (BATCHES, "/v1/memory.save_batch", many, 1, BATCH, together),
    ):
        with loom(options.file(f"saves-{len(found)}"), options.file("saves.log")) as server:
            subject = _subject(options, server, path, bodies, callers=callers, per_request=size)
            found |= interleaved({name: subject, **other}, options.rounds)
    return found


def _text(text: tuple[str, str]) -> dict[str, str]:
    return {"type": "discovery", "title": text[0], "content": f"{text[1]} {MARK}"}


def _subject(
    options: Options, server: Process, path: str, bodies: list[str], *, callers: int = 1, per_request: int = 1
) -> Subject:
    watched = {"server": server}
    return Subject(
        server.port, path, bodies, watched=watched, callers=callers, seconds=options.seconds, per_request=per_request
    )


def _turn(options: Options, source: Iterator, work: Callable, size: int = 1) -> Callable[[], Sample]:
    """`work` on what the source gives, for the time of a turn, in this process."""

    def turn() -> Sample:
        took: list[float] = []
        cpu_s = time.process_time()
        while sum(took) < options.seconds:
            item = next(source)
            began = time.perf_counter()
            work(item)
            took.append(time.perf_counter() - began)
        p50, p95 = np.percentile(took, [50, 95]) * 1000
        spent = {"server": (time.process_time() - cpu_s) / len(took) * 1e6}
        return Sample(size * len(took) / sum(took), float(p50), float(p95), spent)

    return turn


def _search_table(found: dict[int, dict[str, list[Sample]]]) -> Table:
    table = Table(
        "memory_search",
        "(f) memory.search, one caller, medians of the rounds: words and vectors; FTS5 has words alone",
        ["", "memories", "p50 ms", "p95 ms", "p50 / FTS5's", "CPU ms", "p50 / at 1,000"],
    )
    for size, subjects in found.items():
        for name in (HTTP, INSIDE, FTS):
            samples = subjects[name]
            p50, p95 = median(samples, lambda s: s.p50_ms), median(samples, lambda s: s.p95_ms)
            least = median(found[SIZES[0]][name], lambda s: s.p50_ms)
            against = p50 / median(subjects[FTS], lambda s: s.p50_ms)
            cpu_ms = median(samples, cpu()) / 1000
            numbers = (p50, p95, against, cpu_ms, p50 / least)
            table.rows.append((name, f"{size:,}", *(f"{number:.1f}" for number in numbers)))
            table.numbers[f"{name}, {size}"] = {"p50_ms": p50, "p95_ms": p95, "ratio": against}
    size = min(max(found), SIZES[1])
    p95 = median(found[size][HTTP], lambda s: s.p95_ms)
    table.notes = [verdict(f"p95 of a search over {size:,} memories by HTTP, ms", p95, P95_MS, at_least=False)]
    return table


def _save_table(found: dict[str, list[Sample]]) -> Table:
    table = Table(
        "memory_save",
        "(f) Saves, every answer after its text is synced to disk; vectors are made meanwhile. Medians of the rounds",
        ["", "items/s", "/ FTS5", "p50 ms", "p95 ms", "CPU us/item"],
    )
    for name, samples in found.items():
        per_request = BATCH if name in (BATCHES, BATCH_FTS) else 1
        against = ratio(samples, found[BATCH_FTS if per_request > 1 else SINGLE_FTS], rate)
        latencies = [median(samples, lambda s: s.p50_ms), median(samples, lambda s: s.p95_ms)]
        cpu_us = median(samples, cpu()) / per_request
        numbers = (f"{median(samples, rate):,.0f}", f"{against:.2f}", *(f"{ms:.1f}" for ms in latencies))
        table.rows.append((name, *numbers, f"{cpu_us:,.0f}"))
        table.numbers[name] = {"rate": median(samples, rate), "ratio": against}
    table.notes = [
        verdict("single saves a second, one caller", median(found[ONE], rate), SAVES, at_least=True),
        verdict(f"single saves a second, {CALLERS} callers", median(found[MANY], rate), SAVES, at_least=True),
        verdict("items a second in batches", median(found[BATCHES], rate), ITEMS, at_least=True),
    ]
    return table
