/** An unsaved draft of a test. The browser keeps it across reloads, with the version of the test that it changes. */
import { Button } from '../shared/parts';
import { Test } from '../shared/types';
import { w } from '../shared/words';
import { Draft } from './assertion_form';

export interface TestDraft { name: string; description: string; instruction: string; isEnabled: boolean; assertions: Draft[] }
/** `updatedAt` grows with each version of a test; a save must match `etag`. */
export interface Version { etag: string; updatedAt: string }
export interface KeptDraft extends Version { draft: TestDraft }

export const draftOf = (test: Test): TestDraft => ({ name: test.name, description: test.description, instruction: test.instruction, isEnabled: test.isEnabled, assertions: test.assertions });
export function stored<T>(key: string): T | undefined { try { const text = sessionStorage.getItem(key); return text ? JSON.parse(text) as T : undefined; } catch { return undefined; } }
export function store(key: string, kept: KeptDraft | undefined): void { try { kept ? sessionStorage.setItem(key, JSON.stringify(kept)) : sessionStorage.removeItem(key); } catch { /* it stays in memory */ } }

/** The names of the parts that differ between two versions. */
function differing(a: TestDraft, b: TestDraft): string {
  const names: Record<keyof TestDraft, string> = { name: w.name, description: w.description, instruction: w.script, isEnabled: w.enabledInRuns, assertions: w.assertions };
  return (Object.keys(names) as (keyof TestDraft)[]).filter((part) => JSON.stringify(a[part]) !== JSON.stringify(b[part])).map((part) => names[part]).join(', ');
}
export function Difference({ mine, theirs }: { mine: TestDraft; theirs: TestDraft }): JSX.Element | null {
  const parts = differing(mine, theirs);
  return parts ? <p>{w.versionsDiffer(parts)}</p> : null;
}

/** The test has changed since the draft was begun: the user chooses which of the two to keep. */
export function OutdatedNote({ mine, theirs, keepMine, takeTheirs }: { mine: TestDraft; theirs: TestDraft; keepMine: () => void; takeTheirs: () => void }): JSX.Element {
  return (
    <div className="note warn stack tight" role="alert" data-part="outdated-draft"><p>{w.draftOutdated}</p><Difference mine={mine} theirs={theirs} />
      <div className="row"><Button onClick={keepMine}>{w.keepMine}</Button><Button onClick={takeTheirs}>{w.takeTheirs}</Button></div></div>
  );
}
