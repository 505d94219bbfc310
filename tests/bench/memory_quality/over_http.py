"""The labelled set through a running server's HTTP door, in a namespace of its own."""

import functools
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

import httpx

from runtime.ids import new_id
from tests.bench.memory_quality.dataset import USERS, Question, load

LIMIT = 50
# A text and a question without a word in common: found by its vector alone. Vectors are made in the order of saves.
LAST = {"type": "discovery", "title": "Cat", "content": "The cat is sleeping on the sofa."}
LAST_ASKED = "feline naps upon couch"
PAUSE_S = 0.2


class Server:
    """A Loom server; every call is POST /v1/<op>."""

    def __init__(self, url: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._client = httpx.Client(base_url=url.rstrip("/") + "/v1/", headers=headers, timeout=60)
        self._namespace = f"bench-{new_id()[:12]}"

    def call(self, op: str, user: str, **fields: Any) -> Any:
        answer = self._client.post(op, json={"namespace": self._namespace, "user_id": user, **fields})
        answer.raise_for_status()
        return answer.json()


def rankings(asked: Sequence[Question], url: str, token: str, limit_s: float) -> Mapping[Question, list[str]]:
    """The labels that memory.search finds for each question, asked as of a year after the last memory, when recency
    tells nothing: so the day on which this runs changes nothing. Vectors get `limit_s` to be made."""
    server = Server(url, token)
    labels = {id_: label for user in USERS for id_, label in _fill(server, user).items()}
    _await_vectors(server, limit_s)
    return {question: _ask(server, question, labels) for question in asked}


def _await_vectors(server: Server, limit_s: float) -> None:
    server.call("memory.save", "last", **LAST)
    ends = time.monotonic() + limit_s
    while not server.call("memory.search", "last", query=LAST_ASKED)["hits"]:
        if time.monotonic() > ends:
            raise TimeoutError(f"no vectors within {limit_s:.0f} s; is the server's embedder on?")
        time.sleep(PAUSE_S)


def _fill(server: Server, user: str) -> dict[int, str]:
    labels = {}
    for session, group in groupby(load(user), key=lambda item: item.session):
        items = list(group)
        server.call("memory.session_start", user)
        texts = [
            {"type": i.kind, "title": i.title, "content": i.content, "observed_at": i.said_at.isoformat()}
            for i in items
        ]
        saved = server.call("memory.save_batch", user, items=texts)["results"]
        labels.update({int(one["id"]): item.label for one, item in zip(saved, items, strict=True)})
        server.call("memory.session_end", user, summary=f"session {session}")
    return labels


def _ask(server: Server, question: Question, labels: Mapping[int, str]) -> list[str]:
    args = {"query": question.text, "limit": LIMIT, "types_exclude": ["summary"], "as_of": _asked_at().isoformat()}
    found = server.call("memory.search", question.user, **args)
    return [labels[int(hit["id"])] for hit in found["hits"] if int(hit["id"]) in labels]


@functools.cache
def _asked_at() -> datetime:
    return max(item.said_at for user in USERS for item in load(user)) + timedelta(days=365)
