/** The forms of assertions and agents, read from /openapi.json: a new type in the server is a new form here. */
import { useMemo } from 'react';
import { useGet } from '../shared/store';
import { Json } from '../shared/types';

export interface FormField { name: string; kind: 'text' | 'number' | 'yes' | 'choice' | 'texts' | 'json'; choices: string[]; hint: string; isRequired: boolean }
export interface FormType { type: string; says: string; fields: FormField[] }
interface Schema { [key: string]: unknown; type?: string; enum?: string[]; anyOf?: Schema[]; properties?: Record<string, Schema>; required?: string[]; description?: string; items?: Schema; if?: Schema; then?: Schema; allOf?: Schema[] }
interface OpenApi { components: { schemas: Record<string, Schema> } }

/** The schema without null and without the alternative of a `{{key}}`. */
function core(schema: Schema): Schema {
  const choices = (schema.anyOf ?? []).filter((each) => each.type !== 'null' && !('pattern' in each && String(each.pattern).includes('{{')));
  if (choices.length === 1) return core({ ...choices[0], description: schema.description ?? choices[0].description });
  if (choices.length > 1) return { ...schema, anyOf: choices };
  return schema;
}
function fieldOf(name: string, given: Schema, isRequired: boolean): FormField {
  const schema = core(given);
  const kind = schema.enum ? 'choice' : schema.type === 'string' ? 'text' : schema.type === 'number' || schema.type === 'integer' ? 'number' : schema.type === 'boolean' ? 'yes'
    : schema.type === 'array' && core(schema.items ?? {}).type === 'string' ? 'texts' : 'json';
  return { name, kind, choices: schema.enum ?? [], hint: given.description ?? schema.description ?? '', isRequired };
}
const fieldsOf = (config: Schema | undefined): FormField[] => {
  const schema = core(config ?? {});
  return Object.entries(schema.properties ?? {}).map(([name, each]) => fieldOf(name, each, (schema.required ?? []).includes(name)));
};

export function useForms(schemaName: 'Assertion' | 'AgentBody'): FormType[] {
  const openapi = useGet<OpenApi>('/openapi.json');
  return useMemo(() => {
    const schema = openapi.data?.components.schemas[schemaName];
    const types: FormType[] = [];
    for (const rule of schema?.allOf ?? []) {
      const names = (rule.if?.properties?.type?.enum as string[] | undefined) ?? [(rule.if?.properties?.type as { const?: string } | undefined)?.const ?? ''];
      const config = rule.then?.properties?.config;
      for (const type of names.filter(Boolean)) types.push({ type, says: rule.then?.description ?? '', fields: fieldsOf(config) });
    }
    return types;
  }, [openapi.data]);
}

export function valueOf(field: FormField, text: string): { value?: Json; fault?: string } {
  if (text === '') return {};
  if (field.kind === 'number') return Number.isFinite(Number(text)) ? { value: Number(text) } : { fault: text };
  if (field.kind === 'yes') return { value: text === 'true' };
  if (field.kind === 'texts') return { value: text.split('\n').filter((line) => line !== '') };
  if (field.kind === 'json') { try { return { value: JSON.parse(text) as Json }; } catch { return { fault: text }; } }
  return { value: text };
}
export function textOf(field: FormField, value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (field.kind === 'texts' && Array.isArray(value)) return value.map(String).join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What people from other tools search for. */
export const otherNames: Record<string, string> = {
  contains: 'promptfoo contains, substring, includes', icontains: 'case insensitive', criteria: 'llm-rubric, g-eval, judge, geval, deepeval', 'tool-called': 'deepeval tool correctness, tau2 actions, function call, rasa slot', 'tool-not-called': 'function not called',
  'tool-order': 'trajectory, sequence', 'tool-set': 'tau2 action set', 'tool-f1': 'tool f1, precision recall', 'response-time': 'promptfoo latency', cost: 'price, usd', tokens: 'token usage', 'is-json': 'promptfoo is-json', 'json-schema': 'schema', levenshtein: 'similarity, edit distance',
  'max-turns': 'deepeval turn count', 'end-reason': 'rasa conversation end', 'no-loop': 'repetition', regex: 'promptfoo regex, pattern', 'action-invoked': 'button, form', 'event-recorded': 'rasa event', 'assert-set': 'promptfoo assert-set, group, any of',
};
