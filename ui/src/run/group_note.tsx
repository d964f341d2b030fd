/** The note of users on a group of failures. It is shown with the group in all runs of the scenario. */
import { useEffect, useRef, useState } from 'react';
import { Problem, send } from '../shared/api';
import { Button, ProblemView } from '../shared/parts';
import { useRight } from '../shared/session';
import { refresh } from '../shared/store';
import { Foreign } from '../shared/text';
import { FailureGroup } from '../shared/types';
import { w } from '../shared/words';

export function GroupNote({ group }: { group: FailureGroup }): JSX.Element | null {
  return group.note ? <p className="note group-note" data-part="group-note"><strong>{w.note}</strong> <Foreign text={group.note} /></p> : null;
}

/** Ctrl+Enter saves, Escape discards. An empty text removes the note. */
export function NoteForm({ run, group, close }: { run: string; group: FailureGroup; close: () => void }): JSX.Element {
  const { canWrite, why } = useRight();
  const [note, setNote] = useState(group.note ?? '');
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => { const here = field.current; here?.focus(); here?.setSelectionRange(here.value.length, here.value.length); }, []);
  const save = async () => {
    if (isBusy || !canWrite) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await send('PUT', `/runs/${run}/failures/${group.signature}/note`, { note: note.trim() || null });
      refresh(`/runs/${run}/failures`);
      close();
    } catch (error) { if (error instanceof Problem) setProblem(error); else throw error; } finally { setBusy(false); }
  };
  const onKey = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') close(); else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save(); else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form className="stack tight group-note" onSubmit={(event) => { event.preventDefault(); void save(); }} onKeyDown={onKey}>
      <label className="field"><span>{w.note}</span><textarea ref={field} rows={3} maxLength={4096} value={note} onChange={(event) => setNote(event.target.value)} /><small className="muted">{w.noteScope}</small></label>
      {problem && <ProblemView problem={problem} />}
      <div className="row"><Button type="submit" kind="main" disabled={!canWrite || isBusy} title={why}>{w.save}</Button><Button onClick={close}>{w.cancel}</Button></div>
    </form>
  );
}
