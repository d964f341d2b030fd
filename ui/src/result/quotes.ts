/** The positions of the evidence in the texts of the entries. */
import { AssertionResult, Claim } from '../shared/types';

export interface Evidence { assertion: string; number: number; status: string; title?: string }
export interface Mark { start: number; end: number; of: Evidence }
export interface Piece { text: string; of: Evidence[] }
export interface EntryEvidence { marks: { at: string; text: string; nth: number; of: Evidence }[]; whole: Evidence[] }

/** The n-th occurrence of a text, counted from 1; occurrences may not overlap. */
export function occurrence(text: string, part: string, nth: number): number {
  if (!part) return -1;
  let at = text.indexOf(part);
  for (let left = nth; left > 1 && at >= 0; --left) at = text.indexOf(part, at + part.length);
  return at;
}

export function evidenceByEntry(assertions: AssertionResult[], claims: Claim[] = [], says: (claim: Claim) => string = () => ''): Map<string, EntryEvidence> {
  const entries = new Map<string, EntryEvidence>();
  const obtain = (id: string): EntryEvidence => { let each = entries.get(id); if (!each) entries.set(id, each = { marks: [], whole: [] }); return each; };
  assertions.forEach((assertion, at) => {
    const of = { assertion: assertion.id, number: at + 1, status: assertion.status };
    for (const quote of assertion.quotes ?? []) obtain(quote.entry).marks.push({ at: quote.at, text: quote.text, nth: quote.nth, of });
    for (const id of assertion.evidence ?? []) if (!(assertion.quotes ?? []).some((quote) => quote.entry === id)) obtain(id).whole.push(of);
  });
  // A claim without support is marked in the text of the chatbot, without a number, because it belongs to no assertion.
  for (const claim of claims) if (!claim.supported) obtain(claim.entry).marks.push({ at: 'content', text: claim.text, nth: 1, of: { assertion: `claim:${claim.text}`, number: 0, status: 'claim', title: says(claim) } });
  return entries;
}

/** The text, split where marks begin and end; each piece has the assertions that quote it. */
export function pieces(text: string, marks: { text: string; nth: number; of: Evidence }[]): Piece[] {
  const found: Mark[] = [];
  for (const mark of marks) {
    const start = occurrence(text, mark.text, mark.nth);
    if (start >= 0) found.push({ start, end: start + mark.text.length, of: mark.of });
  }
  if (found.length === 0) return [{ text, of: [] }];
  const bounds = [...new Set([0, text.length, ...found.flatMap((mark) => [mark.start, mark.end])])].sort((a, b) => a - b);
  const cut: Piece[] = [];
  for (let at = 0; at + 1 < bounds.length; ++at) {
    const of = found.filter((mark) => mark.start <= bounds[at] && mark.end >= bounds[at + 1]).map((mark) => mark.of);
    cut.push({ text: text.slice(bounds[at], bounds[at + 1]), of });
  }
  return cut;
}
