// One visit of an npm MCP client to a server: node client.mjs SDK URL MODE. Prints what it saw as one JSON object.
// SDK is 1 (@modelcontextprotocol/sdk) or 2 (@modelcontextprotocol/client); MODE is that of SDK 2's negotiation.
const [sdk, url, mode] = process.argv.slice(2);

async function load() {
  if (sdk === "2") return import("@modelcontextprotocol/client");
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  return { Client, StreamableHTTPClientTransport };
}

async function refused(call) {
  try {
    await call();
    return null;
  } catch (error) {
    return { code: error.code, message: error.message };
  }
}

const { Client, StreamableHTTPClientTransport } = await load();
const negotiation = /^\d/.test(mode) ? { pin: mode } : mode;
const client = new Client({ name: "npm-client", version: "1" }, { versionNegotiation: { mode: negotiation } });
const transport = new StreamableHTTPClientTransport(new URL(url));
await client.connect(transport);

const call = (name, args) => client.callTool({ name, arguments: args });
const namespace = new URL(url).searchParams.get("namespace");
const seen = {
  version: sdk === "2" ? client.getNegotiatedProtocolVersion() : transport.protocolVersion,
  server: client.getServerVersion(),
  // The listing comes first: from then on the client checks results against the output schemas.
  tools: (await client.listTools()).tools,
  stored: await call("loom_observe_record", { namespace, tool_name: "Edit", tool_input: { file_path: "a.py" } }),
  failed: await call("loom_observe_record", { namespace, tool_name: "" }),
  listed: await call("loom_op", { op: "observe.list", arguments: { namespace } }),
  missing: await call("loom_observe_get", { namespace, memory_key: "obs:-:00" }),
  unknown: await refused(() => call("loom_no_such_tool", {})),
};
await client.close();
console.log(JSON.stringify(seen));
