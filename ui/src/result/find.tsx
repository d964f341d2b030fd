/** Find in the transcript. The server searches, so entries that are not loaded are found too. */
import { useEffect, useRef, useState } from 'react';
import { Problem } from '../shared/api';
import { Button } from '../shared/parts';
import { inReport } from '../shared/router';
import { scrollToElement } from '../shared/scroll';
import { w } from '../shared/words';
import { Entries } from './entries';
import { fetchEntries } from './entry_pages';

export interface Find { text: string; set: (text: string) => void; found: number[]; at: number; next: (by: number) => void; focus: () => void }

export function useFind(id: string, entries: Entries): Find {
  const [text, set] = useState('');
  const [found, setFound] = useState<number[]>([]);
  const [at, setAt] = useState(0);
  const latest = useRef(entries);
  latest.current = entries;
  useEffect(() => {
    setAt(0);
    if (!text) { setFound([]); return undefined; }
    const timer = setTimeout(() => void (async () => {
      const wanted = text.toLowerCase();
      const here = () => latest.current.list.map((entry, index) => [entry, latest.current.from + index] as const).filter(([entry]) => `${entry.content ?? ''} ${entry.name ?? ''} ${JSON.stringify(entry.metadata ?? {})}`.toLowerCase().includes(wanted)).map(([, index]) => index);
      if (inReport) { setFound(here()); return; }
      try { const page = await fetchEntries(id, 0, 1, text); setFound(page.found ?? here()); } catch (error) { if (!(error instanceof Problem)) throw error; setFound(here()); }
    })(), 200);
    return () => clearTimeout(timer);
  }, [text, id]);
  const next = (by: number) => {
    if (!found.length) return;
    const to = (at + by + found.length) % found.length;
    setAt(to);
    void latest.current.showAt(found[to]).then(() => requestAnimationFrame(() => { const entry = latest.current.list[found[to] - latest.current.from]; if (entry) scrollToElement(document.getElementById(`e-${entry.id}`), 'center'); }));
  };
  return { text, set, found, at, next, focus: () => document.getElementById('find-transcript')?.focus() };
}

export function FindBar({ find }: { find: Find }): JSX.Element {
  return (
    <span className="find-bar">
      <input id="find-transcript" type="search" value={find.text} placeholder={w.find} aria-label={w.find} onChange={(event) => find.set(event.target.value)}
        onKeyDown={(event) => { if (event.key === 'Enter') { event.preventDefault(); find.next(event.shiftKey ? -1 : 1); } if (event.key === 'Escape') { find.set(''); event.currentTarget.blur(); } }} />
      {find.text && <span className="small muted number" role="status">{find.found.length ? w.matches(find.at + 1, find.found.length) : w.noMatch}</span>}
      {find.found.length > 1 && <><Button kind="quiet" aria-label={w.previous} onClick={() => find.next(-1)}>↑</Button><Button kind="quiet" aria-label={w.next} onClick={() => find.next(1)}>↓</Button></>}
    </span>
  );
}
