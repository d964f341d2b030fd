/** Charts of a run, computed from its cells: each title states the finding, and each chart is also a table. */
import { bin, max, min, quantile, range, sum } from 'd3-array';
import { count, duration, money, percent } from '../shared/format';
import { scaleLinear } from '../shared/scale';
import { stateOf, states } from '../shared/states';
import { Run } from '../shared/types';
import { w } from '../shared/words';
import { inReport } from '../shared/router';
import { Chart, usePlotWidth } from './chart';
import { MatrixRow } from './cells';
import { Meter } from './failures';
import { TurnTimes } from './turn_times';

const barMax = 56;
export function Histogram({ values, text, label, isWhole }: { values: number[]; text: (value: number) => string; label: string; isWhole?: boolean }): JSX.Element {
  const bins = isWhole ? bin().domain([min(values)!, max(values)! + 1]).thresholds(range(min(values)!, max(values)! + 1))(values) : bin().thresholds(20)(values);
  const most = max(bins, (each) => each.length) ?? 1;
  const [box, width] = usePlotWidth();
  const height = 150;
  const x = scaleLinear([bins[0]?.x0 ?? 0, bins[bins.length - 1]?.x1 ?? 1], [0, width]), y = scaleLinear([0, most], [height - 22, 8]);
  const ticks = x.ticks(width < 400 ? 3 : 5).filter((tick) => !isWhole || (Number.isInteger(tick) && tick <= max(values)!));
  // The bar of an integer is above its tick, in the middle of its bin.
  const middle = isWhole ? (x(1) - x(0)) / 2 : 0;
  return (
    <div ref={box}><svg className="plot" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {bins.map((each, at) => <rect key={at} className="bar" x={x(each.x0!) + 1 + Math.max(0, x(each.x1!) - x(each.x0!) - 2 - barMax) / 2} y={y(each.length)} width={Math.min(barMax, Math.max(1, x(each.x1!) - x(each.x0!) - 2))} height={height - 22 - y(each.length)}><title>{`${text(each.x0!)}${isWhole ? '' : `–${text(each.x1!)}`}: ${count(each.length)}`}</title></rect>)}
      <line className="axis" x1="0" x2={width} y1={height - 22} y2={height - 22} />
      {ticks.map((tick, at) => <text key={tick} x={x(tick) + middle} y={height - 6} textAnchor={isWhole ? 'middle' : at === 0 ? 'start' : at === ticks.length - 1 ? 'end' : 'middle'}>{text(tick)}</text>)}
    </svg></div>
  );
}

/** The costs of agent, tester and judge, or their numbers of calls if nothing has a price. */
function Roles({ run }: { run: Run }): JSX.Element | null {
  const rows = (['agent', 'tester', 'judge'] as const).map((role) => ({ role, calls: run.usage?.[role]?.calls ?? 0, cost: run.usage?.[role]?.cost ?? null }));
  const total = sum(rows, (row) => row.cost ?? 0);
  if (rows.every((row) => row.calls === 0)) return null;
  const most = Math.max(...rows.map((row) => (total > 0 ? row.cost ?? 0 : row.calls)), 1e-12);
  return (
    <Chart title={w.chartRoles(money(total))} head={[w.roleColumn, w.calls, w.costColumn]} rows={rows.map((row) => [w.roles[row.role], row.calls, row.cost ?? 0])}>
      <ul className="bars wide" data-part="roles">{rows.map((row) => <li key={row.role} data-id={row.role}><span className="cut">{w.roles[row.role]} <span className="muted small">{w.callsOf(row.calls)}</span></span><Meter share={(total > 0 ? row.cost ?? 0 : row.calls) / most} tone="live" /><span className="number">{money(row.cost)}</span></li>)}</ul>
    </Chart>
  );
}

export function Charts({ run, rows }: { run: Run; rows: MatrixRow[] }): JSX.Element {
  const cells = rows.flatMap((row) => row.cells);
  const times = cells.map((cell) => cell.time).filter((value): value is number => value !== null);
  const turns = cells.map((cell) => cell.turns).filter((value): value is number => value !== null);
  const costs = cells.map((cell) => cell.usd ?? 0);
  const counts = states.map((state) => [state, cells.filter((cell) => cell.state === state.letter).length] as const).filter(([, number]) => number > 0);
  const scored = [...rows].filter((row) => row.rate !== null).sort((a, b) => (a.rate ?? 0) - (b.rate ?? 0)).slice(0, 30);
  return (
    <div className="halves">
      <Chart title={w.chartStates} head={[w.stateColumn, w.conversations]} rows={counts.map(([state, number]) => [state.name, number])}>
        <ul className="bars wide">{counts.map(([state, number]) => <li key={state.letter}><span className="cut">{state.name}</span><Meter share={number / cells.length} tone={stateOf(state.letter).tone} /><span className="number">{count(number)}</span></li>)}</ul>
      </Chart>
      {times.length > 0 && <Chart title={w.chartTime(duration(quantile(times, 0.5)), duration(quantile(times, 0.95)))} head={[w.timeColumn, w.conversations]} rows={bin().thresholds(20)(times).map((each) => [duration(each.x0), each.length])}><Histogram values={times} text={duration} label={w.timeColumn} /></Chart>}
      {!inReport && <TurnTimes ids={cells.filter((cell) => cell.id && cell.turns).map((cell) => cell.id!)} />}
      {turns.length > 0 && <Chart title={w.chartTurns(Math.round(quantile(turns, 0.5) ?? 0))} head={[w.turnsColumn, w.conversations]} rows={bin().thresholds(20)(turns).map((each) => [each.x0 ?? 0, each.length])}><Histogram values={turns} text={count} label={w.turnsColumn} isWhole /></Chart>}
      {scored.length > 0 && <Chart title={w.chartScore} head={[w.testColumn, w.rateColumn]} rows={scored.map((row) => [row.name, percent(row.rate)])}>
        <ul className="bars wide">{scored.map((row) => <li key={row.at}><bdi className="cut">{row.name}</bdi><Meter share={row.rate ?? 0} tone="passed" /><span className="number">{percent(row.rate)}</span></li>)}</ul></Chart>}
      <Roles run={run} />
      {sum(costs) > 0 && <Chart title={w.chartCost(money(sum(costs)))} head={[w.testColumn, w.costColumn]} rows={rows.map((row) => [row.name, sum(row.cells, (cell) => cell.usd ?? 0)])}><Histogram values={costs} text={money} label={w.costColumn} /></Chart>}
    </div>
  );
}
