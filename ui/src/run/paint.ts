/** Colours of the cells other than the outcome: five steps of one measure, or one of eight colours for a failure group. */
import { MatrixRow, RunCell } from './cells';

const steps = 5;
const measures: Record<string, (cell: RunCell) => number | null> = {
  score: (cell) => cell.score, latency: (cell) => cell.time, cost: (cell) => cell.usd, turns: (cell) => cell.turns, attempt: (cell) => cell.attempt,
};
export function paintOf(colour: string, rows: MatrixRow[]): (cell: RunCell) => string {
  if (colour === 'outcome') return () => '';
  if (colour === 'group') {
    const groups = [...new Set(rows.flatMap((row) => row.cells.map((cell) => cell.group)).filter(Boolean))];
    const numbers = new Map(groups.map((group, at) => [group, at % 8]));
    return (cell) => (cell.group ? `group-${numbers.get(cell.group)}` : 'plain-cell');
  }
  const measure = Object.hasOwn(measures, colour) ? measures[colour] : () => null;
  let low = Infinity, high = -Infinity;
  for (const row of rows) for (const cell of row.cells) {
    const value = measure(cell);
    if (value !== null) { low = Math.min(low, value); high = Math.max(high, value); }
  }
  if (low > high) return () => 'plain-cell';
  return (cell) => {
    const value = measure(cell);
    if (value === null) return 'plain-cell';
    return `step-${high === low ? 0 : Math.min(steps - 1, Math.floor(((value - low) / (high - low)) * steps))}`;
  };
}
