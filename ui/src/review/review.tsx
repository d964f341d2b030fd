/** Review: a person decides whether an assertion holds without seeing the verdict. Also shows how well judges agree with people. */
import { useState } from 'react';
import { useCrumbs } from '../shared/frame';
import { Button, Empty, ProblemView, Skeleton, Tabs, useReady, useTitle } from '../shared/parts';
import { Link, setQuery, usePlace } from '../shared/router';
import { useSigned } from '../shared/session';
import { w } from '../shared/words';
import { AgreementTable } from './agreement';
import { ReviewItem } from './item';
import { agreesWith, isOf, Label, labelOf, strategies, useQueue } from './queue';

export function Review(): JSX.Element {
  const { query } = usePlace();
  useTitle(w.review);
  useCrumbs([{ name: w.review }]);
  const tab = query.get('view') === 'agreement' ? 'agreement' : 'queue';
  return (
    <div className="stack">
      <header className="page-head"><div><h1>{w.review}</h1><p className="muted">{w.reviewSays}</p></div></header>
      <Tabs label={w.review} current={tab} choose={(next) => setQuery({ view: next === 'queue' ? null : next }, { push: true })} tabs={[['queue', w.queue], ['agreement', w.agreement]]} />
      <section role="tabpanel" aria-labelledby={`tab-${tab}`}>{tab === 'agreement' ? <AgreementTable /> : <QueueView />}</section>
    </div>
  );
}

function QueueView(): JSX.Element {
  const { query } = usePlace();
  const user = useSigned().session?.user.id ?? '';
  const result = query.get('result') ?? '';
  const strategy = strategies.includes(query.get('queue') ?? '') ? query.get('queue')! : 'open';
  const seed = Number(query.get('seed') ?? '1') || 1;
  const isBlind = query.get('blind') !== '0';
  const { items, problem, labels, setLabels } = useQueue(strategy, result, seed, user);
  const [at, setAt] = useState(0);
  const [session, setSession] = useState<Record<string, boolean>>({});
  useReady(!!problem || (!!items && items.length === 0) || (!!items && at >= items.length));
  const choose = (next: string) => { setAt(0); setQuery({ queue: next === 'open' ? null : next, result: null }, { push: true }); };
  const item = items?.[at];
  const change = (label: Label | undefined) => {
    if (!item) return;
    const agreed = label ? agreesWith(label, item.assertion) : null;
    setSession((now) => { const next = { ...now }; delete next[`${item.head.id} ${item.assertion.id}`]; return agreed === null ? next : { ...next, [`${item.head.id} ${item.assertion.id}`]: agreed }; });
    setLabels((now) => [...(label ? [label] : []), ...now.filter((each) => !(isOf(each, item) && each.user?.id === user))]);
  };
  const decided = Object.values(session);
  return (
    <div className="stack">
      <div className="row">
        <label className="inline-field"><span className="muted small">{w.queue}</span><select value={result ? '' : strategy} onChange={(event) => choose(event.target.value)}>{result && <option value="">{w.labelThis}</option>}{strategies.map((id) => <option key={id} value={id}>{w.queues[id]}</option>)}</select></label>
        <button type="button" className="chip" aria-pressed={isBlind} title={w.blindSays} onClick={() => setQuery({ blind: isBlind ? '0' : null })}>{w.blind}</button>
        {items && items.length > 0 && <span className="muted small number" role="status" data-part="progress">{w.reviewItem(Math.min(at + 1, items.length), items.length)}</span>}
        {decided.length > 0 && <span className="muted small">{w.sessionSoFar(decided.filter(Boolean).length, decided.length)}</span>}
      </div>
      {problem && <ProblemView problem={problem} />}
      {!items && !problem && <Skeleton />}
      {items && items.length === 0 && <Empty says={w.queueEmpty}>{strategy !== 'open' ? <Button onClick={() => choose('open')}>{w.queues.open}</Button> : <Link className="button" to="/runs">{w.runs}</Link>}</Empty>}
      {items && items.length > 0 && !item && <Empty says={w.queueDone}><Button onClick={() => { setAt(0); setQuery({ seed: String(seed + 1) }); }}>{w.restart}</Button><Button onClick={() => setQuery({ view: 'agreement' }, { push: true })}>{w.agreement}</Button></Empty>}
      {item && <ReviewItem key={`${item.head.id} ${item.assertion.id}`} item={item} mine={labelOf(labels, item, user)} others={labels.filter((label) => isOf(label, item) && label.user?.id !== user)} isBlind={isBlind} change={change} next={() => setAt(at + 1)} back={at > 0 ? () => setAt(at - 1) : undefined} />}
    </div>
  );
}
