/** Failures in groups. The server computes one signature for each cause. */
import { useRef, useState } from 'react';
import { asCurl, get, Problem } from '../shared/api';
import { count, nameOfRun, shortId, when } from '../shared/format';
import { Button, CopyButton, Empty, ProblemView } from '../shared/parts';
import { inReport, Link, navigate } from '../shared/router';
import { useRight } from '../shared/session';
import { stateOf } from '../shared/states';
import { refresh, useGet } from '../shared/store';
import { FailureGroup, ResultHead, Run } from '../shared/types';
import { w } from '../shared/words';
import { retryAll } from '../runs/run_menu';
import { Foreign, inMarkdown } from '../shared/text';
import { GroupNote, NoteForm } from './group_note';
import { reasonOf } from './grouping';
import { rememberIds } from './walk';

const toneOf = (group: FailureGroup): string => (group.kind === 'verdict' ? 'f' : group.kind === 'undecided' ? 'u' : group.source === 'agent' ? 'a' : ({ tester: 't', judge: 'j', infrastructure: 'i', client: 'c', test: 'e' } as Record<string, string>)[group.source ?? ''] ?? 'i');

/** Markdown for an issue: the real reason, the quoted evidence of the first results, and links. */
async function issueOf(run: Run, group: FailureGroup): Promise<string> {
  const link = (path: string) => `${location.origin}${location.pathname.split('/ui/')[0]}/ui${path}`;
  const { assertion } = group, text = inMarkdown;
  const heads = await Promise.all(group.results.slice(0, 3).map((id) => get<ResultHead>(`/test-results/${id}?output=head`)));
  const quotesOf = (head: ResultHead) => head.assertionResults.find((each) => each.id === assertion?.id)?.quotes ?? [];
  return [`## ${text(`${assertion?.name || assertion?.type || group.code || group.kind}: ${reasonOf(group)}`)}`, '',
    `- Run: ${link(`/runs/${run.id}`)} (${text(`${nameOfRun(run)}, ${run.agent?.name}, ${when(run.createdAt)}`)})`, `- Results: ${group.count}`,
    ...group.tests.map((test) => `- Test: ${text(test.name)} (${test.count})`), '',
    ...heads.flatMap((head) => [`- ${link(`/results/${head.id}${assertion ? `?a=${encodeURIComponent(assertion.id)}` : ''}`)}`, ...quotesOf(head).map((quote) => `  > ${text(quote.text).replace(/\s+/g, ' ')}`)])].join('\n');
}

function Example({ id, group, walk }: { id: string; group: FailureGroup; walk: string }): JSX.Element {
  const head = useGet<ResultHead>(`/test-results/${id}?output=head`);
  const verdict = head.data?.assertionResults?.find((each) => each.id === group.assertion?.id);
  const quote = verdict?.quotes?.[0]?.text;
  const error = (head.data?.metadata?.error as { detail?: string } | undefined)?.detail;
  return (
    <li><Link to={`/results/${id}?in=${walk}${group.assertion ? `&a=${encodeURIComponent(group.assertion.id)}` : ''}`}><bdi>{head.data?.test?.name || shortId(id)}</bdi></Link>
      <span className="example-says">{quote ? <q><Foreign text={quote} /></q> : <Foreign text={verdict?.reason ?? error ?? ''} />}</span></li>
  );
}

function GroupCard({ run, group }: { run: Run; group: FailureGroup }): JSX.Element {
  const { canWrite, why } = useRight();
  const [problem, setProblem] = useState<Problem>();
  const [isEdited, edit] = useState(false);
  const noteButton = useRef<HTMLSpanElement>(null);
  const act = (action: () => Promise<unknown>) => { setProblem(undefined); action().then(() => refresh(`/runs/${run.id}`, '/test-results'), (error) => { if (error instanceof Problem) setProblem(error); else throw error; }); };
  const state = stateOf(toneOf(group));
  const walk = rememberIds(run.id, group.signature, group.results);
  const most = Math.max(...group.tests.map((test) => test.count), 1);
  const isHonest = group.kind === 'verdict';
  return (
    <article className="group" data-part="failure-group" data-id={group.signature} data-state={group.kind}>
      <header className="group-head">
        <span className={`cell ${state.tone}`} aria-hidden="true">{state.glyph}</span>
        <div className="group-says">
          <h3><bdi>{group.assertion?.name || (group.code ? `${w.sources[group.source ?? ''] ?? ''}: ${group.code}` : group.assertion?.type ?? group.kind)}</bdi>
            {group.assertion && <span className="muted small"> {w.severities[group.assertion.severity] ?? ''} · {group.assertion.type}</span>}</h3>
          <p><Foreign text={group.says ?? ''} /></p>
        </div>
        <strong className="number group-count">{w.groupResults(group.count)}</strong>
      </header>
      <div className="group-body">
        <div>
          <ul className="bars">{group.tests.slice(0, 5).map((test) => (
            <li key={test.id}><Link to={`/tests/${test.id}`} className="cut"><bdi>{test.name || shortId(test.id)}</bdi></Link><Meter share={test.count / most} tone={state.tone} /><span className="number">{count(test.count)}</span></li>
          ))}</ul>
          <p className="small muted">{group.firstSeen && group.firstSeen.run !== run.id ? (group.runsBefore ? (group.runsBefore[1] === 1 ? w.alsoBefore : group.runsBefore[0] === group.runsBefore[1] ? w.inEachBefore(group.runsBefore[1]) : w.seenBefore(group.runsBefore[0], group.runsBefore[1])) : when(group.firstSeen.at)) : w.seenNew}</p>
        </div>
        <div><h4 className="small muted">{w.examples}</h4><ul className="examples">{group.results.slice(0, 3).map((id) => <Example key={id} id={id} group={group} walk={walk} />)}</ul></div>
      </div>
      {isEdited ? <NoteForm run={run.id} group={group} close={() => { edit(false); noteButton.current?.querySelector('button')?.focus(); }} /> : <GroupNote group={group} />}
      {!inReport && <footer className="row">
        <Button onClick={() => navigate(`/results/${group.results[0]}?in=${walk}${group.assertion ? `&a=${encodeURIComponent(group.assertion.id)}` : ''}`)}>{w.openAll}</Button>
        <Button disabled={!canWrite} title={why ?? (isHonest ? w.honest : undefined)} onClick={() => { if (!isHonest || confirm(w.honest)) act(() => retryAll(group.results)); }}>{w.rerunGroup} ({group.results.length})</Button>
        <span ref={noteButton}><Button aria-expanded={isEdited} disabled={!canWrite} title={why} onClick={() => edit(!isEdited)}>{group.note ? w.changeNote : w.note}</Button></span>
        <CopyButton text={() => issueOf(run, group)}>{w.copyIssue}</CopyButton>
        <CopyButton text={asCurl('GET', `/runs/${run.id}/failures`)}>{w.copyCurl}</CopyButton>
      </footer>}
      {problem && <ProblemView problem={problem} />}
    </article>
  );
}
export function Meter({ share, tone }: { share: number; tone: string }): JSX.Element {
  return <span className="meter" aria-hidden="true"><span className={`piece ${tone}`} style={{ width: `${share === 0 ? 0 : Math.max(2, share * 100)}%` }} /></span>;
}

export function Failures({ run, groups }: { run: Run; groups: FailureGroup[] }): JSX.Element {
  if (groups.length === 0) return <Empty says={w.groupsNone} />;
  return (
    <div className="stack">
      {(['verdict', 'fault', 'undecided'] as const).map((kind) => {
        const these = groups.filter((group) => group.kind === kind);
        return these.length > 0 && <section key={kind} className="stack"><h2>{w.kinds[kind]} <span className="muted">{these.length}</span></h2>{these.map((group) => <GroupCard key={group.signature} run={run} group={group} />)}</section>;
      })}
    </div>
  );
}
