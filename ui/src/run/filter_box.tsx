/** The field of the filter of a run. */
import { useEffect, useState } from 'react';
import { Problem } from '../shared/api';
import { filterKeys } from '../shared/filter';
import { useKeys } from '../shared/keys';
import { setQuery, usePlace } from '../shared/router';
import { w } from '../shared/words';

export function FilterBox({ fault, isAsking, problem }: { fault: string; isAsking: boolean; problem?: Problem }): JSX.Element {
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
      {problem && <span className="problem inline" role="status" data-part="problem" data-status={problem.status}>{w.filterFailed(problem.detail || problem.title || w.unreachable)}</span>}
    </span>
  );
}
