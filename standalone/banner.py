"""What `loom serve` prints when it serves: where it listens, and three lines to try."""

import json

from services.tracker.record.demo.landmarks import LANDMARKS
from standalone.loading.first_start import Demo
from standalone.loading.job import DEMO_CODE
from standalone.loading.trying import DEMO_QUESTION, curl


def banner(host: str, port: int, grpc_port: int | None, *, tokens: bool = False, demo: Demo = Demo.NOT_ASKED) -> str:
    """Addresses, a curl line, an MCP client's configuration, and an SDK line. In token mode they take LOOM_API_KEY."""
    base = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    doors = f"Loom serves on {base} (HTTP /v1/<op>, MCP /mcp, pages /docs"
    doors += f", gRPC {host}:{grpc_port})" if grpc_port else ")"
    key = """-H "Authorization: Bearer $LOOM_API_KEY" """ if tokens else ""
    headers = {"headers": {"Authorization": "Bearer ${LOOM_API_KEY}"}} if tokens else {}
    mcp = json.dumps({"mcpServers": {"loom": {"type": "http", "url": f"{base}/mcp", **headers}}})
    asked = _of_demo(base) if demo is Demo.THERE else _of_observe(base, key)
    trying = "Try, with a token of `loom token mint` in LOOM_API_KEY:" if tokens else "Try:"
    without = [demo.value] if demo not in (Demo.NOT_ASKED, Demo.THERE) else []
    return "\n".join([doors, *without, trying, f"  curl  {asked[0]}", f"  MCP   {mcp}", f"  SDK   {asked[1]}"])


def _of_observe(base: str, key: str) -> tuple[str, str]:
    body = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "session_id": "try"}
    return curl(base, "observe.record", body, key), _sdk(base, "observe.list(session_id='try')")


def _of_demo(base: str) -> tuple[str, str]:
    asked = f"tracker.release(namespace='{DEMO_CODE}', version='{LANDMARKS.release_with_blockers}').answer"
    return curl(base, "tracker.answer", {"namespace": DEMO_CODE, "question": DEMO_QUESTION}), _sdk(base, asked)


def _sdk(base: str, call: str) -> str:
    return f""".venv/bin/python -c "from loom import SyncAgent; print(SyncAgent(base_url='{base}').{call})\""""
