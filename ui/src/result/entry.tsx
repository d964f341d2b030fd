/** One entry of a conversation: message, tool call, event or action, with the evidence marked in its words. */
import { Fragment, memo, ReactNode, useState } from 'react';
import { bytes, duration, whenFull } from '../shared/format';
import { plainNodes } from '../shared/text';
import { inline, JsonTree } from '../shared/tree';
import { Entry, Json, JsonObject } from '../shared/types';
import { w } from '../shared/words';
import { EntryEvidence, Evidence, pieces } from './quotes';
import { Rendered } from './rendered';

export interface Shown { rendered: boolean; metadata: boolean; times: boolean; find: string; active: string }
const textMax = 65_536;

export const kindOf = (entry: Entry): string => (entry.type === 'message' ? entry.role : entry.type);

/** The style sheet draws the number of the assertion, so that the text of a mark is exactly the quote. */
function marked(of: Evidence[], begun: Evidence[], words: ReactNode): ReactNode {
  return of.reduceRight<ReactNode>((inside, each) => (
    <mark className={`evidence ${each.status}`} data-part="evidence" data-id={each.assertion} data-number={begun.includes(each) && each.number ? each.number : undefined} tabIndex={-1} title={each.title}>{inside}</mark>
  ), words);
}

function found(text: string, find: string): ReactNode {
  if (!find) return plainNodes(text);
  const parts: ReactNode[] = [];
  const lower = text.toLowerCase(), wanted = find.toLowerCase();
  let from = 0;
  if (lower.length === text.length) for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(plainNodes(text.slice(from, at)), <mark key={at} className="found">{plainNodes(text.slice(at, at + wanted.length))}</mark>);
    from = at + wanted.length;
  }
  parts.push(plainNodes(text.slice(from)));
  return <>{parts.map((part, at) => <Fragment key={at}>{part}</Fragment>)}</>;
}

/**
 * A text with its evidence; the first piece of each quote has the number of its assertion. Not a component: a window has
 * 200 entries, and most of their texts are a single text node.
 */
function textOf(text: string, marks: EntryEvidence['marks'], find: string): ReactNode {
  if (marks.length === 0) return found(text, find);
  const begun = new Set<string>();
  return (
    <>{pieces(text, marks).map((piece, at) => {
      if (piece.of.length === 0) return <Fragment key={at}>{found(piece.text, find)}</Fragment>;
      const fresh = piece.of.filter((each) => !begun.has(each.assertion));
      fresh.forEach((each) => begun.add(each.assertion));
      return <Fragment key={at}>{marked(piece.of, fresh, found(piece.text, find))}</Fragment>;
    })}</>
  );
}

function Long({ text, children }: { text: string; children: (shown: string) => JSX.Element }): JSX.Element {
  const [isWhole, showWhole] = useState(text.length <= textMax);
  return <>{children(isWhole ? text : text.slice(0, textMax))}{!isWhole && <p><button type="button" className="button" onClick={() => showWhole(true)}>{w.showAll}</button> <span className="muted small">{w.collapsed(bytes(text.length))}</span></p>}</>;
}

function Tool({ entry, marks, find }: { entry: Entry; marks: EntryEvidence['marks']; find: string }): JSX.Element {
  const [isOpen, open] = useState(false);
  const { arguments: given, result, ...rest } = (entry.metadata ?? {}) as JsonObject;
  const nameMarks = marks.filter((mark) => mark.at === 'name');
  const otherMarks = marks.filter((mark) => !nameMarks.includes(mark));
  const name = entry.name ?? '', args = inline(given as Json), answer = result === undefined ? undefined : inline(result);
  return (
    <>
      <button type="button" className="tool-line" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        {marks.length === 0 ? <code>{textOf(`${name}(${args})${answer === undefined ? '' : ` → ${answer}`}`, marks, find)}</code> : (
          <code>{textOf(name, nameMarks, find)}({textOf(args, otherMarks, find)}){answer !== undefined && <> → {textOf(answer, otherMarks, find)}</>}</code>)}
      </button>
      {isOpen && <div className="tool-body">
        <div><h4>{w.arguments}</h4><JsonTree value={given as Json ?? {}} /></div>{result !== undefined && <div><h4>{w.resultOf}</h4><JsonTree value={result} /></div>}
        {Object.keys(rest).length > 0 && <div><h4>{w.metadata}</h4><JsonTree value={rest} /></div>}</div>}
    </>
  );
}

function Event({ entry, marks, find }: { entry: Entry; marks: EntryEvidence['marks']; find: string }): JSX.Element {
  const [isOpen, open] = useState(false);
  const actions = Array.isArray(entry.metadata?.actions) ? entry.metadata!.actions as JsonObject[] : [];
  const isInternal = entry.type === 'internal-event';
  return (
    <div className={`event-card${isInternal ? ' internal' : ''}`}>
      <div className="spread"><span><code>{textOf(entry.name ?? '', marks, find)}</code>{isInternal && <span className="badge">{w.scoringOnly}</span>}</span>
        <button type="button" className="button quiet" aria-expanded={isOpen} onClick={() => open(!isOpen)}>{w.metadata}</button></div>
      {actions.length > 0 && <div className="row small"><span className="muted">{w.buttons}</span>{actions.map((action, at) => <span key={at} className="offered" title={String(action.description ?? '')}>{plainNodes(String(action.description ?? action.name ?? ''))}</span>)}</div>}
      {isOpen && <JsonTree value={entry.metadata ?? {}} />}
    </div>
  );
}

function Action({ entry, marks, find }: { entry: Entry; marks: EntryEvidence['marks']; find: string }): JSX.Element {
  const given = (entry.metadata?.arguments ?? {}) as JsonObject;
  return (
    <div className="action-form"><strong>{textOf(entry.name ?? '', marks.filter((mark) => mark.at === 'name'), find)}</strong>
      {Object.keys(given).length > 0 && <dl className="facts">{Object.entries(given).map(([name, value]) => [<dt key={`t${name}`}><bdi>{plainNodes(name)}</bdi></dt>, <dd key={`d${name}`}>{textOf(typeof value === 'string' ? value : JSON.stringify(value), marks, find)}</dd>])}</dl>}</div>
  );
}

export const EntryView = memo(function EntryView({ entry, evidence, shown, start, isLate, agentName }: { entry: Entry; evidence?: EntryEvidence; shown: Shown; start: number; isLate: boolean; agentName: string }): JSX.Element {
  const kind = kindOf(entry);
  const marks = evidence?.marks ?? [];
  const whole = evidence?.whole ?? [];
  const isActive = shown.active !== '' && [...marks.map((mark) => mark.of), ...whole].some((each) => each.assertion === shown.active);
  const who = entry.role === 'tester' ? w.tester : agentName;
  const response = Number(entry.metadata?.responseTime);
  return (
    <article id={`e-${entry.id}`} tabIndex={-1} className={`entry ${kind} ${entry.role}${whole.length ? ' evident' : ''}${isActive ? ' active' : ''}`} data-part="entry" data-id={entry.id} data-kind={kind} data-turn={entry.turn}>
      <header><bdi className="who">{who}</bdi>{entry.type !== 'message' && <span className="muted small">{entry.type}</span>}{isLate && <span className="badge">{w.inserted}</span>}
        {whole.map((each) => <span key={each.assertion} className={`edge-number ${each.status}`} data-part="evidence" data-id={each.assertion} data-number={each.number} title={w.evidence} />)}
        {shown.times && <time className="muted small number" dateTime={entry.createdAt} title={whenFull(entry.createdAt)}>+{duration(Math.max(0, Date.parse(entry.createdAt) - start))}</time>}
        {Number.isFinite(response) && entry.type === 'message' && entry.role === 'chatbot' && <span className="muted small number">{duration(response)}</span>}</header>
      <div className="entry-body" dir="auto">
        {entry.type === 'tool' ? <Tool entry={entry} marks={marks} find={shown.find} /> : entry.type === 'action' ? <Action entry={entry} marks={marks} find={shown.find} />
          : entry.type !== 'message' ? <Event entry={entry} marks={marks} find={shown.find} />
            : <Long text={entry.content ?? ''}>{(text) => (shown.rendered && marks.length === 0 ? <Rendered text={text} /> : <div className="words">{textOf(text, marks, shown.find)}</div>)}</Long>}
      </div>
      {shown.metadata && entry.type === 'message' && entry.metadata && Object.keys(entry.metadata).length > 0 && <div className="entry-meta"><JsonTree value={entry.metadata} /></div>}
    </article>
  );
});
