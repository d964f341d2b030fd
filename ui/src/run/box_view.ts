/** Which part of a box is in view, in both axes, and which rows are in view. */
import { RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { usePrinting } from '../shared/print';

export interface BoxView { top: number; left: number; width: number; height: number; isMeasured: boolean; isPrinting: boolean }

/** The box is measured before its first paint. Until then `isMeasured` is false, and content that depends on the size is not needed. */
export function useBoxView(): [RefObject<HTMLDivElement>, BoxView] {
  const box = useRef<HTMLDivElement>(null), isPrinting = useRef(false);
  const [view, setView] = useState<BoxView>({ top: 0, left: 0, width: 1200, height: 800, isMeasured: false, isPrinting: false });
  const measure = () => {
    const here = box.current;
    // Paper has another size than the view; the observer reports it while the page is printed.
    if (!here || isPrinting.current) return;
    const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight: height } = here;
    setView((old) => (old.isMeasured && !old.isPrinting && old.top === top && old.left === left && old.width === width && old.height === height ? old : { top, left, width, height, isMeasured: true, isPrinting: false }));
  };
  useLayoutEffect(measure, []);
  useEffect(() => {
    const here = box.current;
    if (!here) return undefined;
    let frame = 0;
    const onScroll = () => { cancelAnimationFrame(frame); frame = requestAnimationFrame(measure); };
    const observer = new ResizeObserver(measure);
    observer.observe(here);
    here.addEventListener('scroll', onScroll, { passive: true });
    return () => { observer.disconnect(); here.removeEventListener('scroll', onScroll); cancelAnimationFrame(frame); };
  }, []);
  usePrinting((on) => { isPrinting.current = on; if (on) setView({ top: 0, left: 0, width: 1e6, height: Infinity, isMeasured: true, isPrinting: on }); else measure(); });
  return [box, view];
}

/** The rows of equal height that are in view, with some around them, and the pixels before and after them. */
export function rowsInView({ top, height }: BoxView, rows: number, rowHeight: number): { first: number; last: number; before: number; after: number } {
  const first = Math.max(0, Math.min(rows - 1, Math.floor(top / rowHeight) - 10));
  const last = Math.min(rows, Math.ceil((top + height) / rowHeight) + 10);
  return { first, last, before: first * rowHeight, after: Math.max(0, rows - last) * rowHeight };
}
