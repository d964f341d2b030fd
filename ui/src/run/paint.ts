/** Colours of the cells other than the outcome: five steps of one measure, or one of eight colours for a failure group. */
import { MatrixRow, RunCell } from './cells';

const steps = 5;
export function paintOf(colour: string, rows: MatrixRow[]): (cell: RunCell) => string {
  if (colour === 'outcome') return () => '';
  if (colour === 'group') {
    const groups = [...new Set(rows.flatMap((row) => row.cells.map((cell) => cell.group)).filter(Boolean))];
    const numbers = new Map(groups.map((group, at) => [group, at % 8]));
    return (cell) => (cell.group ? `group-${numbers.get(cell.group)}` : 'plain-cell');
  }
  const measure = (cell: RunCell): number | null => ({ score: cell.score, latency: cell.time, cost: cell.usd, turns: cell.turns, attempt: cell.attempt } as Record<string, number | null>)[colour] ?? null;
  const known = rows.flatMap((row) => row.cells.map(measure)).filter((value): value is number => value !== null);
  if (known.length === 0) return () => 'plain-cell';
  const low = known.reduce((a, b) => Math.min(a, b)), high = known.reduce((a, b) => Math.max(a, b));
  return (cell) => {
    const value = measure(cell);
    if (value === null) return 'plain-cell';
    return `step-${high === low ? 0 : Math.min(steps - 1, Math.floor(((value - low) / (high - low)) * steps))}`;
  };
}
