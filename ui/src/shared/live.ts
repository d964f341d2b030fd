/** Keeps the shown data up to date: by the event stream if the server has one, otherwise by polling with ETags. */
import { useEffect, useSyncExternalStore } from 'react';
import { base, headersOf } from './api';
import { inReport } from './router';
import { connectionState, refresh, refreshShown, refreshShownSoon } from './store';

export interface LiveState { mode: 'live' | 'polling' | 'offline'; lastAt: number; isHeld: boolean }
export interface LiveEvent { event: string; data: Record<string, unknown> }
let state: LiveState = { mode: 'polling', lastAt: 0, isHeld: false };
const listeners = new Set<() => void>();
const topics = new Map<string, number>();
const takers = new Set<(event: LiveEvent) => void>();
let controller: AbortController | undefined;
let lastEventId = '';
let lastByteAt = 0;
let quietPeriods = 0;
let streamMayWorkAt = 0;
let openedFor = '';

/**
 * All tabs share six connections to the server (HTTP/1.1). A tab that hears of this many newer streams closes its own and polls
 * until it is visible again.
 */
const streamsOfBrowser = 3;
const newerStreams = new Set<string>();
const thisTab = Math.random().toString(36);
const tabs = typeof BroadcastChannel === 'undefined' || inReport ? undefined : new BroadcastChannel(`parley.streams ${base}`);
if (tabs) tabs.onmessage = (event) => {
  if (!controller || newerStreams.add(String(event.data)).size < streamsOfBrowser) return;
  streamMayWorkAt = Date.now() + 60_000;
  close();
  become({ mode: 'polling' });
};

const pollMs = 5000;
const hiddenMs = 30_000;

function become(change: Partial<LiveState>): void {
  const next = { ...state, ...change };
  if (next.mode === state.mode && next.isHeld === state.isHeld && next.lastAt === state.lastAt) return;
  state = next;
  listeners.forEach((listener) => listener());
}
export const useLiveState = (): LiveState => useSyncExternalStore((listener) => { listeners.add(listener); return () => listeners.delete(listener); }, () => state);
export function holdUpdates(hold = !state.isHeld): void { become({ isHeld: hold }); if (!hold) refreshShown(); }

/** Receives events of these topics while the component is shown. The stream is reopened if the topics change. */
export function useLive(wanted: string[], take?: (event: LiveEvent) => void): void {
  const key = wanted.join(',');
  useEffect(() => {
    for (const topic of wanted) topics.set(topic, (topics.get(topic) ?? 0) + 1);
    const handler = (event: LiveEvent) => { if (!state.isHeld) take?.(event); };
    takers.add(handler);
    schedule();
    return () => {
      takers.delete(handler);
      for (const topic of wanted) { const left = (topics.get(topic) ?? 1) - 1; left ? topics.set(topic, left) : topics.delete(topic); }
      schedule();
    };
  }, [key]);
}

let pending: ReturnType<typeof setTimeout> | undefined;
function schedule(): void {
  if (inReport) return;
  clearTimeout(pending);
  pending = setTimeout(() => void follow(), 100);
}
const wantedTopics = (): string => ['session', ...[...topics.keys()].sort()].slice(0, 8).join(',');

/** Refreshes the data that an event makes stale, and passes the event to the views. */
function apply(event: LiveEvent): void {
  if (!state.isHeld) {
    const id = String(event.data.id ?? event.data.run ?? event.data.result ?? '');
    if (event.event === 'run') refresh('/runs/?', '/runs?', `/runs/${id}`);
    if (event.event === 'cells') refresh(`/runs/${id}/cells`);
    if (event.event === 'result') refresh(`/test-results/${id}`);
    if (event.event === 'agent') refresh('/agents');
    if (event.event === 'record') refresh('/scenarios', '/tests', '/scheduled-runs');
    if (event.event === 'reset' || event.event === 'hello') refreshShownSoon();
  }
  // Another page of this session has replaced this stream. Reopening it immediately would close the stream of the next
  // page.
  if (event.event === 'bye' && event.data.reason === 'superseded') streamMayWorkAt = Date.now() + 60_000;
  takers.forEach((take) => take(event));
}

function parseBlock(block: string): void {
  let name = 'message', data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    if (line.startsWith('data:')) data += line.slice(5).trim();
    if (line.startsWith('id:')) lastEventId = line.slice(3).trim();
  }
  if (name === 'reset') lastEventId = '';
  if (!data && name === 'message') return;
  try { apply({ event: name, data: JSON.parse(data || '{}') }); } catch { /* a cut event: the next reset repairs */ }
}

async function read(response: Response): Promise<void> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    lastByteAt = Date.now();
    quietPeriods = 0;
    become({ mode: 'live', lastAt: lastByteAt });
    rest += value.replace(/\r/g, '');
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) { parseBlock(rest.slice(0, end)); rest = rest.slice(end + 2); }
  }
}

function close(): void { controller?.abort(); controller = undefined; openedFor = ''; }

async function follow(): Promise<void> {
  const wanted = wantedTopics();
  // No user is signed in.
  if (takers.size === 0) { close(); return; }
  if (document.hidden || Date.now() < streamMayWorkAt) return;
  if (controller && openedFor === wanted) return;
  close();
  const mine = new AbortController();
  controller = mine;
  openedFor = wanted;
  lastByteAt = Date.now();
  newerStreams.clear();
  tabs?.postMessage(thisTab);
  try {
    const headers = headersOf({ headers: { Accept: 'text/event-stream', ...(lastEventId ? { 'Last-Event-ID': lastEventId } : {}) } });
    const response = await fetch(`${base}/events?topics=${encodeURIComponent(wanted)}`, { headers, credentials: 'same-origin', cache: 'no-store', signal: mine.signal });
    if (!response.ok || !response.body) { streamMayWorkAt = Date.now() + ([401, 503].includes(response.status) ? 15_000 : 60_000); throw new Error('no stream'); }
    await read(response);
  } catch { /* polling continues, and the stream is tried again */ }
  // A stream that cannot be opened does not show that the server is back.
  if (controller === mine) { close(); if (state.mode !== 'offline') become({ mode: 'polling' }); setTimeout(schedule, 2000); }
}

if (!inReport) setInterval(() => {
  const { isOffline, lastAt } = connectionState();
  if (isOffline) become({ mode: 'offline', lastAt });
  else if (state.mode === 'offline') become({ mode: 'polling', lastAt });
  // A buffering proxy: no byte of the stream arrives, not even the greeting.
  if (controller && state.mode !== 'live' && Date.now() - lastByteAt > pollMs && ++quietPeriods >= 2) { close(); streamMayWorkAt = Date.now() + 60_000; quietPeriods = 0; }
  if (document.hidden || state.isHeld) return;
  if (state.mode !== 'live' || Date.now() - lastByteAt > 20_000) { if (state.mode === 'live') become({ mode: 'polling' }); refreshShown(); }
  else become({ lastAt: Math.max(lastAt, lastByteAt) });
  if (!controller) schedule();
}, pollMs);

// The browser knows immediately that the machine has no network; a stream may notice only that no bytes arrive.
if (!inReport) for (const change of ['offline', 'online']) addEventListener(change, () => { close(); become({ mode: 'polling' }); refreshShown(); schedule(); });

let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
document.addEventListener('visibilitychange', () => {
  clearTimeout(hiddenTimer);
  if (document.hidden) hiddenTimer = setTimeout(close, hiddenMs);
  else if (!inReport) { streamMayWorkAt = 0; refreshShown(); schedule(); }
});
