/** The last results of a test. */
import { queryOf } from '../shared/api';
import { ago } from '../shared/format';
import { Link } from '../shared/router';
import { useGet } from '../shared/store';
import { Page, ResultHead, Test } from '../shared/types';
import { w } from '../shared/words';

export function History({ test }: { test: Test }): JSX.Element | null {
  const results = useGet<Page<ResultHead>>(`/test-results/${queryOf({ test: test.id, limit: 20, output: 'minimal' })}`);
  if (!results.data?.data.length) return null;
  return (
    <section className="panel stack tight"><h2>{w.lastResults}</h2>
      <ul className="lines">{results.data.data.slice(0, 12).map((each) => <li key={each.id}><Link to={`/results/${each.id}`}>{each.status === 'completed' ? (each.overallPassed ? '✓' : '✗') : '·'} <bdi>{each.agent?.name}</bdi></Link><span className="muted small">{each.status === 'completed' ? w.scoreOf(each.score) : w.statuses[each.status]} · {ago(each.createdAt)}</span></li>)}</ul></section>
  );
}
