/** A textarea with a gutter: line numbers, faults, and what each line does. */
import { useRef } from 'react';
import { FieldFault } from '../shared/api';
import { w } from '../shared/words';

/** The line that a fault names, in its field or in its text. */
const lineOf = (fault: FieldFault): number => fault.line ?? Number(/line (\d+)/.exec(fault.detail)?.[1] ?? 0);

export function ScriptEditor({ text, does, faults, change, isReadOnly }: { text: string; does: { line: number; does: string }[]; faults: FieldFault[]; change: (text: string) => void; isReadOnly: boolean }): JSX.Element {
  const gutter = useRef<HTMLDivElement>(null), notes = useRef<HTMLDivElement>(null);
  const lines = text.split('\n');
  const words = new Map(does.map((each) => [each.line, each.does]));
  const bad = new Map(faults.map((fault) => [lineOf(fault), fault.detail]));
  const follow = (event: React.UIEvent<HTMLTextAreaElement>) => { for (const box of [gutter.current, notes.current]) if (box) box.scrollTop = event.currentTarget.scrollTop; };
  return (
    <div className="field"><span id="script-label">{w.scriptOrGoal}</span>
      <div className="script-editor">
        <div className="gutter" ref={gutter} aria-hidden="true">{lines.map((_, at) => <div key={at} className={bad.has(at + 1) ? 'bad' : ''}>{bad.has(at + 1) ? '●' : at + 1}</div>)}</div>
        <textarea aria-labelledby="script-label" className="mono" spellCheck={false} wrap="off" value={text} readOnly={isReadOnly} rows={Math.max(8, Math.min(24, lines.length + 1))} aria-invalid={faults.length > 0} onScroll={follow} onChange={(event) => change(event.target.value)} />
        {words.size > 0 && <div className="line-notes muted small" ref={notes} aria-hidden="true">{lines.map((_, at) => <div key={at} className="cut" title={words.get(at + 1)}>{words.get(at + 1) ?? ''}</div>)}</div>}
      </div>
      {faults.map((fault, at) => <small key={at} className="fault" role="alert"><bdi>{fault.detail}</bdi></small>)}</div>
  );
}
