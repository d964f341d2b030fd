/** The filter of a run, and what only the server can answer: texts of transcripts, assertions, reasons. */
import { useEffect, useMemo, useState } from 'react';
import { Problem, send } from '../shared/api';
import { filterKeys, Term } from '../shared/filter';
import { useKeys } from '../shared/keys';
import { setQuery, usePlace } from '../shared/router';
import { FailureGroup } from '../shared/types';
import { w } from '../shared/words';

export function FilterBox({ fault, isAsking }: { fault: string; isAsking: boolean }): JSX.Element {
  const { query } = usePlace();
  const [text, setText] = useState(query.get('filter') ?? '');
  useEffect(() => setText(query.get('filter') ?? ''), [query.get('filter')]);
  useEffect(() => { const timer = setTimeout(() => { if (text !== (query.get('filter') ?? '')) setQuery({ filter: text }); }, 250); return () => clearTimeout(timer); }, [text]);
  useKeys({ f: () => document.querySelector<HTMLInputElement>('#run-filter')?.focus() });
  return (
    <span className="filter-box">
      <input id="run-filter" type="search" list="filter-keys" value={text} placeholder={w.filterHint} aria-label={w.filter} aria-invalid={fault !== ''} aria-busy={isAsking} spellCheck={false}
        onChange={(event) => setText(event.target.value)} onKeyDown={(event) => { if (event.key === 'Escape') { setText(''); event.currentTarget.blur(); } }} />
      <datalist id="filter-keys">{filterKeys.map((key) => <option key={key} value={`${key}:`} />)}</datalist>
      {fault && <span className="problem inline" role="status">{w.badFilter(fault)}</span>}
    </span>
  );
}

/** Ids of the results that match the terms about groups and texts; undefined: no such term, or not answered yet. */
export function useServerMatches(run: string, terms: Term[], groups: FailureGroup[]): Set<string> | undefined {
  const wanted = JSON.stringify(terms.filter((term) => ['text', 'assertion', 'reason', 'code', 'source'].includes(term.key)));
  const [texts, setTexts] = useState<Record<string, string[]>>({});
  const asked: Term[] = useMemo(() => JSON.parse(wanted), [wanted]);
  useEffect(() => {
    for (const term of asked) {
      const value = term.values.join(',');
      if (term.key !== 'text' || texts[value]) continue;
      void grep(run, value).then((ids) => setTexts((now) => ({ ...now, [value]: ids })));
    }
  }, [wanted, run]);
  return useMemo(() => {
    let ids: Set<string> | undefined;
    for (const term of asked) {
      let found: string[] | undefined;
      if (term.key === 'text') found = texts[term.values.join(',')];
      else {
        const has = (text: string | null | undefined) => !!text && term.values.some((value) => text.toLowerCase().includes(value.toLowerCase()));
        found = groups.filter((group) => has(term.key === 'assertion' ? group.assertion?.name ?? group.assertion?.type : term.key === 'reason' ? group.says : term.key === 'code' ? group.code : group.source)).flatMap((group) => group.results);
      }
      if (found) { const now = new Set(found); ids = ids ? new Set([...ids].filter((id) => now.has(id))) : now; }
    }
    return ids;
  }, [wanted, texts, groups]);
}

interface GrepAnswer { data: { result?: string; id?: string }[]; total?: number; next?: string | null }
export async function grep(run: string, text: string): Promise<string[]> {
  try {
    const answer = await send<GrepAnswer>('POST', `/runs/${run}/grep`, { text });
    return (answer.data ?? []).map((row) => String(row.result ?? row.id ?? ''));
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}
