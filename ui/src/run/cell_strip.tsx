/** Some cells of one row, side by side. Hundreds of cells are in view: the box around the rows handles their events. */
import { memo } from 'react';
import { hrefOf } from '../shared/router';
import { isDecided, stateOf } from '../shared/states';
import { w } from '../shared/words';
import { MatrixRow, RunCell } from './cells';

export const cellSize = 26;

/** A cell is drawn again only when something about it changes, not when the pointer moves to another one. */
const CellView = memo(function CellView({ cell, name, total, paint, isDim, isFocused, walk }: {
  cell: RunCell; name: string; total: number; paint: string; isDim: boolean; isFocused: boolean; walk: string;
}): JSX.Element {
  const state = stateOf(cell.state);
  const score = isDecided(cell.state) && cell.score !== null && cell.score > 0 && cell.score < 100 ? cell.score : null;
  const letter = 'tjice'.includes(cell.state) && cell.state;
  const label = w.cellName(name, cell.n, total, state.name) + (score === null ? '' : `, ${w.scoreOf(score)}`);
  const shared = {
    className: `cell ${paint || state.tone}${score === null ? '' : ' scored'}${letter ? ' lettered' : ''}${isDim ? ' dim' : ''}`, 'data-part': 'cell', 'data-state': cell.state, 'data-repetition': cell.n, tabIndex: isFocused ? 0 : -1, 'aria-label': label,
  };
  const content = <>{state.glyph}{letter && <sub>{letter}</sub>}{score !== null && <small>{score}</small>}</>;
  return (
    <span role="gridcell" className="cell-box">
      {cell.id ? <a href={hrefOf(`/results/${cell.id}?in=${walk}`)} data-id={cell.id} {...shared}>{content}</a> : <span role="img" {...shared}>{content}</span>}
    </span>
  );
});

/**
 * The cells of the columns `from` to `to` (exclusive). With `left`, in pixels, the strip has a fixed place in its row, so
 * that the browser lays out only new strips while the matrix is scrolled. `focused` is the column that Tab reaches, or -1.
 */
export const CellStrip = memo(function CellStrip({ row, from, to, left, paint, keeps, focused, walk }: {
  row: MatrixRow; from: number; to: number; left?: number; paint: (cell: RunCell) => string; keeps?: (row: MatrixRow, cell: RunCell) => boolean; focused: number; walk: string;
}): JSX.Element {
  return (
    <span className="cell-strip" role="presentation" style={left === undefined ? undefined : { insetInlineStart: `${left}px`, width: `${(to - from) * cellSize}px` }}>
      {row.cells.slice(from, to).map((cell, at) => (
        <CellView key={cell.n} cell={cell} name={row.name} total={row.cells.length} paint={paint(cell)} isDim={!!keeps && !keeps(row, cell)} isFocused={from + at === focused} walk={walk} />
      ))}
    </span>
  );
});
