/** The difference of two texts by the algorithm of Myers: by words, at most 2,000 per side; longer texts by lines, at most as many. */
export interface Part { text: string; kind: 'same' | 'gone' | 'new' }
const partsMax = 2000;

const words = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

export function diff(before: string, after: string): Part[] {
  if (before === after) return before ? [{ text: before, kind: 'same' }] : [];
  let a = words(before), b = words(after);
  if (a.length > partsMax || b.length > partsMax) { a = lines(before); b = lines(after); }
  if (a.length > partsMax || b.length > partsMax) return [{ text: before, kind: 'gone' }, { text: after, kind: 'new' }];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) ++start;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) ++end;
  const middle = myers(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return readable(join([...a.slice(0, start).map((text): Part => ({ text, kind: 'same' })), ...middle, ...a.slice(a.length - end).map((text): Part => ({ text, kind: 'same' }))]));
}

function myers(a: string[], b: string[]): Part[] {
  const most = a.length + b.length, trace: Int32Array[] = [];
  const v = new Int32Array(2 * most + 3);
  for (let d = 0; d <= most; ++d) {
    trace.push(v.slice(most - d, most + d + 2));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && v[most + k - 1] < v[most + k + 1]) ? v[most + k + 1] : v[most + k - 1] + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) ++x;
      v[most + k] = x;
      if (x >= a.length && x - k >= b.length) return back(a, b, trace, d);
    }
  }
  return [];
}
function back(a: string[], b: string[], trace: Int32Array[], depth: number): Part[] {
  const parts: Part[] = [];
  let x = a.length, y = b.length;
  for (let d = depth; d > 0; --d) {
    const at = (k: number) => trace[d][k + d] ?? -1;
    const k = x - y;
    const from = k === -d || (k !== d && at(k - 1) < at(k + 1)) ? k + 1 : k - 1;
    const fromX = at(from), fromY = fromX - from;
    while (x > fromX && y > fromY && x > 0 && y > 0) { parts.push({ text: a[--x], kind: 'same' }); --y; }
    if (x > fromX) parts.push({ text: a[--x], kind: 'gone' });
    else if (y > fromY) parts.push({ text: b[--y], kind: 'new' });
  }
  while (x > 0) { parts.push({ text: a[--x], kind: 'same' }); --y; }
  return parts.reverse();
}
function join(parts: Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined[joined.length - 1];
    if (last && last.kind === part.kind) last.text += part.text; else joined.push({ ...part });
  }
  return joined;
}
/** Changes that are separated only by blanks are joined, and removed words come before added ones, so that words never run into each other. */
function readable(parts: Part[]): Part[] {
  const out: Part[] = [];
  let gone = '', added = '';
  const flush = () => { if (gone) out.push({ text: gone, kind: 'gone' }); if (added) out.push({ text: added, kind: 'new' }); gone = added = ''; };
  parts.forEach((part, at) => {
    const isChange = part.kind !== 'same';
    if (!isChange && /^\s+$/.test(part.text) && (gone || added) && at + 1 < parts.length) { gone += part.text; added += part.text; }
    else if (!isChange) { flush(); out.push(part); }
    else if (part.kind === 'gone') gone += part.text; else added += part.text;
  });
  flush();
  return out;
}
