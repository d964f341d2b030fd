/** One copy of each answer, shared by all views: shown immediately, refreshed in the background, compared by ETag. */
import { useEffect, useSyncExternalStore } from 'react';
import { call, Problem } from './api';

export interface Resource<T> {
  data?: T; etag?: string; problem?: Problem; isLoading: boolean; at: number; reload: () => void;
}
interface Held { path: string; state: Resource<unknown>; etag: string; listeners: Set<() => void>; controller?: AbortController; isStale: boolean; askedAt?: number; timer?: ReturnType<typeof setTimeout> }

/** In a report the answers are in the document. */
let source: ((path: string) => Promise<unknown>) | undefined;
export function answerFrom(given: (path: string) => Promise<unknown>): void { source = given; }

const held = new Map<string, Held>();
const heldMax = 200;
const nothing: Resource<never> = { isLoading: false, at: 0, reload: () => undefined };

function obtain(path: string): Held {
  let each = held.get(path);
  if (!each) {
    const fresh: Held = { path, state: { isLoading: true, at: 0, reload: () => void load(fresh) }, etag: '', listeners: new Set(), isStale: true };
    each = fresh;
    held.set(path, fresh);
    if (held.size > heldMax) for (const [key, old] of held) if (!old.listeners.size && old !== fresh) { held.delete(key); break; }
  }
  return each;
}

function settle(each: Held, change: Partial<Resource<unknown>>): void {
  each.state = { ...each.state, ...change };
  each.listeners.forEach((listener) => listener());
}

async function load(each: Held): Promise<void> {
  if (each.controller) { each.isStale = true; return; }
  each.controller = new AbortController();
  each.isStale = false;
  if (!each.state.isLoading && each.state.problem) settle(each, { isLoading: true });
  try {
    const answer = source ? { status: 200, data: each.etag ? each.state.data : await source(each.path), etag: 'report' } : await call(each.path, { etag: each.etag, signal: each.controller.signal });
    if (answer.status === 304) settle(each, { isLoading: false, at: Date.now(), problem: undefined });
    else { each.etag = answer.etag; settle(each, { data: answer.data, etag: answer.etag, isLoading: false, at: Date.now(), problem: undefined }); }
  } catch (error) {
    if (error instanceof Problem) settle(each, { isLoading: false, problem: error });
    else if ((error as Error).name !== 'AbortError') throw error;
  } finally {
    each.controller = undefined;
    if (each.isStale && each.listeners.size) void load(each);
  }
}

/** How long a prefetched answer is used without asking again. */
export const aheadMs = 10_000;
/** Prefetches an answer. A view that is drawn soon uses it without asking again. */
export function ask(path: string): void {
  const each = obtain(path);
  each.askedAt = Date.now();
  void load(each);
}

export function useGet<T>(path: string | null): Resource<T> {
  const each = path === null ? null : obtain(path);
  const state = useSyncExternalStore(
    (listener) => { each?.listeners.add(listener); return () => each?.listeners.delete(listener); },
    () => (each ? each.state : nothing)) as Resource<T>;
  useEffect(() => {
    if (!each) return;
    // Another view of this page may have asked just now.
    if (!each.controller && (Date.now() - (each.askedAt ?? 0) > aheadMs || each.state.problem)) void load(each);
    each.askedAt = undefined;
  }, [each]);
  return state;
}

/** For paths that begin with one of these: refreshes shown answers and forgets the others. */
export function refresh(...starts: string[]): void {
  for (const [path, each] of held) {
    if (!starts.some((start) => path.startsWith(start))) continue;
    if (each.listeners.size) loadSoon(each);
    else held.delete(path);
  }
}
const isAwaited = (each: Held): boolean => each.listeners.size > 0 && each.state.isLoading && each.state.at === 0;
/** A fast run sends many events: each answer is fetched at most once a second, and not while the page waits for its first answers. */
const refreshMs = 1000;
function loadSoon(each: Held): void {
  if (each.timer) return;
  const isOpening = [...held.values()].some(isAwaited);
  const wait = isOpening ? refreshMs : Math.max(0, refreshMs - (Date.now() - each.state.at));
  each.timer = setTimeout(() => {
    each.timer = undefined;
    if (!each.listeners.size) return;
    if (isOpening) loadSoon(each); else void load(each);
  }, wait);
}
/** Refreshes all shown answers, because an event may have been missed. */
export const refreshShownSoon = (): void => { for (const each of held.values()) if (each.listeners.size) loadSoon(each); };
export const refreshShown = (): void => { for (const each of held.values()) if (each.listeners.size) void load(each); };
export function forgetAll(): void { for (const [path, each] of held) if (!each.listeners.size) held.delete(path); refreshShown(); }
/** Whether any shown answer failed because of the connection, and when the last answer arrived. */
export function connectionState(): { isOffline: boolean; lastAt: number } {
  let isOffline = false, lastAt = 0;
  for (const each of held.values()) {
    if (!each.listeners.size) continue;
    if (each.state.problem?.status === 0) isOffline = true;
    lastAt = Math.max(lastAt, each.state.at);
  }
  return { isOffline, lastAt };
}
