/** JSON as a tree: 100 children at a time, texts cut at 64 KB until asked for. */
import { useState } from 'react';
import { bytes } from './format';
import { Foreign } from './text';
import { Json } from './types';
import { w } from './words';

const childrenAtOnce = 100, textMax = 65_536;

function Text({ text }: { text: string }): JSX.Element {
  const [isWhole, showWhole] = useState(text.length <= textMax);
  return <span className="string">"<Foreign text={isWhole ? text : text.slice(0, textMax)} />"{!isWhole && <button type="button" onClick={() => showWhole(true)}>{w.showRaw} ({bytes(text.length)})</button>}</span>;
}

export function JsonTree({ value, depth = 0 }: { value: Json | undefined; depth?: number }): JSX.Element {
  const [isOpen, open] = useState(depth < 2);
  const [limit, setLimit] = useState(childrenAtOnce);
  if (value === undefined) return <span className="muted">–</span>;
  if (typeof value === 'string') return <Text text={value} />;
  if (value === null || typeof value !== 'object') return <span className="scalar">{String(value)}</span>;
  const rows: [string, Json][] = Array.isArray(value) ? value.map((each, at) => [String(at), each]) : Object.entries(value);
  const [start, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (rows.length === 0) return <span>{start}{end}</span>;
  return (
    <span className={depth === 0 ? 'tree' : ''}>
      <button type="button" aria-expanded={isOpen} aria-label={`${isOpen ? '−' : '+'} ${rows.length}`} onClick={() => open(!isOpen)}>{isOpen ? '▾' : '▸'} {start}{!isOpen && ` … ${rows.length} ${end}`}</button>
      {isOpen && <ul>{rows.slice(0, limit).map(([key, each]) => <li key={key}><span className="key"><Foreign text={key} /></span>: <JsonTree value={each} depth={depth + 1} /></li>)}
        {rows.length > limit && <li><button type="button" onClick={() => setLimit(limit + childrenAtOnce)}>{w.showMore(Math.min(childrenAtOnce, rows.length - limit))}</button></li>}</ul>}
      {isOpen && end}
    </span>
  );
}
/** `order: "42", fast: true`, at most 120 characters. */
export function inline(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  const short = (each: Json): string => { const text = JSON.stringify(each); return text.length > 60 ? `${text.slice(0, 57)}…` : text; };
  const text = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value).map(([key, each]) => `${key}: ${short(each)}`).join(', ') : short(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
