/** The transcript by turns. Entries are not virtualized: find-in-page and printing see all loaded entries. */
import { useEffect, useMemo, useRef } from 'react';
import { quantile } from '../shared/numbers';
import { decimals, duration, money } from '../shared/format';
import { Button, Empty, ProblemView } from '../shared/parts';
import { Entry } from '../shared/types';
import { scrollToElement } from '../shared/scroll';
import { w } from '../shared/words';
import { Entries } from './entries';
import { EntryView, Shown } from './entry';
import { EntryEvidence } from './quotes';

export interface Visible { tools: boolean; events: boolean }
interface Turn { turn: number; entries: Entry[] }
export function turnsOf(entries: Entry[]): Turn[] {
  const turns: Turn[] = [];
  for (const entry of entries) {
    const last = turns[turns.length - 1];
    if (last && last.turn === entry.turn) last.entries.push(entry); else turns.push({ turn: entry.turn, entries: [entry] });
  }
  return turns;
}
const numberOf = (entry: Entry, key: string): number | undefined => { const value = entry.metadata?.[key]; return typeof value === 'number' ? value : undefined; };

function TurnHead({ turn, start, slow }: { turn: Turn; start: number; slow: number }): JSX.Element {
  const total = (key: string) => turn.entries.reduce((all, entry) => all + (numberOf(entry, key) ?? 0), 0);
  const response = total('responseTime'), tokens = total('inputTokens') + total('outputTokens'), cost = total('cost');
  return (
    <header className="turn-head">
      <h3>{w.turn(turn.turn)}</h3><span className="muted small number">+{duration(Math.max(0, Date.parse(turn.entries[0].createdAt) - start))}</span>
      {response > 0 && <span className="muted small number response" title={w.averageResponse}><span className="meter"><span className="piece live" style={{ width: `${Math.min(100, (100 * response) / Math.max(1, slow))}%` }} /></span>{duration(response)}</span>}
      {tokens > 0 && <span className="muted small number">{decimals(tokens, 0)} tok</span>}{cost > 0 && <span className="muted small number">{money(cost)}</span>}
    </header>
  );
}

function isLate(entries: Entry[], at: number): boolean {
  return at + 1 < entries.length && Date.parse(entries[at].createdAt) > Date.parse(entries[at + 1].createdAt);
}

function Minimap({ turns, evidence, go }: { turns: Turn[]; evidence: Map<string, EntryEvidence>; go: (turn: number) => void }): JSX.Element | null {
  if (turns.length <= 12) return null;
  return (
    <nav className="minimap" aria-label={w.minimap}>{turns.slice(0, 400).map((turn) => {
      const failed = turn.entries.some((entry) => { const each = evidence.get(entry.id); return each && [...each.whole, ...each.marks.map((mark) => mark.of)].some((of) => of.status === 'failed'); });
      const has = turn.entries.some((entry) => evidence.has(entry.id));
      const kind = failed ? 'failed' : has ? 'has' : turn.entries.some((entry) => entry.type === 'tool') ? 'tool' : '';
      return <button key={turn.turn} type="button" className={kind} tabIndex={-1} aria-label={w.turn(turn.turn)} title={w.turn(turn.turn)} onClick={() => go(turn.turn)} />;
    })}</nav>
  );
}

export function Transcript({ entries, evidence, shown, visible, start, isLive, agentName }: { entries: Entries; evidence: Map<string, EntryEvidence>; shown: Shown; visible: Visible; start: number; isLive: boolean; agentName: string }): JSX.Element {
  const end = useRef<HTMLDivElement>(null);
  const list = useMemo(() => entries.list.filter((entry) => (visible.tools || entry.type !== 'tool') && (visible.events || !entry.type.endsWith('event'))), [entries.list, visible.tools, visible.events]);
  const turns = useMemo(() => turnsOf(list), [list]);
  const slow = useMemo(() => quantile(entries.list.map((entry) => numberOf(entry, 'responseTime')).filter((value): value is number => value !== undefined), 0.95), [entries.list]);
  useEffect(() => {
    if (!end.current) return undefined;
    const observer = new IntersectionObserver(([seen]) => { if (seen.isIntersecting) entries.later(); }, { rootMargin: '600px' });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [entries.later, entries.total]);
  if (entries.problem && entries.list.length === 0) return <ProblemView problem={entries.problem} retry={entries.reload} />;
  if (entries.isLoaded && entries.list.length === 0) return isLive ? <p className="muted" role="status">{w.waiting}</p> : <Empty says={w.noEntries} />;
  const go = (turn: number) => scrollToElement(document.querySelector(`[data-turn="${turn}"]`), 'start');
  return (
    <div className="transcript">
      {entries.list.length < entries.total && <p className="print-only note" data-part="not-printed">{w.notPrinted(entries.total - entries.list.length, entries.total)}</p>}
      {entries.from > 0 && <Button onClick={entries.earlier}>{w.loadEarlier} ({entries.from})</Button>}
      {turns.map((turn) => (
        <section key={`${turn.turn}-${turn.entries[0].id}`} className="turn" aria-label={w.turn(turn.turn)}>
          <TurnHead turn={turn} start={start} slow={slow} />
          {turn.entries.map((entry, at) => <EntryView key={entry.id} entry={entry} evidence={evidence.get(entry.id)} shown={shown} start={start} isLate={isLate(turn.entries, at)} agentName={agentName} />)}
        </section>
      ))}
      {isLive && <p className="muted" role="status">{w.waiting}</p>}
      <div ref={end} />
      {entries.from + entries.list.length < entries.total && <Button onClick={entries.later}>{w.loadLater} ({entries.total - entries.from - entries.list.length})</Button>}
      <Minimap turns={turns} evidence={evidence} go={go} />
    </div>
  );
}
