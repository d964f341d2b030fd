/** Helper for node:test: one test for each parley test. */
import {describe, it} from "node:test";
import {playerOf, type Suite} from "./suite.js";

export function parleySuite(suite: Suite): void {
  const playTest = playerOf(suite);
  describe(suite.name, () => {
    suite.tests.forEach((test, index) => it(test.name ?? `test ${index + 1}`, () => playTest(index)));
  });
}
