"""MCP clients from npm against the running server: both TypeScript SDKs, the Inspector, the conformance suite."""

import json
from pathlib import Path
from typing import Any

import pytest

from runtime.optable import load_ops
from tests.support.node import require_packages, run_package, run_script
from tests.support.server import Server

CLIENT = Path(__file__).parents[1] / "conformance" / "client.mjs"
INSPECTOR = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
CONFORMANCE = "@modelcontextprotocol/conformance/dist/index.js"
TOOLS = {op.tool for op in load_ops() if op.listed} | {"loom_op"}
# SDK, negotiation, the version that it ends in.
CLIENTS = [
    ("1", "", "2025-11-25"),
    ("2", "legacy", "2025-11-25"),
    ("2", "auto", "2026-07-28"),
    ("2", "2026-07-28", "2026-07-28"),
]
# The other server scenarios call tools that the suite itself defines.
SCENARIOS = [
    "server-initialize",
    "ping",
    "tools-list",
    "dns-rebinding-protection",
    "server-sse-multiple-streams",
]


@pytest.fixture(autouse=True)
def packages() -> None:
    require_packages()


def inspector(server: Server, home: Path, *arguments: str) -> Any:
    done = run_package(INSPECTOR, "--cli", f"{server.base_url}/mcp", "--transport", "http", *arguments, home=home)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("sdk", "mode", "version"), CLIENTS)
def test_a_typescript_client_lists_and_calls_tools(
    server: Server, namespace: str, sdk: str, mode: str, version: str
) -> None:
    done = run_script(CLIENT, sdk, f"{server.base_url}/mcp?namespace={namespace}", mode)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["version"] == version
    assert seen["server"]["name"] == "loom"
    assert {tool["name"] for tool in seen["tools"]} == TOOLS
    stored = seen["stored"]["structuredContent"]
    assert json.loads(seen["stored"]["content"][0]["text"]) == stored
    [row] = seen["listed"]["structuredContent"]["observations"]
    assert (row["memory_key"], row["agent"], row["kind"]) == (stored["memory_key"], "npm-client", "file_edit")
    assert seen["missing"]["structuredContent"]["observation"] is None
    # The client checks structured content against the output schema; an envelope has to pass too.
    assert seen["failed"]["isError"] is True
    assert seen["failed"]["structuredContent"]["detail"]["code"] == "MISSING_FIELD"
    assert seen["unknown"]["code"] == -32602


def test_the_inspector_lists_tools_and_finds_no_fault_in_their_schemas(server: Server, tmp_path: Path) -> None:
    listed = inspector(server, tmp_path, "--method", "tools/list", "--strict")
    assert {tool["name"] for tool in listed["tools"]} == TOOLS


def test_the_inspector_calls_a_tool(server: Server, namespace: str, tmp_path: Path) -> None:
    arguments = [f"namespace={namespace}", "tool_name=Read", 'tool_input={"file_path": "a.py"}']
    given = [part for pair in arguments for part in ("--tool-arg", pair)]
    called = inspector(server, tmp_path, "--method", "tools/call", "--tool-name", "loom_observe_record", *given)
    assert called["structuredContent"]["kind"] == "file_read"
    assert called["structuredContent"]["file_paths"] == ["a.py"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_conformance_suite_passes(server: Server, tmp_path: Path, scenario: str) -> None:
    done = run_package(CONFORMANCE, "server", "--url", f"{server.base_url}/mcp", "--scenario", scenario, home=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 failed, 0 warnings" in done.stdout
    assert "Passed: 0/" not in done.stdout
