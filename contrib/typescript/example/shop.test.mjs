// Tests of a tiny chatbot with node:test. Run them with: node --test example/*.test.mjs
import {after} from "node:test";
import {startServer} from "parley-client";
import {parleySuite} from "parley-client/node-test";

const prices = {latte: "4.50", espresso: "2.80"};

function answer(turn) {
  const drink = Object.keys(prices).find(each => turn.message?.toLowerCase().includes(each));
  if (drink === undefined) return "Sorry, I only know coffee.";
  return {
    message: `A ${drink} is ${prices[drink]} euros.`,
    tools: [{name: "look_up_price", arguments: {drink}, result: {price: prices[drink]}}],
  };
}

const server = await startServer();
after(() => server.stop());

parleySuite({
  name: "Coffee shop",
  client: () => server.client,
  answer,
  tests: [
    {
      name: "knows the price of a latte", instruction: "say: What does a latte cost?",
      assertions: [
        {type: "contains", severity: "BLOCKER", config: {value: "4.50"}},
        {type: "tool-called", severity: "BLOCKER", config: {name: "look_up_price"}},
      ],
    },
    {
      name: "knows the price of tea", instruction: "say: And a cup of tea?",
      assertions: [{name: "names a price", type: "regex", severity: "BLOCKER", config: {pattern: "[0-9]\\.[0-9]{2}"}}],
    },
  ],
});
