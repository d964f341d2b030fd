/** The changes from the baseline of the scenario, or from the previous run: one mark for each row. */
import { useMemo } from 'react';
import { queryOf } from '../shared/api';
import { inReport } from '../shared/router';
import { useGet } from '../shared/store';
import { Cells, Page, Run, Scenario } from '../shared/types';
import { w } from '../shared/words';
import { MatrixRow, rowsOf } from './cells';

export interface Change { mark: '▲' | '▼' | ''; by: number; says: string }
export type Changes = Map<string, Change>;
export const rowKey = (row: MatrixRow): string => `${row.test}/${row.persona}`;

/** The query for the previous run: the newest of the same scenario and agent that was created before this one. */
export const previousPath = (run: Run): string => `/runs/${queryOf({ scenario: run.scenario.id, agent: run.agent.id, before: run.id, limit: 1 })}`;

/** A chosen baseline is always fetched; the previous run only when the view needs it. */
export function useChanges(run: Run | undefined, rows: MatrixRow[], isWanted: boolean): { against: string; changes: Changes } {
  const scenario = useGet<Scenario>(run && !inReport ? `/scenarios/${run.scenario.id}` : null);
  const chosen = run ? scenario.data?.baselines?.[run.agent?.id] : undefined;
  const needsPrevious = !!run && !!scenario.data && !inReport && isWanted && (!chosen || chosen === run.id);
  const previous = useGet<Page<Run>>(needsPrevious ? previousPath(run) : null);
  const against = chosen && chosen !== run?.id ? chosen : previous.data?.data[0]?.id ?? '';
  const cells = useGet<Cells>(against ? `/runs/${against}/cells` : null);
  const changes = useMemo(() => {
    const before = new Map((cells.data ? rowsOf(cells.data) : []).map((row) => [rowKey(row), row]));
    const out: Changes = new Map();
    for (const row of rows) {
      const then = before.get(rowKey(row));
      if (!then || then.rate === null || row.rate === null) continue;
      const by = row.rate - then.rate, points = `${by > 0 ? '+' : '−'}${Math.round(Math.abs(by) * 100)}`;
      out.set(rowKey(row), { mark: row.low > then.high ? '▲' : row.high < then.low ? '▼' : '', by, says: against === chosen ? w.against(points) : w.againstPrevious(points) });
    }
    return out;
  }, [cells.data, rows, against === chosen]);
  return { against, changes };
}
