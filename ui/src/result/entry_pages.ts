/** Pages of the entries of a conversation. The first page is requested as soon as the address of the result is known. */
import { get, queryOf } from '../shared/api';
import { aheadMs } from '../shared/store';
import { Entry } from '../shared/types';

export interface EntryPage { from: number; total: number; data: Entry[]; found?: number[] }
export const windowSize = 200;

type Raw = { from?: number; total?: number; data?: Entry[]; entries?: Entry[]; found?: number[] };
export async function fetchEntries(id: string, from: number, limit: number, find?: string): Promise<EntryPage> {
  const raw = await get<Raw>(`/test-results/${id}/entries${queryOf({ from, limit, find })}`);
  const data = raw.data ?? raw.entries ?? [];
  return { from: raw.from ?? from, total: raw.total ?? data.length, data, found: raw.found };
}

/** Every entry of a conversation, a thousand at a time. */
export async function fetchAllEntries(id: string): Promise<Entry[]> {
  const all: Entry[] = [];
  for (;;) {
    const page = await fetchEntries(id, all.length, 1000);
    all.push(...page.data);
    if (page.data.length === 0 || all.length >= page.total) return all;
  }
}
/** The lines of a script that say and invoke what the tester said and invoked. */
export const scriptOf = (entries: Entry[]): string => entries.filter((entry) => entry.role === 'tester')
  .map((entry) => (entry.type === 'action' ? `invoke: ${entry.name} ${JSON.stringify(entry.metadata?.arguments ?? {})}` : `say: ${JSON.stringify(entry.content ?? '')}`)).join('\n');

let asked: { id: string; at: number; answer: Promise<EntryPage> } | undefined;
export function askFirst(id: string): void {
  asked = { id, at: Date.now(), answer: fetchEntries(id, 0, windowSize + 20) };
  // A failure shows when the entries are drawn.
  asked.answer.catch(() => undefined);
}
/** The answer to `askFirst`. React may start drawing a page more than once, so reading the answer does not consume it. */
export function firstWindow(id: string): Promise<EntryPage> {
  if (asked?.id !== id || Date.now() - asked.at > aheadMs) askFirst(id);
  return asked!.answer;
}
