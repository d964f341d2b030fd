/** The test editor: script with a gutter, assertions as forms, dry run on recorded conversations. */
import { useEffect, useMemo, useState } from 'react';
import { call, FieldFault, Problem, queryOf, send } from '../shared/api';
import { shortId } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { useLive } from '../shared/live';
import { Button, Dialog, Empty, Loaded, ProblemView, useReady, useTitle } from '../shared/parts';
import { Link, navigate, usePlace } from '../shared/router';
import { useRight } from '../shared/session';
import { refresh, useGet } from '../shared/store';
import { Foreign } from '../shared/text';
import { Assertion, Page, Scenario, Test } from '../shared/types';
import { w } from '../shared/words';
import { AssertionForm, TypePicker, weightOf } from './assertion_form';
import { DryRun } from './dry_run';
import { History } from './history';
import { Difference, draftOf, KeptDraft, OutdatedNote, store, stored, TestDraft, Version } from './kept_draft';
import { useForms } from './schema';
import { ScriptEditor } from './script_editor';

export interface Validation { errors: FieldFault[]; warnings: { code?: string; pointer?: string; detail: string }[]; composed?: { instruction?: string; assertions?: Assertion[] }; script?: { line: number; does: string }[] }

function useValidation(draft: TestDraft, scenario: string, parentTest: string | null): Validation | undefined {
  const [answer, setAnswer] = useState<Validation>();
  const text = JSON.stringify(draft);
  useEffect(() => {
    const timer = setTimeout(() => {
      send<Validation>('POST', '/validate', { kind: 'test', body: { ...draft, scenario, ...(parentTest ? { parentTest } : {}) } }).then(setAnswer, (error) => { if (!(error instanceof Problem)) throw error; setAnswer({ errors: error.errors, warnings: [] }); });
    }, 300);
    return () => clearTimeout(timer);
  }, [text, scenario]);
  return answer;
}

function Editor({ test, scenario, etag, reload }: { test?: Test; scenario: string; etag: string; reload: () => void }): JSX.Element {
  const key = `parley.test.${test?.id ?? 'new'}`;
  const { query } = usePlace();
  const { canWrite, why } = useRight();
  const kept = useMemo(() => stored<KeptDraft>(key), []);
  const now: Version = { etag, updatedAt: test?.updatedAt ?? '' };
  const [draft, setDraft] = useState<TestDraft>(() => kept?.draft ?? (test ? draftOf(test) : { description: '', isEnabled: true, name: '', instruction: '', assertions: [], ...stored<Partial<TestDraft>>('parley.new-test') }));
  const [version, setVersion] = useState<Version>(kept ?? now);
  const [isTouched, touch] = useState(!!kept);
  const [isPicking, pick] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [theirs, setTheirs] = useState<KeptDraft>();
  const forms = useForms('Assertion');
  const answer = useValidation(draft, scenario, test?.parentTest ?? null);
  const isDirty = !test || JSON.stringify(draft) !== JSON.stringify(draftOf(test));
  const managed = (test?.metadata?.managedBy ?? test?.managedBy) as string | undefined;
  const isReadOnly = !canWrite || !!managed;
  const change = (next: Partial<TestDraft>) => { const all = { ...draft, ...next }; setDraft(all); touch(true); store(key, { ...version, draft: all }); };
  const take = (next: KeptDraft) => { setDraft(next.draft); setVersion(next); touch(false); store(key, undefined); };
  const keepMine = () => { setVersion(now); store(key, { ...now, draft }); };
  const hasNewer = !!test && test.updatedAt > version.updatedAt;
  const isOutdated = hasNewer && isTouched && isDirty;
  useEffect(() => { if (hasNewer && !isOutdated) take({ ...now, draft: draftOf(test) }); }, [hasNewer, isOutdated, test?.updatedAt]);
  const total = draft.assertions.reduce((sum, each) => sum + weightOf(each), 0);
  const hasBlocker = (answer?.composed?.assertions ?? draft.assertions).some((each) => each.severity === 'BLOCKER');
  const faults = answer?.errors ?? [];
  const save = async (tag = version.etag) => {
    setProblem(undefined);
    try {
      if (!test) {
        const made = await send<Test>('POST', '/tests/', { ...draft, scenario });
        store(key, undefined); store('parley.new-test', undefined);
        refresh('/tests', '/scenarios');
        navigate(`/tests/${made.id}`, { replace: true });
        return;
      }
      const saved = await call<Test>(`/tests/${test.id}`, { method: 'PATCH', body: draft, headers: { 'If-Match': tag } });
      take({ etag: saved.etag, updatedAt: saved.data.updatedAt, draft: draftOf(saved.data) }); refresh('/tests', '/scenarios'); reload();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.status === 412 && test) { const newest = await call<Test>(`/tests/${test.id}`); setTheirs({ etag: newest.etag, updatedAt: newest.data.updatedAt, draft: draftOf(newest.data) }); } else setProblem(error);
    }
  };
  return (
    <div className="stack">
      <header className="page-head"><h1><bdi>{draft.name || (test ? w.unnamed : w.newTest)}</bdi></h1><div className="row">
        {isDirty && <span className="muted small">{w.unsaved}</span>}
        {test && isDirty && <Button onClick={() => take({ ...now, draft: draftOf(test) })}>{w.discard}</Button>}
        <Button kind="main" disabled={isReadOnly || !isDirty || faults.length > 0} title={why} onClick={() => void save()}>{w.save}</Button></div></header>
      {managed && <p className="note"><Foreign text={w.managedBy(managed)} /></p>}
      {problem && <ProblemView problem={problem} />}
      {isOutdated && <OutdatedNote mine={draft} theirs={draftOf(test)} keepMine={keepMine} takeTheirs={() => take({ ...now, draft: draftOf(test) })} />}
      {test?.parentTest && <p className="note">{w.isVariant} <Link to={`/tests/${test.parentTest}`}>{w.parent}</Link></p>}
      <div className="editor">
        <section className="stack tight" aria-label={w.script}>
          <label className="field"><span>{w.name}</span><input value={draft.name} disabled={isReadOnly} onChange={(event) => change({ name: event.target.value })} /></label>
          <ScriptEditor text={draft.instruction} does={answer?.script ?? []} faults={faults.filter((fault) => fault.pointer?.startsWith('/instruction'))} change={(instruction) => change({ instruction })} isReadOnly={isReadOnly} />
          <label className="check"><input type="checkbox" checked={draft.isEnabled} disabled={isReadOnly} onChange={(event) => change({ isEnabled: event.target.checked })} />{w.enabledInRuns}</label>
        </section>
        <section className="stack tight" aria-label={w.assertions}>
          <div className="spread"><h2>{w.assertions}</h2>{!isPicking && <Button disabled={isReadOnly} onClick={() => pick(true)}>{w.addAssertion}</Button>}</div>
          {isPicking && <TypePicker forms={forms} close={() => pick(false)} choose={(type) => { pick(false); change({ assertions: [...draft.assertions, { type, name: null, severity: hasBlocker ? 'MAJOR' : 'BLOCKER', config: {} }] }); }} />}
          {!hasBlocker && <p className="note warn" data-part="warning">{w.nothingCanFail}</p>}
          {(answer?.warnings ?? []).filter((warning) => warning.code !== 'no_blocker' && warning.code !== 'no_assertions').map((warning, at) => <p key={at} className="note warn"><bdi>{warning.detail}</bdi></p>)}
          {draft.assertions.map((each, at) => <AssertionForm key={each.id ?? `n${at}`} draft={each} at={at} forms={forms} faults={faults} total={total} isReadOnly={isReadOnly}
            change={(next) => change({ assertions: draft.assertions.map((old, n) => (n === at ? next : old)) })} remove={() => change({ assertions: draft.assertions.filter((_, n) => n !== at) })} />)}
          {faults.filter((fault) => !fault.pointer?.startsWith('/assertions/') && !fault.pointer?.startsWith('/instruction')).map((fault, at) => <p key={at} className="problem" data-part="problem" data-status="validation"><code>{fault.pointer}</code> <bdi>{fault.detail}</bdi></p>)}
        </section>
        <section className="stack tight" aria-label={w.dryRun}>{test ? <><DryRun test={test} draft={draft} only={query.get('dry') ?? ''} hasFaults={faults.length > 0} /><History test={test} /></> : <p className="muted">{w.dryRunLater}</p>}</section>
      </div>
      {theirs && <Dialog title={w.changedMeanwhile} onClose={() => setTheirs(undefined)}><p>{w.changedSays}</p><Difference mine={draft} theirs={theirs.draft} />
        <div className="row"><Button onClick={() => { setTheirs(undefined); void save(theirs.etag); }}>{w.takeMine}</Button><Button onClick={() => { take(theirs); setTheirs(undefined); reload(); }}>{w.takeTheirs}</Button></div></Dialog>}
    </div>
  );
}

export function TestPage({ id }: { id: string }): JSX.Element {
  const isNew = id === 'new';
  const { query } = usePlace();
  const test = useGet<Test>(isNew ? null : `/tests/${id}`);
  useLive(['records']);
  const scenarios = useGet<Page<Scenario>>(isNew ? `/scenarios/${queryOf({ limit: 200 })}` : null);
  const [chosen, choose] = useState(query.get('scenario') ?? '');
  const scenario = isNew ? chosen || scenarios.data?.data[0]?.id || '' : test.data?.scenario.id ?? '';
  const name = isNew ? w.newTest : test.data?.name || shortId(id);
  useTitle(name);
  useCrumbs([{ name: w.scenarios, to: '/scenarios' }, ...(test.data ? [{ name: test.data.scenario.name, to: `/scenarios/${test.data.scenario.id}` }] : []), { name }]);
  useReady(isNew ? !!scenarios.data : !!test.data);
  if (isNew && scenarios.data?.data.length === 0) return <Empty says={w.noScenarios}><Link className="button" to="/scenarios">{w.newScenario}</Link></Empty>;
  if (isNew) return <div className="stack">{scenarios.problem && !scenarios.data && <ProblemView problem={scenarios.problem} retry={scenarios.reload} />}<label className="field narrow-field"><span>{w.scenarioColumn}</span><select value={scenario} onChange={(event) => choose(event.target.value)}>{scenarios.data?.data.map((each) => <option key={each.id} value={each.id}>{each.name || w.unnamed}</option>)}</select></label>{scenario && <Editor scenario={scenario} etag="" reload={() => undefined} />}</div>;
  return <Loaded of={test} rows={8} back={<Link className="button" to="/scenarios">{w.scenarios}</Link>}>{(data) => <Editor key={data.id} test={data} scenario={scenario} etag={test.etag ?? ''} reload={test.reload} />}</Loaded>;
}
