/** Addresses of the page: path, query and fragment. All state of a view is in the query, so that Back and reload restore it. */
import { AnchorHTMLAttributes, MouseEvent, useMemo, useSyncExternalStore } from 'react';
import { base } from './api';

export interface Place { path: string; query: URLSearchParams; hash: string }
const listeners = new Set<() => void>();
/** In a report the address is in the fragment: #/runs/ID?view=list. */
const isReport = document.getElementById('report-index') !== null;

function rawPlace(): string {
  if (isReport) return location.hash.startsWith('#/') ? location.hash.slice(1) : '/';
  return location.pathname.slice(base.length + '/ui'.length) + location.search + location.hash;
}
function parse(raw: string): Place {
  const [beforeHash, hash = ''] = raw.split(/#(.*)/s);
  const [path, search = ''] = beforeHash.split(/\?(.*)/s);
  return { path: path === '' ? '/' : path, query: new URLSearchParams(search), hash };
}
function announce(): void { listeners.forEach((listener) => listener()); }
/** Calls `listener` whenever the address has changed, before later listeners. */
export function onMove(listener: () => void): void { listeners.add(listener); }
addEventListener('popstate', announce);
addEventListener('hashchange', announce);

/** Decodes a part of a path. A part that is not valid percent-encoding, such as `100%`, is returned unchanged. */
export function decoded(text: string): string { try { return decodeURIComponent(text); } catch { return text; } }

/** The text of a search: in the query, because a browser resolves dots in a path, or in the path of older links. */
export function searchedText({ path, query }: Place): string {
  return /^\/s(\/|$)/.test(path) ? query.get('q') ?? decoded(path.slice(3)) : '';
}

export function hrefOf(to: string): string { return isReport ? `#${to}` : `${base}/ui${to}`; }
export function navigate(to: string, options: { replace?: boolean; keepScroll?: boolean } = {}): void {
  const isOtherPage = parse(to).path !== herePlace().path;
  if (options.replace) history.replaceState(null, '', hrefOf(to));
  else history.pushState(null, '', hrefOf(to));
  if (!options.replace && !options.keepScroll) scrollTo(0, 0);
  // A page that stays open may already have its data.
  if (!options.replace && isOtherPage) document.documentElement.dataset.ready = 'false';
  announce();
}
export function usePlace(): Place {
  const raw = useSyncExternalStore((listener) => { listeners.add(listener); return () => listeners.delete(listener); }, rawPlace);
  return useMemo(() => parse(raw), [raw]);
}
export const herePlace = (): Place => parse(rawPlace());

/** Changes some parameters of the query in place; empty values are removed. */
export function setQuery(values: Record<string, string | null>, options: { push?: boolean } = {}): void {
  const place = herePlace();
  for (const [name, value] of Object.entries(values)) value === null || value === '' ? place.query.delete(name) : place.query.set(name, value);
  const search = place.query.toString();
  const to = place.path + (search ? `?${search}` : '') + (place.hash && !isReport ? `#${place.hash}` : '');
  navigate(to, { replace: !options.push, keepScroll: true });
}

function follow(event: MouseEvent, to: string): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  navigate(to);
}
export function Link(props: AnchorHTMLAttributes<HTMLAnchorElement> & { to: string }): JSX.Element {
  const { to, onClick, ...rest } = props;
  if (isReport && !/^\/(runs|results)\/[^/.?]+(\?|$)/.test(to)) return <span {...rest} />;
  return <a href={hrefOf(to)} onClick={(event) => { onClick?.(event); follow(event, to); }} {...rest} />;
}
/** The click handler of a box with thousands of links, which then need no separate handlers. */
export function followInside(event: MouseEvent): void {
  const href = (event.target as Element).closest('a')?.getAttribute('href');
  if (href) follow(event, href.slice(hrefOf('').length));
}
export const inReport = isReport;
