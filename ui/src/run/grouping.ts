/** Rows of a run in groups: by personality, by a tag, or by a field of their test. A test with several tags is in several groups. */
import { useMemo } from 'react';
import { inReport } from '../shared/router';
import { useGet } from '../shared/store';
import { FailureGroup, Json, Page, Run, Test } from '../shared/types';
import { w } from '../shared/words';
import { MatrixRow } from './cells';

/** A real reason of a group of failures; `says` has masks for texts and numbers that differ. */
export const reasonOf = (group: FailureGroup): string => group.reasons?.[0] || group.says || '';

export type GroupsOf = (row: MatrixRow) => string[];

const textOf = (value: Json | undefined): string => (value === undefined || value === null ? w.noValue : typeof value === 'string' ? value : JSON.stringify(value));

/** A criterion for grouping rows, and the groups of a row; without `groupsOf`, rows are not grouped. */
export function useGrouping(of: Run, by: string): { choices: Record<string, string>; groupsOf?: GroupsOf } {
  const tests = useGet<Page<Test>>(inReport || !of.scenario ? null : `/scenarios/${of.scenario.id}/tests?limit=500&sortOrder=asc`);
  return useMemo(() => {
    const known = new Map((tests.data?.data ?? []).map((test) => [test.id, test]));
    const all = [...known.values()];
    const fields = [...new Set(all.flatMap((test) => Object.keys(test.fields ?? {})))].slice(0, 20);
    const choices = { ...w.groupings, ...(all.some((test) => test.tags?.length) ? { tag: w.tag } : {}), ...Object.fromEntries(fields.map((name) => [`field.${name}`, w.byField(name)])) };
    if (by === 'persona') return { choices, groupsOf: (row) => [row.persona || w.noValue] };
    if (by === 'tag') return { choices, groupsOf: (row) => { const tags = known.get(row.test)?.tags ?? []; return tags.length ? tags : [w.noValue]; } };
    if (by.startsWith('field.')) return { choices, groupsOf: (row) => [textOf(known.get(row.test)?.fields?.[by.slice(6)])] };
    return { choices };
  }, [tests.data, by]);
}

export interface Grouped<T> { group: string; item: T }
/** The items by the names of their groups, sorted by name; items without a value are last. */
export function inGroups<T>(items: T[], rowOf: (item: T) => MatrixRow, groupsOf?: GroupsOf): Grouped<T>[] {
  if (!groupsOf) return items.map((item) => ({ group: '', item }));
  const grouped = items.flatMap((item) => groupsOf(rowOf(item)).map((group) => ({ group, item })));
  return grouped.sort((a, b) => Number(a.group === w.noValue) - Number(b.group === w.noValue) || a.group.localeCompare(b.group));
}
