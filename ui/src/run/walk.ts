/** The list that a result was opened from, so that ] and [ step through it. Its name is in the address, so a reload filters again. */
import { matches, parseFilter } from '../shared/filter';
import { Run } from '../shared/types';
import { MatrixRow, RunCell, valuesOf } from './cells';

interface Walk { run: string; ids: string[] }
const walks = new Map<string, Walk>();

/** Keeps a list and returns the value of the parameter `in`: the run, and the query or the group of the list. */
export function rememberIds(run: string, name: string, ids: string[]): string {
  const key = name ? `${run}~${name}` : run;
  walks.set(key, { run, ids });
  if (walks.size > 50) walks.delete(walks.keys().next().value!);
  return encodeURIComponent(key);
}
/** The name of a list that comes from a query: the parameters that filter or sort it. */
export function walkName(query: URLSearchParams, parameters: string[]): string {
  const text = new URLSearchParams([...query].filter(([name]) => parameters.includes(name))).toString();
  return text && `?${text}`;
}
const nameOf = (key: string): string => key.split('~').slice(1).join('~');
/** Whether the list is a group of failures. */
export const isOfGroup = (key: string): boolean => nameOf(key) !== '' && !nameOf(key).startsWith('?');
/** The cells of a list that is no longer kept, as far as the cells determine it. */
export function keptBy(key: string, run: Pick<Run, 'agent'>): (row: MatrixRow, cell: RunCell) => boolean {
  const name = nameOf(key);
  if (isOfGroup(key)) return (_, cell) => cell.group === name;
  const query = new URLSearchParams(name), letters = query.get('state') ?? '', { terms } = parseFilter(query.get('filter') ?? '');
  return (row, cell) => (!letters || letters.includes(cell.state)) && matches(terms, valuesOf(run, row, cell));
}
/** The last view of each run with its filters, to which the way back from a result leads. */
const views = new Map<string, string>();
export function rememberView(run: string, query: string): void { views.set(run, query); }
export function viewOf(run: string, key = ''): string {
  const name = nameOf(key), query = views.get(run) ?? (isOfGroup(key) ? 'view=failures' : name.slice(1));
  return `/runs/${run}${query ? `?${query}` : ''}`;
}
export function walkOf(key: string): Walk | undefined { return walks.get(key); }
export const runOfWalk = (key: string): string => key.split('~')[0];
