// The official TypeScript clients, both major versions: what each makes of a server. Reads {modules, origin}, writes JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { modules, origin } = JSON.parse(readFileSync(0, "utf8"));
const require = createRequire(`${modules}/x.js`);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

const old = {
  ...(await load("@modelcontextprotocol/sdk/client/index.js")),
  ...(await load("@modelcontextprotocol/sdk/client/sse.js")),
  ...(await load("@modelcontextprotocol/sdk/client/streamableHttp.js")),
};
const recent = await import(pathToFileURL(`${modules}/@modelcontextprotocol/client/dist/index.mjs`).href);

async function visit(sdk, options, transport) {
  const client = new sdk.Client({ name: "check", version: "1" }, options);
  await client.connect(transport);
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  const result = await client.callTool({
    name: "calculate_loan_amortization",
    arguments: { principal: 250000, annualInterestRate: 12.5, termMonths: 48 },
  });
  await client.close();
  return { tools, error: result.isError ?? false, text: result.content[0].text.length > 0 };
}

const seen = {};
const auto = { versionNegotiation: { mode: "auto" } };
for (const [name, sdk, options] of [["1", old, {}], ["2", recent, {}], ["2 auto", recent, auto]]) {
  seen[`${name} sse`] = await visit(sdk, options, new sdk.SSEClientTransport(new URL(`${origin}/sse`)));
  seen[`${name} http`] = await visit(sdk, options, new sdk.StreamableHTTPClientTransport(new URL(`${origin}/mcp`)));
}
console.log(JSON.stringify(seen));
process.exit(0);
