/** Dialogs: why a run is red, and what a rescoring would change. */
import { useEffect, useState } from 'react';
import { allPages, Problem, queryOf, send, serverUrl } from '../shared/api';
import { percent } from '../shared/format';
import { Button, CopyLine, Dialog, flipText, ProblemView, Skeleton } from '../shared/parts';
import { Link } from '../shared/router';
import { refresh } from '../shared/store';
import { FailureGroup, Page, Run } from '../shared/types';
import { w } from '../shared/words';
import { reasonOf } from './grouping';

export function GateDialog({ run, groups, faults, close }: { run: Run; groups: FailureGroup[]; faults: number; close: () => void }): JSX.Element {
  const worst = groups.filter((group) => group.kind === 'verdict').slice(0, 5);
  return (
    <Dialog title={w.gate} onClose={close}>
      <p>{w.gateSays(percent(run.result.passRate), run.result.notPassed ?? 0, faults)}</p>
      <ul className="lines">{worst.map((group) => <li key={group.signature}><span><strong><bdi>{group.assertion?.name || group.assertion?.type}</bdi></strong> <bdi>{reasonOf(group)}</bdi></span><span className="number">{group.count}</span></li>)}</ul>
      <p className="muted">{w.gateCommand}</p>
      <CopyLine text={`parley gate ${run.id} --server ${serverUrl()}`} />
    </Dialog>
  );
}

export interface Rescoring {
  id: string; test: { id: string; name: string } | null; saved: boolean; problem?: { detail: string } | null;
  before: { score: number; overallPassed: boolean }; after: { score: number; overallPassed: boolean };
  flips: { id: string; name: string | null; type: string; before: string | null; after: string | null; reason: string | null }[];
}

export function Flips({ rows }: { rows: Rescoring[] }): JSX.Element {
  const changed = rows.filter((row) => row.flips.length > 0);
  return (
    <ul className="lines tall">{changed.slice(0, 100).map((row) => (
      <li key={row.id}><Link to={`/results/${row.id}`}><bdi>{row.test?.name || row.id}</bdi></Link>
        <span className="small">{row.flips.map((flip) => <span key={flip.id} className="chip">{flipText(flip.name || flip.type, flip.before, flip.after)}</span>)}</span></li>
    ))}</ul>
  );
}

/** Rescores every completed result of the run, page by page: a page has at most 32 MiB of conversations. */
const rescored = (run: string, preview: boolean): Promise<Rescoring[]> =>
  allPages((page) => send<Page<Rescoring>>('POST', `/runs/${run}/rescore${queryOf({ page, limit: 100 })}`, { preview }));

export function RescoreDialog({ run, close }: { run: Run; close: () => void }): JSX.Element {
  const [rows, setRows] = useState<Rescoring[]>();
  const [problem, setProblem] = useState<Problem>();
  const [isSaved, setSaved] = useState(false);
  const ask = async (preview: boolean) => {
    try {
      const all = await rescored(run.id, preview);
      setRows(all); setSaved(!preview);
      if (!preview) refresh('/runs', '/test-results');
    } catch (error) { if (error instanceof Problem) setProblem(error); else throw error; }
  };
  useEffect(() => void ask(true), []);
  const flips = rows?.filter((row) => row.flips.length > 0).length ?? 0;
  return (
    <Dialog title={w.rescorePreview} onClose={close} isWide>
      {problem && <ProblemView problem={problem} />}
      {!rows && !problem && <Skeleton rows={3} />}
      {rows && <p>{w.rescoreSays(flips, rows.length)}</p>}
      {rows && <Flips rows={rows} />}
      {rows && <div className="row"><Button kind="main" disabled={flips === 0 || isSaved} onClick={() => void ask(false)}>{isSaved ? w.saved : w.saveRescore}</Button><Button onClick={close}>{w.close}</Button></div>}
    </Dialog>
  );
}
