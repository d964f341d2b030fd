/** The cells of a run as rows of the matrix: one for each test and personality, its repetitions as columns. */
import { Values } from '../shared/filter';
import { linkId, linkName } from '../shared/format';
import { badness, isDecided, isPassed } from '../shared/states';
import { Cells, Run } from '../shared/types';

export interface RunCell {
  row: number; n: number; id: string | null; state: string; score: number | null; turns: number | null; time: number | null; usd: number | null;
  group: string; attempt: number;
}
export interface MatrixRow {
  at: number; test: string; name: string; persona: string; line: string; cells: RunCell[]; letters: string; passed: number; decided: number;
  rate: number | null; low: number; high: number; isFlaky: boolean; worst: number; time: number;
}

/** The 95 % Wilson interval, as the server computes it for a run. */
export function wilson(passed: number, decided: number): { low: number; high: number } {
  if (!decided) return { low: 0, high: 1 };
  const z = 1.959964, rate = passed / decided, scale = 1 + (z * z) / decided;
  const middle = rate + (z * z) / (2 * decided);
  const width = z * Math.sqrt((rate * (1 - rate)) / decided + (z * z) / (4 * decided * decided));
  return { low: Math.max(0, (middle - width) / scale), high: Math.min(1, (middle + width) / scale) };
}
/** An unbiased estimate of the probability that `k` repetitions all pass. */
export function passHat(passed: number, decided: number, k: number): number | null {
  if (decided < k) return null;
  let share = 1;
  for (let at = 0; at < k; ++at) share *= (passed - at) / (decided - at);
  return Math.max(0, share);
}

/** pass^k of the run: the largest k that all repeated tests have enough decided results for. */
export function passHatOf(run: Run): { k: number; tests: number; passHatK: number } | undefined {
  const rows = (run.result.passK ?? []).filter((row) => row.k >= 2);
  return rows.filter((row) => row.tests === rows[0].tests).pop();
}

export function rowsOf(cells: Cells): MatrixRow[] {
  const rows: MatrixRow[] = cells.tests.map((test, at) => ({
    at, test: linkId(test.test), name: linkName(test.test) || linkId(test.test), persona: linkName(test.personality), line: test.line ? String(test.line) : '', cells: [], letters: '',
    passed: 0, decided: 0, rate: null, low: 0, high: 1, isFlaky: false, worst: 0, time: 0,
  }));
  for (let at = 0; at < cells.row.length; ++at) {
    const group = cells.group?.[at];
    rows[cells.row[at]]?.cells.push({
      row: cells.row[at], n: cells.n[at], id: cells.id[at], state: cells.state[at] ?? '-', score: cells.score[at] ?? null, turns: cells.turns[at] ?? null,
      time: cells.time[at] ?? null, usd: cells.usd[at] ?? null, group: typeof group === 'number' ? cells.groups?.[group] ?? String(group) : group ?? '', attempt: cells.attempt[at] ?? 1,
    });
  }
  for (const row of rows) summarize(row, cells.tests[row.at].expected);
  return rows;
}

function summarize(row: MatrixRow, expected: number): void {
  row.cells.sort((a, b) => a.n - b.n);
  for (let n = row.cells.length; n < expected; ++n) row.cells.push({ row: row.at, n: n + 1, id: null, state: '-', score: null, turns: null, time: null, usd: null, group: '', attempt: 1 });
  row.letters = row.cells.map((cell) => cell.state).join('');
  for (const cell of row.cells) {
    if (isDecided(cell.state)) { ++row.decided; if (isPassed(cell.state)) ++row.passed; }
    row.worst += badness[cell.state] ?? 0;
    row.time = Math.max(row.time, cell.time ?? 0);
  }
  row.worst /= Math.max(1, row.cells.length);
  row.rate = row.decided ? row.passed / row.decided : null;
  Object.assign(row, wilson(row.passed, row.decided));
  row.isFlaky = row.passed > 0 && row.passed < row.decided;
}

/** The values of a cell that the terms of a filter are compared with. */
export const valuesOf = (run: Pick<Run, 'agent'>, row: MatrixRow, cell: RunCell): Values => ({
  state: cell.state, test: row.name, persona: row.persona, turns: cell.turns, score: cell.score, time: cell.time, cost: cell.usd, attempt: cell.attempt, group: cell.group, agent: run.agent?.name,
});

export function sortRows(rows: MatrixRow[], by: string): MatrixRow[] {
  const sorted = [...rows];
  if (by === 'worst') sorted.sort((a, b) => b.worst - a.worst || a.at - b.at);
  if (by === 'flakiest') sorted.sort((a, b) => Math.abs((a.rate ?? 1) - 0.5) - Math.abs((b.rate ?? 1) - 0.5) || a.at - b.at);
  if (by === 'slowest') sorted.sort((a, b) => b.time - a.time || a.at - b.at);
  return sorted;
}
export function countLetters(letters: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return counts;
}
/** The results in the order of the rows, for stepping from one to the next. */
export const idsOf = (rows: MatrixRow[], keep: (row: MatrixRow, cell: RunCell) => boolean): string[] =>
  rows.flatMap((row) => row.cells.flatMap((cell) => (cell.id && keep(row, cell) ? cell.id : [])));
