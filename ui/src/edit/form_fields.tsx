/** The fields of a form, generated from a schema. A fault from the server is shown at the field that its pointer names. */
import { useEffect, useState } from 'react';
import { FieldFault } from '../shared/api';
import { Json, JsonObject } from '../shared/types';
import { w } from '../shared/words';
import { FormField, textOf, valueOf } from './schema';

export function FormFields({ fields, value, change, faults, pointer, isDisabled }: { fields: FormField[]; value: JsonObject; change: (value: JsonObject) => void; faults: FieldFault[]; pointer: string; isDisabled?: boolean }): JSX.Element {
  return <>{fields.map((field) => (
    <OneField key={field.name} field={field} value={value[field.name]} isDisabled={isDisabled} faults={faults.filter((fault) => fault.pointer === `${pointer}/${field.name}` || fault.pointer?.startsWith(`${pointer}/${field.name}/`))}
      change={(next) => { const all = { ...value }; if (next === undefined) delete all[field.name]; else all[field.name] = next; change(all); }} />
  ))}</>;
}

function OneField({ field, value, change, faults, isDisabled }: { field: FormField; value: Json | undefined; change: (value: Json | undefined) => void; faults: FieldFault[]; isDisabled?: boolean }): JSX.Element {
  const outer = textOf(field, value);
  const [text, setText] = useState(outer);
  const [fault, setFault] = useState(false);
  useEffect(() => { const mine = valueOf(field, text); if (!mine.fault && JSON.stringify(mine.value) !== JSON.stringify(value)) setText(outer); }, [outer]);
  const take = (next: string) => { setText(next); const read = valueOf(field, next); setFault(!!read.fault); if (!read.fault) change(read.value); };
  const shared = { value: text, disabled: isDisabled, 'aria-invalid': fault || faults.length > 0, onChange: (event: { target: { value: string } }) => take(event.target.value) };
  return (
    <label className={`field${fault || faults.length ? ' bad' : ''}${['url', 'system', 'value', 'pattern'].includes(field.name) ? ' whole' : ''}`}><span>{field.name}{field.isRequired && ' *'}</span>
      {field.kind === 'choice' || field.kind === 'yes' ? <select {...shared}><option value="">–</option>{(field.kind === 'yes' ? ['true', 'false'] : field.choices).map((each) => <option key={each}>{each}</option>)}</select>
        : field.kind === 'texts' || field.kind === 'json' ? <textarea rows={field.kind === 'json' ? 3 : 2} className={field.kind === 'json' ? 'mono' : ''} spellCheck={false} placeholder={field.kind === 'json' ? '{ }' : w.onePerLine} {...shared} />
          : <input inputMode={field.kind === 'number' ? 'decimal' : undefined} {...shared} />}
      {fault && <small className="fault" role="alert">{w.notValid}</small>}
      {faults.map((each, at) => <small key={at} className="fault" role="alert"><bdi>{each.detail}</bdi></small>)}
      {!faults.length && field.hint && <small className="muted">{field.hint}</small>}</label>
  );
}
