/** While the pointer or the focus is in the matrix, updates do not move its rows. */
import { FocusEvent, useMemo, useRef, useState } from 'react';
import { rowKey } from './baseline';
import { MatrixRow } from './cells';

export interface HoldHandlers { onPointerEnter: () => void; onPointerLeave: () => void; onFocusCapture: () => void; onBlurCapture: (event: FocusEvent) => void }
/** Whether the pointer or the focus is in a box, and the handlers of the box. */
export function useHold(): [boolean, HoldHandlers] {
  const [hasPointer, setPointer] = useState(false), [hasFocus, setFocus] = useState(false);
  const handlers = useMemo(() => ({
    onPointerEnter: () => setPointer(true), onPointerLeave: () => setPointer(false), onFocusCapture: () => setFocus(true),
    onBlurCapture: (event: FocusEvent) => setFocus(event.currentTarget.contains(event.relatedTarget as Node | null)),
  }), []);
  return [hasPointer || hasFocus, handlers];
}

/**
 * The rows that `choose` selects and sorts. While `isHeld`, the rows that were shown stay in their order, and further rows are
 * appended. Another `key`, which names what the user chose, always sorts again.
 */
export function useSteadyRows(rows: MatrixRow[], choose: (rows: MatrixRow[]) => MatrixRow[], key: string, isHeld: boolean): MatrixRow[] {
  const kept = useRef<{ key: string; order: string[] }>({ key: '', order: [] });
  return useMemo(() => {
    const chosen = choose(rows);
    const order = isHeld && kept.current.key === key ? kept.current.order : [];
    const known = new Map(rows.map((row) => [rowKey(row), row])), steady = new Set(order);
    const all = [...order.flatMap((each) => known.get(each) ?? []), ...chosen.filter((row) => !steady.has(rowKey(row)))];
    kept.current = { key, order: all.map(rowKey) };
    return all;
  }, [rows, choose, key, isHeld]);
}
