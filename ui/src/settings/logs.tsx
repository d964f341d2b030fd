/** External logs: conversations of real users; each can be read, scored, made a test, and replayed. */
import { useMemo, useState } from 'react';
import { asCurl, Problem, queryOf, send } from '../shared/api';
import { ago, shortId, whenFull } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { areSettled, Button, Empty, Loaded, ProblemView, useReady, useTitle } from '../shared/parts';
import { Link, navigate, setQuery, usePlace } from '../shared/router';
import { scrollToElement } from '../shared/scroll';
import { useRight } from '../shared/session';
import { useGet } from '../shared/store';
import { Foreign } from '../shared/text';
import { JsonTree } from '../shared/tree';
import { Entry, JsonObject, Link as LinkTo, Page } from '../shared/types';
import { w } from '../shared/words';
import { Assertions } from '../result/assertions';
import { EntryView } from '../result/entry';
import { evidenceByEntry } from '../result/quotes';
import { ReplayForm } from './log_replay';
import { LogName, LogVerdict, ScoreDialog, ScoreForm, VerdictMark } from './log_score';

interface Log extends LogName, LogVerdict { externalSource: string; timestamp: string; createdAt: string; tags: LinkTo[]; agents: LinkTo[]; conversation: Entry[]; metadata: JsonObject }

export function Logs(): JSX.Element {
  const { query } = usePlace();
  const tags = useGet<Page<LinkTo>>(`/tags/${queryOf({ limit: 200 })}`);
  const logs = useGet<Page<Log>>(`/external-conversation-logs/${queryOf({ limit: 50, page: query.get('page'), output: 'minimal', tag: query.get('tag'), externalSource: query.get('source') })}`);
  const { canWrite, why } = useRight();
  const [selected, setSelected] = useState<LogName[]>([]);
  const [isScoring, score] = useState(false);
  const select = (some: LogName[], isOn: boolean) => setSelected([...selected.filter((each) => !some.some((log) => log.id === each.id)), ...(isOn ? some : [])]);
  const isSelected = (log: LogName) => selected.some((each) => each.id === log.id);
  useTitle(w.logs);
  useCrumbs([{ name: w.logs }]);
  useReady(areSettled(logs, tags));
  const page = Number(query.get('page') ?? '1');
  return (
    <div className="stack"><h1>{w.logs}</h1>
      <div className="row"><label className="inline-field"><span className="muted small">{w.tag}</span><select value={query.get('tag') ?? ''} onChange={(event) => setQuery({ tag: event.target.value, page: null }, { push: true })}><option value="">{w.anyOf}</option>{tags.data?.data.map((tag) => <option key={tag.id} value={tag.id}>{tag.name}</option>)}</select></label>
        {query.get('source') && <button type="button" className="chip" onClick={() => setQuery({ source: null })}><bdi>{query.get('source')}</bdi> ×</button>}
        <Button disabled={!canWrite || selected.length === 0} title={why ?? (selected.length ? undefined : w.selectLogs)} onClick={() => score(true)}>{w.scoreCount(selected.length)}</Button></div>
      <Loaded of={logs}>{(data) => (data.data.length === 0 ? <Empty says={w.noLogs} command={asCurl('POST', '/external-conversation-logs/', {'externalId': '1', 'conversation': [{'role': 'user', 'content': 'Hello'}]})} /> : (
        <><div className="table-wrap"><table className="grid-table logs-table"><thead><tr><th scope="col" className="narrow"><input type="checkbox" aria-label={w.selectAllLogs} checked={data.data.every(isSelected)} onChange={(event) => select(data.data, event.target.checked)} /></th><th scope="col">{w.conversation}</th><th scope="col">{w.verdictColumn}</th><th scope="col">{w.source}</th><th scope="col">{w.tag}</th><th scope="col">{w.created}</th></tr></thead>
          <tbody>{data.data.map((log) => <tr key={log.id} data-id={log.id}><td className="narrow"><input type="checkbox" aria-label={w.selectLog(log.description || log.externalId)} checked={isSelected(log)} onChange={(event) => select([log], event.target.checked)} /></td><td className="name-cell"><Link to={`/logs/${log.id}`}><Foreign text={log.description || log.externalId} /></Link></td><td className="nowrap"><VerdictMark verdict={log} /></td><td><button type="button" className="chip" onClick={() => setQuery({ source: log.externalSource, page: null }, { push: true })}><Foreign text={log.externalSource || '–'} /></button></td><td><bdi>{log.tags.map((tag) => tag.name).join(', ')}</bdi></td><td><time dateTime={log.timestamp}>{ago(log.timestamp)}</time></td></tr>)}</tbody></table></div>
          <div className="spread"><span className="muted small">{w.shown(data.data.length, data.total)}</span><span className="row">{page > 1 && <Button onClick={() => setQuery({ page: String(page - 1) }, { push: true })}>{w.previous}</Button>}{page * 50 < data.total && <Button onClick={() => setQuery({ page: String(page + 1) }, { push: true })}>{w.next}</Button>}</span></div></>))}</Loaded>
      {isScoring && <ScoreDialog logs={selected} close={() => score(false)} />}
    </div>
  );
}

export function LogPage({ id }: { id: string }): JSX.Element {
  const log = useGet<Log>(`/external-conversation-logs/${id}`);
  const scenarios = useGet<Page<LinkTo>>(`/scenarios/${queryOf({ limit: 200 })}`);
  const { canWrite } = useRight();
  const [scenario, setScenario] = useState('');
  const [shownMax, setShownMax] = useState(200);
  const [problem, setProblem] = useState<Problem>();
  useTitle(log.data?.description || log.data?.externalId || shortId(id));
  useCrumbs([{ name: w.logs, to: '/logs' }, { name: log.data?.description || log.data?.externalId || shortId(id) }]);
  useReady(!!log.data);
  const makeTest = () => { send<{ id: string }>('POST', '/tests/', { scenario: scenario || scenarios.data?.data[0]?.id, sourceConversationLog: id }).then((made) => navigate(`/tests/${made.id}`), (error) => { if (error instanceof Problem) setProblem(error); else throw error; }); };
  const [fresh, setFresh] = useState<LogVerdict>();
  const [active, activate] = useState('');
  const [hovered, hover] = useState('');
  const verdict = fresh ?? log.data;
  const results = verdict?.assertionResults ?? [];
  const evidence = useMemo(() => evidenceByEntry(results), [verdict]);
  const numbers = useMemo(() => new Map(results.map((each, at) => [each.id, at + 1])), [verdict]);
  const open = (assertion: string, entry?: string) => {
    activate(assertion);
    const first = entry ?? [...evidence].find(([, each]) => [...each.marks.map((mark) => mark.of), ...each.whole].some((of) => of.assertion === assertion))?.[0];
    if (!first) return;
    setShownMax((most) => Math.max(most, 1 + (log.data?.conversation.findIndex((each) => each.id === first) ?? 0)));
    requestAnimationFrame(() => scrollToElement(document.getElementById(`e-${first}`), 'center'));
  };
  const shown = { rendered: false, metadata: false, times: false, find: '', active: hovered || active };
  return (
    <Loaded of={log} back={<Link className="button" to="/logs">{w.logs}</Link>}>{(data) => (
      <div className="stack"><header className="page-head"><h1><Foreign text={data.description || data.externalId} /></h1>
        <div className="row"><select value={scenario} aria-label={w.scenarioColumn} onChange={(event) => setScenario(event.target.value)}>{scenarios.data?.data.map((each) => <option key={each.id} value={each.id}>{each.name || w.unnamed}</option>)}</select><Button disabled={!canWrite || !scenarios.data?.total} onClick={makeTest}>{w.makeTest}</Button></div></header>
        {problem && <ProblemView problem={problem} />}
        <div className="result-columns two"><section className="column transcript chat-thread">{data.conversation.slice(0, shownMax).map((entry) => <EntryView key={entry.id} entry={{ ...entry, turn: entry.turn ?? 0 }} evidence={evidence.get(entry.id)} shown={shown} start={0} isLate={false} agentName={w.chatbot} />)}{data.conversation.length > shownMax && <Button onClick={() => setShownMax(shownMax + 200)}>{w.loadLater}</Button>}</section>
          <section className="column stack tight"><dl className="facts"><dt>{w.ids}</dt><dd><Foreign text={data.externalId} /></dd><dt>{w.source}</dt><dd><Foreign text={data.externalSource || '–'} /></dd><dt>{w.created}</dt><dd>{whenFull(data.timestamp)}</dd><dt>{w.tag}</dt><dd><bdi>{data.tags.map((tag) => tag.name).join(', ') || '–'}</bdi></dd></dl>{Object.keys(data.metadata).length > 0 && <JsonTree value={data.metadata} />}
            <ReplayForm log={id} allowed={data.agents} assertions={data.assertionResults ?? []} />
            <section className="panel stack tight"><div className="spread"><h2>{w.scoreLogs}</h2>{verdict && <VerdictMark verdict={verdict} />}</div>
              <ScoreForm logs={[data]} scored={([one]) => { setFresh(one.verdict); setProblem(one.problem); }} />
              {results.length > 0 && <Assertions isOver assertions={results} numbers={numbers} entries={data.conversation} active={active} hover={hover} open={open} />}</section></section></div>
      </div>
    )}</Loaded>
  );
}
