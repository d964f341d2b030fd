/** The head of a run: the outcome as a sentence, the bar with its bounds, and the actions. */
import { memo, useMemo, useState } from 'react';
import { get, Problem, send } from '../shared/api';
import { Stack } from '../shared/bars';
import { decimals, nameOfRun, percent, percentRange, whenFull } from '../shared/format';
import { Button, Menu, ProblemView } from '../shared/parts';
import { inReport, navigate } from '../shared/router';
import { useRight } from '../shared/session';
import { isDecided, isFault, isFinished } from '../shared/states';
import { refresh } from '../shared/store';
import { FailureGroup, Page, Run, Scenario } from '../shared/types';
import { w } from '../shared/words';
import { retryAll, RunMenu } from '../runs/run_menu';
import { previousPath } from './baseline';
import { countLetters, idsOf, MatrixRow, passHatOf } from './cells';
import { GateDialog, RescoreDialog } from './run_dialogs';

const sourceOf: Record<string, string> = { a: 'agent', t: 'tester', j: 'judge', i: 'infrastructure', c: 'client', e: 'test' };

/** "3 repetitions all pass: 72 % (pass^3)." */
function passHatSays(run: Run): string {
  const row = passHatOf(run);
  return row ? w.passHat(row.k, percent(row.passHatK), row.tests, run.result.passK![0].tests) : '';
}

/** "163 of 184 decided passed, 89 % (83–92). 21 did not; 9 undecided, 7 agent faults: coverage 0.92." */
export function outcomeOf(run: Run, letters: Map<string, number>): string {
  const { result } = run;
  const passed = result.passed ?? 0, notPassed = result.notPassed ?? 0, decided = passed + notPassed;
  const parts: string[] = [];
  if (result.undecided) parts.push(w.undecidedCount(result.undecided));
  for (const [letter, count] of letters) if (isFault(letter)) parts.push(w.faultCount(count, w.sources[sourceOf[letter]]));
  const open = (result.pending ?? 0) + (result.running ?? 0);
  if (open) parts.push(w.openCount(open));
  if (result.canceled) parts.push(w.canceledCount(result.canceled));
  const head = decided ? w.outcome(passed, decided, percent(result.passRate), percentRange(result.interval?.low ?? 0, result.interval?.high ?? 1)) : w.outcomeNone;
  const not = notPassed ? ` ${w.outcomeNot(notPassed)}` : '';
  const coverage = result.coverage !== undefined && result.coverage < 1 ? w.coverage(decimals(result.coverage)) : '';
  const missing = parts.length ? ` ${parts.join(', ')}${coverage ? `: ${coverage}` : ''}.` : coverage ? ` ${w.coverageAlone(decimals(result.coverage ?? 0))}` : '';
  const first = result.retries?.total && result.firstAttempts?.passRate !== null && result.firstAttempts ? ` ${w.firstAttempts(percent(result.firstAttempts.passRate))}` : '';
  const hat = passHatSays(run);
  return head + not + missing + first + (hat && ` ${hat}`);
}

function Bounds({ run, letters }: { run: Run; letters: Map<string, number> }): JSX.Element {
  const count = (keep: (letter: string) => boolean) => [...letters].reduce((sum, [letter, number]) => (keep(letter) ? sum + number : sum), 0);
  const parts = [
    { tone: 'passed', value: count((letter) => letter === 'p' || letter === 'q'), name: w.states.p },
    { tone: 'undecided', value: count((letter) => !isDecided(letter)), name: w.states.u },
    { tone: 'failed', value: count((letter) => letter === 'f'), name: w.states.f },
  ];
  const { bounds } = run.result;
  return <Stack className="tall" parts={parts} label={bounds ? w.boundsBar(percent(bounds.low), percent(bounds.high)) : ''} />;
}

/** The sentence and the bar read every cell, so the head is not drawn again when the view changes. */
export const RunHead = memo(function RunHead({ run, rows, groups, faults }: { run: Run; rows: MatrixRow[]; groups?: FailureGroup[]; faults: number }): JSX.Element {
  const { canWrite, why } = useRight();
  const [problem, setProblem] = useState<Problem>();
  const [dialog, setDialog] = useState<'gate' | 'rescore' | null>(null);
  const isOver = isFinished(run.status);
  const act = (action: () => Promise<unknown>) => () => {
    setProblem(undefined);
    action().then(() => refresh('/runs', '/test-results'), (error) => { if (error instanceof Problem) setProblem(error); else throw error; });
  };
  const { letters, notPassed, foreign } = useMemo(() => {
    const idsWith = (keep: (letter: string) => boolean) => idsOf(rows, (_, cell) => keep(cell.state));
    return { letters: countLetters(rows.map((row) => row.letters).join('')), notPassed: idsWith((letter) => letter === 'f' || letter === 'u' || isFault(letter) || letter === 'v'), foreign: idsWith((letter) => 'tjic'.includes(letter)) };
  }, [rows]);
  const previous = async () => {
    const [other] = (await get<Page<Run>>(previousPath(run))).data;
    if (!other) throw new Problem(0, w.noPreviousRun, '');
    navigate(`/runs/${other.id}...${run.id}`);
  };
  const againstBaseline = async () => {
    const scenario = await get<Scenario>(`/scenarios/${run.scenario.id}`);
    const other = scenario.baselines?.[run.agent.id];
    if (!other) throw new Problem(0, w.noBaseline, '');
    navigate(`/runs/${other}...${run.id}`);
  };
  const retryItem = (label: string, ids: string[]) => ({ label: `${label} (${ids.length})`, act: act(() => retryAll(ids)), isDisabled: !canWrite || ids.length === 0 || !isOver, why: why ?? w.nothingToRerun });
  return (
    <header className="run-head">
      <div className="page-head">
        <h1><bdi>{nameOfRun(run)}</bdi> <span className="muted light">· <bdi>{run.agent?.name || w.unnamed}</bdi></span>{' '}
          <span className={`badge ${run.status}`}>{w.statuses[run.status]}</span>{run.isArchived && <> <span className="badge">{w.archived}</span></>}</h1>
        {!inReport && <div className="row">
          {!isOver && <Button disabled={!canWrite} title={why} onClick={act(() => send('POST', `/runs/${run.id}/cancel`))}>{w.cancel}</Button>}
          <Menu label={`${w.rerun} ▾`} items={[retryItem(w.rerunFaults, foreign), retryItem(w.rerunFailed, notPassed)]} />
          <Menu label={`${w.compare} ▾`} items={[{ label: w.comparePrevious, act: act(previous) }, { label: w.compareBaseline, act: act(againstBaseline) }]} />
          <RunMenu run={run} more={[
            { label: w.gate, act: () => setDialog('gate') },
            { label: w.rescorePreview, act: () => setDialog('rescore'), isDisabled: !canWrite, why },
            { label: w.detectClaims, act: act(() => send('POST', `/runs/${run.id}/detect-hallucinations`)), isDisabled: !canWrite, why },
          ]} />
        </div>}
      </div>
      <p className="outcome" data-part="outcome">{outcomeOf(run, letters)}</p>
      <div className="bounds"><Bounds run={run} letters={letters} />
        <span className="small muted"><time dateTime={run.createdAt}>{whenFull(run.createdAt)}</time>{run.createdBy && <> · <bdi>{run.createdBy.name}</bdi></>}</span></div>
      {problem && <ProblemView problem={problem} />}
      {dialog === 'gate' && <GateDialog run={run} groups={groups ?? []} faults={faults} close={() => setDialog(null)} />}
      {dialog === 'rescore' && <RescoreDialog run={run} close={() => setDialog(null)} />}
    </header>
  );
});
