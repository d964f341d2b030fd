/** What a row of the matrix consists of. Hundreds of cells are in view: their events are handled by the box around them. */
import { memo, ReactNode } from 'react';
import { percent, percentRange } from '../shared/format';
import { hrefOf, Link } from '../shared/router';
import { isDecided, stateOf } from '../shared/states';
import { w } from '../shared/words';
import { Changes, rowKey } from './baseline';
import { MatrixRow, passHat, RunCell } from './cells';

/** A cell is drawn again only when something about it changes, not when the pointer moves to another one. */
export const CellView = memo(function CellView({ cell, name, total, paint, isDim, isFocused, open }: {
  cell: RunCell; name: string; total: number; paint: string; isDim: boolean; isFocused: boolean; open: string;
}): JSX.Element {
  const state = stateOf(cell.state);
  const score = isDecided(cell.state) && cell.score !== null && cell.score > 0 && cell.score < 100 ? cell.score : null;
  const label = w.cellName(name, cell.n, total, state.name) + (score === null ? '' : `, ${w.scoreOf(score)}`);
  const shared = {
    className: `cell ${paint || state.tone}${score === null ? '' : ' scored'}${isDim ? ' dim' : ''}`, 'data-part': 'cell', 'data-state': cell.state, 'data-repetition': cell.n, tabIndex: isFocused ? 0 : -1, 'aria-label': label,
  };
  const content = (
    <>{state.glyph}{'tjice'.includes(cell.state) && <sub>{cell.state}</sub>}
      {score !== null && <small>{score}</small>}</>
  );
  return (
    <span role="gridcell" className="cell-box">
      {cell.id ? <a href={hrefOf(`/results/${cell.id}?in=${open}`)} data-id={cell.id} {...shared}>{content}</a> : <span role="img" {...shared}>{content}</span>}
    </span>
  );
});

const RowHead = memo(function RowHead({ row, k, changes }: { row: MatrixRow; k: number; changes: Changes }): JSX.Element {
  const change = changes.get(rowKey(row));
  const hat = row.decided > 1 ? passHat(row.passed, row.decided, Math.min(k, row.decided)) : null;
  return (
    <span role="rowheader" className="row-head">
      <Link to={`/tests/${row.test}`} className="cut" title={row.name}><bdi>{row.name}</bdi>{row.persona && <span className="muted"> · <bdi>{row.persona}</bdi></span>}</Link>
      {change?.mark && <span className={`change ${change.mark === '▲' ? 'fixed' : 'regressed'}`} title={change.says}>{change.mark}</span>}
      {row.isFlaky && <span className="badge">{w.flaky}</span>}
      <span className="number rate">{percent(row.rate)}</span>
      <span className="number muted small interval">{row.rate !== null && percentRange(row.low, row.high)}</span>
      <span className="number muted small pass-hat">{hat !== null && `p^${Math.min(k, row.decided)} ${percent(hat)}`}</span>
    </span>
  );
});

/** Sizes and places are set through the CSSOM. */
export function Grid({ height, width, rows, columns, label, children }: { height: number; width: number; rows: number; columns: number; label: string; children: ReactNode }): JSX.Element {
  return <div role="grid" aria-label={label} aria-rowcount={rows} aria-colcount={columns} className="matrix-grid" style={{ height: `${height}px`, minWidth: width ? `${width}px` : undefined }}>{children}</div>;
}
export function Placed({ top, left, head, row, at, k, perLine, changes, children }: { top: number; left: number; head: number; row: MatrixRow; at: number; k: number; perLine: number; changes: Changes; children: ReactNode }): JSX.Element {
  return (
    <div role="row" className="matrix-row" aria-rowindex={at + 1} data-part="matrix-row" data-id={row.test} data-at={at} style={{ transform: `translateY(${top}px)`, gridTemplateColumns: `${head}px 1fr` }}>
      <RowHead row={row} k={k} changes={changes} />
      <span className="cells" role="presentation" style={{ paddingInlineStart: `${left}px`, maxWidth: perLine ? undefined : '100%' }}>{children}</span>
    </div>
  );
}
