"""Sources of a drill's trackers: put at a ClickHouse server, registered, asked all the time, and what was answered."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.support.clickhouse_http import Server, clickhouse_server
from tests.support.cluster import until
from tests.support.drill import OWNER, Drills
from tests.support.drill_load import ASKS, LIMIT_S, PAUSE_S, SILENT, TIMEOUT_S
from tests.support.guarded import ORG
from tests.support.team_record import PLAIN, put
from tests.support.tracker_plane import source

ASKERS = 8
# So many answers in a row that a replica can hardly have kept out of them.
IN_A_ROW = 10


@contextmanager
def source_of(drilled: Drills, folder: Path, namespace: str) -> Iterator[Server]:
    """A ClickHouse server with a team's record, which a tracker namespace reads."""
    with clickhouse_server(folder, user="team", password="p@ss/word") as server:
        put(server, "team", PLAIN)
        drilled.once("tracker.source.add", namespace, source(server, "team", namespace))
        yield server


@dataclass
class Asking:
    """Callers of one tracker, each one call at a time. `states` has an entry for each answer: the reason of silence,
    or nothing where the tracker answered; `errors` what was no answer at all; `silent_at` when the last silence ended."""

    drilled: Drills
    namespace: str
    states: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    silent_at: float = 0.0

    async def __aenter__(self) -> "Asking":
        cluster = self.drilled.cluster
        headers = {"authorization": f"Bearer {cluster.keys.token({self.namespace: 'viewer'}, sub=OWNER)}"}
        self._http = httpx.AsyncClient(base_url=cluster.base_url, timeout=TIMEOUT_S, trust_env=False, headers=headers)
        self._tasks = [asyncio.create_task(self._ask()) for _ in range(ASKERS)]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._http.aclose()

    @property
    def silences(self) -> int:
        """How often the tracker was said to be unavailable."""
        return sum(1 for state in self.states if state)

    def until_left_alone(self) -> None:
        """Returns when the breakers of both replicas are open: nobody waits for the source any more."""
        at = len(self.states)
        until(lambda: self.states[at:].count("circuit_open") >= IN_A_ROW, LIMIT_S)

    def until_answered(self) -> None:
        """Returns when the tracker answers, whichever replica is asked."""
        at = len(self.states)
        until(lambda: len(self.states) >= at + IN_A_ROW and not any(self.states[-IN_A_ROW:]), LIMIT_S)

    async def _ask(self) -> None:
        args = {"org": ORG, "namespace": self.namespace, "numbers": [1]}
        while True:
            try:
                self._note(await self._http.post(f"/v1/{ASKS}", json=args))
            except httpx.HTTPError as error:
                self.errors.append(type(error).__name__)
            await asyncio.sleep(PAUSE_S)

    def _note(self, response: httpx.Response) -> None:
        body: dict[str, Any] = response.json()
        if response.status_code != 200:
            self.errors.append(body["detail"]["code"])
        elif body[SILENT]:
            self.states.append(body["unavailable_reason"])
            self.silent_at = time.monotonic()
        else:
            assert [item["number"] for item in body["items"]] == [1]
            self.states.append("")
