/** The keys j, k and o in every list: j and k move the focus between rows, o opens the first link of a row. */
import { Keys } from './keys';

const rows = '#content :is(tr[data-id], [data-part=run-card], [data-part=failure-group], .lines > li)';
const linkOf = (row: Element | null | undefined): HTMLAnchorElement | null | undefined => row?.querySelector<HTMLAnchorElement>('a[href]');

function move(step: number): void {
  const all = [...document.querySelectorAll<HTMLElement>(rows)].filter((row) => row.offsetParent !== null && linkOf(row));
  const at = all.indexOf(document.activeElement?.closest<HTMLElement>(rows) as HTMLElement);
  const row = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.max(0, Math.min(all.length - 1, at + step))];
  linkOf(row)?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}
function open(): void {
  const link = linkOf(document.activeElement?.closest(rows));
  if (link) link.click();
}
export const rowKeys: Keys = { j: () => move(1), k: () => move(-1), o: open };
