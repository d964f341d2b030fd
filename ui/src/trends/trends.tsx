/** Trends of a scenario and an agent: each point is a run; each chart states its finding and is also a table. */
import { useMemo, useState } from 'react';
import { queryOf } from '../shared/api';
import { duration, money, none, percent, when } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { areSettled, Empty, Loaded, useReady, useTitle } from '../shared/parts';
import { Link, navigate, setQuery, usePlace } from '../shared/router';
import { scaleLinear } from '../shared/scale';
import { useGet } from '../shared/store';
import { Foreign } from '../shared/text';
import { Agent, Interval, Link as LinkTo, Page, Run, Scenario } from '../shared/types';
import { w } from '../shared/words';
import { Chart, usePlotWidth } from '../run/chart';

interface Point { run: string; createdAt: string; status: string; scenario: LinkTo; agent: LinkTo; passRate: number | null; interval: Interval; coverage: number; passed: number; notPassed: number; undecided: number; failed: number; total: number; responseTime: { p50: number | null; p95: number | null; p99: number | null }; usd: Partial<Record<Role, number | null>>; faults: Record<string, number> | null; edited: LinkTo[] | null }
type Role = 'agent' | 'tester' | 'judge';
interface Series { name: string; kind: string; value: (point: Point) => number | null }
const height = 190, left = 64, bottom = 26, labelWidth = 60;
/** An axis of integers has at least this maximum, so that no two ticks round to the same number. */
const wholeTicks = 4;

function Plot({ points, series, text, band, most, isWhole, label, baselines, marksEdits }: { points: Point[]; series: Series[]; text: (value: number) => string; band?: boolean; most?: number; isWhole?: boolean; label: string; baselines: Set<string>; marksEdits?: boolean }): JSX.Element {
  const [box, width] = usePlotWidth();
  const lastKnown = points.reduce((last, point, n) => (series.some((each) => each.value(point) !== null) ? n : last), points.length - 1);
  const [chosenAt, setAt] = useState<number>();
  const at = Math.min(chosenAt ?? lastKnown, points.length - 1);
  const values = points.flatMap((point) => series.map((each) => each.value(point))).filter((value): value is number => value !== null);
  const high = most ?? (Math.max(isWhole ? wholeTicks : 0, ...values) || 1) * 1.08;
  const x = scaleLinear([0, Math.max(1, points.length - 1)], [left, width - 8]), top = points.some((point) => baselines.has(point.run)) ? 24 : 8, y = scaleLinear([0, high], [height - bottom, top]);
  const path = (value: (point: Point) => number | null) => { let isGap = true; return points.map((point, n) => { const v = value(point); if (v === null) { isGap = true; return ''; } const step = `${isGap ? 'M' : 'L'}${x(n).toFixed(1)} ${y(v).toFixed(1)}`; isGap = false; return step; }).join(''); };
  const decided = points.map((point, n) => [point, n] as const).filter(([point]) => point.passRate !== null);
  const area = decided.length > 1 ? `M${decided.map(([point, n]) => `${x(n).toFixed(1)} ${y(point.interval.high).toFixed(1)}`).join('L')}L${[...decided].reverse().map(([point, n]) => `${x(n).toFixed(1)} ${y(point.interval.low).toFixed(1)}`).join('L')}Z` : '';
  const chosen = points[at];
  const onKey = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowLeft') setAt(Math.max(0, at - 1)); else if (event.key === 'ArrowRight') setAt(Math.min(points.length - 1, at + 1)); else if (event.key === 'Enter' && chosen) navigate(`/runs/${chosen.run}`); else return;
    event.preventDefault();
  };
  const says = chosen ? `${named(chosen, baselines)}: ${series.map((each) => `${each.name} ${each.value(chosen) === null ? none : text(each.value(chosen)!)}`).join(', ')}` : '';
  const edited = marksEdits && chosen ? editsOf(chosen) : '';
  return (
    <>
      {marksEdits && points.some(editsOf) && <p className="row small muted plot-keys"><span><svg className="plot-key plot" viewBox="0 0 24 8" aria-hidden="true"><path className="edit" d="M8 8L12 1L16 8Z" /></svg> {w.editedKey}</span></p>}
      {series.length > 1 && <p className="row small muted plot-keys">{series.map((each) => <span key={each.name}><svg className="plot-key plot" viewBox="0 0 24 8" aria-hidden="true"><path className={`line ${each.kind}`} d="M1 4H23" /></svg> {each.name}</span>)}</p>}
      {values.length === 0 ? <p className="muted">{w.nothingMeasured}</p> : <div ref={box}><svg className="plot" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${label}. ${says}${edited && `. ${w.editedTests(edited)}`}`} tabIndex={0} onKeyDown={onKey}>
        {y.ticks(4).map((tick) => <g key={tick}><line className="grid" x1={left} x2={width - 8} y1={y(tick)} y2={y(tick)} /><text x={left - 6} y={y(tick) + 4} textAnchor="end">{text(tick)}</text></g>)}
        <Marks points={points} baselines={baselines} x={x} top={top} />
        {marksEdits && points.map((point, n) => editsOf(point) && <path key={point.run} className="edit" data-part="edit-mark" data-id={point.run} d={`M${x(n) - 5} ${height - bottom}l5 -9l5 9Z`}><title>{w.editedTests(editsOf(point))}</title></path>)}
        {band && area && <path className="band" d={area} />}
        {series.map((each) => <path key={each.name} className={`line ${each.kind}`} d={path(each.value)} />)}
        {points.map((point, n) => { const value = series[0].value(point); return value !== null && <circle key={point.run} className="dot" cx={x(n)} cy={y(value)} r={n === at ? 5 : 3.5} onClick={() => navigate(`/runs/${point.run}`)} onMouseEnter={() => setAt(n)} />; })}
        <text x={left} y={height - 8}>{points[0] && when(points[0].createdAt)}</text><text x={width - 8} y={height - 8} textAnchor="end">{points.length > 1 && when(points[points.length - 1].createdAt)}</text>
      </svg></div>}
      <p className="small muted" aria-live="polite">{says}{edited && <>. <Foreign text={w.editedTests(edited)} /></>}</p>
    </>
  );
}

/** The time of a run, and whether it is the baseline. */
const named = (point: Point, baselines: Set<string>): string => (baselines.has(point.run) ? w.baselineAt(when(point.createdAt)) : when(point.createdAt));

/** The names of the tests that were edited since the previous run; empty if no edit is known. */
const editsOf = (point: Point): string => (point.edited ?? []).map((test) => test.name || w.unnamed).join(', ');

/** A line at each run that is the baseline of its agent. Marks that are too close to each other share a name. */
function Marks({ points, baselines, x, top }: { points: Point[]; baselines: Set<string>; x: (at: number) => number; top: number }): JSX.Element {
  let namedAt = -Infinity;
  return <>{points.map((point, n) => {
    if (!baselines.has(point.run)) return null;
    const isNamed = x(n) - namedAt > labelWidth;
    if (isNamed) namedAt = x(n);
    return <g key={point.run} data-part="baseline-mark" data-id={point.run}><line className="baseline" x1={x(n)} x2={x(n)} y1={top - 6} y2={height - bottom} />{isNamed && <text x={x(n)} y={12} textAnchor={n === 0 ? 'start' : n === points.length - 1 ? 'end' : 'middle'}>{w.baselineColumn}</text>}</g>;
  })}</>;
}

function finding(points: Point[]): string {
  const known = points.filter((point) => point.passRate !== null);
  if (known.length < 2) return w.rateOnce;
  const [first, last] = [known[0], known[known.length - 1]];
  if (last.interval.low > first.interval.high) return w.rateRose(percent(first.passRate), percent(last.passRate));
  if (last.interval.high < first.interval.low) return w.rateFell(percent(first.passRate), percent(last.passRate));
  return w.rateSteady(percent(last.passRate));
}
const roles: Role[] = ['agent', 'tester', 'judge'];
const kinds = ['', 'second', 'third'];
/** The cost per conversation; null if nothing has a price. */
const costOf = (role: Role) => (point: Point): number | null => { const sum = point.usd?.[role]; return sum === null || sum === undefined ? null : sum / Math.max(1, point.total); };

export function Trends(): JSX.Element {
  const { query } = usePlace();
  const scenarios = useGet<Page<Scenario>>(`/scenarios/${queryOf({ limit: 200 })}`);
  const agents = useGet<Page<Agent>>(`/agents/${queryOf({ limit: 200, output: 'minimal' })}`);
  const latest = useGet<Page<Run>>(query.get('scenario') ? null : `/runs/${queryOf({ limit: 1 })}`);
  const isChosen = !!query.get('scenario') || areSettled(latest);
  const scenario = query.get('scenario') ?? (isChosen ? latest.data?.data[0]?.scenario?.id ?? scenarios.data?.data[0]?.id ?? '' : ''), agent = query.get('agent') ?? '';
  const chosen = useGet<Scenario>(scenario ? `/scenarios/${scenario}` : null);
  const baselines = useMemo(() => new Set(Object.values(chosen.data?.baselines ?? {})), [chosen.data]);
  const trends = useGet<{ runs: Point[]; total: number }>(scenario ? `/trends${queryOf({ scenario, agent, limit: 100 })}` : null);
  useTitle(w.trends);
  useCrumbs([{ name: w.trends }]);
  useReady(areSettled(scenarios) && isChosen && (!scenario || areSettled(trends, chosen)));
  const points = useMemo(() => (trends.data?.runs ?? []).filter((point) => point.status !== 'new'), [trends.data]);
  const sources = Object.keys(w.sources).filter((source) => points.some((point) => (point.faults?.[source] ?? 0) > 0));
  const choose = (name: string, label: string, options: { id: string; name: string }[], value: string, any?: boolean) => (
    <label className="inline-field"><span className="muted small">{label}</span><select value={value} onChange={(event) => setQuery({ [name]: event.target.value }, { push: true })}>{any && <option value="">{w.anyOf}</option>}{options.map((each) => <option key={each.id} value={each.id}>{each.name || w.unnamed}</option>)}</select></label>
  );
  const head = [w.startedColumn];
  return (
    <div className="stack"><h1>{w.trends}</h1>
      <div className="row">{choose('scenario', w.filterScenario, scenarios.data?.data ?? [], scenario)}{choose('agent', w.filterAgent, agents.data?.data ?? [], agent, true)}</div>
      {scenarios.data && isChosen && !scenario && <Empty says={w.noRuns}><Link className="button" to="/">{w.playDemo}</Link></Empty>}
      {scenario && <Loaded of={trends}>{() => (points.length === 0 ? <Empty says={w.noRunsFilter} /> : (
        <div className="halves">
          <Chart title={finding(points)} head={[...head, w.rateColumn, '95 %', w.editedColumn]} rows={points.map((point) => [named(point, baselines), percent(point.passRate), `${percent(point.interval.low)}–${percent(point.interval.high)}`, point.edited ? editsOf(point) : none])}><Plot points={points} baselines={baselines} marksEdits band most={1} label={w.rateColumn} text={(value) => percent(value)} series={[{ name: w.rateColumn, kind: '', value: (point) => point.passRate }]} /></Chart>
          <Chart title={w.latencyTitle} head={[...head, 'p50', 'p95', 'p99']} rows={points.map((point) => [named(point, baselines), duration(point.responseTime.p50), duration(point.responseTime.p95), duration(point.responseTime.p99)])}><Plot points={points} baselines={baselines} isWhole label={w.latencyTitle} text={duration} series={[{ name: 'p50', kind: '', value: (point) => point.responseTime.p50 }, { name: 'p95', kind: 'second', value: (point) => point.responseTime.p95 }, { name: 'p99', kind: 'third', value: (point) => point.responseTime.p99 }]} /></Chart>
          <Chart title={w.faultsTitle} head={[...head, w.faults, w.states.u]} rows={points.map((point) => [named(point, baselines), point.failed, point.undecided])}><Plot points={points} baselines={baselines} isWhole label={w.faultsTitle} text={String} series={[{ name: w.faults, kind: '', value: (point) => point.failed }, { name: w.states.u, kind: 'third', value: (point) => point.undecided }]} /></Chart>
          {points.some((point) => roles.some((role) => costOf(role)(point))) && <Chart title={w.costByRole} head={[...head, ...roles.map((role) => w.roles[role])]} rows={points.map((point) => [named(point, baselines), ...roles.map((role) => money(costOf(role)(point)))])}><Plot points={points} baselines={baselines} label={w.costByRole} text={money} series={roles.map((role, at) => ({ name: w.roles[role], kind: kinds[at], value: costOf(role) }))} /></Chart>}
          {sources.length > 0 && <Chart title={w.faultSources} head={[...head, ...sources.map((source) => w.sources[source])]} rows={points.map((point) => [named(point, baselines), ...sources.map((source) => point.faults?.[source] ?? none)])}><Plot points={points} baselines={baselines} isWhole label={w.faultSources} text={String} series={sources.map((source, at) => ({ name: w.sources[source], kind: kinds[at % 3], value: (point) => point.faults?.[source] ?? null }))} /></Chart>}
        </div>))}</Loaded>}
    </div>
  );
}
