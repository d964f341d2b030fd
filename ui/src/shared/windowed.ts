/** Which rows of equal height are in view of a scrolling box. */
import { RefObject, useEffect, useState } from 'react';
import { usePrinting } from './print';

export function useWindowed(box: RefObject<HTMLElement>, rows: number, height: number): { first: number; last: number; before: number; after: number } {
  const [view, setView] = useState({ top: 0, height: 900 });
  useEffect(() => {
    const here = box.current;
    if (!here) return undefined;
    let frame = 0;
    const measure = () => setView({ top: here.scrollTop, height: here.clientHeight });
    const onScroll = () => { cancelAnimationFrame(frame); frame = requestAnimationFrame(measure); };
    here.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(here);
    return () => { here.removeEventListener('scroll', onScroll); observer.disconnect(); cancelAnimationFrame(frame); };
  }, []);
  usePrinting((isPrinting) => setView(isPrinting ? { top: 0, height: rows * height } : { top: box.current?.scrollTop ?? 0, height: box.current?.clientHeight ?? 900 }));
  const first = Math.max(0, Math.min(rows - 1, Math.floor(view.top / height) - 10));
  const last = Math.min(rows, Math.ceil((view.top + view.height) / height) + 10);
  return { first, last, before: first * height, after: Math.max(0, rows - last) * height };
}
