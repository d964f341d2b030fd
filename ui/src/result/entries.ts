/** The entries of a conversation, in windows of 200. At most ten windows are kept; the farthest are dropped. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { Problem } from '../shared/api';
import { Entry } from '../shared/types';
import { EntryPage, fetchAllEntries, fetchEntries, windowSize } from './entry_pages';

const windowsMax = 10;

export interface Entries {
  list: Entry[]; from: number; total: number; isLoaded: boolean; problem?: Problem; isBusy: boolean;
  earlier: () => void; later: () => void; reload: () => void; showAt: (index: number) => Promise<void>; locate: (entry: string) => Promise<void>; add: (entry: Entry) => void;
  /** The whole conversation, for what leaves the page. */
  all: () => Promise<Entry[]>;
}
export function useEntries(id: string, given?: Entry[], opening?: Promise<EntryPage>): Entries {
  const [state, setState] = useState<{ from: number; list: Entry[]; total: number; isLoaded: boolean; problem?: Problem; isBusy: boolean }>({ from: 0, list: given ?? [], total: given?.length ?? 0, isLoaded: !!given, isBusy: false });
  const now = useRef(state);
  const opened = useRef(opening);
  now.current = state;
  const guard = useCallback(async (work: () => Promise<void>) => {
    try { await work(); } catch (error) { if (!(error instanceof Problem)) throw error; const problem: Problem = error; setState((old) => ({ ...old, problem, isBusy: false })); }
  }, []);
  const showAt = useCallback(async (index: number) => guard(async () => {
    const { from, list } = now.current;
    if (given || (index >= from && index < from + list.length)) return;
    const start = Math.max(0, Math.floor(index / windowSize) * windowSize - windowSize);
    const page = await fetchEntries(id, start, windowSize * 3);
    setState({ from: start, list: page.data, total: page.total, isLoaded: true, isBusy: false });
  }), [id]);
  const first = useCallback(() => void guard(async () => {
    if (given) return;
    const { from, list } = now.current;
    const size = Math.max(windowSize, list.length);
    const early = opened.current;
    opened.current = undefined;
    const page = await (early ?? fetchEntries(id, from, Math.min(1000, size + 20)));
    setState((old) => ({ from, list: old.list.length > page.data.length && page.data.length >= 1000 ? [...page.data, ...old.list.slice(page.data.length)] : page.data, total: page.total, isLoaded: true, isBusy: false }));
  }), [id]);
  useEffect(() => { first(); }, [id]);
  const later = useCallback(() => void guard(async () => {
    const { from, list, total, isBusy } = now.current;
    if (isBusy || given || from + list.length >= total) return;
    setState((old) => ({ ...old, isBusy: true }));
    const page = await fetchEntries(id, from + list.length, windowSize);
    setState((old) => { const joined = [...old.list, ...page.data]; const over = Math.max(0, joined.length - windowsMax * windowSize); return { ...old, from: old.from + over, list: joined.slice(over), total: page.total, isBusy: false }; });
  }), [id]);
  const earlier = useCallback(() => void guard(async () => {
    const { from, isBusy } = now.current;
    if (isBusy || given || from === 0) return;
    setState((old) => ({ ...old, isBusy: true }));
    const start = Math.max(0, from - windowSize);
    const page = await fetchEntries(id, start, from - start);
    setState((old) => ({ ...old, from: start, list: [...page.data, ...old.list].slice(0, windowsMax * windowSize), isBusy: false }));
  }), [id]);
  /** Finds the number of an entry that is not loaded by reading further entries, a thousand at a time. */
  const locate = useCallback(async (entry: string) => guard(async () => {
    if (now.current.list.some((each) => each.id === entry) || given) return;
    for (let from = 0; from < Math.max(1, now.current.total); from += 1000) {
      const page = await fetchEntries(id, from, 1000);
      const at = page.data.findIndex((each) => each.id === entry);
      if (at >= 0) { await showAt(from + at); return; }
      if (page.data.length === 0) return;
    }
  }), [id]);
  const add = useCallback((entry: Entry) => setState((old) => (old.list.some((each) => each.id === entry.id) || old.from + old.list.length < old.total ? old : { ...old, list: [...old.list, entry], total: old.total + 1 })), []);
  const all = useCallback(async () => {
    const { from, list, total } = now.current;
    return given || (from === 0 && list.length >= total) ? list : fetchAllEntries(id);
  }, [id]);
  return { ...state, earlier, later, reload: first, showAt, locate, add, all };
}
