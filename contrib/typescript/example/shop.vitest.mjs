// The same chatbot with Vitest. Run it with: npx vitest run --config example/vitest.config.mjs
import {afterAll} from "vitest";
import {startServer} from "parley-client";
import {parleySuite} from "parley-client/vitest";

const server = await startServer();
afterAll(() => server.stop());

parleySuite({
  name: "Coffee shop",
  client: () => server.client,
  answer: turn => (turn.message?.includes("latte") ? "A latte is 4.50 euros." : "Sorry, I only know coffee."),
  tests: [
    {
      name: "knows the price of a latte", instruction: "say: What does a latte cost?",
      assertions: [{type: "contains", severity: "BLOCKER", config: {value: "4.50"}}],
    },
    {
      name: "knows the price of tea", instruction: "say: And a cup of tea?",
      assertions: [{name: "names a price", type: "regex", severity: "BLOCKER", config: {pattern: "[0-9]\\.[0-9]{2}"}}],
    },
  ],
});
