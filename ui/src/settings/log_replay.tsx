/** Replays an external log: sends the messages of its user to an agent and compares the two conversations. */
import { useEffect, useRef, useState } from 'react';
import { asCurl, get, Problem, queryOf, send } from '../shared/api';
import { Button, CopyButton, Field, ProblemView, Waited } from '../shared/parts';
import { Link, navigate } from '../shared/router';
import { useRight } from '../shared/session';
import { canTalk } from '../shared/states';
import { useGet } from '../shared/store';
import { Agent, AssertionResult, Link as LinkTo, Page, ResultHead } from '../shared/types';
import { w } from '../shared/words';

/** `assertions`: the assertions of the saved verdict, so that the comparison shows which of them flip. */
export function ReplayForm({ log, allowed, assertions }: { log: string; allowed: LinkTo[]; assertions: AssertionResult[] }): JSX.Element {
  const agents = useGet<Page<Agent>>(`/agents/${queryOf({ limit: 200, output: 'minimal' })}`);
  const { canWrite, why } = useRight();
  const [chosen, choose] = useState('');
  const [played, setPlayed] = useState<{ id: string; since: number }>();
  const [problem, setProblem] = useState<Problem>();
  const isGone = useRef(false);
  useEffect(() => { isGone.current = false; return () => { isGone.current = true; }; }, []);
  const able = (agents.data?.data ?? []).filter((each) => canTalk(each.type) && each.isEnabled && (allowed.length === 0 || allowed.some((one) => one.id === each.id)));
  const body = { agent: chosen || able[0]?.id, sourceConversationLog: log, ...(assertions.length ? { assertionResults: assertions.map(({ id, name, type, criteria, severity, weight, config }) => ({ id, name, type, criteria, severity, weight, config })) } : {}) };
  const play = async () => {
    setProblem(undefined);
    try {
      let result = await send<ResultHead>('POST', '/test-results/', body);
      setPlayed({ id: result.id, since: Date.now() });
      while (!isGone.current && (result.status === 'pending' || result.status === 'running')) result = await get<ResultHead>(`/test-results/${result.id}?output=head`, { headers: { Prefer: 'wait=20' } });
      // The page of the result shows the fault of a broken agent.
      if (!isGone.current) navigate(result.status === 'completed' ? `/results/${log}...${result.id}` : `/results/${result.id}`);
    } catch (error) { if (error instanceof Problem) setProblem(error); else throw error; }
    setPlayed(undefined);
  };
  return (
    <form className="panel stack tight" data-part="replay-form" onSubmit={(event) => { event.preventDefault(); void play(); }}>
      <h2>{w.replay}</h2>
      {agents.data && able.length === 0 ? <p className="muted">{w.noReplayer}</p> : <>
        <Field label={w.filterAgent} hint={w.replaySays}><select value={chosen || able[0]?.id} onChange={(event) => choose(event.target.value)}>{able.map((each) => <option key={each.id} value={each.id}>{each.name || w.unnamed} ({each.type})</option>)}</select></Field>
        <div className="row"><Button kind="main" type="submit" disabled={!canWrite || !!played || able.length === 0} title={why}>{w.replayCompare}</Button><CopyButton text={asCurl('POST', '/test-results/', body)}>{w.copyCurl}</CopyButton></div>
      </>}
      {played && <p role="status"><Link to={`/results/${played.id}`}>{w.replaying}</Link> <Waited since={played.since} /></p>}
      {problem && <ProblemView problem={problem} />}
    </form>
  );
}
