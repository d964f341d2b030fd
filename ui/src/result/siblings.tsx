/** All repetitions of this test in this run, and its results in earlier runs: one cell each. */
import { useMemo } from 'react';
import { queryOf } from '../shared/api';
import { ago } from '../shared/format';
import { Link } from '../shared/router';
import { stateOf } from '../shared/states';
import { useGet } from '../shared/store';
import { Cells, Page, ResultHead } from '../shared/types';
import { w } from '../shared/words';
import { rowsOf } from '../run/cells';

const runsMax = 10;
/** One result of each other run; canceled and unfinished ones say nothing about the test. */
function firstOfRuns(results: ResultHead[], own?: string): ResultHead[] {
  const runs = new Map<string, ResultHead>();
  for (const each of results) if (each.run && each.run.id !== own && (each.status === 'completed' || each.status === 'failed') && !runs.has(each.run.id)) runs.set(each.run.id, each);
  return [...runs.values()].slice(0, runsMax);
}

export function Siblings({ result, query }: { result: ResultHead; query: string }): JSX.Element | null {
  const cells = useGet<Cells>(result.run ? `/runs/${result.run.id}/cells` : null);
  const others = useGet<Page<ResultHead>>(result.test ? `/test-results/${queryOf({ test: result.test.id, limit: 200, output: 'minimal' })}` : null);
  const row = useMemo(() => (cells.data ? rowsOf(cells.data).find((each) => each.cells.some((cell) => cell.id === result.id)) : undefined), [cells.data, result.id]);
  const earlier = useMemo(() => firstOfRuns(others.data?.data ?? [], result.run?.id), [others.data, result.run?.id]);
  if ((!row || row.cells.length < 2) && earlier.length === 0) return null;
  return (
    <nav className="siblings" aria-label={w.siblings}>
      {row && row.cells.length > 1 && row.cells.slice(0, 60).map((cell) => cell.id && (
        <Link key={cell.id} to={`/results/${cell.id}${query}`} className={`cell ${stateOf(cell.state).tone}`} data-part="cell" data-id={cell.id} data-state={cell.state} data-repetition={cell.n} aria-current={cell.id === result.id ? 'page' : undefined}
          aria-label={w.cellName(row.name, cell.n, row.cells.length, stateOf(cell.state).name)} title={stateOf(cell.state).name}>{stateOf(cell.state).glyph}</Link>
      ))}
      {earlier.length > 0 && <><span className="muted small">{w.earlierRuns}</span>{earlier.map((each) => { const state = stateOf(each.state ?? '-'); return (
        <Link key={each.id} to={`/results/${each.id}${query.replace(/[?&]in=[^&]*/, '').replace(/^&/, '?')}`} className={`cell ${state.tone}`} data-part="cell" data-id={each.id} data-state={each.state} aria-label={`${state.name}, ${ago(each.createdAt)}`} title={`${state.name}, ${ago(each.createdAt)}`}>{state.glyph}</Link>
      ); })}</>}
    </nav>
  );
}
