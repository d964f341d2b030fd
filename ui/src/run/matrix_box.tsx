/** The scrolling box of the matrix. Only the cells in view, in both axes, are in the DOM. Arrow keys move between cells. */
import { FocusEvent, Fragment, KeyboardEvent, MouseEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { LetterBar } from '../shared/bars';
import { useKeys } from '../shared/keys';
import { followInside, navigate, setQuery } from '../shared/router';
import { FailureGroup, Run } from '../shared/types';
import { w } from '../shared/words';
import { Changes } from './baseline';
import { useBoxView } from './box_view';
import { CellCard } from './cell_card';
import { CellStrip, cellSize, Paint, recolor } from './cell_strip';
import { MatrixRow, passHatOf, RunCell } from './cells';
import { Grouped } from './grouping';
import { HoldHandlers } from './steady_rows';
import { Grid, Placed } from './matrix_row';

/** The number of columns that are added and removed together while the matrix is scrolled. */
const stripColumns = 5;
/** The column of the button that opens a folded row; its cells are right of it. */
const foldColumn = -1;
const rowHeight = 30, rowHeightNarrow = 52, groupHeight = 28, overscan = 4, headWidthWide = 440;

/** On paper, rows with more cells than this are wrapped, as opened rows are. */
const printedColumnsMax = 14;

interface BoxProps {
  run: Run; rows: MatrixRow[]; grouped: Grouped<MatrixRow>[]; hasGroups: boolean; columns: number; fold: string; paint: Paint;
  /** The cells that match the filter; undefined without a filter. */
  keeps?: (row: MatrixRow, cell: RunCell) => boolean;
  changes: Changes; groups: FailureGroup[]; walk: string; onHold: HoldHandlers;
}

export function MatrixBox({ run, rows, grouped, hasGroups, columns, fold, paint, keeps, changes, groups, walk, onHold }: BoxProps): JSX.Element {
  const shown = useMemo(() => grouped.map(({ item }) => item), [grouped]);
  const beginsGroup = (at: number) => hasGroups && (at === 0 || grouped[at].group !== grouped[at - 1].group);
  const [box, view] = useBoxView();
  const isNarrow = view.width < 640;
  const isFolded = fold === 'on' || (fold === 'auto' && (columns > 60 || isNarrow)) || (view.isPrinting && columns > printedColumnsMax);
  const headWidth = isNarrow ? Math.max(120, view.width - (isFolded ? 120 : cellSize * 6)) : headWidthWide;
  const [opened, setOpened] = useState<number[]>([]);
  const [at, setAt] = useState({ row: 0, column: 0 });
  const [card, setCard] = useState<[RunCell, HTMLElement] | null>(null);
  const perLine = Math.max(1, Math.floor((view.width - headWidth - 24) / cellSize));
  const firstLine = isNarrow ? rowHeightNarrow : rowHeight;
  const heightOf = (row: MatrixRow) => firstLine + (isFolded && opened.includes(row.at) ? Math.ceil(row.cells.length / perLine) * rowHeight : 0);
  const tops = useMemo(() => { let top = 0; return shown.map((row, at) => { const start = top + (beginsGroup(at) ? groupHeight : 0); top = start + heightOf(row); return start; }).concat(top); }, [shown, isFolded, opened, perLine, firstLine]);
  const height = tops[tops.length - 1];
  const after = (y: number) => { const at = tops.findIndex((top) => top > y); return at < 0 ? shown.length : at; };
  const firstRow = Math.max(0, after(view.top) - 1 - overscan), lastRow = Math.min(shown.length, after(view.top + view.height) + overscan);
  const firstStrip = Math.max(0, Math.floor(view.left / cellSize / stripColumns) - 1), lastStrip = Math.ceil(Math.min(columns, (view.left + view.width - headWidth) / cellSize + stripColumns) / stripColumns);

  const isOpen = (row?: MatrixRow) => isFolded && !!row && (opened.includes(row.at) || view.isPrinting);
  const focusColumn = isFolded ? at.column : Math.max(0, at.column);
  const focusCell = (row: number, column: number) => {
    const safeRow = Math.max(0, Math.min(shown.length - 1, row)), last = isFolded && !isOpen(shown[safeRow]) ? foldColumn : (shown[safeRow]?.cells.length ?? 1) - 1;
    const safeColumn = Math.max(isFolded ? foldColumn : 0, Math.min(last, column));
    setAt({ row: safeRow, column: safeColumn });
    const here = box.current;
    if (!here) return;
    if (tops[safeRow] < here.scrollTop) here.scrollTop = tops[safeRow];
    if (tops[safeRow] + firstLine > here.scrollTop + here.clientHeight - 24) here.scrollTop = tops[safeRow] + firstLine + rowHeight - here.clientHeight + 24;
    if (!isFolded) {
      if (safeColumn * cellSize < here.scrollLeft) here.scrollLeft = safeColumn * cellSize;
      if ((safeColumn + 1) * cellSize > here.scrollLeft + here.clientWidth - headWidth) here.scrollLeft = (safeColumn + 1) * cellSize - here.clientWidth + headWidth + 8;
    }
    requestAnimationFrame(() => requestAnimationFrame(() => here.querySelector<HTMLElement>(`[data-at="${safeRow}"] ${safeColumn === foldColumn ? '.fold' : `[data-repetition="${shown[safeRow]?.cells[safeColumn]?.n}"]`}`)?.focus()));
  };
  const atElement = (target: EventTarget) => {
    const element = (target as Element).closest<HTMLElement>('[data-part=cell]');
    const rowAt = Number(element?.closest<HTMLElement>('[data-at]')?.dataset.at), row = shown[rowAt];
    const n = Number(element?.dataset.repetition), column = row?.cells[n - 1]?.n === n ? n - 1 : row?.cells.findIndex((cell) => cell.n === n) ?? -1;
    return element && column >= 0 ? { element, cell: row.cells[column], place: { row: rowAt, column } } : undefined;
  };
  const showCard = (event: MouseEvent | FocusEvent) => {
    const found = atElement(event.target);
    setCard((old) => (!found ? null : old?.[1] === found.element && old[0] === found.cell ? old : [found.cell, found.element]));
    return found;
  };
  const onFocus = (event: FocusEvent) => { const found = showCard(event); if (found) setAt(found.place); };
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    if (step) focusCell(at.row + step[0], at.column + step[1]);
    else if (event.key === 'Home') focusCell(event.ctrlKey ? 0 : at.row, foldColumn);
    else if (event.key === 'End') focusCell(event.ctrlKey ? shown.length - 1 : at.row, Infinity);
    else if (event.key === 'PageDown') focusCell(at.row + 10, at.column);
    else if (event.key === 'PageUp') focusCell(at.row - 10, at.column);
    else return;
    event.preventDefault();
  };
  // The first key press focuses the cell that is opened next.
  const isInside = () => !!box.current?.contains(document.activeElement);
  useKeys({
    j: () => focusCell(at.row + (isInside() ? 1 : 0), at.column), k: () => focusCell(at.row - (isInside() ? 1 : 0), at.column), Escape: () => setQuery({ state: null, filter: null }),
    o: () => { const cell = shown[at.row]?.cells[at.column]; if (cell?.id) navigate(`/results/${cell.id}?in=${walk}`); },
  });
  const painted = useRef(paint);
  painted.current = paint;
  useLayoutEffect(() => { if (box.current) recolor(box.current.querySelectorAll('[data-part=cell]'), (element) => atElement(element)?.cell, paint); }, [paint]);
  const strip = (row: MatrixRow, rowAt: number, from: number, to: number, left?: number) => (
    <CellStrip key={from} row={row} from={from} to={to} left={left} paint={painted} keeps={keeps} focused={rowAt === at.row && focusColumn >= from && focusColumn < to ? focusColumn : -1} walk={walk} />
  );
  const strips = (row: MatrixRow, rowAt: number) => Array.from({ length: Math.max(0, lastStrip - firstStrip) }, (_, offset) => strip(row, rowAt, (firstStrip + offset) * stripColumns, (firstStrip + offset + 1) * stripColumns, (firstStrip + offset) * stripColumns * cellSize));
  return (
    <>
      <div className={`matrix-box${isNarrow ? ' narrow-rows' : ''}`} ref={box} {...onHold} onKeyDown={onKey} onClick={followInside} onMouseOver={showCard} onMouseLeave={() => setCard(null)} onFocus={onFocus} onBlur={() => setCard(null)}>
        <Grid height={height} width={isFolded ? 0 : headWidth + columns * cellSize + 8} rows={shown.length} columns={columns + 1} label={w.matrix}>
          {view.isMeasured && shown.slice(firstRow, lastRow).map((row, offset) => {
            const rowAt = firstRow + offset;
            const letters = keeps ? row.cells.filter((cell) => keeps(row, cell)).map((cell) => cell.state).join('') : row.letters;
            return (
              <Fragment key={`${grouped[rowAt].group}/${row.at}`}>
              {beginsGroup(rowAt) && <div role="row" className="matrix-row row-group" data-part="row-group" style={{ transform: `translateY(${tops[rowAt] - groupHeight}px)`, height: `${groupHeight}px` }}><span role="rowheader"><bdi>{grouped[rowAt].group}</bdi></span></div>}
              <Placed top={tops[rowAt]} head={headWidth} row={row} at={rowAt} k={passHatOf(run)?.k ?? 2} changes={changes}>
                {isFolded ? (
                  <>
                    <span role="gridcell" className="fold-cell"><button type="button" className="fold" tabIndex={rowAt === at.row && (at.column === foldColumn || !isOpen(row)) ? 0 : -1} aria-expanded={isOpen(row)} aria-label={`${w.unfoldRow}: ${row.name}`} onFocus={() => setAt({ row: rowAt, column: foldColumn })}
                      onClick={() => setOpened(isOpen(row) ? opened.filter((each) => each !== row.at) : [...opened, row.at])}><LetterBar letters={letters} label={`${row.passed} / ${row.decided}`} /></button></span>
                    {isOpen(row) && <span className="unfolded">{strip(row, rowAt, 0, view.isPrinting ? row.cells.length : 400)}</span>}
                  </>
                ) : strips(row, rowAt)}
              </Placed>
              </Fragment>
            );
          })}
        </Grid>
      </div>
      {card && <CellCard cell={card[0]} anchor={card[1]} groups={groups} name={rows[card[0].row]?.name ?? ''} />}
    </>
  );
}
