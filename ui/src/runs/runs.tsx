/** The table of runs: filters as chips, pages by cursor, two rows selected to compare. */
import { useEffect, useRef, useState } from 'react';
import { asCurl, queryOf } from '../shared/api';
import { StateBar } from '../shared/bars';
import { ago, costOf, count, duration, money, nameOfRun, none, percent, percentRange, whenFull } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { useKeys } from '../shared/keys';
import { useLive } from '../shared/live';
import { areSettled, Button, Empty, Loaded, useReady, useTitle } from '../shared/parts';
import { Link, navigate, setQuery, usePlace } from '../shared/router';
import { isFinished } from '../shared/states';
import { useGet } from '../shared/store';
import { Agent, Page, Run, Scenario } from '../shared/types';
import { w } from '../shared/words';
import { RunMenu } from './run_menu';

const filterNames = ['scenario', 'agent', 'status', 'runGroup', 'createdBy', 'scheduled', 'name'];
const pageRows = 50;

function took(run: Run): string {
  return isFinished(run.status) ? duration(Date.parse(run.updatedAt) - Date.parse(run.createdAt)) : none;
}

function BaselineMark({ run, scenario }: { run: Run; scenario?: Scenario }): JSX.Element {
  const baseline = scenario?.baselines?.[run.agent?.id];
  const other = useGet<Run>(baseline && baseline !== run.id ? `/runs/${baseline}` : null);
  if (!baseline) return <span className="muted">{none}</span>;
  if (baseline === run.id) return <span className="badge">{w.baselineColumn}</span>;
  const now = run.result.interval, then = other.data?.result.interval;
  const mark = !now || !then ? '…' : now.low > then.high ? '▲' : now.high < then.low ? '▼' : run.result.passRate === other.data?.result.passRate ? '=' : '?';
  return <Link to={`/runs/${baseline}...${run.id}`} aria-label={`${w.compareBaseline}: ${mark}`} className="mark-link">{mark}</Link>;
}

export function RunRow({ run, scenario, selected, select }: { run: Run; scenario?: Scenario; selected?: boolean; select?: (on: boolean) => void }): JSX.Element {
  const { result } = run;
  return (
    <tr data-part="run-row" data-id={run.id} data-state={run.status} aria-selected={select ? selected : undefined} tabIndex={-1}
      onKeyDown={(event) => { if (event.key === 'Enter' && event.target === event.currentTarget) navigate(`/runs/${run.id}`); }}>
      {select && <td className="narrow"><input type="checkbox" checked={selected} aria-label={w.selectRun} onChange={(event) => select(event.target.checked)} /></td>}
      <td className="bar-cell"><Link to={`/runs/${run.id}`} className="block"><span className="offscreen">{w.openRun} </span><StateBar result={result} /><span className="small muted number">{
        run.status === 'completed' ? `${count(result.passed)} / ${count(result.total)}` : w.statuses[run.status]}</span></Link></td>
      <td className="name-cell"><Link to={`/runs/${run.id}`}><bdi>{nameOfRun(run)}</bdi></Link>{run.name && <span className="block muted small cut"><bdi>{run.scenario?.name}</bdi></span>}</td>
      <td className="name-cell mid-only"><bdi>{run.agent?.name || w.unnamed}</bdi></td>
      <td className="number"><strong>{percent(result.passRate)}</strong> {result.interval && result.passRate !== null && <span className="muted small">({percentRange(result.interval.low, result.interval.high)})</span>}</td>
      <td className="end mid-only">{result.score ?? none}</td>
      <td className="wide-only"><BaselineMark run={run} scenario={scenario} /></td>
      <td className="end wide-only">{result.flaky?.length || none}</td>
      <td className="end wide-only">{money(costOf(run))}</td>
      <td className="end wide-only">{duration(result.averages?.responseTime)}</td>
      <td className="name-cell wide-only">{run.scheduledRun ? w.scheduledBy(run.scheduledRun.name) : <bdi>{run.createdBy?.name ?? none}</bdi>}</td>
      <td><time dateTime={run.createdAt} title={whenFull(run.createdAt)}>{ago(run.createdAt)}</time></td>
      <td className="end wide-only">{took(run)}</td>
      <td className="narrow"><RunMenu run={run} /></td>
    </tr>
  );
}

export function RunTable({ runs, scenarios, selected, select }: { runs: Run[]; scenarios: Scenario[]; selected?: string[]; select?: (id: string, on: boolean) => void }): JSX.Element {
  const head: [string, string][] = [[w.outcomeColumn, ''], [w.scenarioColumn, ''], [w.agentColumn, 'mid-only'], [w.rateColumn, ''], [w.scoreColumn, 'end mid-only'], [w.baselineColumn, 'wide-only'],
    [w.flakyColumn, 'end wide-only'], [w.costColumn, 'end wide-only'], [w.latencyColumn, 'end wide-only'], [w.byColumn, 'wide-only'], [w.startedColumn, ''], [w.tookColumn, 'end wide-only']];
  return (
    <div className="table-wrap">
      <table className="grid-table run-table">
        <thead><tr>{select && <th className="narrow"><span className="offscreen">{w.selectRun}</span></th>}{head.map(([name, kind]) => <th key={name} scope="col" className={kind}>{name}</th>)}<th><span className="offscreen">{w.actions}</span></th></tr></thead>
        <tbody>{runs.map((run) => (
          <RunRow key={run.id} run={run} scenario={scenarios.find((each) => each.id === run.scenario?.id)} selected={selected?.includes(run.id)} select={select && ((on) => select(run.id, on))} />
        ))}</tbody>
      </table>
    </div>
  );
}

function Filters({ query, scenarios, agents }: { query: URLSearchParams; scenarios: Scenario[]; agents: Agent[] }): JSX.Element {
  const nameOf = (name: string, value: string) => ((name === 'scenario' ? scenarios : name === 'agent' ? agents : []) as { id: string; name: string }[]).find((each) => each.id === value)?.name || w.statuses[value] || value;
  const choose = (name: string, label: string, options: [string, string][]) => (
    <label className="inline-field"><span className="offscreen">{label}</span>
      <select value={query.get(name) ?? ''} onChange={(event) => setQuery({ [name]: event.target.value, before: null }, { push: true })}>
        <option value="">{label}: {w.anyOf}</option>{options.map(([id, text]) => <option key={id} value={id}>{text}</option>)}
      </select></label>
  );
  const active = filterNames.filter((name) => query.get(name));
  return (
    <div className="row filters">
      {choose('scenario', w.filterScenario, scenarios.map((each) => [each.id, each.name || w.unnamed]))}
      {choose('agent', w.filterAgent, agents.map((each) => [each.id, each.name || w.unnamed]))}
      {choose('status', w.filterStatus, Object.entries(w.statuses))}
      {choose('since', w.since, Object.entries(w.sinces))}
      {active.map((name) => (
        <button key={name} type="button" className="chip" onClick={() => setQuery({ [name]: null, before: null }, { push: true })} aria-label={`${w.remove}: ${name} ${nameOf(name, query.get(name)!)}`}>
          {name}: <bdi>{nameOf(name, query.get(name)!)}</bdi> ×
        </button>
      ))}
    </div>
  );
}

/** New rows wait for a click, so that nothing moves under the pointer. */
function useHeldBack(page: Page<Run> | undefined, key: string): { rows: Run[]; fresh: number; show: () => void } {
  const known = useRef<{ key: string; ids: Set<string> }>();
  const [, redraw] = useState(0);
  if (page && known.current?.key !== key) known.current = { key, ids: new Set(page.data.map((run) => run.id)) };
  const rows = (page?.data ?? []).filter((run) => known.current?.ids.has(run.id));
  const show = () => { if (page) known.current = { key, ids: new Set(page.data.map((run) => run.id)) }; redraw((at) => at + 1); };
  const fresh = (page?.data.length ?? 0) - rows.length;
  useEffect(() => { if (fresh > 0 && rows.length === 0) show(); });
  return { rows, fresh, show };
}

export function Runs(): JSX.Element {
  const { query } = usePlace();
  const filters = Object.fromEntries(filterNames.map((name) => [name, query.get(name)]));
  const days = Number(query.get('since') ?? '0');
  const after = days > 0 ? new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - days * 86_400_000).toISOString() : null;
  const path = `/runs/${queryOf({ ...filters, after, before: query.get('before'), limit: pageRows })}`;
  const runs = useGet<Page<Run>>(path);
  const scenarios = useGet<Page<Scenario>>(`/scenarios/${queryOf({ limit: 200 })}`);
  const agents = useGet<Page<Agent>>(`/agents/${queryOf({ limit: 200, output: 'minimal' })}`);
  const selected = (query.get('selected') ?? '').split(',').filter(Boolean);
  const { rows, fresh, show } = useHeldBack(runs.data, path);
  useLive(['runs']);
  useTitle(w.runs);
  useCrumbs([{ name: w.runs }]);
  useReady(areSettled(runs, scenarios, agents));
  const select = (id: string, on: boolean) => setQuery({ selected: (on ? [...selected.filter((each) => each !== id), id].slice(-2) : selected.filter((each) => each !== id)).join(',') });
  const compare = () => { if (selected.length === 2) navigate(`/runs/${[...selected].sort().join('...')}`); };
  const list = useRef<HTMLDivElement>(null);
  const move = (step: number) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
    const at = all.indexOf(document.activeElement?.closest('tr') as HTMLElement);
    all[Math.max(0, Math.min(all.length - 1, at + step))]?.focus();
  };
  const focused = () => document.activeElement?.closest<HTMLElement>('tr[data-id]')?.dataset.id;
  useKeys({
    j: () => move(1), k: () => move(-1), x: () => { const id = focused(); if (id) select(id, !selected.includes(id)); }, c: compare,
    o: () => { const id = focused(); if (id) navigate(`/runs/${id}`); },
  });
  const isFiltered = [...filterNames, 'since', 'before'].some((name) => query.get(name));
  return (
    <div className="stack" ref={list}>
      <div className="page-head"><h1>{w.runs}</h1>
        <Button disabled={selected.length !== 2} title={w.selectTwo} onClick={compare}>{w.compareTwo}{selected.length > 0 && ` (${selected.length}/2)`}</Button>
      </div>
      <Filters query={query} scenarios={scenarios.data?.data ?? []} agents={agents.data?.data ?? []} />
      {fresh > 0 && <Button className="fresh" onClick={show}>{w.newRows(fresh)}</Button>}
      <Loaded of={runs} rows={10}>{(page) => page.data.length === 0 ? (
        isFiltered ? <Empty says={w.noRunsFilter}><Button onClick={() => navigate('/runs')}>{w.clearFilters}</Button></Empty>
          : <Empty says={w.noRuns} command={asCurl('POST', '/runs/', {'scenario': '…', 'agent': '…', 'status': 'pending'})}><Link className="button" to="/">{w.playDemo}</Link></Empty>
      ) : (
        <>
          <RunTable runs={rows} scenarios={scenarios.data?.data ?? []} selected={selected} select={select} />
          <div className="spread"><span className="muted small">{w.shown(page.data.length, page.total)}</span>
            <span className="row">
              {query.get('before') && <Button onClick={() => setQuery({ before: null }, { push: true })}>{w.newer}</Button>}
              {page.data.length === pageRows && <Button onClick={() => setQuery({ before: page.data[page.data.length - 1].id }, { push: true })}>{w.older}</Button>}
            </span></div>
        </>
      )}</Loaded>
    </div>
  );
}
