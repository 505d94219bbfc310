"""Clients that write, and remember what was acknowledged to them."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpx

LIMIT_S = 60.0
KEYS_PER_CALL = 500
SIZES = (1, 1, 1, 2, 20)


class Place(Protocol):
    """A running server."""

    @property
    def base_url(self) -> str: ...


@dataclass
class Ledger:
    """What the clients know: records by a number of their own, and the keys of those that were acknowledged."""

    namespace: str
    sent: dict[int, dict[str, Any]] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)

    def record(self, session: str) -> int:
        """A record that was never sent before."""
        number = len(self.sent)
        self.sent[number] = {"tool_name": "Bash", "session_id": session, "tool_input": {"command": f"run {number}"}}
        return number

    @property
    def unknown(self) -> list[int]:
        """Sent, and never answered."""
        return [number for number in self.sent if number not in self.keys]


def http_client() -> httpx.AsyncClient:
    return httpx.AsyncClient(trust_env=False, verify=False, timeout=LIMIT_S)


class Stopping(Exception):
    """The server refused a call that was still coming in when it was told to stop: it was not begun."""


class Client:
    """One namespace of one server."""

    def __init__(self, server: Place, http: httpx.AsyncClient, ledger: Ledger) -> None:
        self._base, self._http, self._ledger = server.base_url, http, ledger

    async def call(self, op: str, args: Mapping[str, Any]) -> dict[str, Any]:
        response = await self._http.post(f"{self._base}/v1/{op}", json={"namespace": self._ledger.namespace, **args})
        if response.status_code == 503 and response.json()["detail"]["code"] == "SHUTTING_DOWN":
            raise Stopping
        assert response.status_code == 200, response.text
        return response.json()

    async def send(self, numbers: Sequence[int]) -> None:
        """Sends records of the ledger, one by observe.record and several by observe.record_batch; notes their keys."""
        records = [self._ledger.sent[number] for number in numbers]
        if len(records) == 1:
            results = [await self.call("observe.record", records[0])]
        else:
            results = (await self.call("observe.record_batch", {"records": records}))["results"]
        for number, result in zip(numbers, results, strict=True):
            assert result.get("detail") is None
            assert self._ledger.keys.setdefault(number, result["memory_key"]) == result["memory_key"]

    async def missing(self, keys: Sequence[str]) -> list[str]:
        """Those of up to KEYS_PER_CALL keys that the server does not have."""
        return (await self.call("observe.get", {"memory_keys": list(keys)}))["missing"] if keys else []

    async def rows(self) -> Counter[str]:
        """How often each key is listed."""
        found: Counter[str] = Counter()
        token = ""
        while True:
            page = await self.call("observe.list", {"page_size": 500, "page_token": token})
            found.update(row["memory_key"] for row in page["observations"])
            token = page["next_page_token"]
            if not token:
                return found


class Trigger:
    """Pulls once, when `count` events of the watched kind (`sending` or `answered`) have been seen."""

    def __init__(self, kind: str, count: int, pull: Callable[[], None]) -> None:
        self._kind, self._left, self._pull = kind, count, pull

    def saw(self, kind: str) -> None:
        if kind == self._kind:
            self._left -= 1
            if self._left == 0:
                self._pull()


async def write_until_gone(client: Client, ledger: Ledger, session: str, luck: random.Random, trigger: Trigger) -> None:
    """New records one call after the other, until the server does not answer any more, or says that it stops."""
    while True:
        numbers = [ledger.record(session) for _ in range(luck.choice(SIZES))]
        trigger.saw("sending")
        try:
            await client.send(numbers)
        except (httpx.TransportError, Stopping):
            return
        trigger.saw("answered")
