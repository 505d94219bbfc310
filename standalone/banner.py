"""What `loom serve` prints when it serves: where it listens, and three lines to try."""

import json


def banner(host: str, port: int, grpc_port: int | None, *, tokens: bool = False) -> str:
    """Addresses, a curl line, an MCP client's configuration, and an SDK line. In token mode they take LOOM_API_KEY."""
    base = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    doors = f"Loom serves on {base} (HTTP /v1/<op>, MCP /mcp, pages /docs"
    doors += f", gRPC {host}:{grpc_port})" if grpc_port else ")"
    key = """-H "Authorization: Bearer $LOOM_API_KEY" """ if tokens else ""
    curl = (
        f"curl -s {base}/v1/observe.record {key}-H 'content-type: application/json' "
        """-d '{"tool_name":"Bash","tool_input":{"command":"ls"},"session_id":"try"}'"""
    )
    headers = {"headers": {"Authorization": "Bearer ${LOOM_API_KEY}"}} if tokens else {}
    mcp = json.dumps({"mcpServers": {"loom": {"type": "http", "url": f"{base}/mcp", **headers}}})
    sdk = (
        f"""python -c "from loom import SyncAgent; print(SyncAgent(base_url='{base}')"""
        """.observe.list(session_id='try'))\""""
    )
    trying = "Try, with a token of `loom token mint` in LOOM_API_KEY:" if tokens else "Try:"
    return "\n".join([doors, trying, f"  curl  {curl}", f"  MCP   {mcp}", f"  SDK   .venv/bin/{sdk}"])
