"""What goes wrong inside the MCP door stays inside: the caller gets a constant, the log gets the rest."""

from typing import Any

import httpx
import pytest

from runtime.transport import InProcess
from tests.support.front import BASE, front, log_lines
from tests.support.mcp_client import ACCEPT, META, message

CALL = {"name": "loom_ops_health", "arguments": {}}
MODERN = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": CALL["name"]}


@pytest.mark.parametrize(("headers", "more"), [({}, {}), (MODERN, {"_meta": META})], ids=["handshake", "2026-07-28"])
async def test_a_defect_is_a_constant_to_the_caller_and_in_the_log_under_the_request_id(
    monkeypatch: pytest.MonkeyPatch, headers: dict[str, str], more: dict[str, Any]
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("hunter2")

    with log_lines() as lines:
        async with front({"observe": InProcess({})}) as (built, _):
            monkeypatch.setattr(built.dispatcher, "dispatch", broken)
            async with httpx.AsyncClient(transport=httpx.ASGITransport(built.app), base_url=BASE) as client:
                sent = {**ACCEPT, **headers, "x-request-id": "mine"}
                response = await client.post("/mcp", content=message("tools/call", {**CALL, **more}), headers=sent)
    result = response.json()["result"]
    assert result["isError"] is True
    assert result["structuredContent"]["detail"]["code"] == "INTERNAL"
    assert "hunter2" not in response.text + str(lines())
    [defect] = [line for line in lines() if line["event"] == "defect at the MCP door"]
    assert defect["request_id"] == "mine"
