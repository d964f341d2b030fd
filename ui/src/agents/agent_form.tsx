/** The fields of an agent's type, from the description of the API; secrets can be written but not read. */
import { useState } from 'react';
import { FieldFault } from '../shared/api';
import { Button, Field } from '../shared/parts';
import { Agent, JsonObject } from '../shared/types';
import { w } from '../shared/words';
import { FormFields } from '../edit/form_fields';
import { FormField, useForms } from '../edit/schema';

const usual: Record<string, [string, FormField['kind'], boolean][]> = {
  HTTP: [['url', 'text', true], ['headers', 'json', false], ['timeoutMs', 'number', false], ['retries', 'number', false]],
  OPENAI: [['url', 'text', true], ['model', 'text', true], ['system', 'text', false], ['parameters', 'json', false], ['tools', 'json', false], ['timeoutMs', 'number', false], ['retries', 'number', false]],
  GITHUB: [['owner', 'text', true], ['repo', 'text', true], ['workflow', 'text', true], ['ref', 'text', true], ['apiUrl', 'text', false]],
};
const secretNames: Record<string, string[]> = { OPENAI: ['apiKey'], GITHUB: ['token'], HTTP: ['Authorization'] };

export interface AgentDraft { name: string; type: string; config: JsonObject; secrets?: Record<string, string> }

export function AgentForm({ type, start, save, faults, label, change }: { type: string; start?: Agent; save: (draft: AgentDraft) => void; faults: FieldFault[]; label: string; change?: (draft: AgentDraft) => void }): JSX.Element {
  const forms = useForms('AgentBody');
  const described = forms.find((form) => form.type === type)?.fields ?? [];
  const fields: FormField[] = described.length ? described : (usual[type] ?? []).map(([name, kind, isRequired]) => ({ name, kind, isRequired, choices: [], hint: '' }));
  const [draft, setDraft] = useState<AgentDraft>({ name: start?.name ?? '', type, config: start?.config ?? {} });
  const take = (next: Partial<AgentDraft>) => { const all = { ...draft, ...next, type }; setDraft(all); change?.(all); };
  const names = [...new Set([...Object.keys(start?.secrets ?? {}), ...(secretNames[type] ?? [])])];
  return (
    <form className="stack tight" onSubmit={(event) => { event.preventDefault(); save({ ...draft, type }); }}>
      <Field label={w.name}><input value={draft.name} required onChange={(event) => take({ name: event.target.value })} /></Field>
      <div className="form-grid"><FormFields fields={fields} value={draft.config} faults={faults} pointer="/config" change={(config) => take({ config })} /></div>
      {names.map((name) => <Field key={name} label={`${w.secret} ${name}`} hint={start?.secrets[name] ? w.secretSet : type === 'HTTP' ? w.secretHeader : undefined}><input type="password" autoComplete="off" placeholder={start?.secrets[name] ? '••••' : ''} onChange={(event) => { const secrets = { ...draft.secrets }; if (event.target.value) secrets[name] = event.target.value; else delete secrets[name]; take({ secrets }); }} /></Field>)}
      {faults.filter((fault) => !fault.pointer?.startsWith('/config/')).map((fault, at) => <small key={at} className="fault"><code>{fault.pointer}</code> <bdi>{fault.detail}</bdi></small>)}
      <div className="row"><Button kind="main" type="submit" disabled={!draft.name}>{label}</Button></div>
    </form>
  );
}
