/** All repetitions of this test in this run, and the test in earlier runs: one cell each. */
import { useMemo } from 'react';
import { queryOf } from '../shared/api';
import { ago } from '../shared/format';
import { Link } from '../shared/router';
import { stateOf } from '../shared/states';
import { useGet } from '../shared/store';
import { Cells, Page, ResultHead } from '../shared/types';
import { w } from '../shared/words';
import { rowsOf } from '../run/cells';

export function Siblings({ result, walk }: { result: ResultHead; walk: string }): JSX.Element | null {
  const cells = useGet<Cells>(result.run ? `/runs/${result.run.id}/cells` : null);
  const others = useGet<Page<ResultHead>>(result.test ? `/test-results/${queryOf({ test: result.test.id, limit: 20, output: 'minimal' })}` : null);
  const row = useMemo(() => (cells.data ? rowsOf(cells.data).find((each) => each.cells.some((cell) => cell.id === result.id)) : undefined), [cells.data, result.id]);
  const earlier = (others.data?.data ?? []).filter((each) => each.run?.id !== result.run?.id && each.status === 'completed').slice(0, 10);
  if ((!row || row.cells.length < 2) && earlier.length === 0) return null;
  return (
    <nav className="siblings" aria-label={w.siblings}>
      {row && row.cells.length > 1 && row.cells.slice(0, 60).map((cell) => cell.id && (
        <Link key={cell.id} to={`/results/${cell.id}${walk ? `?in=${walk}` : ''}`} className={`cell ${stateOf(cell.state).tone}`} aria-current={cell.id === result.id ? 'page' : undefined}
          aria-label={w.cellName(row.name, cell.n, row.cells.length, stateOf(cell.state).name)} title={stateOf(cell.state).name}>{stateOf(cell.state).glyph}</Link>
      ))}
      {earlier.length > 0 && <><span className="muted small">{w.earlierRuns}</span>{earlier.map((each) => (
        <Link key={each.id} to={`/results/${each.id}`} className={`cell ${each.overallPassed ? 'passed' : 'failed'}`} aria-label={`${each.overallPassed ? w.states.p : w.states.f}, ${ago(each.createdAt)}`} title={ago(each.createdAt)}>{each.overallPassed ? '✓' : '✗'}</Link>
      ))}</>}
    </nav>
  );
}
