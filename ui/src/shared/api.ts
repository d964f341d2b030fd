/** Calls of the HTTP API. Every call carries the page half of the session (X-Parley-Page); the cookie is the other half. */
export interface FieldFault { pointer?: string; detail: string; line?: number; column?: number }
export class Problem extends Error {
  constructor(
    readonly status: number, readonly title: string, readonly detail: string, readonly errors: FieldFault[] = [],
    readonly requestId = '', readonly retryAfterS = 0,
  ) { super(detail || title); }
}

/** The address of this server in the commands that the page offers. */
export const serverUrl = (): string => location.origin + base;
export const base = document.querySelector<HTMLMetaElement>('meta[name="parley-base"]')?.content ?? '';
const pageHalfKey = 'parley.page';
/** Private windows may have no storage; the half is then kept only as long as the page is open. */
let pageHalf = readStored(pageHalfKey);
let onSignedOut: () => void = () => undefined;

export function readStored(key: string): string {
  try { return localStorage.getItem(key) ?? ''; } catch { return ''; }
}
export function writeStored(key: string, value: string): void {
  try { value ? localStorage.setItem(key, value) : localStorage.removeItem(key); } catch { /* it stays in memory */ }
}
export function setPageHalf(value: string): void { pageHalf = value; writeStored(pageHalfKey, value); }
export function hasPageHalf(): boolean { return pageHalf !== ''; }
export function whenSignedOut(action: () => void): void { onSignedOut = action; }
addEventListener('storage', (event) => {
  if (event.key === pageHalfKey) { pageHalf = event.newValue ?? ''; if (!pageHalf) onSignedOut(); }
});

export interface CallOptions {
  method?: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal; etag?: string; isQuiet?: boolean;
}
export interface Answer<T> { status: number; data: T; etag: string }

export function headersOf(options: CallOptions): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  if (pageHalf) headers['X-Parley-Page'] = pageHalf;
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  if (options.etag) headers['If-None-Match'] = options.etag;
  return headers;
}

async function problemOf(response: Response): Promise<Problem> {
  const requestId = response.headers.get('X-Request-Id') ?? '';
  const retryAfterS = Number(response.headers.get('Retry-After') ?? 0);
  try {
    const body = await response.json();
    return new Problem(response.status, String(body.title ?? response.statusText), String(body.detail ?? ''),
      Array.isArray(body.errors) ? body.errors : [], requestId, retryAfterS);
  } catch {
    return new Problem(response.status, response.statusText || `HTTP ${response.status}`, '', [], requestId, retryAfterS);
  }
}

export async function call<T>(path: string, options: CallOptions = {}): Promise<Answer<T>> {
  let response: Response;
  try {
    response = await fetch(base + path, {
      method: options.method ?? 'GET', headers: headersOf(options), credentials: 'same-origin', cache: 'no-store',
      body: options.body === undefined ? undefined : JSON.stringify(options.body), signal: options.signal,
    });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new Problem(0, '', '');
  }
  if (response.status === 304) return { status: 304, data: undefined as T, etag: options.etag ?? '' };
  if (!response.ok) {
    const problem = await problemOf(response);
    if (problem.status === 401 && !options.isQuiet) onSignedOut();
    throw problem;
  }
  const etag = response.headers.get('ETag') ?? '';
  if (response.status === 204) return { status: 204, data: undefined as T, etag };
  return { status: response.status, data: await response.json() as T, etag };
}

export const get = async <T>(path: string, options?: CallOptions): Promise<T> => (await call<T>(path, options)).data;
export const send = async <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> =>
  (await call<T>(path, { method, body, headers })).data;

/** `?a=1&b=x` from the values that are set. */
export function queryOf(values: Record<string, string | number | boolean | null | undefined>): string {
  const parts = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return parts.length ? `?${parts.join('&')}` : '';
}

/** The rows of all pages. Ends when `total` or `most` rows have arrived, or when a page is empty. */
export async function allPages<T>(ask: (page: number) => Promise<{ data: T[]; total: number }>, most = Infinity): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; all.length < most; ++page) {
    const { data, total } = await ask(page);
    all.push(...data);
    if (data.length === 0 || all.length >= total) break;
  }
  return all;
}

const atOnce = 6;
/** What `ask` answers for each item, in the order of the items. Six calls run at a time. */
export async function inBatches<T, R>(items: T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const all: R[] = [];
  for (let at = 0; at < items.length; at += atOnce) all.push(...await Promise.all(items.slice(at, at + atOnce).map(ask)));
  return all;
}

export function asCurl(method: string, path: string, body?: unknown): string {
  const url = serverUrl() + path;
  const quoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`;
  const parts = ['curl', '-H "Authorization: Bearer $PARLEY_KEY"'];
  if (method !== 'GET') parts.push('-X', method);
  if (body !== undefined) parts.push('-H "Content-Type: application/json"', '-d', quoted(JSON.stringify(body)));
  return [...parts, quoted(url)].join(' ');
}
