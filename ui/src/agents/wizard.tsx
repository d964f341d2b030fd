/** Sets up an agent in four steps: its type, the fields of the type, a check before anything is saved, a first test. */
import { useState } from 'react';
import { Problem, send } from '../shared/api';
import { useCrumbs } from '../shared/frame';
import { Button, ProblemView, useReady, useTitle } from '../shared/parts';
import { navigate, setQuery, usePlace } from '../shared/router';
import { useRight } from '../shared/session';
import { refresh } from '../shared/store';
import { Agent, JsonObject, Run, Scenario } from '../shared/types';
import { w } from '../shared/words';
import { AgentDraft, AgentForm } from './agent_form';
import { CheckView } from './check';

const types = ['HTTP', 'OPENAI', 'LOCAL', 'EXTERNAL', 'GITHUB', 'DEMO'];

async function playOne(agent: Agent): Promise<string> {
  const scenario = await send<Scenario>('POST', '/scenarios/', { name: `${agent.name}: first steps`, agents: [agent.id] });
  await send('POST', '/tests/', { scenario: scenario.id, name: 'Says hello', instruction: 'say: Hello\nsay: bye', assertions: [{ name: 'answers something', type: 'min-length', severity: 'BLOCKER', config: { value: 1 } }] });
  return (await send<Run>('POST', '/runs/', { scenario: scenario.id, agent: agent.id, status: 'pending' })).id;
}

export function Wizard(): JSX.Element {
  const { query } = usePlace();
  const type = types.includes(query.get('type') ?? '') ? query.get('type')! : '';
  const { canWrite } = useRight();
  const [draft, setDraft] = useState<AgentDraft>();
  const [problem, setProblem] = useState<Problem>();
  const [made, setMade] = useState<Agent>();
  useTitle(w.newAgent);
  useCrumbs([{ name: w.agents, to: '/agents' }, { name: w.newAgent }]);
  useReady(true);
  const guard = (action: () => Promise<unknown>) => { setProblem(undefined); action().catch((error) => { if (error instanceof Problem) setProblem(error); else throw error; }); };
  const save = (body: AgentDraft) => guard(async () => { const agent = await send<Agent>('POST', '/agents/', body); refresh('/agents'); if (['LOCAL', 'EXTERNAL', 'GITHUB'].includes(type)) navigate(`/agents/${agent.id}`); else setMade(agent); });
  const isDriven = ['HTTP', 'OPENAI', 'DEMO', 'GITHUB'].includes(type);
  const step = made ? 4 : type ? 2 : 1;
  return (
    <div className="stack"><h1>{w.newAgent}</h1>
      <ol className="steps" aria-label={w.steps}>{w.wizardSteps.map((name, at) => <li key={name} aria-current={at + 1 === step ? 'step' : undefined} className={at + 1 < step ? 'done' : ''}><span className="tick">{at + 1 < step ? '✓' : at + 1}</span>{name}</li>)}</ol>
      {problem && <ProblemView problem={problem} />}
      {made ? <section className="panel stack tight"><h2>{w.agentSaved}</h2><p>{w.playOneSays}</p><div className="row"><Button kind="main" disabled={!canWrite} onClick={() => guard(async () => navigate(`/runs/${await playOne(made)}`))}>{w.playOne}</Button><Button onClick={() => navigate(`/agents/${made.id}`)}>{w.toAgent}</Button></div></section>
        : !type ? <div className="type-cards">{types.map((each) => <button key={each} type="button" className="type-card" onClick={() => setQuery({ type: each }, { push: true })}><strong>{w.agentTypes[each][0]}</strong><code className="muted">{each}</code><span>{w.agentTypes[each][1]}</span><span className="muted small">{w.agentTypes[each][2]}</span></button>)}</div>
          : <div className="halves"><section className="panel stack tight"><div className="spread"><h2>{w.agentTypes[type][0]}</h2><Button kind="quiet" onClick={() => setQuery({ type: null }, { push: true })}>{w.otherType}</Button></div>
            <AgentForm key={type} type={type} save={save} change={setDraft} faults={problem?.errors ?? []} label={w.save} /></section>
            {isDriven && <CheckView path="/agents/check" isAllowed={canWrite} body={(draft ?? { name: 'check', type, config: {} }) as unknown as JsonObject} />}</div>}
    </div>
  );
}
