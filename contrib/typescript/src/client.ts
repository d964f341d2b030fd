/** HTTP client of a parley server: one method per operation that a test needs, and `request` for all others. */
import {randomUUID} from "node:crypto";
import {setTimeout as sleep} from "node:timers/promises";
import type {components} from "./api.js";
import {Conversation} from "./conversation.js";

type Schemas = components["schemas"];
export type Agent = Schemas["Agent"];
export type Scenario = Schemas["Scenario"];
export type Test = Schemas["Test"];
export type Run = Schemas["Run"];
export type TestResult = Schemas["TestResult"];
/** Bodies of POST, as the server's OpenAPI document describes them. */
export type NewTest = Omit<Schemas["TestBody"], "scenario">;
export type NewResult = Schemas["TestResultBody"];
/** A record, or its id. */
export type Created = string | {id: string};

export interface ClientOptions {
  /** Default: PARLEY_URL, then http://127.0.0.1:7410. */
  url?: string | undefined;
  /** Default: PARLEY_KEY. */
  key?: string | undefined;
  /** Time-out of one request, in milliseconds. */
  timeoutMs?: number | undefined;
  /** How long requests are retried while the server is unreachable or busy, in milliseconds. */
  patienceMs?: number | undefined;
}

interface Problem {
  type?: string;
  title?: string;
  detail?: string;
  errors?: {pointer?: string; parameter?: string; detail?: string}[];
}

const terminal = ["completed", "failed", "canceled"];
const waitMaxS = 20;
const pageRows = 100;
const repeatedStatuses = [429, 502, 503, 504];

/** The server did not answer within the time-out. */
export class Unreachable extends Error {}

/** The server refused a request; the fields are those of its problem document. */
export class ParleyError extends Error {
  readonly type: string;
  readonly detail: string;
  readonly errors: NonNullable<Problem["errors"]>;
  constructor(what: string, readonly status: number, problem: Problem) {
    const errors = problem.errors ?? [];
    const faults = errors.map(each => `\n  ${each.pointer ?? each.parameter ?? ""}: ${each.detail ?? ""}`).join("");
    super(`${what}: ${status} ${problem.title ?? ""}: ${problem.detail ?? ""}${faults}`);
    this.type = problem.type ?? "about:blank";
    this.detail = problem.detail ?? "";
    this.errors = errors;
  }
}

export function idOf(record: Created): string {
  return typeof record === "string" ? record : record.id;
}

export class Client {
  readonly url: string;
  readonly #key: string;
  readonly #timeoutMs: number;
  readonly #patienceMs: number;

  constructor(options: ClientOptions = {}) {
    this.url = (options.url ?? process.env["PARLEY_URL"] ?? "http://127.0.0.1:7410").replace(/\/+$/, "");
    this.#key = options.key ?? process.env["PARLEY_KEY"] ?? "";
    this.#timeoutMs = options.timeoutMs ?? 60_000;
    this.#patienceMs = options.patienceMs ?? 30_000;
  }

  /** Returns the JSON of the answer. Every POST has an Idempotency-Key, so it takes effect once even if it is retried. */
  async request<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    const sent: Record<string, string> = {authorization: `Bearer ${this.#key}`, accept: "application/json", ...headers};
    if (body !== undefined) sent["content-type"] = "application/json";
    if (method === "POST") sent["idempotency-key"] ??= randomUUID();
    const init: RequestInit = {method, headers: sent, ...(body === undefined ? {} : {body: JSON.stringify(body)})};
    const until = Date.now() + this.#patienceMs;
    for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 2_000)) {
      const refusal = await this.#attempt<T>(path, init, `${method} ${path}`);
      if ("answer" in refusal) return refusal.answer;
      const restMs = Math.max(pauseMs, refusal.afterMs);
      if (refusal.isFinal || Date.now() + restMs > until) throw refusal.error;
      await sleep(restMs);
    }
  }

  async #attempt<T>(path: string, init: RequestInit, what: string): Promise<{answer: T} | Refusal> {
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(this.url + path, {...init, signal: AbortSignal.timeout(this.#timeoutMs)});
      text = await answer.text();
    } catch (fault) {
      const why = fault instanceof Error ? String(fault.cause ?? fault.message) : String(fault);
      return {error: new Unreachable(`${what}: ${this.url} does not answer: ${why}`), isFinal: false, afterMs: 0};
    }
    if (answer.ok) return {answer: (text ? JSON.parse(text) : undefined) as T};
    const afterS = Number(answer.headers.get("retry-after") ?? 0);
    return {
      error: new ParleyError(what, answer.status, problemOf(text, answer.statusText)),
      isFinal: !repeatedStatuses.includes(answer.status),
      afterMs: Number.isFinite(afterS) ? Math.min(afterS, 10) * 1_000 : 0,
    };
  }

  get<T>(path: string, waitS = 0): Promise<T> {
    return this.request<T>("GET", path, undefined, waitS > 0 ? {prefer: `wait=${waitS}`} : {});
  }

  post<T>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    return this.request<T>("POST", path, body, headers);
  }

  /** Every row of a list, oldest first. */
  async *rows<T>(path: string): AsyncGenerator<T> {
    for (let page = 1, total = 1; (page - 1) * pageRows < total; page += 1) {
      const answer = await this.get<{data: T[]; total: number}>(`${path}?limit=${pageRows}&sortOrder=asc&page=${page}`);
      yield* answer.data;
      total = answer.total;
    }
  }

  createAgent(name: string, type = "EXTERNAL", fields: object = {}): Promise<Agent> {
    return this.post<Agent>("/agents/", {name, type, ...fields});
  }

  createScenario(name: string): Promise<Scenario> {
    return this.post<Scenario>("/scenarios/", {name});
  }

  createTest(scenario: Created, test: NewTest): Promise<Test> {
    return this.post<Test>("/tests/", {scenario: idOf(scenario), ...test});
  }

  createRun(scenario: Created, agent: Created, fields: object = {}): Promise<Run> {
    return this.post<Run>("/runs/", {scenario: idOf(scenario), agent: idOf(agent), status: "running", ...fields});
  }

  /** The enabled tests of a scenario, oldest first. */
  async testsOf(scenario: Created): Promise<Test[]> {
    const tests: Test[] = [];
    for await (const test of this.rows<Test>(`/scenarios/${encodeURIComponent(idOf(scenario))}/tests`)) {
      if (test.isEnabled) tests.push(test);
    }
    return tests;
  }

  /** Creates a conversation that the caller drives. */
  async conversation(result: NewResult, waitS = 120): Promise<Conversation> {
    return new Conversation(this, await this.post<TestResult>("/test-results/", result), waitS);
  }

  /** Returns a result. With `waitS`, waits up to that many seconds until its status is final. */
  result(result: Created, waitS = 0): Promise<TestResult> {
    return this.#awaited<TestResult>(`/test-results/${encodeURIComponent(idOf(result))}`, waitS);
  }

  run(run: Created, waitS = 0): Promise<Run> {
    return this.#awaited<Run>(`/runs/${encodeURIComponent(idOf(run))}`, waitS);
  }

  async #awaited<T extends {status: string}>(path: string, waitS: number): Promise<T> {
    const until = Date.now() + waitS * 1_000;
    for (;;) {
      const leftMs = until - Date.now();
      const record = await this.get<T>(path, Math.max(0, Math.min(waitMaxS, Math.floor(leftMs / 1_000))));
      if (terminal.includes(record.status) || leftMs <= 0) return record;
      await sleep(Math.min(200, leftMs));
    }
  }
}

interface Refusal {
  error: Error;
  isFinal: boolean;
  afterMs: number;
}

function problemOf(text: string, title: string): Problem {
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem === "object" && problem !== null) return problem as Problem;
  } catch {
    // Not a problem document: use the start of the text.
  }
  return {title, detail: text.slice(0, 200)};
}
