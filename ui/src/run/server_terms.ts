/** Filter terms that the cells cannot decide: texts, end reasons, labels and tags are requested from the server. */
import { useEffect, useMemo, useState } from 'react';
import { allPages, get, Problem, queryOf, send } from '../shared/api';
import { Term } from '../shared/filter';
import { inReport } from '../shared/router';
import { FailureGroup, Page, ResultHead, Run, Test } from '../shared/types';
import { w } from '../shared/words';
import { RunCell } from './cells';

const grouped = new Set(['assertion', 'reason', 'code', 'source']);
const asked = new Set(['text', 'end', 'label', 'tag']);
const pagesMax = 200, pageRows = 500;
const noTerms = '[]';

export interface Hit { result: string; test: string; matches: { turn: number; text: string }[] }
/** Everything that `text` finds in a run; the server answers in steps. */
export async function grep(run: string, text: string, hitsMax = Infinity): Promise<Hit[]> {
  const hits: Hit[] = [];
  let after: string | null = null;
  for (let page = 0; page < pagesMax && hits.length < hitsMax; ++page) {
    const answer: { data: Hit[]; next: string | null } = await send('POST', `/runs/${run}/grep`, { text, ...(after ? { after } : {}) });
    hits.push(...answer.data);
    after = answer.next;
    if (!after) break;
  }
  return hits;
}
const pagesOf = <T>(path: string, query: Record<string, string>): Promise<T[]> =>
  allPages((page) => get<Page<T>>(`${path}${queryOf({ ...query, page, limit: pageRows })}`), pagesMax * pageRows);

const named = (term: Term, value: string | null | undefined): boolean => !!value && term.values.some((each) => (term.op === '=' ? value.toLowerCase() === each.toLowerCase() : value.toLowerCase().includes(each.toLowerCase())));
type Found = (cell: RunCell, test: string) => boolean;
/** The cells that match the term, ignoring its minus. */
async function ask(run: Run, term: Term): Promise<Found> {
  if (inReport) throw new Problem(0, w.notInReport, w.notInReportSays);
  if (term.key === 'tag') {
    const tests = await pagesOf<Test>(`/scenarios/${run.scenario.id}/tests`, {});
    const ids = new Set(tests.filter((test) => test.tags?.some((tag) => named(term, tag))).map((test) => test.id));
    return (_, test) => ids.has(test);
  }
  const ids = new Set<string>();
  if (term.key === 'text') for (const value of term.values) for (const hit of await grep(run.id, value)) ids.add(hit.result);
  if (term.key === 'end') for (const result of await pagesOf<ResultHead>(`/runs/${run.id}/test-results`, { output: 'minimal' })) if (named(term, result.endReason)) ids.add(result.id);
  if (term.key === 'label') for (const label of await pagesOf<{ result: string; verdict: string }>('/labels/', {})) if (named(term, label.verdict)) ids.add(label.result);
  return (cell) => cell.id !== null && ids.has(cell.id);
}
function inGroups(term: Term, groups: FailureGroup[]): Found {
  const textsOf = (group: FailureGroup) => (term.key === 'assertion' ? [group.assertion?.name || group.assertion?.type] : term.key === 'reason' ? [group.says, ...(group.reasons ?? [])] : [term.key === 'code' ? group.code : group.source]);
  const fits = groups.filter((group) => textsOf(group).some((text) => named(term, text)));
  const signatures = new Set(fits.map((group) => group.signature)), ids = new Set(fits.flatMap((group) => group.results));
  return (cell) => signatures.has(cell.group) || (cell.id !== null && ids.has(cell.id));
}

const keepsAll = { keeps: () => true, isAsking: false };
export interface ServerTerms { keeps: (cell: RunCell, test: string) => boolean; isAsking: boolean; problem?: Problem }
export function useServerTerms(run: Run, terms: Term[], groups: FailureGroup[]): ServerTerms {
  const wanted = JSON.stringify(terms.filter((term) => grouped.has(term.key) || asked.has(term.key)));
  const [answers, setAnswers] = useState<{ of: string; found: Found[]; problem?: Problem }>({ of: noTerms, found: [] });
  useEffect(() => {
    let isGone = false;
    const open = (JSON.parse(wanted) as Term[]).filter((term) => asked.has(term.key));
    Promise.all(open.map((term) => ask(run, term))).then((found) => { if (!isGone) setAnswers((old) => (old.of === wanted && !old.problem && open.length === 0 ? old : { of: wanted, found })); },
      (problem) => { if (!(problem instanceof Problem)) throw problem; if (!isGone) setAnswers({ of: wanted, found: [], problem }); });
    return () => { isGone = true; };
  }, [wanted, run.id, run.updatedAt]);
  return useMemo(() => {
    if (wanted === noTerms) return keepsAll;
    const isAsking = answers.of !== wanted;
    if (isAsking || answers.problem) return { keeps: () => true, isAsking, problem: answers.problem };
    let at = 0;
    const all = (JSON.parse(wanted) as Term[]).map((term) => ({ term, found: grouped.has(term.key) ? inGroups(term, groups) : answers.found[at++] }));
    return { keeps: (cell, test) => all.every(({ term, found }) => found(cell, test) !== term.isNegated), isAsking };
  }, [wanted, answers, wanted === noTerms || groups]);
}
