/** The grid of the matrix, and the parts of a row other than its cells. */
import { memo, ReactNode } from 'react';
import { percent, percentRange } from '../shared/format';
import { Link } from '../shared/router';
import { w } from '../shared/words';
import { Changes, rowKey } from './baseline';
import { MatrixRow, passHat } from './cells';

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

/** Sizes and positions are set through the CSSOM. */
export function Grid({ height, width, rows, columns, label, children }: { height: number; width: number; rows: number; columns: number; label: string; children: ReactNode }): JSX.Element {
  return <div role="grid" aria-label={label} aria-rowcount={rows} aria-colcount={columns} className="matrix-grid" style={{ height: `${height}px`, minWidth: width ? `${width}px` : undefined }}>{children}</div>;
}
export function Placed({ top, head, row, at, k, changes, children }: { top: number; head: number; row: MatrixRow; at: number; k: number; changes: Changes; children: ReactNode }): JSX.Element {
  return (
    <div role="row" className="matrix-row" aria-rowindex={at + 1} data-part="matrix-row" data-id={row.test} data-at={at} style={{ transform: `translateY(${top}px)`, gridTemplateColumns: `${head}px 1fr` }}>
      <RowHead row={row} k={k} changes={changes} />
      <span className="cells" role="presentation">{children}</span>
    </div>
  );
}
