/** Scoring of external logs: against the assertions of a test, or against assertions written here. Nothing is stored unless the user asks for it. */
import { useState } from 'react';
import { inBatches, Problem, queryOf, send } from '../shared/api';
import { Button, Dialog, Field, ProblemView } from '../shared/parts';
import { Link } from '../shared/router';
import { useRight } from '../shared/session';
import { refresh, useGet } from '../shared/store';
import { Foreign } from '../shared/text';
import { AssertionResult, Claim, Page, Test } from '../shared/types';
import { w } from '../shared/words';
import { AssertionForm, Draft, TypePicker, weightOf } from '../edit/assertion_form';
import { useForms } from '../edit/schema';

export interface LogVerdict { score: number | null; overallPassed: boolean | null; decided: boolean | null; assertionResults?: AssertionResult[] | null; claims?: Claim[] }
export interface LogName { id: string; externalId: string; description: string }
export interface Scored { log: LogName; verdict?: LogVerdict; problem?: Problem }
interface Asked { test?: string; assertions?: Draft[]; judge: boolean; save: boolean }

/** A log whose criteria were not judged is undecided, whatever the other verdicts are. */
export const verdictState = (verdict: LogVerdict): 'passed' | 'failed' | 'undecided' => (!verdict.decided ? 'undecided' : verdict.overallPassed ? 'passed' : 'failed');
export function VerdictMark({ verdict }: { verdict: LogVerdict }): JSX.Element | null {
  if (verdict.score === null) return null;
  const state = verdictState(verdict);
  return <span className={`badge ${state}`} data-part="log-verdict" data-state={state}>{w.logVerdict(w.states[{ passed: 'p', failed: 'f', undecided: 'u' }[state]], verdict.score)}</span>;
}

/** Scores each log with a separate call, so that a fault of one log does not stop the others. */
export async function scoreLogs(logs: LogName[], asked: Asked): Promise<Scored[]> {
  const scored = await inBatches(logs, async (log): Promise<Scored> => {
    try { return { log, verdict: await send<LogVerdict>('POST', `/external-conversation-logs/${log.id}/score`, asked) }; } catch (error) { if (error instanceof Problem) return { log, problem: error }; throw error; }
  });
  if (asked.save) refresh('/external-conversation-logs');
  return scored;
}

/** The form with the assertions to score with. `scored` is called with the answers. */
export function ScoreForm({ logs, scored }: { logs: LogName[]; scored: (all: Scored[]) => void }): JSX.Element {
  const tests = useGet<Page<Test>>(`/tests/${queryOf({ limit: 500, output: 'minimal' })}`);
  const forms = useForms('Assertion');
  const { canWrite, why } = useRight();
  const [chosen, choose] = useState<string>();
  const [drafts, setDrafts] = useState<Draft[]>([]);
  const [isPicking, pick] = useState(false);
  const [judge, setJudge] = useState(false);
  const [save, setSave] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const all = (tests.data?.data ?? []).filter((test) => test.assertions.length > 0);
  const scenarios = [...new Map(all.map((test) => [test.scenario.id, test.scenario])).values()];
  const test = chosen ?? all[0]?.id ?? '';
  const total = drafts.reduce((sum, each) => sum + weightOf(each), 0);
  const start = async () => {
    setBusy(true); setProblem(undefined);
    const answers = await scoreLogs(logs, { ...(test ? { test } : { assertions: drafts }), judge, save });
    setBusy(false);
    const faulty = answers.find((each) => each.problem?.errors.length)?.problem;
    if (faulty) setProblem(faulty); else scored(answers);
  };
  return (
    <form className="stack tight" data-part="score-form" onSubmit={(event) => { event.preventDefault(); void start(); }}>
      <Field label={w.scoreWith}><select value={test} onChange={(event) => choose(event.target.value)}>
        {scenarios.map((scenario) => <optgroup key={scenario.id} label={scenario.name || w.unnamed}>{all.filter((each) => each.scenario.id === scenario.id).map((each) => <option key={each.id} value={each.id}>{each.name || w.unnamed}</option>)}</optgroup>)}
        <option value="">{w.ownAssertions}</option></select></Field>
      {!test && <>
        {drafts.map((each, at) => <AssertionForm key={at} draft={each} at={at} forms={forms} faults={problem?.errors ?? []} total={total} isReadOnly={!canWrite} change={(next) => setDrafts(drafts.map((old, n) => (n === at ? next : old)))} remove={() => setDrafts(drafts.filter((_, n) => n !== at))} />)}
        {isPicking ? <TypePicker forms={forms} close={() => pick(false)} choose={(type) => { pick(false); setDrafts([...drafts, { type, name: null, severity: drafts.length ? 'MAJOR' : 'BLOCKER', config: {} }]); }} /> : <div className="row"><Button disabled={!canWrite} onClick={() => pick(true)}>{w.addAssertion}</Button></div>}
      </>}
      <div className="row"><label className="check"><input type="checkbox" checked={judge} onChange={(event) => setJudge(event.target.checked)} />{w.askJudge}</label>
        <label className="check"><input type="checkbox" checked={save} onChange={(event) => setSave(event.target.checked)} />{w.saveVerdicts}</label></div>
      {problem && <ProblemView problem={problem} />}
      <div className="row"><Button kind="main" type="submit" disabled={!canWrite || isBusy || (!test && drafts.length === 0)} title={why}>{isBusy ? w.scoring : w.scoreCount(logs.length)}</Button></div>
    </form>
  );
}

export function ScoreDialog({ logs, close }: { logs: LogName[]; close: () => void }): JSX.Element {
  const [rows, setRows] = useState<Scored[]>();
  const passed = rows?.filter((row) => row.verdict && verdictState(row.verdict) === 'passed').length ?? 0;
  return (
    <Dialog title={w.scoreLogs} onClose={close} isWide>
      <ScoreForm logs={logs} scored={setRows} />
      {rows && <p role="status">{w.logsPassed(passed, rows.length)}</p>}
      {rows && <ul className="lines tall">{rows.map(({ log, verdict, problem }) => (
        <li key={log.id} data-part="log-score" data-id={log.id} data-state={verdict ? verdictState(verdict) : 'problem'}><Link to={`/logs/${log.id}`}><Foreign text={log.description || log.externalId} /></Link>
          <span className="row small">{verdict && <VerdictMark verdict={verdict} />}{verdict?.assertionResults?.filter((each) => each.status === 'failed' || each.status === 'error').map((each) => <span key={each.id} className="chip"><bdi>{each.name || each.criteria || each.type}</bdi></span>)}
            {problem && <span data-part="problem" data-status={problem.status}><Foreign text={problem.detail || problem.title || w.unreachable} /></span>}</span></li>))}</ul>}
    </Dialog>
  );
}
