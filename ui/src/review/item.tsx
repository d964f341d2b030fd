/** One assertion of one conversation, with the keys 1 to 4, n, Enter and u. */
import { useMemo, useRef, useState } from 'react';
import { get, Problem, queryOf, send } from '../shared/api';
import { shortId } from '../shared/format';
import { useKeys } from '../shared/keys';
import { Button, ProblemView, useReady } from '../shared/parts';
import { Link } from '../shared/router';
import { useRight, useSigned } from '../shared/session';
import { Foreign } from '../shared/text';
import { Page } from '../shared/types';
import { w } from '../shared/words';
import { useEntries } from '../result/entries';
import { Shown } from '../result/entry';
import { evidenceByEntry } from '../result/quotes';
import { Transcript } from '../result/transcript';
import { agreesWith, Item, Label, LabelVerdict } from './queue';

const verdicts: LabelVerdict[] = ['passed', 'failed', 'unsure', 'invalid'];
const tones: Record<string, [string, string]> = { passed: ['✓', 'passed'], failed: ['✗', 'failed'], unsure: ['?', 'undecided'], invalid: ['⊘', 'invalid'] };

function TheVerdict({ item, mine }: { item: Item; mine: Label }): JSX.Element {
  const { assertion } = item;
  const agreed = agreesWith(mine, assertion);
  return (
    <div className={`note${agreed === false ? ' warn' : ''}`} data-part="verdict" data-state={agreed === null ? 'neither' : agreed ? 'agrees' : 'disagrees'} role="status">
      <p>{w.theVerdict(assertion.judge ? w.judgeNamed(assertion.judge.model) : w.scoringSays, w.assertionStates[assertion.status])} {agreed === null ? w.neitherAgrees : agreed ? w.agrees : w.disagrees}</p>
      {assertion.reason && <p className="small"><Foreign text={assertion.reason} /></p>}
    </div>
  );
}

export function ReviewItem({ item, mine, others, isBlind, change, next, back }: { item: Item; mine?: Label; others: Label[]; isBlind: boolean; change: (label: Label | undefined) => void; next: () => void; back?: () => void }): JSX.Element {
  const { head, assertion } = item;
  const { canWrite, why } = useRight();
  const user = useSigned().session?.user.id ?? '';
  const entries = useEntries(head.id);
  const [note, setNote] = useState(mine?.note ?? '');
  const [problem, setProblem] = useState<Problem>();
  const field = useRef<HTMLTextAreaElement>(null);
  const isShown = !isBlind || !!mine;
  const evidence = useMemo(() => evidenceByEntry(isShown ? [assertion] : []), [assertion, isShown]);
  const shown: Shown = useMemo(() => ({ rendered: false, metadata: false, times: false, find: '', active: '' }), []);
  useReady(entries.isLoaded);
  // Keys may be faster than the server: each change waits for the one before it.
  const queue = useRef(Promise.resolve());
  const guard = (action: () => Promise<void>) => {
    if (!canWrite) return;
    queue.current = queue.current.then(async () => {
      setProblem(undefined);
      try { await action(); } catch (error) { if (error instanceof Problem) setProblem(error); else throw error; }
    });
  };
  const label = (verdict: LabelVerdict) => guard(async () => change(await send<Label>('POST', '/labels/', { result: head.id, assertion: assertion.id, verdict, ...(note.trim() ? { note } : {}) })));
  /** The server keeps the user's older labels, which would count again, so all of the user's labels of this assertion are deleted. */
  const undo = () => guard(async () => {
    const own = await get<Page<Label>>(`/labels/${queryOf({ result: head.id, user, older: true, limit: 100 })}`);
    for (const each of own.data.filter((one) => one.assertion === assertion.id)) await send('DELETE', `/labels/${each.id}`);
    change(undefined);
  });
  useKeys({
    1: () => label('passed'), 2: () => label('failed'), 3: () => label('unsure'), 4: () => label('invalid'), u: undo, n: () => field.current?.focus(),
    Enter: (event) => { if ((event.target as HTMLElement).closest('button, a, [role=tab]')) (event.target as HTMLElement).click(); else next(); },
    ']': next, '[': () => back?.(),
  });
  return (
    <div className="review" data-part="review-item" data-id={head.id} data-state={mine ? 'labelled' : 'open'}>
      <section className="panel stack tight review-ask" aria-label={w.doesItHold}>
        <h2>{w.doesItHold}</h2>
        <p className="criterion"><bdi>{assertion.criteria || assertion.name || assertion.type}</bdi></p>
        <p className="muted small">{w.severities[assertion.severity]} · {assertion.type}{assertion.type !== 'criteria' && <> · <code>{JSON.stringify(assertion.config)}</code></>}</p>
        <div className="label-buttons" role="group" aria-label={w.yourLabel}>{verdicts.map((verdict) => (
          <button key={verdict} type="button" className="label-button" data-part="label" data-state={verdict} aria-pressed={mine?.verdict === verdict} disabled={!canWrite} title={why} onClick={() => label(verdict)}>
            <span className={`cell ${tones[verdict][1]}`} aria-hidden="true">{tones[verdict][0]}</span><span className="grow">{w.labelWords[verdict]}</span><kbd aria-hidden="true">{w.labelHints[verdict]}</kbd></button>))}</div>
        <label className="field"><span>{w.note}</span><textarea ref={field} rows={2} maxLength={4000} value={note} placeholder={w.noteHint} disabled={!canWrite} onChange={(event) => setNote(event.target.value)}
          onKeyDown={(event) => { if (event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))) { event.preventDefault(); event.currentTarget.blur(); } }}
          onBlur={() => { if (mine && note.trim() !== (mine.note ?? '').trim()) label(mine.verdict); }} /></label>
        {why && <p className="muted small">{why}</p>}
        {mine && isShown ? <TheVerdict item={item} mine={mine} /> : isShown ? <p className="note">{w.theVerdict(assertion.judge ? w.judgeNamed(assertion.judge.model) : w.scoringSays, w.assertionStates[assertion.status])}</p> : <p className="muted small">{w.hiddenVerdict}</p>}
        {mine && others.length > 0 && <ul className="lines">{others.map((other) => <li key={other.id}><bdi>{w.labelBy(other.user?.name ?? '', w.labelWords[other.verdict])}</bdi> {other.note && <span className="muted small"><Foreign text={other.note} /></span>}</li>)}</ul>}
        {problem && <ProblemView problem={problem} />}
        <div className="row">{back && <Button kind="quiet" onClick={back}>{w.previous}</Button>}<Button kind={mine ? 'main' : 'plain'} onClick={next}>{w.nextItem}</Button><Button disabled={!mine || !canWrite} onClick={undo}>{w.undoLabel}</Button></div>
      </section>
      <section className="column" aria-label={w.transcript}>
        <h2><Link to={`/results/${head.id}?a=${encodeURIComponent(assertion.id)}`}><bdi>{head.test?.name || shortId(head.id)}</bdi></Link> <span className="muted small"><bdi>{head.agent?.name}</bdi></span></h2>
        <Transcript entries={entries} evidence={evidence} shown={shown} visible={{ tools: true, events: true }} start={Date.parse(entries.list[0]?.createdAt ?? head.createdAt)} isLive={false} agentName={head.agent?.name || w.chatbot} />
      </section>
    </div>
  );
}
