/** One result: assertions, transcript with highlighted evidence, details. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { shortId } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { useKeys } from '../shared/keys';
import { useLive } from '../shared/live';
import { Button, Loaded, Tabs, useReady, useTitle } from '../shared/parts';
import { inReport, Link, navigate, setQuery, usePlace } from '../shared/router';
import { scrollTarget, scrollToElement } from '../shared/scroll';
import { stateOf } from '../shared/states';
import { useGet } from '../shared/store';
import { Cells, Entry, ResultHead } from '../shared/types';
import { w } from '../shared/words';
import { idsOf, rowsOf } from '../run/cells';
import { isOfGroup, keptBy, runOfWalk, viewOf, walkOf } from '../run/walk';
import { Assertions, evidenceOf, sorted } from './assertions';
import { Details } from './details';
import { useEntries } from './entries';
import { EntryPage, firstWindow } from './entry_pages';
import { Shown } from './entry';
import { FindBar, useFind } from './find';
import { evidenceByEntry } from './quotes';
import { Siblings } from './siblings';
import { Transcript } from './transcript';

function useWalk({ id, run, agent }: ResultHead, key: string): { ids: string[]; at: number } {
  const known = walkOf(key);
  const wanted = known ? null : key ? runOfWalk(key) : run?.id ?? null;
  const cells = useGet<Cells>(wanted ? `/runs/${wanted}/cells` : null);
  return useMemo(() => {
    const rows = known || !cells.data ? [] : rowsOf(cells.data);
    const found = known?.ids ?? idsOf(rows, keptBy(key, { agent }));
    const ids = found.includes(id) ? found : idsOf(rows, () => true);
    return { ids, at: ids.indexOf(id) };
  }, [id, key, cells.data]);
}
/** The parameters that a link to another result of the list keeps: the list, the view of the transcript, and the assertion of the list. */
function keptQuery(query: URLSearchParams): string {
  const kept = new URLSearchParams([...query].filter(([name]) => ['in', 'text', 'tools', 'events', 'meta', 'times', 'tab', ...(isOfGroup(query.get('in') ?? '') ? ['a'] : [])].includes(name))).toString();
  return kept && `?${kept}`;
}
/** The letter that the server gave this result in its run. */
function useLetter(result?: ResultHead): string {
  const cells = useGet<Cells>(result?.run ? `/runs/${result.run.id}/cells` : null);
  return useMemo(() => {
    const at = cells.data?.id.indexOf(result?.id ?? '') ?? -1;
    if (at >= 0) return cells.data!.state[at];
    return !result ? '-' : result.state ? result.state : result.status === 'completed' ? (result.overallPassed ? 'p' : 'f') : result.status === 'canceled' ? 'k' : result.status === 'failed' ? 'i' : 'r';
  }, [cells.data, result]);
}

export function ResultPage({ id }: { id: string }): JSX.Element {
  // Fetched in parallel with the head.
  const first = useMemo(() => (inReport ? undefined : firstWindow(id)), [id]);
  const head = useGet<ResultHead>(`/test-results/${id}?output=head`);
  useTitle(head.data ? null : shortId(id));
  useCrumbs(head.data ? null : [{ name: w.runs, to: '/runs' }, { name: shortId(id) }]);
  return <Loaded of={head} rows={10} back={!inReport && <Link className="button" to="/runs">{w.runs}</Link>}>{(result) => <ResultView key={id} result={result} first={first} reload={head.reload} />}</Loaded>;
}

function ResultView({ result, first, reload }: { result: ResultHead; first?: Promise<EntryPage>; reload: () => void }): JSX.Element {
  const { query, hash } = usePlace();
  const entries = useEntries(result.id, result.conversation, first);
  const walkKey = query.get('in') ?? '';
  const walk = useWalk(result, walkKey);
  const letter = useLetter(result);
  const state = stateOf(letter);
  const [hovered, hover] = useState('');
  const active = query.get('a') ?? '';
  const numbers = useMemo(() => new Map(result.assertionResults.map((each, at) => [each.id, at + 1])), [result.assertionResults]);
  const evidence = useMemo(() => evidenceByEntry(result.assertionResults, result.claims ?? [], (claim) => w.claimUnsupported(claim.kind)), [result.assertionResults, result.claims]);
  const isLive = result.status === 'pending' || result.status === 'running';
  const find = useFind(result.id, entries);
  const shown: Shown = useMemo(() => ({ rendered: query.get('text') === 'rendered', metadata: query.get('meta') === '1', times: query.get('times') === '1', find: find.text, active: hovered || active }), [query.toString(), find.text, hovered]);
  const visible = { tools: query.get('tools') !== '0', events: query.get('events') !== '0' };
  const tab = query.get('tab') ?? 'transcript';
  const name = result.test?.name || shortId(result.id);
  useTitle(`${state.glyph || '·'} ${name}`);
  useCrumbs([{ name: w.runs, to: '/runs' }, ...(result.run ? [{ name: result.run.name || shortId(result.run.id), to: viewOf(result.run.id, walkKey) }] : []), { name }]);
  useReady(entries.isLoaded);
  useLive([`result:${result.id}`], (event) => {
    if (event.event === 'entry') { const entry = event.data.entry as Entry | undefined; if (entry?.content !== undefined || entry?.name) entries.add(entry); else entries.reload(); }
    if (event.event === 'result') { reload(); entries.reload(); }
  });
  // The first window may be older than the head.
  useEffect(() => { if (entries.isLoaded && entries.total < (result.entries ?? 0)) entries.reload(); }, [entries.isLoaded, result.entries]);
  const known = useRef(result.updatedAt);
  useEffect(() => { if (known.current !== result.updatedAt) { known.current = result.updatedAt; entries.reload(); } }, [result.updatedAt]);

  const showEntry = async (entry: string) => {
    await entries.locate(entry);
    requestAnimationFrame(() => { const box = document.getElementById(`e-${entry}`); scrollToElement(box, 'center'); box?.focus({ preventScroll: true }); });
  };
  const open = (assertion: string, entry?: string) => {
    setQuery({ a: assertion, tab: null });
    const target = entry ?? evidenceOf(result.assertionResults.find((each) => each.id === assertion)!)[0];
    step.current = steps.findIndex(([of, at]) => of === assertion && at === target);
    if (target) void showEntry(target);
  };
  useEffect(() => {
    if (!entries.isLoaded) return;
    if (hash.startsWith('e-')) void showEntry(hash.slice(2));
    else if (active) { const of = result.assertionResults.find((each) => each.id === active); const target = of && evidenceOf(of)[0]; if (target) void showEntry(target); }
  }, [entries.isLoaded, hash]);
  const steps = useMemo(() => sorted(result.assertionResults).flatMap((each) => evidenceOf(each).map((entry) => [each.id, entry] as const)), [result.assertionResults]);
  const step = useRef(-1);
  // Starts at the open evidence, however it was opened.
  const walkEvidence = (by: number) => {
    if (!steps.length) return;
    const from = steps[step.current]?.[0] === active ? step.current : steps.findIndex(([of]) => of === active);
    step.current = from < 0 ? (by > 0 ? 0 : steps.length - 1) : (from + by + steps.length) % steps.length;
    open(...steps[step.current]);
  };
  const kept = keptQuery(query);
  const goWalk = (by: number) => { const next = walk.ids[walk.at + by]; if (next && walk.at >= 0) navigate(`/results/${next}${kept}`); };
  const goTurn = (by: number) => {
    const turns = [...document.querySelectorAll<HTMLElement>('.turn')];
    if (!turns.length) return;
    // Where scrollIntoView leaves the start of a turn. The current turn is the last one that starts there or above.
    const start = parseFloat(getComputedStyle(turns[0]).scrollMarginTop) + parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
    const goal = turns.findIndex((each) => each === scrollTarget());
    const at = goal >= 0 ? goal : Math.max(0, turns.filter((each) => each.getBoundingClientRect().top < start + 2).length - 1);
    scrollToElement(turns[Math.max(0, Math.min(turns.length - 1, at + by))], 'start');
  };
  const toggle = (key: string, on: string) => setQuery({ [key]: query.get(key) === on ? null : on });
  useKeys({
    e: () => walkEvidence(1), E: () => walkEvidence(-1), ']': () => goWalk(1), '[': () => goWalk(-1), '}': () => goTurn(1), '{': () => goTurn(-1), m: () => toggle('meta', '1'), t: () => toggle('tools', '0'), v: () => toggle('events', '0'),
    f: find.focus, Escape: () => { if (find.text) find.set(''); else if (active) setQuery({ a: null }); else if (result.run) navigate(viewOf(result.run.id, walkKey)); },
  });
  const switchFor = (key: string, on: string, label: string, isOn: boolean) => <button type="button" className="chip" aria-pressed={isOn} onClick={() => toggle(key, on)}>{label}</button>;
  return (
    <div className="result-page">
      <header className="page-head"><h1><span className={`cell ${state.tone}`} aria-hidden="true">{state.glyph}</span> <bdi>{name}</bdi> <span className="muted light" data-part="outcome" data-state={letter}>{'pqf'.includes(letter) ? w.headline(state.name, result.score) : state.name}</span></h1>
        <div className="row">{walk.at >= 0 && walk.ids.length > 1 && <>
          <Button kind="quiet" disabled={walk.at === 0} aria-label={w.previousResult} title="[" onClick={() => goWalk(-1)}>←</Button><span className="muted small number">{w.nOf(walk.at + 1, walk.ids.length)}</span>
          <Button kind="quiet" disabled={walk.at + 1 === walk.ids.length} aria-label={w.nextResult} title="]" onClick={() => goWalk(1)}>→</Button></>}</div></header>
      {!inReport && <Siblings result={result} query={kept} />}
      <div className="result-tabs"><Tabs label={w.details} current={tab} choose={(next) => setQuery({ tab: next === 'transcript' ? null : next })} tabs={[['transcript', w.transcript], ['assertions', w.assertions, result.assertionResults.length], ['details', w.details]]} /></div>
      <div className={`result-columns show-${tab}`}>
        <section className="column assertions-column" aria-label={w.assertions}><h2>{w.assertions}</h2><Assertions assertions={result.assertionResults} numbers={numbers} entries={entries.list} isOver={!isLive} active={active} hover={hover} open={open} /></section>
        <section className="column transcript-column" aria-label={w.transcript}>
          <div className="transcript-tools row">
            {switchFor('text', 'rendered', w.rendered, shown.rendered)}{switchFor('tools', '0', w.tools, visible.tools)}{switchFor('events', '0', w.events, visible.events)}{switchFor('meta', '1', w.metadata, shown.metadata)}{switchFor('times', '1', w.times, shown.times)}
            <FindBar find={find} />
          </div>
          <Transcript entries={entries} evidence={evidence} shown={shown} visible={visible} start={Date.parse(entries.list[0]?.createdAt ?? result.createdAt)} isLive={isLive} agentName={result.agent?.name || w.chatbot} />
        </section>
        <section className="column details-column" aria-label={w.details}><h2>{w.details}</h2><Details result={result} all={entries.all} /></section>
      </div>
    </div>
  );
}
