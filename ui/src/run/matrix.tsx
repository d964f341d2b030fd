/** The matrix: tests and personalities as rows, repetitions as columns. This file has its options, its filter and its order. */
import { useMemo } from 'react';
import { matches, parseFilter } from '../shared/filter';
import { inReport, usePlace } from '../shared/router';
import { Cells, FailureGroup, Run } from '../shared/types';
import { w } from '../shared/words';
import { rowKey, useChanges } from './baseline';
import { Paint } from './cell_strip';
import { idsOf, MatrixRow, RunCell, sortRows, valuesOf } from './cells';
import { FilterBox } from './filter_box';
import { inGroups, useGrouping } from './grouping';
import { Legend } from './legend';
import { MatrixBox } from './matrix_box';
import { paintOf } from './paint';
import { useServerTerms } from './server_terms';
import { useHold, useSteadyRows } from './steady_rows';
import { ToolChoice } from './tool_choice';
import { rememberIds, walkName } from './walk';

export function Matrix({ run, cells, rows, groups }: { run: Run; cells: Cells; rows: MatrixRow[]; groups: FailureGroup[] }): JSX.Element {
  const { query } = usePlace();
  const colour = query.get('colour') ?? 'outcome', sort = query.get('sort') ?? 'planned', fold = query.get('fold') ?? 'auto', chosen = query.get('state') ?? '';
  const { changes } = useChanges(run, rows, colour === 'change' || sort === 'changed');
  const { choices: groupings, groupsOf } = useGrouping(run, query.get('group') ?? 'none');
  const filter = parseFilter(query.get('filter') ?? '');
  const found = useServerTerms(run, filter.terms, groups);
  const columns = useMemo(() => rows.reduce((most, row) => Math.max(most, row.cells.length), 0), [rows]);
  const keeps = useMemo(() => (row: MatrixRow, cell: RunCell) =>
    (!chosen || chosen.includes(cell.state)) && found.keeps(cell, row.test)
    && (filter.terms.length === 0 || matches(filter.terms, valuesOf(run, row, cell))), [chosen, query.get('filter'), found]);
  const isFiltered = chosen !== '' || filter.terms.length > 0;
  const choose = useMemo(() => (all: MatrixRow[]) => {
    const sorted = sortRows(all, sort);
    if (sort === 'changed') sorted.sort((a, b) => Math.abs(changes.get(rowKey(b))?.by ?? 0) - Math.abs(changes.get(rowKey(a))?.by ?? 0) || a.at - b.at);
    return isFiltered ? sorted.filter((row) => row.cells.some((cell) => keeps(row, cell))) : sorted;
  }, [sort, keeps, isFiltered, changes]);
  const [isHeld, onHold] = useHold();
  const shown = useSteadyRows(rows, choose, `${sort} ${chosen} ${query.get('filter') ?? ''} ${found.isAsking}`, isHeld);
  const grouped = useMemo(() => inGroups(shown, (row) => row, groupsOf), [shown, groupsOf]);
  const paint: Paint = useMemo(() => (colour === 'change' ? (cell: RunCell) => { const change = rows[cell.row] && changes.get(rowKey(rows[cell.row])); return !change || change.by === 0 ? 'plain-cell' : change.by > 0 ? 'passed' : 'failed'; } : paintOf(colour, rows, cells)), [colour, rows, cells, changes]);
  const walk = useMemo(() => rememberIds(run.id, walkName(query, ['state', 'filter', 'sort', 'group']), idsOf([...new Set(grouped.map(({ item }) => item))], keeps)), [grouped, keeps]);
  return (
    <div className="matrix">
      <div className="matrix-tools row">
        <ToolChoice name="colour" label={w.colourBy} options={inReport ? w.colours : { ...w.colours, change: w.changeAgainst }} value={colour} usual="outcome" />
        <ToolChoice name="sort" label={w.sortBy} options={inReport ? w.sorts : { ...w.sorts, changed: w.mostChanged }} value={sort} usual="planned" />
        <ToolChoice name="fold" label={w.fold} options={w.folds} value={fold} usual="auto" />
        {Object.keys(groupings).length > 1 && <ToolChoice name="group" label={w.groupRows} options={groupings} value={query.get('group') ?? 'none'} usual="none" />}
        <FilterBox fault={filter.fault} isAsking={found.isAsking} problem={found.problem} />
      </div>
      <Legend cells={cells} chosen={chosen} />
      {grouped.length === 0 && <p className="muted" role="status">{w.nothingMatches}</p>}
      <MatrixBox run={run} rows={rows} grouped={grouped} hasGroups={!!groupsOf} columns={columns} fold={fold} paint={paint} keeps={isFiltered ? keeps : undefined} changes={changes} groups={groups} walk={walk} onHold={onHold} />
    </div>
  );
}
