/** Scenarios: the list, and one with its tests, history, settings and the run button. */
import { useMemo, useState } from 'react';
import { asCurl, Problem, queryOf, send } from '../shared/api';
import { ago, costOf, money, none, percent, shortId } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { areSettled, Button, Dialog, Empty, Field, Loaded, ProblemView, useReady, useTitle } from '../shared/parts';
import { Link, navigate } from '../shared/router';
import { useRight } from '../shared/session';
import { refresh, useGet } from '../shared/store';
import { Foreign } from '../shared/text';
import { Agent, Cells, Page, Run, Scenario, Test } from '../shared/types';
import { w } from '../shared/words';
import { RunTable } from '../runs/runs';
import { MatrixRow, rowsOf } from '../run/cells';

function useAct(): [(action: () => Promise<unknown>) => void, Problem | undefined] {
  const [problem, setProblem] = useState<Problem>();
  return [(action) => { setProblem(undefined); action().catch((error) => { if (error instanceof Problem) setProblem(error); else throw error; }); }, problem];
}

export function Scenarios(): JSX.Element {
  const scenarios = useGet<Page<Scenario>>(`/scenarios/${queryOf({ limit: 200 })}`);
  const { canWrite, why } = useRight();
  const [name, setName] = useState('');
  const [act, problem] = useAct();
  useTitle(w.scenarios);
  useCrumbs([{ name: w.scenarios }]);
  useReady(!!scenarios.data);
  const make = () => act(async () => { const made = await send<Scenario>('POST', '/scenarios/', { name }); refresh('/scenarios'); navigate(`/scenarios/${made.id}`); });
  return (
    <div className="stack"><div className="page-head"><h1>{w.scenarios}</h1>
      <form className="row" onSubmit={(event) => { event.preventDefault(); make(); }}><input value={name} required placeholder={w.newScenarioName} aria-label={w.newScenarioName} onChange={(event) => setName(event.target.value)} /><Button type="submit" disabled={!canWrite || !name.trim()} title={why}>{w.newScenario}</Button></form></div>
      {problem && <ProblemView problem={problem} />}
      <Loaded of={scenarios}>{(page) => (page.data.length === 0 ? <Empty says={w.noScenarios} command={asCurl('POST', '/scenarios/', {'name': 'my scenario'})}><Link className="button" to="/">{w.playDemo}</Link></Empty> : (
        <div className="table-wrap"><table className="grid-table"><thead><tr><th scope="col">{w.name}</th><th scope="col">{w.agents}</th><th scope="col">{w.created}</th></tr></thead>
          <tbody>{page.data.map((each) => <tr key={each.id} data-id={each.id}><td className="name-cell"><Link to={`/scenarios/${each.id}`}><bdi>{each.name || w.unnamed}</bdi></Link> <span className="muted small"><Foreign text={each.description} /></span></td><td><bdi>{each.agents.map((agent) => agent.name).join(', ') || w.anyOf}</bdi></td><td><time dateTime={each.createdAt}>{ago(each.createdAt)}</time></td></tr>)}</tbody></table></div>))}</Loaded>
    </div>
  );
}

function RunDialog({ scenario, tests, last, close }: { scenario: Scenario; tests: Test[]; last?: Run; close: () => void }): JSX.Element {
  const agents = useGet<Page<Agent>>(`/agents/${queryOf({ limit: 200, output: 'minimal' })}`);
  const [agent, setAgent] = useState(last?.agent.id ?? scenario.agents[0]?.id ?? '');
  const [times, setTimes] = useState(String(last?.repetitions ?? 1));
  const [left, setLeft] = useState<string[]>([]);
  const [act, problem] = useAct();
  const enabled = tests.filter((test) => test.isEnabled);
  const chosen = enabled.filter((test) => !left.includes(test.id));
  const allowed = (agents.data?.data ?? []).filter((each) => each.isEnabled && (scenario.agents.length === 0 || scenario.agents.some((link) => link.id === each.id)));
  const cases = chosen.length * Math.max(1, Number(times) || 1);
  const spent = last ? costOf(last) : null;
  const expected = last && spent ? (spent / Math.max(1, last.result.total ?? 1)) * cases : null;
  const start = () => act(async () => {
    const made = await send<Run>('POST', '/runs/', { scenario: scenario.id, agent: agent || allowed[0]?.id, status: 'pending', repetitions: Number(times), ...(left.length ? { testConfigs: chosen.map((test) => ({ test: test.id, repetitions: Number(times) })) } : {}) });
    refresh('/runs');
    navigate(`/runs/${made.id}`);
  });
  return (
    <Dialog title={w.newRun} onClose={close}>
      <Field label={w.agentColumn}><select value={agent} onChange={(event) => setAgent(event.target.value)}>{allowed.map((each) => <option key={each.id} value={each.id}>{each.name || w.unnamed} ({each.type || 'EXTERNAL'})</option>)}</select></Field>
      <Field label={w.repetitions}><input inputMode="numeric" value={times} onChange={(event) => setTimes(event.target.value.replace(/\D/g, ''))} /></Field>
      <fieldset className="choice"><legend>{w.tests}</legend><div className="test-choice">{enabled.map((test) => <label key={test.id} className="check"><input type="checkbox" checked={!left.includes(test.id)} onChange={(event) => setLeft(event.target.checked ? left.filter((id) => id !== test.id) : [...left, test.id])} /><bdi>{test.name || w.unnamed}</bdi></label>)}</div></fieldset>
      <p className="muted">{w.casesPlanned(cases)}{expected ? ` · ${w.costExpected(money(expected))}` : ''}</p>
      {problem && <ProblemView problem={problem} />}
      <div className="row"><Button kind="main" disabled={cases === 0 || allowed.length === 0} onClick={start}>{w.startRun}</Button><Button onClick={close}>{w.cancel}</Button></div>
    </Dialog>
  );
}

function useHistory(runs: Run[]): Map<string, Map<string, MatrixRow>> {
  const [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map((at) => useGet<Cells>(runs[at] ? `/runs/${runs[at].id}/cells` : null));
  return useMemo(() => new Map(runs.slice(0, 6).map((run, at) => [run.id, new Map(([a, b, c, d, e, f][at].data ? rowsOf([a, b, c, d, e, f][at].data!) : []).map((row) => [row.test, row]))])), [runs, a.data, b.data, c.data, d.data, e.data, f.data]);
}

export function ScenarioPage({ id }: { id: string }): JSX.Element {
  const scenario = useGet<Scenario>(`/scenarios/${id}`);
  const tests = useGet<Page<Test>>(`/scenarios/${id}/tests${queryOf({ limit: 500, sortOrder: 'asc' })}`);
  const runs = useGet<Page<Run>>(`/runs/${queryOf({ scenario: id, limit: 20 })}`);
  const { canWrite, why } = useRight();
  const [isRunning, run] = useState(false);
  const [act, problem] = useAct();
  useTitle(scenario.data?.name || shortId(id));
  useCrumbs([{ name: w.scenarios, to: '/scenarios' }, { name: scenario.data?.name || shortId(id) }]);
  useReady(areSettled(scenario, tests, runs));
  const recent = useMemo(() => (runs.data?.data ?? []).filter((each) => each.status === 'completed').slice(0, 6).reverse(), [runs.data]);
  const history = useHistory(recent);
  const flip = (test: Test) => act(async () => { await send('PATCH', `/tests/${test.id}`, { isEnabled: !test.isEnabled }); tests.reload(); });
  const row = (test: Test, depth: number) => (
    <tr key={test.id} data-part="test-row" data-id={test.id}><td className={`name-cell depth-${depth}`}><Link to={`/tests/${test.id}`}><bdi>{test.name || w.unnamed}</bdi></Link></td><td className="end">{test.assertions.length}</td>
      {recent.map((each) => { const cells = history.get(each.id)?.get(test.id); return <td key={each.id} className="heat-cell">{cells && cells.rate !== null ? <Link to={`/runs/${each.id}`} className={`heat ${cells.rate === 1 ? 'passed' : cells.rate === 0 ? 'failed' : 'mixed'}`} aria-label={`${test.name}: ${percent(cells.rate)}, ${ago(each.createdAt)}`}>{Math.round(cells.rate * 100)}</Link> : <span className="muted">{none}</span>}</td>; })}
      <td className="end"><label className="check"><input type="checkbox" checked={test.isEnabled} disabled={!canWrite} aria-label={`${w.enabledInRuns}: ${test.name}`} onChange={() => flip(test)} /></label></td></tr>
  );
  return (
    <Loaded of={scenario} rows={8} back={<Link className="button" to="/scenarios">{w.scenarios}</Link>}>{(data) => (
      <div className="stack">
        <header className="page-head"><div><h1><bdi>{data.name || w.unnamed}</bdi></h1>{data.description && <p className="muted"><Foreign text={data.description} /></p>}</div>
          <div className="row"><Link className="button" to={`/tests/new?scenario=${id}`}>{w.newTest}</Link><Link className="button" to={`/trends?scenario=${id}`}>{w.trends}</Link><Button kind="main" disabled={!canWrite || !tests.data?.data.some((test) => test.isEnabled)} title={why} onClick={() => run(true)}>{w.newRun}</Button></div></header>
        {problem && <ProblemView problem={problem} />}
        <Loaded of={tests}>{(page) => (page.data.length === 0 ? <Empty says={w.noTestsYet}><Link className="button main" to={`/tests/new?scenario=${id}`}>{w.newTest}</Link></Empty> : (
          <div className="table-wrap"><table className="grid-table"><thead><tr><th scope="col">{w.testColumn}</th><th scope="col" className="end">{w.assertions}</th>{recent.map((each) => <th key={each.id} scope="col" className="heat-cell" title={ago(each.createdAt)}><Link to={`/runs/${each.id}`}>{percent(each.result.passRate)}</Link></th>)}<th scope="col" className="end">{w.enabled}</th></tr></thead>
            <tbody>{page.data.filter((test) => !test.parentTest).flatMap((test) => [row(test, 0), ...page.data.filter((each) => each.parentTest === test.id).map((variant) => row(variant, 1))])}</tbody></table></div>))}</Loaded>
        <h2>{w.runs}</h2>
        <Loaded of={runs}>{(page) => (page.data.length === 0 ? <p className="muted">{w.noRunsYet}</p> : <RunTable runs={page.data} scenarios={[data]} />)}</Loaded>
        {isRunning && <RunDialog scenario={data} tests={tests.data?.data ?? []} last={runs.data?.data[0]} close={() => run(false)} />}
      </div>
    )}</Loaded>
  );
}
