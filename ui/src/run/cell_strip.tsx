/** Some cells of one row, side by side. Hundreds of cells are in view: the box around the rows handles their events. */
import { memo } from 'react';
import { hrefOf } from '../shared/router';
import { isDecided, stateOf } from '../shared/states';
import { w } from '../shared/words';
import { MatrixRow, RunCell } from './cells';

export const cellSize = 26;

export type Paint = (cell: RunCell) => string;

/** The score of a cell that is neither 0 nor 100, or the letter of a fault that is not the fault of the agent. */
const scoreOf = (cell: RunCell): number | null => (isDecided(cell.state) && cell.score !== null && cell.score > 0 && cell.score < 100 ? cell.score : null);
const letterOf = (cell: RunCell): string => ('tjice'.includes(cell.state) ? cell.state : '');
const classOf = (cell: RunCell, paint: string, isDim: boolean): string =>
  `cell ${paint || stateOf(cell.state).tone}${scoreOf(cell) === null ? '' : ' scored'}${letterOf(cell) && ' lettered'}${isDim ? ' dim' : ''}`;

/** A color is a class. It is set here because React takes many times as long for hundreds of cells. */
export function recolor(elements: Iterable<Element>, cellAt: (element: Element) => RunCell | undefined, paint: Paint): void {
  for (const element of elements) {
    const cell = cellAt(element);
    if (cell) element.className = classOf(cell, paint(cell), element.classList.contains('dim'));
  }
}

/** A cell is drawn again only if something about it changes, not if the pointer moves to another cell. */
const CellView = memo(function CellView({ cell, name, total, paint, isDim, isFocused, walk }: {
  cell: RunCell; name: string; total: number; paint: string; isDim: boolean; isFocused: boolean; walk: string;
}): JSX.Element {
  const state = stateOf(cell.state), score = scoreOf(cell), letter = letterOf(cell);
  const label = w.cellName(name, cell.n, total, state.name) + (score === null ? '' : `, ${w.scoreOf(score)}`);
  const shared = {
    className: classOf(cell, paint, isDim), 'data-part': 'cell', 'data-state': cell.state, 'data-repetition': cell.n, tabIndex: isFocused ? 0 : -1, 'aria-label': label,
  };
  const content = <>{state.glyph}{letter && <sub data-letter={letter} />}{score !== null && <small>{score}</small>}</>;
  return (
    <span role="gridcell" className="cell-box">
      {cell.id ? <a href={hrefOf(`/results/${cell.id}?in=${walk}`)} data-id={cell.id} {...shared}>{content}</a> : <span role="img" {...shared}>{content}</span>}
    </span>
  );
});

/**
 * The cells of the columns `from` to `to` (exclusive). With `left`, in pixels, the strip has a fixed place in its row, so
 * that the browser lays out only new strips while the matrix is scrolled. `focused` is the column that Tab reaches, or -1.
 * A strip is not drawn again for another `paint`; `recolor` changes its colors.
 */
export const CellStrip = memo(function CellStrip({ row, from, to, left, paint, keeps, focused, walk }: {
  row: MatrixRow; from: number; to: number; left?: number; paint: { current: Paint }; keeps?: (row: MatrixRow, cell: RunCell) => boolean; focused: number; walk: string;
}): JSX.Element {
  return (
    <span className="cell-strip" role="presentation" style={left === undefined ? undefined : { insetInlineStart: `${left}px`, width: `${(to - from) * cellSize}px` }}>
      {row.cells.slice(from, to).map((cell, at) => (
        <CellView key={cell.n} cell={cell} name={row.name} total={row.cells.length} paint={paint.current(cell)} isDim={!!keeps && !keeps(row, cell)} isFocused={from + at === focused} walk={walk} />
      ))}
    </span>
  );
});
