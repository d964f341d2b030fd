/** The first window of a conversation: asked for when the address of its result is known, before the page is drawn. */
import { get, queryOf } from '../shared/api';
import { aheadMs } from '../shared/store';
import { Entry } from '../shared/types';

export const windowSize = 200;
export type RawEntries = { from?: number; total?: number; data?: Entry[]; entries?: Entry[]; found?: number[] };
export const getEntries = (id: string, from: number, limit: number, find?: string): Promise<RawEntries> => get(`/test-results/${id}/entries${queryOf({ from, limit, find })}`);

let asked: { id: string; at: number; answer: Promise<RawEntries> } | undefined;
export function askFirst(id: string): void {
  asked = { id, at: Date.now(), answer: getEntries(id, 0, windowSize + 20) };
  // A failure shows where the entries are drawn.
  asked.answer.catch(() => undefined);
}
/** The answer to `askFirst`. React may begin to draw a page more than once, so it is not used up by that. */
export function firstEntries(id: string): Promise<RawEntries> {
  if (asked?.id !== id || Date.now() - asked.at > aheadMs) askFirst(id);
  return asked!.answer;
}
