/** A private parley server, for tests that must not depend on a shared one. */
import {spawn, type ChildProcess} from "node:child_process";
import {randomBytes} from "node:crypto";
import {once} from "node:events";
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {Client} from "./client.js";

export interface RunningServer {
  client: Client;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

const startMaxMs = 20_000;

/** Runs `parley serve` (PARLEY_BINARY, or parley on the PATH) on a free port of 127.0.0.1 with an empty data directory. */
export async function startServer(binary = process.env["PARLEY_BINARY"] ?? "parley", options: string[] = []): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), "parley-"));
  const key = randomBytes(20).toString("hex");
  const server = spawn(binary, ["serve", "--data", join(folder, "data"), "--listen", "127.0.0.1:0", ...options],
    {env: {...process.env, PARLEY_BOOTSTRAP_KEY: key}, stdio: ["ignore", "ignore", "pipe"]});
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null && server.pid !== undefined) {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
    await rm(folder, {recursive: true, force: true});
  };
  try {
    return {client: new Client({url: await addressOf(server), key}), stop};
  } catch (fault) {
    await stop();
    throw fault;
  }
}

/** The server logs the address that it listens on. */
function addressOf(server: ChildProcess): Promise<string> {
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`parley serve did not start: ${why}\n${lines.slice(-20).join("\n")}`));
    const timer = setTimeout(() => fail("it was not ready in time"), startMaxMs);
    server.once("error", fault => fail(fault.message));
    server.once("exit", code => fail(`it exited with ${code}`));
    if (server.stderr === null) return;
    createInterface({input: server.stderr}).on("line", line => {
      if (lines.length < 200) lines.push(line);
      const found = /listening.*?(127\.0\.0\.1:[1-9]\d*)/.exec(line);
      if (found === null) return;
      clearTimeout(timer);
      resolve(`http://${found[1]}`);
    });
  });
}
