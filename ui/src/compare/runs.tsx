/** Two runs: which tests regressed, which were fixed, which are undecided so far, with both strips of cells. */
import { memo, useMemo, useState } from 'react';
import { Problem, send } from '../shared/api';
import { decimals, duration, linkId, money, nameOfRun, none, percent, percentRange, shortId, when } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { useKeys } from '../shared/keys';
import { useLive } from '../shared/live';
import { areSettled, Button, Loaded, ProblemView, useReady, useTitle } from '../shared/parts';
import { followInside, hrefOf, Link, navigate, setQuery, usePlace } from '../shared/router';
import { useRight } from '../shared/session';
import { stateOf } from '../shared/states';
import { refresh, useGet } from '../shared/store';
import { Averages, Cells, Link as LinkTo, Run } from '../shared/types';
import { w } from '../shared/words';
import { MatrixRow, RunCell, rowsOf } from '../run/cells';
import { launchOf } from '../runs/run_menu';
import { diff } from './diff';

interface Row { test: LinkTo; personality: LinkTo | null; change: Change; pairs: number; open: number; trialsBefore: number; trialsAfter: number; passedBefore: number; passedAfter: number; better: number; worse: number; p: number | null; adjustedP: number | null; furtherRepetitions: number | null }
type Change = 'regressed' | 'fixed' | 'undecided' | 'unchanged';
interface Comparison { before: LinkTo | Run; after: LinkTo | Run; level: number; counts: Partial<Record<Change, number>>; averages: { before: Averages; after: Averages }; tests: Row[]; overall: Row }
const marks: Record<Change, string> = { regressed: '▼', fixed: '▲', undecided: '?', unchanged: '=' };

/** The strips have thousands of links, which share one handler per strip and are drawn once. */
const Strip = memo(function Strip({ a, b }: { a?: MatrixRow; b?: MatrixRow }): JSX.Element {
  const most = Math.min(40, Math.max(a?.cells.length ?? 0, b?.cells.length ?? 0));
  const one = (cell: RunCell | undefined, at: number) => {
    if (!cell) return <span key={at} className="cell missing" />;
    const state = stateOf(cell.state);
    const shared = { className: `cell ${state.tone}`, 'data-part': 'cell', 'data-state': cell.state, 'data-repetition': cell.n };
    return cell.id ? <a key={at} href={hrefOf(`/results/${cell.id}`)} {...shared} data-id={cell.id} aria-label={w.cellName(a?.name ?? b?.name ?? '', cell.n, most, state.name)}>{state.glyph}</a> : <span key={at} {...shared} />;
  };
  const pair = (at: number) => {
    const x = a?.cells[at], y = b?.cells[at];
    const differs = x && y && x.state !== y.state;
    return <span key={at} className={`pair${differs ? ' differs' : ''}`}>{one(x, at)}{one(y, at)}{x?.id && y?.id && <a href={hrefOf(`/results/${x.id}...${y.id}`)} className="pair-link" aria-label={`${w.compareConversations} ${at + 1}`}>⇄</a>}</span>;
  };
  return <span className="pairs" onClick={followInside}>{Array.from({ length: most }, (_, at) => pair(at))}</span>;
});

function SettingsOfBoth({ a, b }: { a: Run; b: Run }): JSX.Element {
  const agentA = useGet<{ config: unknown; type: string }>(`/agents/${a.agent.id}`), agentB = useGet<{ config: unknown; type: string }>(`/agents/${b.agent.id}`);
  const rows: [string, string, string][] = [[w.agent, a.agent.name, b.agent.name], [w.repetitions, String(a.repetitions), String(b.repetitions)], [w.personality, a.personality?.name ?? none, b.personality?.name ?? none],
    [w.createdAt, when(a.createdAt), when(b.createdAt)]];
  if (agentA.data && agentB.data && a.agent.id !== b.agent.id) rows.push([w.agentConfig, JSON.stringify(agentA.data.config), JSON.stringify(agentB.data.config)]);
  return <table className="grid-table"><tbody>{rows.map(([name, x, y]) => <tr key={name}><th scope="row">{name}</th><td colSpan={2}>{x === y ? <bdi>{x}</bdi> : <Words before={x} after={y} />}</td></tr>)}</tbody></table>;
}
export function Words({ before, after }: { before: string; after: string }): JSX.Element {
  return <span className="diff">{diff(before, after).map((part, at) => (part.kind === 'same' ? <span key={at}>{part.text}</span> : part.kind === 'gone' ? <del key={at}>{part.text}</del> : <ins key={at}>{part.text}</ins>))}</span>;
}

export function CompareRuns({ id: a, other: b }: { id: string; other: string }): JSX.Element {
  const { query } = usePlace();
  const before = useGet<Run>(`/runs/${a}`), after = useGet<Run>(`/runs/${b}`);
  const comparison = useGet<Comparison>(`/runs/${a}/compare/${b}`);
  const cellsA = useGet<Cells>(`/runs/${a}/cells`), cellsB = useGet<Cells>(`/runs/${b}/cells`);
  const rowsA = useMemo(() => (cellsA.data ? rowsOf(cellsA.data) : []), [cellsA.data]), rowsB = useMemo(() => (cellsB.data ? rowsOf(cellsB.data) : []), [cellsB.data]);
  const { canWrite, why } = useRight();
  const [problem, setProblem] = useState<Problem>();
  const shown = query.get('change') ?? '';
  // An event of a run refreshes what belongs to it alone, but the comparison belongs to both.
  useLive([`run:${a}`, `run:${b}`], ({ event }) => { if (event === 'run') refresh(`/runs/${a}/compare/${b}`); });
  useTitle(w.twoRuns);
  useCrumbs([{ name: w.runs, to: '/runs' }, { name: after.data ? nameOfRun(after.data) : shortId(b), to: `/runs/${b}` }, { name: w.twoRuns }]);
  useReady(areSettled(comparison, before, after, cellsA, cellsB));
  const find = (rows: MatrixRow[], row: Row) => rows.find((each) => each.test === row.test?.id && (!row.personality || each.persona === row.personality.name));
  const looks = Number(query.get('looks') ?? '1');
  useKeys({ Escape: () => (shown ? setQuery({ change: null }) : navigate('/runs')), n: () => { const rows = [...document.querySelectorAll<HTMLElement>('[data-change=regressed] a, [data-change=fixed] a')]; const at = rows.indexOf(document.activeElement as HTMLElement); rows[(at + 1) % Math.max(1, rows.length)]?.focus(); } });
  const playMore = async (data: Comparison) => {
    const undecided = data.tests.filter((row) => row.change === 'undecided' && row.furtherRepetitions);
    const more = Math.min(100, Math.max(1, ...undecided.map((row) => row.furtherRepetitions ?? 1)));
    try {
      const testConfigs = undecided.map((row) => ({ test: linkId(row.test), personality: linkId(row.personality) || undefined, repetitions: more }));
      const made: Run[] = [];
      for (const run of [before.data!, after.data!]) made.push(await send<Run>('POST', '/runs/', { ...launchOf(run), testConfigs }));
      navigate(`/runs/${made[0].id}...${made[1].id}?looks=${looks + 1}`);
    } catch (error) { if (error instanceof Problem) setProblem(error); else throw error; }
  };
  return (
    <div className="stack"><Loaded of={comparison} rows={8}>{(data) => {
      const counts = (['regressed', 'fixed', 'undecided', 'unchanged'] as Change[]).map((change) => [change, data.counts[change] ?? 0] as const);
      const further = Math.max(0, ...data.tests.filter((row) => row.change === 'undecided').map((row) => row.furtherRepetitions ?? 0));
      const cannotTell = data.tests.filter((row) => row.change === 'undecided' && row.furtherRepetitions).length;
      return (
        <>
          <header className="page-head"><h1 data-part="outcome">{w.compareSays(data.counts.regressed ?? 0, data.counts.fixed ?? 0, data.counts.undecided ?? 0, data.counts.unchanged ?? 0)}</h1>
            {cannotTell > 0 && <Button disabled={!canWrite} title={why ?? w.looksSays} onClick={() => void playMore(data)}>{w.playMore(Math.min(100, further), cannotTell)}</Button>}</header>
          {looks > 1 && <p className="note warn">{w.lookNumber(looks)}</p>}
          {problem && <ProblemView problem={problem} />}
          <div className="halves">
            {[before.data, after.data].map((run, at) => run && <section key={run.id} className="panel"><h2>{at ? w.after : w.before}: <Link to={`/runs/${run.id}`}>{run.name && <><bdi>{run.name}</bdi> · </>}<bdi>{run.agent.name}</bdi> · {when(run.createdAt)}</Link></h2>
              <p><strong className="big number">{percent(run.result.passRate)}</strong> <span className="muted">{run.result.interval && `(${percentRange(run.result.interval.low, run.result.interval.high)})`}</span></p>
              <p className="muted small">{[data.averages[at ? 'after' : 'before'].responseTime !== null && `${w.averageResponse} ${duration(data.averages[at ? 'after' : 'before'].responseTime)}`, data.averages[at ? 'after' : 'before'].cost !== null && `${w.averageCost} ${money(data.averages[at ? 'after' : 'before'].cost)}`].filter(Boolean).join(' · ')}</p></section>)}
          </div>
          <div className="row" role="group" aria-label={w.filter}>{counts.map(([change, number]) => <button key={change} type="button" className="chip" aria-pressed={shown === change} onClick={() => setQuery({ change: shown === change ? null : change })}>{marks[change]} {number} {w.changes[change]}</button>)}</div>
          <div className="table-wrap"><table className="grid-table"><thead><tr><th scope="col">{w.change}</th><th scope="col">{w.testColumn}</th><th scope="col">{w.beforeAfter}</th><th scope="col" className="end">{w.passedBeforeAfter}</th><th scope="col" className="end">p</th><th scope="col" className="end">{w.adjustedP}</th><th scope="col" className="end">{w.further}</th></tr></thead>
            <tbody>{data.tests.filter((row) => !shown || row.change === shown).slice(0, 500).map((row, at) => (
              <tr key={at} data-part="compare-row" data-id={row.test?.id} data-change={row.change}><td className="nowrap"><span className={`change ${row.change}`}>{marks[row.change]} {w.changes[row.change]}</span></td>
                <td className="name-cell"><Link to={`/tests/${row.test?.id}`}><bdi>{row.test?.name || w.unnamed}</bdi></Link>{row.personality && <span className="muted"> · <bdi>{row.personality.name}</bdi></span>}</td>
                <td className="strip-cell">{areSettled(cellsA, cellsB) && <Strip a={find(rowsA, row)} b={find(rowsB, row)} />}</td><td className="end">{row.passedBefore}/{row.trialsBefore} → {row.passedAfter}/{row.trialsAfter}</td>
                <td className="end">{row.p === null ? none : decimals(row.p, 3)}</td><td className="end">{row.adjustedP === null || row.adjustedP === undefined ? none : decimals(row.adjustedP, 3)}</td><td className="end">{row.furtherRepetitions ?? none}</td></tr>
            ))}</tbody></table></div>
          {before.data && after.data && <section className="panel stack tight"><h2>{w.settingsOfBoth}</h2><SettingsOfBoth a={before.data} b={after.data} /></section>}
        </>
      );
    }}</Loaded></div>
  );
}
