/** The actions on a run, for its row and for its page. */
import { useState } from 'react';
import { allPages, base, get, headersOf, Problem, queryOf, send } from '../shared/api';
import { linkId, nameOfRun, shortId } from '../shared/format';
import { Button, Dialog, Menu, MenuItem, ProblemView } from '../shared/parts';
import { navigate } from '../shared/router';
import { useRight } from '../shared/session';
import { isFinished } from '../shared/states';
import { refresh } from '../shared/store';
import { Page, ResultHead, Run } from '../shared/types';
import { saveFile, toCsv } from '../shared/files';
import { w } from '../shared/words';

const csvColumns = ['id', 'test', 'personality', 'status', 'endReason', 'overallPassed', 'score', 'createdAt'] as const;

const allResults = (run: string): Promise<ResultHead[]> =>
  allPages((page) => get<Page<ResultHead>>(`/runs/${run}/test-results${queryOf({ page, limit: 500, output: 'minimal', sortOrder: 'asc' })}`));
export async function exportRun(run: string, form: 'json' | 'csv'): Promise<void> {
  const rows = await allResults(run);
  if (form === 'json') saveFile(`run-${shortId(run)}.json`, 'application/json', JSON.stringify(rows, null, 2));
  else saveFile(`run-${shortId(run)}.csv`, 'text/csv', toCsv([[...csvColumns], ...rows.map((row) => csvColumns.map((name) => { const value = row[name as keyof ResultHead]; return value && typeof value === 'object' && 'name' in value ? String(value.name) : value === null || value === undefined ? '' : String(value); }))]));
}
/** The report is a single file that the server generates. */
export async function exportReport(run: string, transcripts: 'failed' | 'all'): Promise<void> {
  const response = await fetch(`${base}/runs/${run}/report?transcripts=${transcripts}`, { headers: { ...headersOf({}), Accept: 'text/html' }, credentials: 'same-origin' });
  if (!response.ok) throw new Problem(response.status, response.statusText, '');
  saveFile(`parley-run-${shortId(run)}.html`, 'text/html', await response.text());
}

export async function retryAll(ids: string[]): Promise<void> {
  for (const id of ids) await send('POST', `/test-results/${id}/retry`);
}

/** The body that launches the same run again: with its selection of tests, personalities and limits. */
export function launchOf(run: Run): Record<string, unknown> {
  return {
    scenario: run.scenario.id, agent: run.agent.id, status: 'pending', repetitions: run.repetitions, ...(run.name ? { name: run.name } : {}),
    ...(run.testConfigs.length ? { testConfigs: run.testConfigs.map((config) => ({ ...config, test: linkId(config.test), personality: linkId(config.personality) || undefined })) } : {}),
    ...(run.personality ? { personality: run.personality.id } : {}), ...(run.maxConcurrentTests ? { maxConcurrentTests: run.maxConcurrentTests } : {}),
    ...(run.seed !== undefined && run.seed !== null ? { seed: run.seed } : {}), ...(run.runGroup ? { runGroup: run.runGroup.id } : {}),
  };
}

export function RunMenu({ run, more = [] }: { run: Run; more?: MenuItem[] }): JSX.Element {
  const { canWrite, isAdmin, why } = useRight();
  const [problem, setProblem] = useState<Problem>();
  const [isDeleting, setDeleting] = useState(false);
  const act = (action: () => Promise<unknown>) => () => {
    action().then(() => refresh('/runs', '/scenarios', '/test-results'), (error) => { if (error instanceof Problem) setProblem(error); else throw error; });
  };
  const isOver = isFinished(run.status);
  const write = { isDisabled: !canWrite, why };
  const rerun = async () => {
    const made = await send<Run>('POST', '/runs/', launchOf(run));
    navigate(`/runs/${made.id}`);
  };
  const baseline = async () => {
    const scenario = await get<{ baselines?: Record<string, string> }>(`/scenarios/${run.scenario.id}`);
    await send('PATCH', `/scenarios/${run.scenario.id}`, { baselines: { ...scenario.baselines, [run.agent.id]: run.id } });
  };
  return (
    <>
      <Menu kind="quiet" label={<span aria-label={w.actions}>⋯</span>} items={[
        ...more,
        { label: w.rerunAll, act: act(rerun), ...write },
        { label: w.setBaseline, act: act(baseline), ...write },
        { label: w.exportReport, act: act(() => exportReport(run.id, 'failed')) },
        { label: w.exportReportAll, act: act(() => exportReport(run.id, 'all')) },
        { label: w.exportJson, act: act(() => exportRun(run.id, 'json')) },
        { label: w.exportCsv, act: act(() => exportRun(run.id, 'csv')) },
        { label: run.isArchived ? w.unarchive : w.archive, act: act(() => send('PATCH', `/runs/${run.id}`, { isArchived: !run.isArchived })), ...write },
        isOver ? null : { label: w.cancelRun, act: act(() => send('POST', `/runs/${run.id}/cancel`)), ...write },
        isOver ? { label: w.deleteRun, act: () => setDeleting(true), isDanger: true, isDisabled: !isAdmin, why: w.needsAdmin } : null,
      ]} />
      {problem && <Dialog title={w.actions} onClose={() => setProblem(undefined)}><ProblemView problem={problem} /></Dialog>}
      {isDeleting && <DeleteDialog run={run} close={() => setDeleting(false)} />}
    </>
  );
}

function DeleteDialog({ run, close }: { run: Run; close: () => void }): JSX.Element {
  const name = nameOfRun(run);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const remove = async () => {
    try { await send('DELETE', `/runs/${run.id}`); close(); refresh('/runs'); navigate('/runs'); } catch (error) { if (error instanceof Problem) setProblem(error); else throw error; }
  };
  return (
    <Dialog title={w.deleteRun} onClose={close}>
      <p><bdi>{w.deleteAsks(name)}</bdi></p>
      <input value={typed} aria-label={name} onChange={(event) => setTyped(event.target.value)} />
      {problem && <ProblemView problem={problem} />}
      <div className="row"><Button kind="danger" disabled={typed !== name} onClick={() => void remove()}>{w.deleteRun}</Button><Button onClick={close}>{w.cancel}</Button></div>
    </Dialog>
  );
}
