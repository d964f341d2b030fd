/** How well each judge agrees with people, by criterion. The server computes the numbers. */
import { count, decimals, none, percent } from '../shared/format';
import { Button, Empty, Loaded, useReady } from '../shared/parts';
import { Link, setQuery } from '../shared/router';
import { useGet } from '../shared/store';
import { Interval, Link as LinkTo } from '../shared/types';
import { w } from '../shared/words';

interface Criterion { test: LinkTo | null; assertion: { id: string; name: string | null; criteria: string | null }; judge: string; n: number; agreed: number; baseRate: number; kappa: number | null; interval: Interval }
const weakBelow = 0.6;

export function AgreementTable({ test }: { test?: string }): JSX.Element {
  const report = useGet<{ criteria: Criterion[] }>(`/agreement/${test ? `?test=${test}` : ''}`);
  useReady(!!report.data);
  return (
    <div className="stack"><p className="muted">{w.agreementSays}</p>
      <Loaded of={report}>{({ criteria }) => (criteria.length === 0 ? <Empty says={w.noAgreement}><Button onClick={() => setQuery({ view: null }, { push: true })}>{w.queue}</Button></Empty> : (
        <div className="table-wrap"><table className="grid-table"><thead><tr><th scope="col">{w.criterionColumn}</th><th scope="col">{w.testColumn}</th><th scope="col">{w.judgeColumn}</th><th scope="col" className="end">{w.pairsColumn}</th><th scope="col" className="end">{w.agreedColumn}</th><th scope="col" className="end">{w.baseRateColumn}</th><th scope="col" className="end">{w.kappaColumn}</th></tr></thead>
          <tbody>{criteria.map((each, at) => (
            <tr key={at} data-part="agreement-row" data-id={each.assertion.id}><td><bdi>{each.assertion.name || each.assertion.criteria || each.assertion.id}</bdi></td>
              <td className="name-cell">{each.test && <Link to={`/tests/${each.test.id}`}><bdi>{each.test.name || w.unnamed}</bdi></Link>}</td><td><bdi>{each.judge}</bdi></td><td className="end">{count(each.n)}</td><td className="end">{percent(each.n ? each.agreed / each.n : null)}</td><td className="end">{percent(each.baseRate)}</td>
              <td className="end">{each.kappa === null ? none : <><strong>{decimals(each.kappa)}</strong> <span className="muted small">({decimals(each.interval.low)}–{decimals(each.interval.high)})</span></>} {each.kappa !== null && each.kappa < weakBelow && <span className="badge failed">{w.weak}</span>}</td></tr>))}</tbody></table></div>))}</Loaded>
    </div>
  );
}
