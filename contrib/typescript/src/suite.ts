/** Shared by the helpers for test runners: one run for a list of tests, and one outcome for each test. */
import type {Client, Created, NewTest} from "./client.js";
import {play, type Answering} from "./play.js";

export interface Suite {
  /** Called once, when the first test is played; the server may not have started before. */
  client: () => Client | Promise<Client>;
  name: string;
  tests: NewTest[];
  answer: Answering;
  /** The agent of the results; default: a new EXTERNAL agent with the name of the suite. */
  agent?: Created;
}

/** The failed assertions with their evidence, or the fault that left the test undecided. */
export class TestFailure extends Error {
  override name = "TestFailure";
}

interface Prepared {
  client: Client;
  agent: string;
  run: string;
  ids: string[];
}

/** A function that plays test number `index` and throws TestFailure unless it passed. */
export function playerOf(suite: Suite): (index: number) => Promise<void> {
  let prepared: Promise<Prepared> | undefined;
  return async index => {
    const {client, agent, run, ids} = await (prepared ??= prepare(suite));
    const test = ids[index];
    if (test === undefined) throw new RangeError(`${suite.name} has no test ${index}`);
    const outcome = await play(client, {agent, run, test}, suite.answer);
    if (outcome.state !== "passed") throw new TestFailure(`${outcome.state}\n${outcome.text}`);
  };
}

async function prepare(suite: Suite): Promise<Prepared> {
  const client = await suite.client();
  const agent = suite.agent ?? (await client.createAgent(suite.name)).id;
  const scenario = await client.createScenario(suite.name);
  const ids: string[] = [];
  for (const test of suite.tests) ids.push((await client.createTest(scenario, test)).id);
  const run = await client.createRun(scenario, agent);
  return {client, agent: typeof agent === "string" ? agent : agent.id, run: run.id, ids};
}
