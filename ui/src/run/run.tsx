/** One run: the outcome as a sentence, and its results as matrix, failures, list, charts and settings. */
import { lazy, Suspense, useMemo } from 'react';
import { asCurl } from '../shared/api';
import { nameOfRun, shortId, when } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { useLive } from '../shared/live';
import { areSettled, Empty, Loaded, Skeleton, Tabs, useReady, useTitle } from '../shared/parts';
import { inReport, Link, setQuery, usePlace } from '../shared/router';
import { isFault, isFinished } from '../shared/states';
import { useGet } from '../shared/store';
import { Agent, Cells, FailureGroup, Page, Run, Test } from '../shared/types';
import { w } from '../shared/words';
import { RunnerHelp } from '../agents/runner_help';
import { rowsOf } from './cells';
import { Failures } from './failures';
import { RunHead } from './head';
import { ListView } from './list';
import { Matrix } from './matrix';
import { RunSettings } from './run_settings';
import { setFavicon } from './favicon';
import { rememberView } from './walk';

const Charts = lazy(() => import('./charts').then((module) => ({ default: module.Charts })));
const noGroups: FailureGroup[] = [];
const views = ['matrix', 'failures', 'list', 'charts', 'settings'];

/** Whether nothing has happened yet in a run that a client or a runner drives. */
function isUnstarted(run: Run, cells: Cells): boolean {
  return !inReport && !isFinished(run.status) && ['EXTERNAL', 'LOCAL', ''].includes(run.agent?.type ?? 'DEMO') && cells.id.every((id, at) => id === null || cells.state[at] === 'w');
}

function NoResults({ run }: { run: Run }): JSX.Element {
  const isLaunched = ['HTTP', 'OPENAI', 'DEMO', 'LOCAL', 'GITHUB'].includes(run.agent?.type ?? '');
  const tests = useGet<Page<Test>>(run.scenario ? `/scenarios/${run.scenario.id}/tests?limit=500&sortOrder=asc` : null);
  const agent = useGet<Agent>(run.agent?.type === 'LOCAL' ? `/agents/${run.agent.id}` : null);
  if ((isLaunched && run.status === 'completed') || tests.data?.data.every((test) => !test.isEnabled)) return <Empty says={w.noTests}><Link className="button" to={`/scenarios/${run.scenario.id}`}>{w.toScenario}</Link></Empty>;
  const loop = asCurl('POST', '/test-results/', {'run': run.id, 'agent': run.agent?.id, 'test': '…'});
  return <div className="stack"><Empty says={w.noResults} command={loop} />{agent.data && <RunnerHelp agent={agent.data} />}</div>;
}

/** The outcome for the title and the icon of the tab: green only if everything was decided and passed. */
function markOf({ status, result }: Run): string {
  if (status === 'canceled') return '–';
  if (!isFinished(status)) return '●';
  if (result.notPassed || result.failed || status === 'failed') return '✗';
  return result.undecided || !result.passed ? '?' : '✓';
}

export function RunPage({ id }: { id: string }): JSX.Element {
  const { query } = usePlace();
  const view = views.includes(query.get('view') ?? '') ? query.get('view')! : 'matrix';
  rememberView(id, query.toString());
  const run = useGet<Run>(`/runs/${id}`);
  const cells = useGet<Cells>(`/runs/${id}/cells`);
  const failures = useGet<{ groups: FailureGroup[] }>(`/runs/${id}/failures`);
  useLive([`run:${id}`]);
  const rows = useMemo(() => (cells.data ? rowsOf(cells.data) : []), [cells.data]);
  const name = run.data ? nameOfRun(run.data) : shortId(id);
  const outcome = run.data?.result;
  const mark = run.data ? markOf(run.data) : '';
  useTitle(run.data ? `${mark} ${outcome?.passed ?? 0}/${outcome?.total ?? 0} ${name}` : name);
  useCrumbs([{ name: w.runs, to: '/runs' }, { name: run.data ? run.data.scenario?.name || w.unnamed : shortId(id), to: run.data ? `/scenarios/${run.data.scenario.id}` : undefined }, { name: run.data ? run.data.name || when(run.data.createdAt) : shortId(id) }]);
  useReady(areSettled(run, cells, failures));
  setFavicon(mark);
  const hasFaults = useMemo(() => [...(cells.data?.state ?? '')].filter((letter) => isFault(letter)).length, [cells.data]);
  return (
    <Loaded of={run} rows={8} back={<Link className="button" to="/runs">{w.runs}</Link>}>{(data) => (
      <div className="run-page">
        <RunHead run={data} rows={rows} groups={failures.data?.groups} faults={hasFaults} />
        <Tabs label={w.views} current={view} choose={(next) => setQuery({ view: next === 'matrix' ? null : next }, { push: true })}
          tabs={[['matrix', w.matrix], ['failures', w.failures, failures.data?.groups.length], ['list', w.list], ['charts', w.charts], ['settings', w.settingsTab]]} />
        <section role="tabpanel" aria-labelledby={`tab-${view}`} className="run-view">
          {view === 'settings' ? <RunSettings run={data} /> : (
            <Loaded of={cells}>{(loaded) => ((loaded.row.length === 0 && rows.length === 0) || isUnstarted(data, loaded) ? <NoResults run={data} /> : (
              <>
                {view === 'matrix' && <Matrix run={data} cells={loaded} rows={rows} groups={failures.data?.groups ?? noGroups} />}
                {view === 'failures' && <Loaded of={failures}>{({ groups }) => <Failures run={data} groups={groups} />}</Loaded>}
                {view === 'list' && <ListView run={data} cells={loaded} rows={rows} groups={failures.data?.groups ?? noGroups} />}
                {view === 'charts' && <Suspense fallback={<Skeleton />}><Charts run={data} rows={rows} /></Suspense>}
              </>
            ))}</Loaded>
          )}
        </section>
      </div>
    )}</Loaded>
  );
}
