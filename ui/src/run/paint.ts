/** Colors of the cells other than the outcome: five steps of one measure, or one of eight colors for a failure group. */
import { Cells } from '../shared/types';
import { MatrixRow, RunCell } from './cells';

const steps = 5;
/** The member of a cell that determines its color, and the column of the answer. */
const measures: Record<string, 'score' | 'time' | 'usd' | 'turns' | 'attempt'> = { score: 'score', latency: 'time', cost: 'usd', turns: 'turns', attempt: 'attempt' };
export function paintOf(colour: string, rows: MatrixRow[], cells: Cells): (cell: RunCell) => string {
  if (colour === 'outcome') return () => '';
  if (colour === 'group') {
    const groups = [...new Set(rows.flatMap((row) => row.cells.map((cell) => cell.group)).filter(Boolean))];
    const numbers = new Map(groups.map((group, at) => [group, at % 8]));
    return (cell) => (cell.group ? `group-${numbers.get(cell.group)}` : 'plain-cell');
  }
  const measure = Object.hasOwn(measures, colour) ? measures[colour] : undefined;
  let low = Infinity, high = -Infinity;
  for (const value of measure ? cells[measure] : []) {
    if (typeof value === 'number') { low = Math.min(low, value); high = Math.max(high, value); }
  }
  if (!measure || low > high) return () => 'plain-cell';
  return (cell) => {
    const value = cell[measure];
    if (value === null) return 'plain-cell';
    return `step-${high === low ? 0 : Math.max(0, Math.min(steps - 1, Math.floor(((value - low) / (high - low)) * steps)))}`;
  };
}
