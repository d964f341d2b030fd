/** The form of an offered action: one field for each property, with its type checked before it is sent. */
import { FormEvent, useState } from 'react';
import { Button } from '../shared/parts';
import { Json, JsonObject } from '../shared/types';
import { w } from '../shared/words';

export interface ActionDefinition { name: string; description: string; properties?: Record<string, { type: 'string' | 'number' | 'integer' | 'boolean'; description?: string }>; required?: string[] }

function read(type: string, text: string): Json | undefined {
  if (type === 'string') return text;
  if (text === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) && (type !== 'integer' || Number.isInteger(number)) ? number : undefined;
}

export function ActionForm({ action, invoke }: { action: ActionDefinition; invoke: (given: JsonObject) => void }): JSX.Element {
  const [texts, setTexts] = useState<Record<string, string>>({});
  const [flags, setFlags] = useState<Record<string, boolean>>({});
  const [bad, setBad] = useState('');
  const properties = Object.entries(action.properties ?? {});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given: JsonObject = {};
    for (const [name, { type }] of properties) {
      const isRequired = action.required?.includes(name);
      if (type === 'boolean') { if (isRequired || name in flags) given[name] = flags[name] ?? false; continue; }
      if (!(name in texts) && !isRequired) continue;
      const value = read(type, texts[name] ?? '');
      if (value === undefined) { setBad(name); return; }
      given[name] = value;
    }
    invoke(given);
  };
  return (
    <form className="stack tight" onSubmit={submit}>
      {properties.map(([name, { type, description }]) => (
        <label key={name} className={`field${bad === name ? ' bad' : ''}`}><span><bdi>{name}</bdi>{action.required?.includes(name) && ' *'} <span className="muted small">{type}</span></span>
          {type === 'boolean' ? <input type="checkbox" checked={flags[name] ?? false} onChange={(event) => setFlags({ ...flags, [name]: event.target.checked })} />
            : <input inputMode={type === 'string' ? undefined : 'decimal'} required={action.required?.includes(name)} aria-invalid={bad === name} value={texts[name] ?? ''} onChange={(event) => { setBad(''); setTexts({ ...texts, [name]: event.target.value }); }} />}
          {bad === name && <small className="fault" role="alert">{w.mustBe(type)}</small>}{description && <small className="muted"><bdi>{description}</bdi></small>}</label>
      ))}
      <div className="row"><Button kind="main" type="submit">{w.invoke}</Button></div>
    </form>
  );
}
