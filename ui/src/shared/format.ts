/** Numbers, times and texts in the reader's locale. */
import { readStored } from './api';
import { w } from './words';

const locale = navigator.language;
const zone = readStored('parley.zone') === 'utc' ? 'UTC' : undefined;
const whole = new Intl.NumberFormat(locale);
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const dateTime = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: zone });
const full = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone });
export const none = '–';

export const count = (value: number | null | undefined): string => (value === null || value === undefined ? none : whole.format(value));
export function percent(share: number | null | undefined): string {
  return share === null || share === undefined ? none : `${whole.format(Math.round(share * 100))} %`;
}
export const percentRange = (low: number, high: number): string => `${Math.round(low * 100)}–${Math.round(high * 100)}`;
const byDigits: Intl.NumberFormat[] = [];
export const decimals = (value: number, digits = 2): string => (byDigits[digits] ??= new Intl.NumberFormat(locale, { maximumFractionDigits: digits })).format(value);
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return none;
  if (ms < 1000) return `${whole.format(Math.round(ms))} ms`;
  if (ms < 60_000) return `${decimals(ms / 1000, 1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
}
export function money(usd: number | null | undefined): string {
  if (usd === null || usd === undefined) return none;
  return usd === 0 ? '$0' : `$${usd.toLocaleString(locale, { maximumSignificantDigits: usd < 1 ? 2 : 4 })}`;
}
/** The total cost of a run: agent, tester and judge. Null if no call has a price. */
export function costOf(run: { usage?: Partial<Record<'agent' | 'tester' | 'judge', { cost: number | null }>> }): number | null {
  const known = Object.values(run.usage ?? {}).map((each) => each.cost).filter((cost): cost is number => cost !== null && cost !== undefined);
  return known.length ? known.reduce((sum, cost) => sum + cost, 0) : null;
}
export const when = (at: string | number | Date): string => dateTime.format(new Date(at));
export const whenFull = (at: string | number | Date): string => full.format(new Date(at));
export function ago(at: string | number, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  const steps: [number, Intl.RelativeTimeFormatUnit, number][] = [[60, 'second', 1], [3600, 'minute', 60], [86_400, 'hour', 3600], [2_592_000, 'day', 86_400]];
  for (const [bound, unit, size] of steps) if (Math.abs(seconds) < bound) return relative.format(Math.round(seconds / size), unit);
  return when(at);
}
export function bytes(size: number): string {
  if (size < 1024) return `${whole.format(size)} B`;
  if (size < 1_048_576) return `${decimals(size / 1024, 1)} KiB`;
  return `${decimals(size / 1_048_576, 1)} MiB`;
}
/** A run without a name has the name of its scenario. */
export const nameOfRun = (run: { name?: string; scenario?: { name: string } | null }): string => run.name || run.scenario?.name || w.unnamed;
export const shortId = (id: string): string => id.slice(-6);
export const linkId = (link: { id: string } | string | null | undefined): string => (typeof link === 'string' ? link : link?.id ?? '');
export const linkName = (link: { id: string; name: string } | string | null | undefined): string =>
  (typeof link === 'string' ? shortId(link) : link?.name || (link ? shortId(link.id) : ''));
