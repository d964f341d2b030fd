/** Two conversations, aligned by turn: where they begin to differ, and how. The server finds the differences; the page shows the words. */
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { get, Problem } from '../shared/api';
import { shortId, when } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { useKeys } from '../shared/keys';
import { Button, flipText, Loaded, ProblemView, Skeleton, useReady, useTitle } from '../shared/parts';
import { Link, navigate, setQuery, usePlace } from '../shared/router';
import { scrollToElement } from '../shared/scroll';
import { useGet } from '../shared/store';
import { Foreign } from '../shared/text';
import { inline } from '../shared/tree';
import { Entry, Json, ResultHead } from '../shared/types';
import { w } from '../shared/words';
import { fetchAllEntries } from '../result/entry_pages';
import { Words } from './runs';

type Same = 'same' | 'wording' | 'arguments' | 'different' | 'only-a' | 'only-b' | string;
interface TurnPair { turn: number; tester: Same; tools: Same; actions: Same; events: Same; agent: Same; a: string[]; b: string[] }
/** The fields of an external log that are shown here. */
interface LogHead { id: string; externalId: string; description: string; timestamp: string; score: number | null }
type Compared = ResultHead | LogHead;
interface Comparison { a: Compared; b: Compared; turns: TurnPair[]; structural: { turn: number; what: string; says: string } | null; wording: number | null; flips: { assertion: string | { id: string; name: string }; before: string | null; after: string | null }[] }

const isLog = (side: Compared): side is LogHead => 'externalId' in side;
const entriesOf = async (side: Compared): Promise<Entry[]> => (isLog(side) ? (await get<{ conversation: Entry[] }>(`/external-conversation-logs/${side.id}`)).conversation : fetchAllEntries(side.id));
const nameOf = (side: Compared): string => (isLog(side) ? side.description || side.externalId : side.test?.name || shortId(side.id));
const pathOf = (side: Compared): string => (isLog(side) ? `/logs/${side.id}` : `/results/${side.id}`);
const parts = ['tester', 'tools', 'actions', 'events', 'agent'] as const;
const isEqual = (pair: TurnPair): boolean => parts.every((part) => pair[part] === 'same');
const kindOf = (entry: Entry): string => (entry.type === 'message' ? entry.role : entry.type);
const textOf = (entry?: Entry): string => (!entry ? '' : entry.type === 'message' ? entry.content ?? '' : `${entry.name}(${inline((entry.metadata?.arguments ?? {}) as Json)})${entry.metadata?.result !== undefined ? ` → ${inline(entry.metadata.result)}` : ''}`);

/** Pairs the entries of both sides: the n-th of a kind with the n-th of the same kind. */
function aligned(a: Entry[], b: Entry[]): [Entry | undefined, Entry | undefined][] {
  const rest = [...b];
  const rows: [Entry | undefined, Entry | undefined][] = a.map((entry) => { const at = rest.findIndex((each) => kindOf(each) === kindOf(entry)); return [entry, at < 0 ? undefined : rest.splice(at, 1)[0]]; });
  return [...rows, ...rest.map((entry): [undefined, Entry] => [undefined, entry])];
}

const hooksOf = (entry: Entry) => ({ 'data-part': 'entry', 'data-id': entry.id, 'data-kind': kindOf(entry), 'data-turn': entry.turn });
function PairRow({ a, b, isSplit }: { a?: Entry; b?: Entry; isSplit: boolean }): JSX.Element {
  const x = textOf(a), y = textOf(b);
  const entry = (a ?? b)!;
  const side = (each: Entry | undefined, kind: 'gone' | 'new') => <div className={`side${each ? '' : ' absent'}`} dir="auto" {...(each && hooksOf(each))}>{each && <><span className="who small">{each.role === 'tester' ? w.tester : w.chatbot}{each.type !== 'message' && ` · ${each.type}`}</span>
    <div className={`words ${each.type === 'message' ? '' : 'mono'}`}>{x === y ? <Foreign text={textOf(each)} /> : a && b ? <Side before={x} after={y} kind={kind} /> : <Foreign text={textOf(each)} />}</div></>}</div>;
  if (!isSplit) return <div className="unified" {...hooksOf(entry)}><span className="who small">{entry.role === 'tester' ? w.tester : w.chatbot}{entry.type !== 'message' && ` · ${entry.type}`}{!b && ` · ${w.onlyBefore}`}{!a && ` · ${w.onlyAfter}`}</span><div className={`words ${entry.type === 'message' ? '' : 'mono'}`} dir="auto"><Words before={x} after={y} /></div></div>;
  return <div className="split-row">{side(a, 'gone')}{side(b, 'new')}</div>;
}
function Side({ before, after, kind }: { before: string; after: string; kind: 'gone' | 'new' }): JSX.Element {
  return <span className={`diff only-${kind}`}><Words before={before} after={after} /></span>;
}

/** The minimum width for two columns. */
const wide = matchMedia('(min-width: 768px)');
const onWidth = (changed: () => void) => { wide.addEventListener('change', changed); return () => wide.removeEventListener('change', changed); };

export function CompareResults({ id: a, other: b }: { id: string; other: string }): JSX.Element {
  const { query } = usePlace();
  const comparison = useGet<Comparison>(`/test-results/${a}/compare/${b}`);
  const [entries, setEntries] = useState<[Map<string, Entry>, Map<string, Entry>]>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    if (!comparison.data) return;
    void Promise.all([entriesOf(comparison.data.a), entriesOf(comparison.data.b)]).then(([x, y]) => setEntries([new Map(x.map((each) => [each.id, each])), new Map(y.map((each) => [each.id, each]))]), (error) => { if (error instanceof Problem) setProblem(error); else throw error; });
  }, [a, b, comparison.data]);
  const isWide = useSyncExternalStore(onWidth, () => wide.matches);
  const isSplit = isWide && query.get('split') !== '0';
  const turns = comparison.data?.turns ?? [];
  const differing = useMemo(() => turns.filter((pair) => !isEqual(pair)).map((pair) => pair.turn), [comparison.data]);
  const first = comparison.data?.structural?.turn ?? comparison.data?.wording ?? undefined;
  useTitle(w.twoConversations);
  const before = comparison.data?.a;
  useCrumbs([before && isLog(before) ? { name: w.logs, to: '/logs' } : { name: w.runs, to: '/runs' }, { name: before ? nameOf(before) : shortId(a), to: before ? pathOf(before) : `/results/${a}` }, { name: w.twoConversations }]);
  useReady(!!comparison.data && !!entries);
  const go = (turn: number) => { const box = document.getElementById(`turn-${turn}`); scrollToElement(box, 'center'); box?.focus({ preventScroll: true }); };
  useEffect(() => { if (entries && first !== undefined && first !== null) go(first); }, [!!entries, first]);
  const [at, setAt] = useState(-1);
  const next = () => { if (!differing.length) return; const to = ((at < 0 ? differing.indexOf(first ?? -1) : at) + 1) % differing.length; setAt(to); go(differing[to]); };
  useKeys({ Escape: () => navigate(comparison.data ? pathOf(comparison.data.b) : `/results/${b}`), n: next, s: () => { if (isWide) setQuery({ split: isSplit ? '0' : null }); } });
  const folded: (TurnPair | TurnPair[])[] = [];
  for (const pair of turns) { const last = folded[folded.length - 1]; if (!isEqual(pair)) folded.push(pair); else if (Array.isArray(last)) last.push(pair); else folded.push([pair]); }
  const view = (pair: TurnPair) => (
    <section key={pair.turn} id={`turn-${pair.turn}`} tabIndex={-1} className={`turn-pair${isEqual(pair) ? '' : ' differs'}`} data-turn={pair.turn} data-part={pair.turn === first ? 'diverging-turn' : undefined}>
      <header className="turn-head"><h3>{w.turn(pair.turn)}</h3>{parts.filter((part) => pair[part] !== 'same').map((part) => <span key={part} className={`badge ${part === 'agent' && pair[part] === 'wording' ? '' : 'failed'}`}>{w.partNames[part]}: {w.sameWords[pair[part]] ?? pair[part]}</span>)}</header>
      {entries && aligned(pair.a.map((id) => entries[0].get(id)).filter((each): each is Entry => !!each), pair.b.map((id) => entries[1].get(id)).filter((each): each is Entry => !!each)).map(([x, y], row) => <PairRow key={row} a={x} b={y} isSplit={isSplit} />)}
    </section>
  );
  return (
    <div className="stack compare-results"><Loaded of={comparison} rows={8}>{(data) => (
      <>
        <header className="page-head"><h1 data-part="outcome">{data.structural ? <>{w.divergesAt(data.structural.turn)} <bdi>{data.structural.says}</bdi></> : data.wording !== null && data.wording !== undefined ? w.wordingAt(data.wording) : w.noDifference}</h1>
          <div className="row"><Button onClick={next} disabled={!differing.length}>{w.nextDifference}</Button>{isWide && <Button aria-pressed={isSplit} onClick={() => setQuery({ split: isSplit ? '0' : null })}>{w.splitView}</Button>}</div></header>
        {data.flips.length > 0 && <p className="row">{data.flips.map((flip, n) => <span key={n} className="chip">{flipText(typeof flip.assertion === 'string' ? flip.assertion : flip.assertion?.name, flip.before, flip.after)}</span>)}</p>}
        <div className={isSplit ? 'split-row heads' : 'row'}>{[data.a, data.b].map((head, n) => <h2 key={n}>{n ? w.after : w.before}: <Link to={pathOf(head)}><Foreign text={nameOf(head)} /></Link> <span className="muted small">{isLog(head) ? `${w.log} · ${when(head.timestamp)}` : <><bdi>{head.agent?.name}</bdi> · {when(head.createdAt)}</>}{head.score !== null && <> · {w.scoreOf(head.score)}</>}</span></h2>)}</div>
        {problem && <ProblemView problem={problem} />}
        {!entries && !problem && <Skeleton />}
        {entries && folded.map((each) => (Array.isArray(each) ? <details key={`f${each[0].turn}`} className="equal-turns"><summary>{w.equalTurns(each[0].turn, each[each.length - 1].turn)}</summary>{each.map(view)}</details> : view(each)))}
      </>
    )}</Loaded></div>
  );
}
