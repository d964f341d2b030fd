/** Plays one result from its first turn to its verdict. */
import type {Client, NewResult} from "./client.js";
import type {ToolCall, Turn} from "./conversation.js";
import type {Outcome} from "./outcome.js";

/** The chatbot's text, or its text with tools and events; undefined: no reply. */
export type Answer = string | {message?: string; tools?: ToolCall[]; metadata?: Record<string, unknown>; end?: boolean} | undefined;
export type Answering = (turn: Turn) => Answer | Promise<Answer>;

/** If `answer` throws, the result is canceled and the error is rethrown. */
export async function play(client: Client, result: NewResult, answer: Answering, waitS?: number): Promise<Outcome> {
  const talk = await client.conversation(result, waitS);
  try {
    for await (const turn of talk) {
      const said = await answer(turn);
      if (said === undefined) continue;
      const whole = typeof said === "string" ? {message: said} : said;
      for (const tool of whole.tools ?? []) await talk.tool(tool);
      if (whole.message !== undefined) await talk.reply(whole.message, whole.metadata, whole.end);
    }
  } catch (fault) {
    await talk.cancel().catch(() => undefined);
    throw fault;
  }
  return talk.outcome();
}
