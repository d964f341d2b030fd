/** The first page: one card for each scenario and agent, live runs, new failures, agents that need attention. */
import { useMemo, useState } from 'react';
import { queryOf, Problem } from '../shared/api';
import { ago, costOf, count, decimals, money, nameOfRun, percent, percentRange } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { useLive } from '../shared/live';
import { areSettled, Button, Loaded, ProblemView, useReady, useTitle } from '../shared/parts';
import { Link, navigate } from '../shared/router';
import { useRight } from '../shared/session';
import { Spark, StateBar } from '../shared/bars';
import { Resource, useGet } from '../shared/store';
import { Agent, Page, Run, Scenario } from '../shared/types';
import { w } from '../shared/words';
import { playDemo } from './demo';

const cardsMax = 24;
interface Group { key: string; scenario: Run['scenario']; agent: Run['agent']; runs: Run[] }
function grouped(runs: Run[]): Group[] {
  const groups = new Map<string, Group>();
  for (const run of runs) {
    const key = `${run.scenario?.id}/${run.agent?.id}`;
    const group = groups.get(key) ?? { key, scenario: run.scenario, agent: run.agent, runs: [] };
    group.runs.push(run);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The change from the baseline, or from the previous run if the scenario has no baseline. */
function Change({ run, other, isBaseline }: { run: Run; other?: Run; isBaseline: boolean }): JSX.Element | null {
  const now = run.result.passRate, then = other?.result.passRate;
  if (now === null || now === undefined || then === null || then === undefined || other?.id === run.id) return null;
  const points = Math.round((now - then) * 100);
  const by = `${points > 0 ? '▲ +' : '▼ −'}${Math.abs(points)}`;
  const text = isBaseline ? (points === 0 ? w.asBaseline : w.against(by)) : points === 0 ? w.asPrevious : w.againstPrevious(by);
  return <Link to={`/runs/${other!.id}...${run.id}`} className="small">{text}</Link>;
}

function Card({ group, scenario }: { group: Group; scenario?: Scenario }): JSX.Element {
  const [run] = group.runs;
  const result = run.result;
  const decided = (result.passed ?? 0) + (result.notPassed ?? 0);
  const baselineId = scenario?.baselines?.[group.agent.id];
  const kept = useGet<Run>(baselineId && !group.runs.some((each) => each.id === baselineId) ? `/runs/${baselineId}` : null);
  const other = baselineId ? group.runs.find((each) => each.id === baselineId) ?? kept.data : group.runs.slice(1).find((each) => each.status === 'completed');
  const rates = group.runs.slice(0, 20).map((each) => each.result.passRate ?? null).reverse();
  const flaky = result.flaky?.length ?? 0;
  return (
    <article className="card" data-part="run-card" data-id={run.id} data-state={run.status}>
      <header>
        <h3><Link to={`/scenarios/${group.scenario.id}`}><bdi>{group.scenario.name || w.unnamed}</bdi></Link></h3>
        <Link to={`/agents/${group.agent.id}`} className="muted"><bdi>{group.agent.name || w.unnamed}</bdi></Link>
      </header>
      <Link to={`/runs/${run.id}`} className="card-rate">
        <strong className="number">{percent(result.passRate)}</strong>
        <span className="muted number">{decided ? `(${percentRange(result.interval?.low ?? 0, result.interval?.high ?? 1)})` : w.noDecided}</span>
        <Spark values={rates} label={w.lastRuns(rates.length)} />
      </Link>
      <StateBar result={result} />
      <footer className="row small muted">
        {run.status !== 'completed' && <span className={`badge ${run.status}`}>{w.statuses[run.status]}</span>}
        <Change run={run} other={other} isBaseline={!!baselineId} />
        {result.coverage !== undefined && result.coverage < 1 && <span>{w.coverageIs(decimals(result.coverage))}</span>}
        {flaky > 0 && <span>{w.flakyTests(flaky)}</span>}
        {costOf(run) ? <span>{money(costOf(run))}</span> : null}
        {run.name && <bdi>{run.name}</bdi>}
        <time dateTime={run.createdAt}>{ago(run.createdAt)}</time>
      </footer>
    </article>
  );
}

function FirstSteps({ agents, tests, runs, reload }: { agents: number; tests: number; runs: number; reload: () => void }): JSX.Element {
  const { canWrite, why } = useRight();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const play = async () => {
    setBusy(true); setProblem(undefined);
    try { navigate(`/runs/${await playDemo()}`); } catch (error) { if (!(error instanceof Problem)) throw error; setProblem(error); reload(); }
    setBusy(false);
  };
  const step = (isDone: boolean, text: string, to: string) => (
    <li className={isDone ? 'done' : ''}><span className="tick" aria-hidden="true">{isDone ? '✓' : ''}</span><Link to={to}>{text}</Link></li>
  );
  return (
    <section className="panel first-steps" data-part="empty">
      <h2>{w.firstSteps}</h2>
      <ol>{step(agents > 0, w.stepAgent, '/agents/new')}{step(tests > 0, w.stepTest, '/scenarios')}{step(runs > 0, w.stepRun, '/runs')}</ol>
      <p className="muted">{w.demoSays}</p>
      <div className="row"><Button kind="main" disabled={isBusy || !canWrite} title={why} onClick={() => void play()}>{isBusy ? w.demoRunning : w.playDemo}</Button></div>
      {problem && <ProblemView problem={problem} retry={() => void play()} />}
    </section>
  );
}

/** Runs of one scenario differ by their agent, which has its own line so that a long name does not hide it. */
function RunName({ run, view = '' }: { run: Run; view?: string }): JSX.Element {
  return <Link to={`/runs/${run.id}${view}`} className="two-lines"><bdi className="cut">{nameOfRun(run)}</bdi><bdi className="cut muted small">{run.agent?.name || w.unnamed}</bdi></Link>;
}

function LiveRuns({ runs }: { runs: Run[] }): JSX.Element {
  const live = runs.filter((run) => run.status === 'running' || run.status === 'pending');
  return (
    <section className="panel"><h2>{w.liveRuns}</h2>
      {live.length === 0 ? <p className="muted">{w.noneRunning}</p> : (
        <ul className="lines">{live.map((run) => (
          <li key={run.id} data-part="run-row" data-id={run.id} data-state={run.status}>
            <RunName run={run} />
            <StateBar result={run.result} />
            <span className="muted number">{count((run.result.completed ?? 0) + (run.result.failed ?? 0))} / {count(run.result.total)}</span>
          </li>
        ))}</ul>
      )}
    </section>
  );
}

function Failing({ groups }: { groups: Group[] }): JSX.Element {
  const failing = groups.map((group) => ({ ...group, runs: group.runs.filter((run) => run.status === 'completed').slice(0, 1) }))
    .filter(({ runs: [run] }) => run && ((run.result.notPassed ?? 0) > 0 || (run.result.failed ?? 0) > 0)).slice(0, 8);
  return (
    <section className="panel"><h2>{w.recentFailures}</h2>
      {failing.length === 0 ? <p className="muted">{w.noFailures}</p> : (
        <ul className="lines">{failing.map(({ key, runs: [run] }) => (
          <li key={key}><RunName run={run} view="?view=failures" />
            <span className="number">{[run.result.notPassed && `✗ ${run.result.notPassed}`, run.result.failed && `⚠ ${run.result.failed}`].filter(Boolean).join('  ')}</span>
            <time className="muted" dateTime={run.createdAt}>{ago(run.createdAt)}</time></li>
        ))}</ul>
      )}
    </section>
  );
}

function QuietAgents({ of }: { of: Resource<Page<Agent>> }): JSX.Element {
  const quiet = (of.data?.data ?? []).filter((agent) => agent.type === 'LOCAL' && (!agent.lastSeenAt || Date.now() - Date.parse(agent.lastSeenAt) > 600_000));
  return (
    <section className="panel"><h2>{w.quietAgents}</h2>
      <Loaded of={of} rows={1}>{() => quiet.length === 0 ? <p className="muted">{w.agentsFine}</p> : (
        <ul className="lines">{quiet.slice(0, 8).map((agent) => (
          <li key={agent.id}><Link to={`/agents/${agent.id}`}><bdi>{agent.name || w.unnamed}</bdi></Link><span className="muted">{agent.lastSeenAt ? w.lastSeen(ago(agent.lastSeenAt)) : w.neverSeen}</span></li>
        ))}</ul>
      )}</Loaded>
    </section>
  );
}

export function Overview(): JSX.Element {
  const runs = useGet<Page<Run>>(`/runs/${queryOf({ limit: 200 })}`);
  const agents = useGet<Page<Agent>>(`/agents/${queryOf({ limit: 100 })}`);
  const scenarios = useGet<Page<Scenario>>(`/scenarios/${queryOf({ limit: 200 })}`);
  const tests = useGet<Page<unknown>>(`/tests/${queryOf({ limit: 1, output: 'minimal' })}`);
  useLive(['runs', 'agents']);
  useTitle(w.overview);
  useCrumbs([{ name: w.overview }]);
  useReady(areSettled(runs, agents, scenarios, tests));
  const groups = useMemo(() => grouped(runs.data?.data ?? []), [runs.data]);
  return (
    <div className="stack">
      <h1 className="offscreen">{w.overview}</h1>
      <Loaded of={runs}>{(page) => (
        <>
          {page.total === 0 && agents.data && tests.data && <FirstSteps agents={agents.data.total} tests={tests.data.total} runs={page.total} reload={runs.reload} />}
          {groups.length > 0 && (
            <div className="cards">{groups.slice(0, cardsMax).map((group) => (
              <Card key={group.key} group={group} scenario={scenarios.data?.data.find((each) => each.id === group.scenario?.id)} />
            ))}</div>
          )}
          {(groups.length > cardsMax || page.total > page.data.length) && <p className="muted small" data-part="partial">{[groups.length > cardsMax && w.shown(cardsMax, groups.length), page.total > page.data.length && w.latestRuns(page.data.length, page.total)].filter(Boolean).join(' · ')}</p>}
          {page.total > 0 && <div className="thirds"><LiveRuns runs={page.data} /><Failing groups={groups} /><QuietAgents of={agents} /></div>}
        </>
      )}</Loaded>
    </div>
  );
}
