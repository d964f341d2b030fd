/** The list that a result was opened from, so that ] and [ walk through just these. Kept in memory: a reload walks the whole run. */
import { MatrixRow, RunCell } from './cells';

interface Walk { run: string; ids: string[] }
const walks = new Map<string, Walk>();

function keep(key: string, walk: Walk): string {
  walks.set(key, walk);
  if (walks.size > 50) walks.delete(walks.keys().next().value!);
  return encodeURIComponent(key);
}
/** Returns the value of the parameter `in`: the run, and the filter that made the list. */
export function rememberWalk(run: string, all: string[], rows: MatrixRow[], keeps: (row: MatrixRow, cell: RunCell) => boolean): string {
  const ids = rows.flatMap((row) => row.cells.filter((cell) => cell.id && keeps(row, cell)).map((cell) => cell.id!));
  return keep(ids.length === all.length ? run : `${run}~${ids.length}`, { run, ids: ids.length ? ids : all });
}
export const rememberIds = (run: string, name: string, ids: string[]): string => keep(`${run}~${name}`, { run, ids });
/** The view of a run that was looked at last, with its filters: the way back from a result leads there. */
const views = new Map<string, string>();
export function rememberView(run: string, query: string): void { views.set(run, query); }
export function viewOf(run: string): string { const query = views.get(run); return `/runs/${run}${query ? `?${query}` : ''}`; }
export function walkOf(key: string): Walk | undefined { return walks.get(key); }
export const runOfWalk = (key: string): string => key.split('~')[0];
