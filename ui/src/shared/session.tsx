/** The signed-in user, and the dialog that asks for a new sign-in without losing input. */
import { FormEvent, ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { call, hasPageHalf, Problem, send, setPageHalf, whenSignedOut } from './api';
import { useLiveState } from './live';
import { Button, Dialog, ProblemView } from './parts';
import { forgetAll } from './store';
import { Session } from './types';
import { w } from './words';

export interface Signed { state: 'unknown' | 'in' | 'out' | 'lapsed'; session?: Session }
let signed: Signed = { state: hasPageHalf() ? 'unknown' : 'out' };
const listeners = new Set<() => void>();
function become(next: Signed): void { signed = next; listeners.forEach((listener) => listener()); }

whenSignedOut(() => { if (signed.state === 'in') become({ ...signed, state: 'lapsed' }); else if (signed.state === 'unknown') become({ state: 'out' }); });

export const useSigned = (): Signed => useSyncExternalStore((listener) => { listeners.add(listener); return () => listeners.delete(listener); }, () => signed);
/** What the user may do now. Nothing can be written while the server is unreachable; `why` gives the reason. */
export function useRight(): { canWrite: boolean; isAdmin: boolean; why?: string } {
  const right = useSigned().session?.right;
  const isOffline = useLiveState().mode === 'offline';
  const canWrite = (right === 'write' || right === 'admin') && !isOffline;
  return { canWrite, isAdmin: right === 'admin' && !isOffline, why: canWrite ? undefined : isOffline ? w.isOffline : w.needsWrite };
}

const retryMs = 2000;
/** Looks up the session until the server answers. */
export function keepRestoring(): void {
  if (signed.state !== 'unknown') return;
  call<Session>('/session', { isQuiet: true }).then(({ data }) => become({ state: 'in', session: data }), (error) => {
    if (error instanceof Problem && error.status !== 401) setTimeout(keepRestoring, retryMs);
    else become({ state: 'out' });
  });
}
export async function signIn(body: { key?: string; code?: string }): Promise<void> {
  const { data } = await call<Session>('/session', { method: 'POST', body, isQuiet: true });
  setPageHalf(data.page ?? '');
  become({ state: 'in', session: data });
  forgetAll();
}
export async function signOut(): Promise<void> {
  try { await send('DELETE', '/session'); } catch { /* the session has ended already */ }
  setPageHalf('');
  become({ state: 'out' });
}

export function SignInForm({ onDone }: { onDone?: () => void }): JSX.Element {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try { await signIn({ key: key.trim() }); onDone?.(); } catch (error) { if (error instanceof Problem) setProblem(error); else throw error; }
    setBusy(false);
  };
  return (
    <form className="sign-in" data-part="sign-in" onSubmit={(event) => void submit(event)}>
      <label className="field">
        <span>{w.apiKey}</span>
        <input type="password" name="key" autoComplete="current-password" required autoFocus value={key} placeholder="parley_…" spellCheck={false}
          onChange={(event) => setKey(event.target.value)} />
      </label>
      <p className="muted small">{w.keyIsIn} <code>parley-data/admin.key</code></p>
      <Button kind="main" type="submit" disabled={isBusy || !key.trim()}>{w.signIn}</Button>
      {problem && <SignInProblem problem={problem} />}
    </form>
  );
}
function SignInProblem({ problem }: { problem: Problem }): JSX.Element {
  if (problem.status === 401) return <p className="problem" role="alert" data-part="problem" data-status="401">{w.wrongKey}</p>;
  return <ProblemView problem={problem} />;
}

/** A dialog over the page if the session ended while the page was open; the input on the page is kept. */
export function Lapsed({ children }: { children: ReactNode }): JSX.Element {
  const { state } = useSigned();
  const [isHidden, hide] = useState(false);
  useEffect(() => hide(false), [state]);
  return <>{children}{state === 'lapsed' && !isHidden && <Dialog title={w.sessionEnded} onClose={() => hide(true)}><SignInForm /></Dialog>}</>;
}
