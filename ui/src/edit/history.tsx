/** The last results of a test. */
import { queryOf } from '../shared/api';
import { ago } from '../shared/format';
import { Link } from '../shared/router';
import { isDecided, stateOf } from '../shared/states';
import { useGet } from '../shared/store';
import { Page, ResultHead, Test } from '../shared/types';
import { w } from '../shared/words';

function StateLink({ result }: { result: ResultHead }): JSX.Element {
  const state = stateOf(result.state ?? '-');
  return <Link to={`/results/${result.id}`} data-state={result.state}><span className={`cell ${state.tone}`} role="img" aria-label={state.name}>{state.glyph}</span> <bdi>{result.agent?.name}</bdi></Link>;
}

export function History({ test }: { test: Test }): JSX.Element | null {
  const results = useGet<Page<ResultHead>>(`/test-results/${queryOf({ test: test.id, limit: 20, output: 'minimal' })}`);
  if (!results.data?.data.length) return null;
  return (
    <section className="panel stack tight"><h2>{w.lastResults}</h2>
      <ul className="lines">{results.data.data.slice(0, 12).map((each) => <li key={each.id}><StateLink result={each} /><span className="muted small">{isDecided(each.state ?? '') ? w.scoreOf(each.score) : stateOf(each.state ?? '-').name} · {ago(each.createdAt)}</span></li>)}</ul></section>
  );
}
