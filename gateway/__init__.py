"""The JSON doors: `POST /v1/<op>` and MCP, mapped onto the planes' rpcs. No code here names an op."""
