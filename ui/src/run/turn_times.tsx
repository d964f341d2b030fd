/** Response times by turn, from a sample of the run's conversations: the cells have one time for each conversation. */
import { useEffect, useState } from 'react';
import { duration } from '../shared/format';
import { quantile } from '../shared/numbers';
import { w } from '../shared/words';
import { fetchEntries } from '../result/entry_pages';
import { Chart } from './chart';
import { Meter } from './failures';
import { inBatches, Problem } from '../shared/api';

const sampleMax = 40, turnsMax = 30;

async function timesOf(ids: string[]): Promise<number[][]> {
  const turns: number[][] = [];
  for (const page of await inBatches(ids, (id) => fetchEntries(id, 0, 200))) {
    for (const entry of page.data) {
      const time = entry.metadata?.responseTime;
      if (entry.role === 'chatbot' && typeof time === 'number' && entry.turn < turnsMax) (turns[entry.turn] ??= []).push(time);
    }
  }
  return turns;
}

export function TurnTimes({ ids }: { ids: string[] }): JSX.Element | null {
  const [turns, setTurns] = useState<number[][]>();
  const sample = ids.filter((_, at) => at % Math.max(1, Math.ceil(ids.length / sampleMax)) === 0);
  const key = sample.join();
  useEffect(() => {
    let isGone = false;
    timesOf(sample).then((found) => { if (!isGone) setTurns(found); }, (error) => { if (!(error instanceof Problem)) throw error; });
    return () => { isGone = true; };
  }, [key]);
  const rows = Array.from(turns ?? [], (times, turn) => ({ turn, times: times ?? [] })).filter((row) => row.times.length > 0).map((row) => ({ turn: row.turn, count: row.times.length, p50: quantile(row.times, 0.5), p95: quantile(row.times, 0.95) }));
  if (rows.length === 0) return null;
  const slowest = rows.reduce((a, b) => (b.p95 > a.p95 ? b : a));
  return (
    <Chart title={slowest.p95 > 0 ? w.chartTurnTime(duration(slowest.p95), slowest.turn) : w.chartTurnTimeNone} head={[w.turnColumn, w.conversations, 'p50', 'p95']} rows={rows.map((row) => [row.turn, row.count, duration(row.p50), duration(row.p95)])}>
      <ul className="bars wide" data-part="turn-times">{rows.map((row) => <li key={row.turn} data-turn={row.turn}><span className="cut">{w.turn(row.turn)} <span className="muted small number">p50 {duration(row.p50)}</span></span><Meter share={row.p95 / Math.max(1, slowest.p95)} tone="live" /><span className="number">{duration(row.p95)}</span></li>)}</ul>
      <p className="small muted">{w.sampleOf(sample.length, ids.length)}</p>
    </Chart>
  );
}
