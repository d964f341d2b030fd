/** A person talks to an agent. The conversation is a stored result, so it survives a reload and can be scored and replayed. */
import { useEffect, useRef, useState } from 'react';
import { get, Problem, queryOf, send } from '../shared/api';
import { shortId } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { useLive } from '../shared/live';
import { areSettled, Button, Dialog, Empty, Field, Loaded, ProblemView, useReady, useTitle, Waited } from '../shared/parts';
import { Link, navigate, usePlace } from '../shared/router';
import { useRight } from '../shared/session';
import { canTalk } from '../shared/states';
import { useGet } from '../shared/store';
import { Agent, Entry, JsonObject, Page, ResultHead, Test } from '../shared/types';
import { w } from '../shared/words';
import { useEntries } from '../result/entries';
import { EntryView } from '../result/entry';
import { scriptOf } from '../result/entry_pages';
import { ActionDefinition, ActionForm } from './action_form';

const answerPollMs = 300, answerPolls = 200;
/** Waits until the agent has answered; false if the conversation has ended, or no answer came within a minute. */
async function isAnswered(id: string): Promise<boolean> {
  for (let poll = 0; poll < answerPolls; ++poll) {
    const { conversation, isEnded, status } = await get<ResultHead>(`/test-results/${id}`);
    if (isEnded || (status !== 'pending' && status !== 'running')) return false;
    if (conversation?.length && conversation[conversation.length - 1].role !== 'tester') return true;
    await new Promise((resolve) => setTimeout(resolve, answerPollMs));
  }
  return false;
}

function Start(): JSX.Element {
  const { query } = usePlace();
  const agents = useGet<Page<Agent>>(`/agents/${queryOf({ limit: 200, output: 'minimal' })}`);
  const tests = useGet<Page<Test>>(`/tests/${queryOf({ limit: 200 })}`);
  const sessions = useGet<Page<ResultHead>>(`/test-results/${queryOf({ limit: 50, output: 'minimal' })}`);
  const { canWrite, why } = useRight();
  const [agent, setAgent] = useState(query.get('agent') ?? '');
  const [test, setTest] = useState('');
  const [problem, setProblem] = useState<Problem>();
  useReady(areSettled(agents, tests));
  const [isBusy, setBusy] = useState(false);
  const able = (agents.data?.data ?? []).filter((each) => canTalk(each.type));
  const start = async () => {
    setBusy(true); setProblem(undefined);
    try {
      const made = await send<ResultHead>('POST', '/test-results/', { agent: agent || able[0]?.id, isManual: true, ...(test ? { test } : {}) });
      const from = query.get('from');
      if (from) for (const entry of (await get<{ conversation: Entry[] }>(`/test-results/${from}`)).conversation.filter((each) => each.role === 'tester' && each.type === 'message')) {
        await send('POST', `/test-results/${made.id}/conversation`, { role: 'tester', content: entry.content });
        if (!await isAnswered(made.id)) break;
      }
      navigate(`/chat/${made.id}`);
    } catch (error) { if (error instanceof Problem) setProblem(error); else throw error; }
    setBusy(false);
  };
  const open = (sessions.data?.data ?? []).filter((each) => each.isManual).slice(0, 10);
  return (
    <div className="stack narrow-page"><h1>{w.chat}</h1><p className="muted">{w.chatSays}</p>
      <Loaded of={agents}>{(page) => (able.length === 0 ? <Empty says={w.noTalkable}><Link className="button" to="/agents/new">{w.newAgent}</Link></Empty> : (
        <form className="panel stack tight" onSubmit={(event) => { event.preventDefault(); void start(); }}>
          <Field label={w.agentColumn} hint={page.data.length > able.length ? w.othersCannot(page.data.length - able.length) : undefined}><select value={agent} onChange={(event) => setAgent(event.target.value)}>{able.map((each) => <option key={each.id} value={each.id}>{each.name || w.unnamed} ({each.type})</option>)}</select></Field>
          <Field label={w.testOptional}><select value={test} onChange={(event) => setTest(event.target.value)}><option value="">{w.noTest}</option>{tests.data?.data.map((each) => <option key={each.id} value={each.id}>{each.scenario?.name} › {each.name || w.unnamed}</option>)}</select></Field>
          <div className="row"><Button kind="main" type="submit" disabled={!canWrite || isBusy} title={why}>{w.startChat}</Button></div>{problem && <ProblemView problem={problem} />}
        </form>))}</Loaded>
      {open.length > 0 && <section><h2>{w.recentChats}</h2><ul className="lines">{open.map((each) => <li key={each.id}><Link to={`/chat/${each.id}`}><bdi>{each.agent?.name}</bdi> {shortId(each.id)}</Link><span className="muted small">{w.statuses[each.status]}</span></li>)}</ul></section>}
    </div>
  );
}

/** The actions that the chatbot's latest turn offers. */
function offered(entries: Entry[]): ActionDefinition[] {
  const list: ActionDefinition[] = [];
  for (let at = entries.length - 1; at >= 0 && entries[at].role !== 'tester'; --at) if (Array.isArray(entries[at].metadata?.actions)) list.unshift(...entries[at].metadata!.actions as unknown as ActionDefinition[]);
  return list;
}

function Talk({ result, reload }: { result: ResultHead; reload: () => void }): JSX.Element {
  const entries = useEntries(result.id);
  const { canWrite } = useRight();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [action, setAction] = useState<ActionDefinition>();
  const end = useRef<HTMLDivElement>(null);
  const isOpen = result.status === 'pending' || (result.status === 'running' && !result.isEnded);
  const last = entries.list[entries.list.length - 1];
  const isWaiting = isOpen && last?.role === 'tester';
  useReady(entries.isLoaded);
  useLive([`result:${result.id}`], (event) => { if (event.event === 'entry' || event.event === 'result') { reload(); entries.reload(); } });
  useEffect(() => { const timer = setInterval(() => { if (isWaiting || (!isOpen && result.status === 'running')) { reload(); entries.reload(); } }, 1000); return () => clearInterval(timer); }, [isWaiting, isOpen, result.status]);
  useEffect(() => { end.current?.scrollIntoView({ block: 'end' }); }, [entries.list.length]);
  const isSaying = useRef(false);
  const say = (body: JsonObject) => {
    if (isSaying.current) return;
    isSaying.current = true;
    send('POST', `/test-results/${result.id}/conversation`, body, { Prefer: 'return=minimal' }).then(() => { setText(''); setAction(undefined); setProblem(undefined); entries.reload(); reload(); }, (error) => { if (error instanceof Problem) setProblem(error); else throw error; })
      .finally(() => { isSaying.current = false; });
  };
  const finish = () => send('POST', `/test-results/${result.id}/finish`).then(reload, (error) => { if (error instanceof Problem) setProblem(error); else throw error; });
  const saveAsTest = () => entries.all().then((all) => {
    try { sessionStorage.setItem('parley.new-test', JSON.stringify({ instruction: scriptOf(all), assertions: [] })); } catch { /* the editor opens empty */ }
    navigate('/tests/new');
  }, (error) => { if (error instanceof Problem) setProblem(error); else throw error; });
  const shown = { rendered: false, metadata: false, times: false, find: '', active: '' };
  return (
    <div className="chat"><header className="page-head"><h1><bdi>{result.agent.name}</bdi> <span className={`badge ${result.status}`}>{w.statuses[result.status]}</span></h1>
      <div className="row">{isOpen && <Button disabled={!canWrite || entries.list.length === 0} onClick={() => void finish()}>{w.finishAndScore}</Button>}<Button disabled={entries.list.length === 0} onClick={() => void saveAsTest()}>{w.saveAsTest}</Button><Link className="button" to={`/results/${result.id}`}>{w.openResult}</Link></div></header>
      <div className="chat-thread transcript" role="log" aria-live="polite">
        {isOpen && entries.isLoaded && entries.list.length === 0 && <p className="muted">{w.sayFirst}</p>}
        {entries.list.map((entry) => <EntryView key={entry.id} entry={entry} shown={shown} start={0} isLate={false} agentName={result.agent.name || w.chatbot} />)}
        {isWaiting && <p className="muted" role="status">{w.isWaitingFor(result.agent.name || w.chatbot)} <Waited since={Date.parse(last.createdAt)} /></p>}
        {result.status === 'failed' && <ProblemNote result={result} />}
        <div ref={end} />
      </div>
      {problem && <ProblemView problem={problem} />}
      {isOpen && <>
        <div className="row">{offered(entries.list).map((each) => <Button key={each.name} disabled={!canWrite} onClick={() => setAction(each)}><bdi>{each.description || each.name}</bdi></Button>)}</div>
        <form className="composer" onSubmit={(event) => { event.preventDefault(); if (text.trim()) say({ role: 'tester', content: text }); }}>
          <textarea value={text} rows={2} disabled={!canWrite} placeholder={w.sayHint} aria-label={w.sayHint} onChange={(event) => setText(event.target.value)} onKeyDown={(event) => { if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) { event.preventDefault(); if (text.trim()) say({ role: 'tester', content: text }); } }} />
          <Button kind="main" type="submit" disabled={!canWrite || !text.trim()}>{w.send}</Button></form></>}
      {action && <Dialog title={action.description || action.name} onClose={() => setAction(undefined)}><ActionForm action={action} invoke={(given) => say({ type: 'action', role: 'tester', name: action.name, metadata: { arguments: given } })} /></Dialog>}
    </div>
  );
}
function ProblemNote({ result }: { result: ResultHead }): JSX.Element {
  const error = result.metadata?.error as { code?: string; detail?: string } | undefined;
  return <div className="note warn" role="alert"><strong>{w.endReasons[result.endReason ?? ''] ?? ''}</strong> {error && <><code>{error.code}</code> <bdi>{error.detail}</bdi></>}{error?.code && w.cures[error.code] && <p className="small">{w.cures[error.code]}</p>}</div>;
}

export function Chat({ id }: { id: string }): JSX.Element {
  const result = useGet<ResultHead>(id ? `/test-results/${id}?output=head` : null);
  useTitle(w.chat);
  useCrumbs([{ name: w.chat, to: id ? '/chat' : undefined }, ...(id ? [{ name: result.data?.agent?.name || shortId(id) }] : [])]);
  if (!id) return <Start />;
  return <Loaded of={result} back={<Link className="button" to="/chat">{w.chat}</Link>}>{(data) => <Talk key={id} result={data} reload={result.reload} />}</Loaded>;
}
