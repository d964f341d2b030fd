/** One assertion, as a form that is generated from the description of the API, or as JSON. */
import { useMemo, useState } from 'react';
import { FieldFault } from '../shared/api';
import { Button } from '../shared/parts';
import { Assertion, Severity } from '../shared/types';
import { w } from '../shared/words';
import { FormFields } from './form_fields';
import { FormType, otherNames } from './schema';

export type Draft = Partial<Assertion> & { type: string };
const usualWeight: Record<string, number> = { BLOCKER: 5, MAJOR: 3, MINOR: 1 };
export const weightOf = (draft: Draft): number => draft.weight ?? usualWeight[draft.severity ?? 'MAJOR'];

export function TypePicker({ forms, choose, close }: { forms: FormType[]; choose: (type: string) => void; close: () => void }): JSX.Element {
  const [text, setText] = useState('');
  const shown = useMemo(() => forms.filter((form) => `${form.type} ${form.says} ${otherNames[form.type] ?? ''}`.toLowerCase().includes(text.toLowerCase())), [forms, text]);
  return (
    <div className="picker"><div className="row"><input autoFocus type="search" className="grow" value={text} placeholder={w.whatToCheck} aria-label={w.whatToCheck} onChange={(event) => setText(event.target.value)} onKeyDown={(event) => { if (event.key === 'Escape') close(); if (event.key === 'Enter' && shown[0]) { event.preventDefault(); choose(shown[0].type); } }} /><Button onClick={close}>{w.cancel}</Button></div>
      <ul>{shown.map((form) => <li key={form.type}><button type="button" onClick={() => choose(form.type)}><code>{form.type}</code><span className="muted small">{form.says}</span></button></li>)}</ul></div>
  );
}

export function AssertionForm({ draft, at, forms, faults, total, change, remove, isReadOnly }: { draft: Draft; at: number; forms: FormType[]; faults: FieldFault[]; total: number; change: (draft: Draft) => void; remove: () => void; isReadOnly: boolean }): JSX.Element {
  const pointer = `/assertions/${at}`;
  const own = faults.filter((fault) => fault.pointer === pointer || fault.pointer?.startsWith(`${pointer}/`));
  const [isOpen, open] = useState(!draft.id);
  const [json, setJson] = useState<string>();
  const [isBadJson, setBadJson] = useState(false);
  const form = forms.find((each) => each.type === draft.type);
  const share = total ? Math.round((100 * weightOf(draft)) / total) : 0;
  const editJson = (text: string) => { setJson(text); try { change(JSON.parse(text) as Draft); setBadJson(false); } catch { setBadJson(true); } };
  return (
    <article className={`assertion-form${own.length ? ' bad' : ''}`} data-part="assertion-form">
      <header className="spread"><button type="button" className="assertion-head" aria-expanded={isOpen} onClick={() => open(!isOpen)}><span aria-hidden="true">{isOpen ? '▾' : '▸'}</span><strong><bdi>{draft.name || draft.criteria || draft.type}</bdi></strong>
        <span className="muted small"> {draft.type} · {w.severities[draft.severity ?? 'MAJOR']} · {w.shareOfScore(share)}</span></button>
        <Button kind="quiet" disabled={isReadOnly} aria-label={`${w.remove}: ${draft.name ?? draft.type}`} onClick={remove}>×</Button></header>
      {own.map((fault, n) => <small key={n} className="fault" role="alert"><code>{fault.pointer?.slice(pointer.length) || draft.type}</code> <bdi>{fault.detail}</bdi></small>)}
      {isOpen && (json !== undefined ? (
        <label className="field"><span>JSON</span><textarea rows={8} className="mono" spellCheck={false} value={json} aria-invalid={isBadJson} onChange={(event) => editJson(event.target.value)} />{isBadJson && <small className="fault">{w.notValid}</small>}</label>
      ) : (
        <div className="form-grid">
          <label className="field"><span>{w.name}</span><input value={draft.name ?? ''} disabled={isReadOnly} onChange={(event) => change({ ...draft, name: event.target.value || null })} /></label>
          <label className="field"><span>{w.severity}</span><select value={draft.severity ?? 'MAJOR'} disabled={isReadOnly} onChange={(event) => change({ ...draft, severity: event.target.value as Severity })}>{(['BLOCKER', 'MAJOR', 'MINOR'] as const).map((each) => <option key={each} value={each}>{w.severities[each]}</option>)}</select></label>
          <label className="field"><span>{w.weight}</span><input inputMode="numeric" disabled={isReadOnly} value={draft.weight ?? ''} placeholder={String(usualWeight[draft.severity ?? 'MAJOR'])} onChange={(event) => change({ ...draft, weight: event.target.value === '' ? undefined : Number(event.target.value) || 0 })} /></label>
          {draft.type === 'criteria' && <label className="field whole"><span>{w.criterion}</span><textarea rows={2} disabled={isReadOnly} value={draft.criteria ?? ''} onChange={(event) => change({ ...draft, criteria: event.target.value })} /></label>}
          {form && <FormFields fields={form.fields} value={draft.config ?? {}} faults={faults} pointer={`${pointer}/config`} isDisabled={isReadOnly} change={(config) => change({ ...draft, config })} />}
        </div>
      ))}
      {isOpen && <div className="row"><Button kind="quiet" onClick={() => setJson(json === undefined ? JSON.stringify(draft, null, 2) : undefined)}>{json === undefined ? w.asJson : w.asForm}</Button></div>}
    </article>
  );
}
