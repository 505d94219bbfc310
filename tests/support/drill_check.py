"""After a drill: is everything there that was acknowledged?"""

from collections.abc import Sequence
from typing import Any

import httpx

from tests.support.drill_load import TIMEOUT_S, Load

AT_ONCE = 500


async def lost(load: Load) -> list[str]:
    """Acknowledged writes that are not there, in words."""
    headers = {"authorization": f"Bearer {load.token}"}
    async with httpx.AsyncClient(base_url=load.base_url, timeout=TIMEOUT_S, trust_env=False, headers=headers) as http:
        found = [f"record {key}" for key in await _missing_keys(http, load)]
        for user, written in load.topics.items():
            found += await _lost_of_user(http, load, user, written)
        seen = {memory for user in range(load.callers) for memory in await _memories(http, load, f"u{user}")}
        return found + [f"memory {each}" for each in set(load.memories) - seen]


async def _call(http: httpx.AsyncClient, op: str, args: dict[str, Any]) -> dict[str, Any]:
    response = await http.post(f"/v1/{op}", json=args)
    assert response.status_code == 200, response.text
    return response.json()


async def _missing_keys(http: httpx.AsyncClient, load: Load) -> list[str]:
    missing: list[str] = []
    for at in range(0, len(load.keys), AT_ONCE):
        args = {"namespace": load.namespace, "memory_keys": load.keys[at : at + AT_ONCE]}
        missing += (await _call(http, "observe.get", args))["missing"]
    return missing


async def _memories(http: httpx.AsyncClient, load: Load, user: str) -> list[int]:
    found: list[int] = []
    token = ""
    while True:
        args = {"namespace": load.namespace, "user_id": user, "page_size": 500, "page_token": token}
        page = await _call(http, "memory.list", args)
        found += [memory["id"] for memory in page["observations"]]
        if not (token := page["next_page_token"]):
            return found


async def _lost_of_user(
    http: httpx.AsyncClient, load: Load, user: str, written: Sequence[tuple[int, bool]]
) -> list[str]:
    """The counter shows the last acknowledged number, or one whose call failed after it: that may have been done."""
    acknowledged = [number for number, ok in written if ok]
    if not acknowledged:
        return []
    may_be = {f"counter {number}" for number, ok in written if not ok or number == acknowledged[-1]}
    args = {"namespace": load.namespace, "user_id": user}
    page = await _call(http, "memory.list", {**args, "types": ["decision"], "page_size": 500})
    shown = [memory for memory in page["observations"] if memory["topic_key"] == "counter"]
    texts = [await _content(http, {**args, "observation_id": memory["id"]}) for memory in shown]
    return [] if len(texts) == 1 and texts[0] in may_be else [f"counter of {user}: {texts}, not {acknowledged[-1]}"]


async def _content(http: httpx.AsyncClient, args: dict[str, Any]) -> str:
    return (await _call(http, "memory.get_observation", args))["observation"]["content"]
