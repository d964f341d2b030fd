// A session of a coding agent with parley mcp. Environment: PARLEY_BINARY, PARLEY_URL, PARLEY_KEY. Prints one JSON object.
import {Client} from "@modelcontextprotocol/sdk/client/index.js";
import {StdioClientTransport} from "@modelcontextprotocol/sdk/client/stdio.js";

const client = new Client({name: "checks", version: "1.0.0"});
const transport = new StdioClientTransport({
  command: process.env.PARLEY_BINARY, args: ["mcp"], env: {...process.env}, stderr: "inherit",
});
await client.connect(transport);

async function call(name, args = {}) {
  const answer = await client.callTool({name, arguments: args});
  return {text: answer.content.map(each => each.text).join("\n"), isError: Boolean(answer.isError)};
}

const seen = {server: client.getServerVersion(), tools: (await client.listTools()).tools.map(tool => tool.name)};
seen.tests = await call("list_tests", {scenario: "Shop"});
const started = await call("run_tests", {scenario: "Shop", agent: "demo shop"});
seen.started = started;
const run = /run (\S+)\./.exec(started.text)[1];
seen.waited = await call("wait_for_run", {run, seconds: 60});
const failed = /^(\S+) completed, test finds the refund/m.exec(seen.waited.text)?.[1] ?? "none";
seen.shown = await call("show_result", {result: failed});
seen.explained = await call("explain_verdict", {result: failed});
const again = /run (\S+)\./.exec((await call("run_tests", {scenario: "Shop", agent: "demo shop"})).text)[1];
await call("wait_for_run", {run: again});
seen.compared = await call("compare_runs", {before: run, after: again});
seen.unknown = await call("show_result", {result: "nothing"});
seen.missing = await call("run_tests", {scenario: "Shop"});
await client.close();
console.log(JSON.stringify(seen));
