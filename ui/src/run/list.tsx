/** The cells as a table with selectable columns. Only the rows in view are in the DOM. */
import { useMemo, useState } from 'react';
import { duration, money, none } from '../shared/format';
import { matches, parseFilter } from '../shared/filter';
import { useKeys } from '../shared/keys';
import { Button, Menu } from '../shared/parts';
import { Link, navigate, setQuery, usePlace } from '../shared/router';
import { stateOf } from '../shared/states';
import { saveFile, toCsv } from '../shared/files';
import { Cells, FailureGroup, Run } from '../shared/types';
import { w } from '../shared/words';
import { MatrixRow, RunCell, valuesOf } from './cells';
import { rowsInView, useBoxView } from './box_view';
import { FilterBox } from './filter_box';
import { Grouped, inGroups, useGrouping } from './grouping';
import { Legend } from './legend';
import { useServerTerms } from './server_terms';
import { ToolChoice } from './tool_choice';
import { rememberIds, walkName } from './walk';

interface Row { cell: RunCell; row: MatrixRow }
const all: [string, string, (row: Row) => string, ((row: Row) => string | number)?][] = [
  ['persona', w.personaColumn, ({ row }) => row.persona || none], ['score', w.scoreColumn, ({ cell }) => String(cell.score ?? none), ({ cell }) => cell.score ?? -1],
  ['turns', w.turnsColumn, ({ cell }) => String(cell.turns ?? none), ({ cell }) => cell.turns ?? -1], ['time', w.timeColumn, ({ cell }) => duration(cell.time), ({ cell }) => cell.time ?? -1],
  ['cost', w.costColumn, ({ cell }) => (cell.usd ? money(cell.usd) : none), ({ cell }) => cell.usd ?? -1], ['attempt', w.attemptColumn, ({ cell }) => String(cell.attempt), ({ cell }) => cell.attempt],
];
const usual = ['score', 'turns', 'time', 'cost'];
const rowHeight = 33;

export function ListView({ run, cells, rows, groups }: { run: Run; cells: Cells; rows: MatrixRow[]; groups: FailureGroup[] }): JSX.Element {
  const { query } = usePlace();
  const columns = (query.get('columns')?.split(',') ?? usual).filter((id) => all.some(([each]) => each === id));
  const [sort, isDown] = [query.get('by') ?? '', query.get('order') === 'desc'];
  const chosen = query.get('state') ?? '';
  const filter = parseFilter(query.get('filter') ?? '');
  const found = useServerTerms(run, filter.terms, groups);
  const { choices: groupings, groupsOf } = useGrouping(run, query.get('group') ?? 'none');
  const shown = useMemo(() => {
    const list: Row[] = rows.flatMap((row) => row.cells.map((cell) => ({ cell, row }))).filter(({ cell, row }) => cell.id && (!chosen || chosen.includes(cell.state)) && found.keeps(cell, row.test)
      && matches(filter.terms, valuesOf(run, row, cell)));
    const key = sort === 'test' ? ({ row }: Row) => row.name : sort === 'state' ? ({ cell }: Row) => cell.state : all.find(([id]) => id === sort)?.[3];
    if (key) list.sort((a, b) => { const x = key(a), y = key(b); return (x < y ? -1 : x > y ? 1 : 0) * (isDown ? -1 : 1); });
    return list;
  }, [rows, chosen, query.get('filter'), found, sort, isDown]);
  const walk = useMemo(() => rememberIds(run.id, walkName(query, ['view', 'state', 'filter', 'by', 'order', 'group']), shown.map(({ cell }) => cell.id!)), [shown]);
  // The name of a group is a separate line with the height of a row.
  const lines = useMemo(() => {
    let open = '';
    return inGroups(shown, ({ row }) => row, groupsOf).flatMap((each): (Grouped<Row> | string)[] => { const isNew = !!groupsOf && each.group !== open; open = each.group; return isNew ? [each.group, each] : [each]; });
  }, [shown, groupsOf]);
  const [box, view] = useBoxView();
  const { first, last, before, after } = rowsInView(view, lines.length, rowHeight);
  const [at, setAt] = useState(0);
  const move = (step: number) => {
    // The first key press focuses the row that is opened next, as in every list.
    const isInside = !!box.current?.contains(document.activeElement);
    let next = Math.max(0, Math.min(lines.length - 1, isInside ? at + step : at));
    if (typeof lines[next] === 'string') next = next === 0 ? 1 : next + step;
    setAt(next);
    const here = box.current;
    if (here) { if (next * rowHeight < here.scrollTop) here.scrollTop = next * rowHeight; if ((next + 2) * rowHeight > here.scrollTop + here.clientHeight) here.scrollTop = (next + 2) * rowHeight - here.clientHeight; }
    requestAnimationFrame(() => here?.querySelector<HTMLElement>(`[data-row="${next}"] a`)?.focus());
  };
  useKeys({ Escape: () => setQuery({ state: null, filter: null }), j: () => move(1), k: () => move(-1), o: () => { const line = lines[at]; if (line && typeof line !== 'string') navigate(`/results/${line.item.cell.id}?in=${walk}`); } });
  const sortBy = (id: string) => setQuery({ by: id, order: sort === id && !isDown ? 'desc' : null });
  const heading = (id: string, name: string, kind = '') => (
    <th key={id} scope="col" className={kind} aria-sort={sort === id ? (isDown ? 'descending' : 'ascending') : undefined}><button type="button" className="sort" onClick={() => sortBy(id)}>{name}{sort === id ? (isDown ? ' ↓' : ' ↑') : ''}</button></th>
  );
  const shownColumns = all.filter(([id]) => columns.includes(id));
  const csv = () => saveFile('results.csv', 'text/csv', toCsv([[w.testColumn, w.repetitionColumn, w.stateColumn, ...shownColumns.map(([, name]) => name), 'id'], ...shown.map((row) => [row.row.name, String(row.cell.n), stateOf(row.cell.state).name, ...shownColumns.map(([, , text]) => text(row)), row.cell.id ?? ''])]));
  return (
    <div className="stack tight">
      <div className="row"><FilterBox fault={filter.fault} isAsking={found.isAsking} problem={found.problem} />
        {Object.keys(groupings).length > 1 && <ToolChoice name="group" label={w.groupRows} options={groupings} value={query.get('group') ?? 'none'} usual="none" />}
        <Menu label={`${w.columns} ▾`} items={all.map(([id, name]) => ({ label: `${columns.includes(id) ? '✓' : ' '} ${name}`, act: () => setQuery({ columns: (columns.includes(id) ? columns.filter((each) => each !== id) : [...columns, id]).join(',') }) }))} />
        <Button onClick={csv}>{w.downloadCsv}</Button><span className="muted small">{w.results(shown.length)}</span></div>
      <Legend cells={cells} chosen={chosen} />
      {shown.length === 0 && <p className="muted" role="status">{w.nothingMatches}</p>}
      <div className="table-wrap list-box" ref={box}>
        <table className="grid-table"><thead><tr>{heading('state', w.stateColumn)}{heading('test', w.testColumn)}<th className="end">{w.repetitionColumn}</th>{shownColumns.map(([id, name]) => heading(id, name, 'end'))}</tr></thead>
          <tbody>
            {before > 0 && <tr className="spacer" style={{ height: `${before}px` }}><td colSpan={3 + shownColumns.length} /></tr>}
            {lines.slice(first, last).map((line, offset) => {
              if (typeof line === 'string') return <tr key={`group ${line}`} className="group-line" data-part="row-group"><th colSpan={3 + shownColumns.length}><bdi>{line}</bdi></th></tr>;
              const row = line.item;
              const state = stateOf(row.cell.state);
              return (
                <tr key={`${line.group}/${row.cell.id}`} data-part="cell" data-id={row.cell.id ?? undefined} data-state={row.cell.state} data-repetition={row.cell.n} data-row={first + offset}>
                  <td className="nowrap" title={state.name}><span className={`cell ${state.tone}`} aria-hidden="true">{state.glyph}</span> <span className="state-name">{state.name}</span></td>
                  <td className="name-cell"><Link to={`/results/${row.cell.id}?in=${walk}`} className="cut" title={row.row.name} onFocus={() => setAt(first + offset)}><bdi>{row.row.name}</bdi></Link></td><td className="end">{row.cell.n}</td>
                  {shownColumns.map(([id, , text]) => <td key={id} className="end">{text(row)}</td>)}
                </tr>
              );
            })}
            {after > 0 && <tr className="spacer" style={{ height: `${after}px` }}><td colSpan={3 + shownColumns.length} /></tr>}
          </tbody></table>
      </div>
    </div>
  );
}
