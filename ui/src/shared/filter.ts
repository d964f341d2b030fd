/**
 * The filter of a run, the same language as on the command line:
 *   expr = term {term};  term = [-] key (":" | "=" | "|" | ">" | "<") value | [-] "text" | word
 * Commas separate alternative values; a plain word is searched in names. Terms are combined with "and".
 */
export interface Term { key: string; op: ':' | '=' | '|' | '>' | '<'; values: string[]; isNegated: boolean }
export const filterKeys = ['state', 'assertion', 'test', 'persona', 'agent', 'reason', 'code', 'source', 'end', 'turns', 'score', 'time', 'cost', 'attempt', 'label', 'group', 'tag', 'text'];
const numbers = new Set(['turns', 'score', 'time', 'cost', 'attempt']);

export interface Parsed { terms: Term[]; fault: string }
export function parseFilter(text: string): Parsed {
  const terms: Term[] = [];
  const token = /\s*(-?)(?:([a-z]+)([:=|<>])((?:"(?:[^"\\]|\\.)*"|[^\s",]+)(?:,(?:"(?:[^"\\]|\\.)*"|[^\s",]+))*)|"((?:[^"\\]|\\.)*)"|(\S+))/gy;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [whole, minus, key, op, list, quoted, word] = found;
    if (key) {
      if (!filterKeys.includes(key)) return { terms, fault: whole.trim() };
      const values = (list.match(/"(?:[^"\\]|\\.)*"|[^,]+/g) ?? []).map((value) => (value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value));
      if ((op === '<' || op === '>') && (!numbers.has(key) || values.some((value) => !Number.isFinite(Number(value))))) return { terms, fault: whole.trim() };
      terms.push({ key, op: op as Term['op'], values, isNegated: minus === '-' });
    } else if (quoted !== undefined || word) {
      if (word?.includes('"') || /^[a-z]+[:=|<>]/.test(word ?? '')) return { terms, fault: whole.trim() };
      terms.push({ key: '', op: ':', values: [quoted ?? word], isNegated: minus === '-' });
    }
  }
  return { terms, fault: '' };
}

export type Values = Record<string, string | number | null | undefined>;
function holds(term: Term, values: Values): boolean {
  const value = values[term.key === '' ? 'test' : term.key];
  if (value === undefined || value === null) return false;
  if (term.op === '>') return Number(value) > Number(term.values[0]);
  if (term.op === '<') return Number(value) < Number(term.values[0]);
  if (numbers.has(term.key)) return term.values.some((each) => Number(value) === Number(each));
  const text = String(value).toLowerCase();
  if (term.op === '=') return term.values.some((each) => text === each.toLowerCase());
  if (term.key === 'state') return term.values.some((each) => (each.length > 1 && !/^[a-z-]{2,}$/i.test(each) ? false : each === text || [...each].includes(text)));
  return term.values.some((each) => text.includes(each.toLowerCase()));
}
/** Terms that only the server can decide (`text`, `assertion`, `reason` …) are omitted here: the caller asks the server. */
export const local = new Set(['', 'state', 'test', 'persona', 'turns', 'score', 'time', 'cost', 'attempt', 'group', 'agent']);
export const matches = (terms: Term[], values: Values): boolean => terms.every((term) => !local.has(term.key) || holds(term, values) !== term.isNegated);
