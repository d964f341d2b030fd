/** Printing: opens folded parts, draws virtualized lists completely, and adds a footer that says what was printed and when. */
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { whenFull } from './format';

let opened: HTMLDetailsElement[] = [];
addEventListener('beforeprint', () => {
  document.body.dataset.printed = `${location.href} · ${whenFull(Date.now())}`;
  opened = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')];
  for (const each of opened) each.open = true;
});
addEventListener('afterprint', () => { for (const each of opened) each.open = false; opened = []; });

/** Calls `change` with true before the page is printed, and with false afterwards. */
export function usePrinting(change: (isPrinting: boolean) => void): void {
  const act = useRef(change);
  act.current = change;
  useEffect(() => {
    const before = () => flushSync(() => act.current(true)), after = () => act.current(false);
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => { removeEventListener('beforeprint', before); removeEventListener('afterprint', after); };
  }, []);
}
