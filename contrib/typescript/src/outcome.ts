/** What a result says about the agent, in words. */
import type {TestResult} from "./client.js";

/** `failed`: an answer was wrong. `undecided`: a fault, an outage or a missing verdict. */
export interface Outcome {
  state: "passed" | "failed" | "undecided";
  text: string;
}

type Assertion = NonNullable<TestResult["assertionResults"]>[number];

const quoteCharactersMax = 300;
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The `state` of a result says whether a BLOCKER failed (`f`) or the chatbot passed (`p`, `q`). */
export function outcomeOf(result: TestResult): Outcome {
  const head = `parley result ${result.id}: ${result.status}, score ${result.score}`;
  if (result.status !== "completed") return {state: "undecided", text: `${head}\n  ${safe(faultOf(result))}`};
  const open = (result.assertionResults ?? []).filter(each => each.status !== "passed");
  const text = [head, ...open.flatMap(each => explained(each, result))].join("\n");
  if (result.state === "f") return {state: "failed", text};
  const hasPassed = result.state === "p" || result.state === "q";
  const isOpen = open.some(each => each.status !== "failed" && counts(each));
  return {state: hasPassed && !isOpen ? "passed" : "undecided", text};
}

function faultOf(result: TestResult): string {
  const fault = (result.metadata as {error?: Record<string, unknown>}).error ?? {};
  const words = [fault["source"], fault["code"], fault["detail"]].filter(Boolean).join(", ");
  return words || result.endReason || "not finished";
}

/** An assertion of weight 0 that is not a BLOCKER changes neither score nor verdict. */
function counts(assertion: Assertion): boolean {
  return assertion.severity === "BLOCKER" || assertion.weight !== 0;
}

function explained(assertion: Assertion, result: TestResult): string[] {
  const name = assertion.name || assertion.type;
  const evidence = new Set(assertion.evidence ?? []);
  const quoted = (result.conversation ?? []).filter(entry => evidence.has(entry.id));
  return [
    `  ${assertion.status} ${assertion.severity} ${safe(name)}: ${safe(assertion.reason ?? "")}`,
    ...quoted.map(entry => `    ${entry.type}${entry.name ? ` ${entry.name}` : ""}: ${safe(entry.content ?? "")}`),
  ];
}

/** Replaces control characters in a chatbot's text, which a terminal would obey. */
function safe(text: string): string {
  const shown = text.replace(controls, found => `\\x${found.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return shown.length <= quoteCharactersMax ? shown : `${shown.slice(0, quoteCharactersMax)}...`;
}
