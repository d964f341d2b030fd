/** Helper for Vitest: one test for each parley test. */
import {describe, it} from "vitest";
import {playerOf, type Suite} from "./suite.js";

const timeoutMs = 120_000;

export function parleySuite(suite: Suite): void {
  const playTest = playerOf(suite);
  describe(suite.name, () => {
    suite.tests.forEach((test, index) => it(test.name ?? `test ${index + 1}`, () => playTest(index), timeoutMs));
  });
}
