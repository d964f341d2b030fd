/** Dry run: the verdicts of the changed assertions on recorded conversations. Nothing is stored until the user asks for it. */
import { useState } from 'react';
import { get, Problem, queryOf, send } from '../shared/api';
import { ago } from '../shared/format';
import { Button, flipText, ProblemView } from '../shared/parts';
import { Link } from '../shared/router';
import { useRight } from '../shared/session';
import { refresh } from '../shared/store';
import { Page, ResultHead, Test } from '../shared/types';
import { w } from '../shared/words';
import { Rescoring } from '../run/run_dialogs';
import { TestDraft } from './kept_draft';

export function DryRun({ test, draft, only, hasFaults }: { test: Test; draft: TestDraft; only: string; hasFaults: boolean }): JSX.Element {
  const { canWrite } = useRight();
  const [rows, setRows] = useState<Rescoring[]>();
  const [heads, setHeads] = useState(new Map<string, ResultHead>());
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const play = async (preview: boolean) => {
    setBusy(true); setProblem(undefined);
    try {
      const page = only ? { data: [{ id: only } as ResultHead] } : await get<Page<ResultHead>>(`/test-results/${queryOf({ test: test.id, status: 'completed', limit: 20, output: 'minimal' })}`);
      const answers = await Promise.all(page.data.map((result) => send<Rescoring>('POST', `/test-results/${result.id}/rescore`, { assertions: draft.assertions, preview })));
      setHeads(new Map(page.data.map((each) => [each.id, each])));
      setRows(answers.sort((a, b) => b.flips.length - a.flips.length));
      if (!preview) refresh('/test-results', '/runs');
    } catch (error) { if (error instanceof Problem) setProblem(error); else throw error; }
    setBusy(false);
  };
  const flips = rows?.filter((row) => row.flips.length > 0).length ?? 0;
  return (
    <section className="panel stack tight"><div className="spread"><h2>{w.dryRun}</h2><Button disabled={!canWrite || isBusy || hasFaults} onClick={() => void play(true)}>{only ? w.dryRunOne : w.dryRunTwenty}</Button></div>
      <p className="muted small">{w.dryRunSays}</p>
      {problem && <ProblemView problem={problem} />}
      {rows && rows.length === 0 && <p className="muted">{w.noRecorded}</p>}
      {rows && rows.length > 0 && <p role="status">{w.rescoreSays(flips, rows.length)}</p>}
      {rows && <ul className="lines tall">{rows.map((row) => (
        <li key={row.id} data-part="dry-row" data-id={row.id}><Link to={`/results/${row.id}`}>{w.scoreOf(row.before.score)} → {row.after.score}{heads.get(row.id)?.createdAt && <span className="muted small"> · <bdi>{heads.get(row.id)?.agent?.name}</bdi> · {ago(heads.get(row.id)!.createdAt)}</span>}</Link>
          <span className="small">{row.flips.map((flip) => <Link key={flip.id} className="chip" to={`/results/${row.id}?a=${encodeURIComponent(flip.id)}`}>{flipText(flip.name || flip.type, flip.before, flip.after)}</Link>)}</span></li>))}</ul>}
      {flips > 0 && <div className="row"><Button disabled={isBusy} onClick={() => { if (confirm(w.saveRescoreAsks(flips))) void play(false); }}>{w.saveRescore}</Button></div>}
    </section>
  );
}
