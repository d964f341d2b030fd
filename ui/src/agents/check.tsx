/** The check of an agent: one probe, its request and answer side by side, and how to fix what went wrong. */
import { useState } from 'react';
import { Problem, send } from '../shared/api';
import { duration } from '../shared/format';
import { Button, ProblemView } from '../shared/parts';
import { Foreign } from '../shared/text';
import { JsonTree } from '../shared/tree';
import { Json, JsonObject } from '../shared/types';
import { w } from '../shared/words';

export function CheckView({ path, body, isAllowed, done }: { path: string; body?: JsonObject; isAllowed: boolean; done?: (isGood: boolean) => void }): JSX.Element {
  const [answer, setAnswer] = useState<JsonObject>();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const check = async () => {
    setBusy(true); setProblem(undefined); setAnswer(undefined);
    try { const got = await send<JsonObject>('POST', path, body ?? {}); setAnswer(got); done?.(isGoodAnswer(got)); } catch (error) { if (error instanceof Problem) setProblem(error); else throw error; }
    setBusy(false);
  };
  const error = (answer?.error ?? null) as JsonObject | null;
  const code = String(error?.code ?? '');
  return (
    <section className="panel stack tight" data-part="agent-check"><div className="spread"><h2>{w.check}</h2><Button disabled={!isAllowed || isBusy} title={isAllowed ? undefined : w.needsWrite} onClick={() => void check()}>{isBusy ? w.checking : w.checkNow}</Button></div>
      <p className="muted small">{w.checkSays}</p>
      {problem && <ProblemView problem={problem} />}
      {answer && <p role="status"><strong className={isGoodAnswer(answer) ? 'good' : 'bad'}>{isGoodAnswer(answer) ? `✓ ${w.checkGood}` : `✗ ${w.checkBad}`}</strong>{typeof answer.durationMs === 'number' && <span className="muted"> {answer.status !== null && `${String(answer.status)} · `}{duration(answer.durationMs)}</span>}</p>}
      {error && <div className="note warn"><code>{code}</code> <Foreign text={String(error.detail ?? '')} />{w.cures[code] && <p className="small">{w.cures[code]}</p>}</div>}
      {answer?.proposal ? <div className="note"><p>{w.checkProposal}</p><JsonTree value={answer.proposal as Json} /></div> : null}
      {answer && <div className="halves">{answer.sent ? <div><h3>{w.requestSent}</h3><Exchanged of={answer.sent as JsonObject} /></div> : null}{answer.received ? <div><h3>{w.answerReceived}</h3><Exchanged of={answer.received as JsonObject} /></div> : null}
        {answer.reply ? <div><h3>{w.answerRead}</h3><JsonTree value={answer.reply as Json} /></div> : null}</div>}
    </section>
  );
}
export function isGoodAnswer(answer: JsonObject): boolean { return answer.ok !== undefined ? answer.ok === true : !answer.error; }

/** A request or an answer: short fields as facts, the body as text. */
function Exchanged({ of }: { of: JsonObject }): JSX.Element {
  const { body, ...rest } = of;
  return <div className="stack tight"><JsonTree value={rest} />{typeof body === 'string' && body !== '' && <pre className="script"><Foreign text={body} /></pre>}</div>;
}
