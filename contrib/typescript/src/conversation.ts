/** The loop of a conversation that the client drives: ask for the tester's turn, pass it on, record the answer. */
import {setTimeout as sleep} from "node:timers/promises";
import type {Client, TestResult} from "./client.js";
import {outcomeOf, type Outcome} from "./outcome.js";

/** The tester says `message` or invokes `action`. Exactly one of the two is set. */
export interface Turn {
  number: number;
  message: string | null;
  action: {name: string; arguments?: Record<string, unknown>} | null;
}

export interface ToolCall {
  name: string;
  arguments?: Record<string, unknown>;
  result?: unknown;
}

interface NextMessage {
  message: string | null;
  action: Turn["action"];
  end_chat: boolean;
  ready: boolean;
}

const turnWaitS = 20;

/**
 * const talk = await client.conversation({agent, testInstruction: "say: Hello"});
 * for await (const turn of talk) await talk.reply(await chatbot(turn.message));
 * const outcome = await talk.outcome();
 */
export class Conversation implements AsyncIterable<Turn> {
  readonly #client: Client;
  readonly #path: string;
  readonly #waitS: number;
  #askedAt = 0;

  constructor(client: Client, readonly created: TestResult, waitS: number) {
    this.#client = client;
    this.#path = `/test-results/${created.id}`;
    this.#waitS = waitS;
  }

  /** Ends when the tester has nothing more to say. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Turn> {
    for (let number = 1; ; number += 1) {
      const next = await this.#next();
      if (next.end_chat) return;
      this.#askedAt = Date.now();
      yield {number, message: next.message, action: next.action};
    }
  }

  /** Waits for the tester's turn. A model may take longer than one request may wait. */
  async #next(): Promise<NextMessage> {
    const until = Date.now() + this.#waitS * 1_000;
    for (;;) {
      const next = await this.#client.post<NextMessage>(`${this.#path}/next-message`, undefined, {prefer: `wait=${turnWaitS}`});
      if (next.ready) return next;
      if (Date.now() >= until) throw new Error(`result ${this.created.id}: the tester's turn was not ready after ${this.#waitS} s`);
      await sleep(100);
    }
  }

  /** Adds an entry of any type. */
  async record(entry: object): Promise<void> {
    await this.#client.post(`${this.#path}/conversation`, entry, {prefer: "return=minimal"});
  }

  /** Records the chatbot's message. responseTime is measured unless `metadata` has it; `end`: the chatbot ended the conversation. */
  reply(content: string, metadata: Record<string, unknown> = {}, end = false): Promise<void> {
    const measured = {responseTime: Date.now() - this.#askedAt, ...metadata};
    return this.record({type: "message", content, metadata: measured, ...(end ? {end: true} : {})});
  }

  tool({name, ...call}: ToolCall): Promise<void> {
    return this.record({type: "tool", name, metadata: {arguments: {}, ...call}});
  }

  event(name: string, metadata: Record<string, unknown> = {}, isPublic = false): Promise<void> {
    return this.record({type: isPublic ? "public-event" : "internal-event", name, metadata});
  }

  cancel(): Promise<TestResult> {
    return this.#client.request<TestResult>("PATCH", this.#path, {status: "canceled"});
  }

  /** The outcome of the result, once it is scored. */
  result(): Promise<TestResult> {
    return this.#client.result(this.created, this.#waitS);
  }

  async outcome(): Promise<Outcome> {
    return outcomeOf(await this.result());
  }
}
