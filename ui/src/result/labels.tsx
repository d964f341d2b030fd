/** What people said of this result: labels are beside the verdict and never change it. */
import { useState } from 'react';
import { Problem, queryOf, send } from '../shared/api';
import { ago } from '../shared/format';
import { Button, ProblemView } from '../shared/parts';
import { useRight } from '../shared/session';
import { useGet } from '../shared/store';
import { Foreign } from '../shared/text';
import { Link as LinkTo, Page, ResultHead } from '../shared/types';
import { w } from '../shared/words';

export interface Label { id: string; result: LinkTo | string; assertion: string | null; verdict: 'passed' | 'failed' | 'unsure' | 'invalid'; note: string; user?: LinkTo | null; createdBy?: LinkTo | null; createdAt: string }
export const labelVerdicts = ['passed', 'failed', 'unsure', 'invalid'] as const;

export function Labels({ result }: { result: ResultHead }): JSX.Element {
  const labels = useGet<Page<Label>>(`/labels/${queryOf({ result: result.id })}`);
  const { canWrite } = useRight();
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const give = (verdict: string) => {
    send('POST', '/labels/', { result: result.id, verdict, ...(note ? { note } : {}) }).then(() => { setNote(''); labels.reload(); }, (error) => { if (error instanceof Problem) setProblem(error); else throw error; });
  };
  return (
    <details><summary>{w.labels} {labels.data ? `(${labels.data.total})` : ''}</summary>
      <ul className="lines tall">{labels.data?.data.map((label) => <li key={label.id}><span className={`badge ${label.verdict}`}>{w.labelWords[label.verdict]}</span><Foreign text={label.note ?? ''} /><span className="muted small"><bdi>{(label.user ?? label.createdBy)?.name}</bdi> {ago(label.createdAt)}</span></li>)}</ul>
      <div className="row"><input value={note} maxLength={4000} placeholder={w.noteFor} aria-label={w.noteFor} onChange={(event) => setNote(event.target.value)} />
        {labelVerdicts.map((verdict) => <Button key={verdict} disabled={!canWrite} title={canWrite ? undefined : w.needsWrite} onClick={() => give(verdict)}>{w.labelWords[verdict]}</Button>)}</div>
      {problem && <ProblemView problem={problem} />}
    </details>
  );
}
