/** Which assertions wait for a person, by strategy. The order is random but fixed by the seed in the address. */
import { useEffect, useState } from 'react';
import { allPages, get, inBatches, Problem, queryOf } from '../shared/api';
import { isDecided, isPassed } from '../shared/states';
import { AssertionResult, Link, Page, ResultHead } from '../shared/types';

export interface Label { id: string; createdAt: string; result: string; assertion: string | null; user: Link; verdict: LabelVerdict; note: string; entries: string[] }
export type LabelVerdict = 'passed' | 'failed' | 'unsure' | 'invalid';
export interface Item { head: ResultHead; assertion: AssertionResult }
export interface Queue { items?: Item[]; problem?: Problem; labels: Label[]; setLabels: (change: (labels: Label[]) => Label[]) => void }
export const strategies = ['open', 'disagree', 'flaky', 'close', 'mine'];

const candidatesMax = 200, headsMax = 40, labelsMax = 2000;

export const isOf = (label: Label, item: Item): boolean => label.result === item.head.id && label.assertion === item.assertion.id;
export const labelOf = (labels: Label[], item: Item, user: string): Label | undefined =>
  labels.find((label) => isOf(label, item) && label.user?.id === user);
/** Whether a label agrees with the verdict; null if the label or the verdict is undecided. */
export function agreesWith(label: Label, assertion: AssertionResult): boolean | null {
  if (label.verdict !== 'passed' && label.verdict !== 'failed') return null;
  if (assertion.status !== 'passed' && assertion.status !== 'failed') return null;
  return label.verdict === assertion.status;
}

function shuffled<T>(list: T[], seed: number): T[] {
  let state = seed >>> 0;
  const random = () => { state = (state + 0x6d2b79f5) >>> 0; let t = state; t = Math.imul(t ^ (t >>> 15), t | 1); t ^= t + Math.imul(t ^ (t >>> 7), t | 61); return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };
  const out = [...list];
  for (let at = out.length - 1; at > 0; --at) { const other = Math.floor(random() * (at + 1)); [out[at], out[other]] = [out[other], out[at]]; }
  return out;
}
/** The labels of one result, or of all results if `result` is empty. */
const allLabels = (result: string): Promise<Label[]> => allPages((page) => get<Page<Label>>(`/labels/${queryOf({ result, page, limit: 500 })}`), labelsMax);
async function headsOf(ids: string[]): Promise<ResultHead[]> {
  const heads = await inBatches(ids, (id) => get<ResultHead>(`/test-results/${id}?output=head`).catch((error) => { if (error instanceof Problem && error.status === 404) return undefined; throw error; }));
  return heads.filter((head): head is ResultHead => !!head);
}
function candidates(rows: ResultHead[], strategy: string): ResultHead[] {
  if (strategy !== 'flaky') return rows;
  const outcomes = new Map<string, Set<boolean>>();
  for (const row of rows) if (row.test && row.state && isDecided(row.state)) outcomes.set(row.test.id, (outcomes.get(row.test.id) ?? new Set()).add(isPassed(row.state)));
  return rows.filter((row) => row.test && (outcomes.get(row.test.id)?.size ?? 0) > 1);
}
function itemsOf(heads: ResultHead[], strategy: string, labels: Label[], user: string): Item[] {
  const items = heads.flatMap((head) => head.assertionResults.filter((each) => each.status !== 'pending').map((assertion): Item => ({ head, assertion })));
  const isJudged = (item: Item) => !!item.assertion.judge || item.assertion.type === 'criteria';
  const mine = (item: Item) => labelOf(labels, item, user);
  if (strategy === 'result') return items;
  if (strategy === 'mine') return items.filter(mine);
  if (strategy === 'disagree') return items.filter((item) => labels.some((label) => isOf(label, item) && agreesWith(label, item.assertion) === false));
  const open = items.filter((item) => !mine(item));
  if (strategy === 'close') return open.filter(({ head, assertion }) => assertion.status === 'failed' && assertion.severity === 'BLOCKER' && head.assertionResults.filter((each) => each.status === 'failed' && each.severity === 'BLOCKER').length === 1);
  // Labels are mainly meant for verdicts of judges, which come first.
  return [...open.filter(isJudged), ...open.filter((item) => !isJudged(item))];
}

export function useQueue(strategy: string, result: string, seed: number, user: string): Queue {
  const [labels, setLabels] = useState<Label[]>([]);
  const [state, setState] = useState<{ key: string; items?: Item[]; problem?: Problem }>({ key: '' });
  const key = `${strategy} ${result} ${seed} ${user}`;
  useEffect(() => {
    let isGone = false;
    void (async () => {
      const given = await allLabels(result);
      const ofLabels = [...new Set(given.filter((label) => strategy !== 'mine' || label.user?.id === user).map((label) => label.result))];
      const needsLabels = strategy === 'mine' || strategy === 'disagree';
      const rows = result || needsLabels ? [] : (await get<Page<ResultHead>>(`/test-results/${queryOf({ status: 'completed', limit: candidatesMax, output: 'minimal' })}`)).data;
      const ids = result ? [result] : needsLabels ? ofLabels.slice(0, headsMax) : shuffled(candidates(rows, strategy), seed).slice(0, headsMax).map((row) => row.id);
      const heads = await headsOf(ids);
      if (isGone) return;
      setLabels(given);
      setState({ key, items: itemsOf(heads, result ? 'result' : strategy, given, user) });
    })().catch((error) => { if (!(error instanceof Problem)) throw error; if (!isGone) setState({ key, problem: error }); });
    return () => { isGone = true; };
  }, [key]);
  return { items: state.key === key ? state.items : undefined, problem: state.key === key ? state.problem : undefined, labels, setLabels };
}
