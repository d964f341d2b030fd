/** Agents: the list, and one agent with its check, settings and runs. */
import { useState } from 'react';
import { asCurl, Problem, queryOf, send } from '../shared/api';
import { ago, none, percent, shortId } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { useLive } from '../shared/live';
import { areSettled, Button, Empty, Loaded, ProblemView, useReady, useTitle } from '../shared/parts';
import { Link } from '../shared/router';
import { useRight } from '../shared/session';
import { canTalk } from '../shared/states';
import { refresh, useGet } from '../shared/store';
import { JsonTree } from '../shared/tree';
import { Agent, Page, Run } from '../shared/types';
import { w } from '../shared/words';
import { RunTable } from '../runs/runs';
import { AgentForm } from './agent_form';
import { CheckView } from './check';
import { RunnerHelp } from './runner_help';

export function Agents(): JSX.Element {
  const agents = useGet<Page<Agent>>(`/agents/${queryOf({ limit: 200 })}`);
  const runs = useGet<Page<Run>>(`/runs/${queryOf({ limit: 200 })}`);
  useLive(['agents', 'runs']);
  useTitle(w.agents);
  useCrumbs([{ name: w.agents }]);
  useReady(areSettled(agents, runs));
  const of = (agent: Agent) => (runs.data?.data ?? []).filter((run) => run.agent?.id === agent.id);
  return (
    <div className="stack"><div className="page-head"><h1>{w.agents}</h1><Link className="button main" to="/agents/new">{w.newAgent}</Link></div>
      <Loaded of={agents}>{(page) => (page.data.length === 0 ? <Empty says={w.noAgents} command={asCurl('POST', '/agents/', {'name': 'shop', 'type': 'DEMO'})}><Link className="button main" to="/agents/new">{w.newAgent}</Link></Empty> : (
        <div className="table-wrap"><table className="grid-table"><thead><tr><th scope="col">{w.name}</th><th scope="col">{w.type}</th><th scope="col">{w.seen}</th><th scope="col" className="end">{w.runs}</th><th scope="col" className="end">{w.rateColumn}</th></tr></thead>
          <tbody>{page.data.map((agent) => { const own = of(agent); return <tr key={agent.id} data-part="agent-row" data-id={agent.id}><td className="name-cell"><Link to={`/agents/${agent.id}`}><bdi>{agent.name || w.unnamed}</bdi></Link>{!agent.isEnabled && <span className="badge">{w.disabled}</span>}</td><td>{agent.type || 'EXTERNAL'}</td>
            <td>{agent.type === 'LOCAL' ? (agent.lastSeenAt ? ago(agent.lastSeenAt) : w.neverSeen) : none}</td><td className="end">{own.length || none}</td><td className="end">{percent(own.find((run) => typeof run.result.passRate === 'number')?.result.passRate)}</td></tr>; })}</tbody></table></div>))}</Loaded>
    </div>
  );
}

export function AgentPage({ id }: { id: string }): JSX.Element {
  const agent = useGet<Agent>(`/agents/${id}`);
  const runs = useGet<Page<Run>>(`/runs/${queryOf({ agent: id, limit: 20 })}`);
  const { canWrite } = useRight();
  const [problem, setProblem] = useState<Problem>();
  const [isEditing, edit] = useState(false);
  useLive(['agents']);
  useTitle(agent.data?.name || shortId(id));
  useCrumbs([{ name: w.agents, to: '/agents' }, { name: agent.data?.name || shortId(id) }]);
  useReady(areSettled(agent, runs));
  const patch = (body: Partial<Agent>) => { setProblem(undefined); send('PATCH', `/agents/${id}`, body).then(() => { refresh('/agents'); edit(false); }, (error) => { if (error instanceof Problem) setProblem(error); else throw error; }); };
  const canChat = canTalk(agent.data?.type ?? '');
  return (
    <Loaded of={agent} rows={8} back={<Link className="button" to="/agents">{w.agents}</Link>}>{(data) => (
      <div className="stack"><header className="page-head"><h1><bdi>{data.name || w.unnamed}</bdi> <span className="badge">{data.type || 'EXTERNAL'}</span></h1>
        <div className="row">{canChat && <Link className="button" to={`/chat?agent=${id}`}>{w.chat}</Link>}<Button disabled={!canWrite} onClick={() => edit(!isEditing)}>{w.edit}</Button><Button disabled={!canWrite} onClick={() => patch({ isEnabled: !data.isEnabled })}>{data.isEnabled ? w.disable : w.enable}</Button></div></header>
        {problem && <ProblemView problem={problem} />}
        {isEditing ? <section className="panel"><AgentForm type={data.type} start={data} save={(body) => patch(body)} faults={problem?.errors ?? []} label={w.save} /></section> : (
          <div className="halves"><section className="panel stack tight"><h2>{w.settings}</h2><JsonTree value={data.config} />{Object.keys(data.secrets).length > 0 && <p className="muted">{w.secrets}: {Object.keys(data.secrets).map((name) => `${name} ••••`).join(', ')}</p>}</section>
            {['HTTP', 'OPENAI', 'DEMO', 'GITHUB'].includes(data.type) && <CheckView path={`/agents/${id}/check`} isAllowed={canWrite} />}<RunnerHelp agent={data} /></div>)}
        <h2>{w.runs}</h2><Loaded of={runs}>{(page) => (page.data.length ? <RunTable runs={page.data} scenarios={[]} /> : <p className="muted">{w.noRunsYet}</p>)}</Loaded>
      </div>
    )}</Loaded>
  );
}
