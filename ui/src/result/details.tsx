/** The details of a result: outcome, fault and its remedy, case, verdicts, attempts, claims, usage, ids. */
import { useState } from 'react';
import { asCurl, Problem, send } from '../shared/api';
import { count, duration, money, none, shortId, whenFull } from '../shared/format';
import { Button, CopyButton, CopyLine, flipText, ProblemView } from '../shared/parts';
import { inReport, Link, navigate } from '../shared/router';
import { useRight } from '../shared/session';
import { canTalk, isFinished } from '../shared/states';
import { refresh, useGet } from '../shared/store';
import { Foreign, inMarkdown, OutLink } from '../shared/text';
import { JsonTree } from '../shared/tree';
import { AssertionResult, Entry, Page, ResultHead, Usage } from '../shared/types';
import { w } from '../shared/words';
import { LabelsOf } from '../review/labels_of';
import { sorted } from './assertions';
import { scriptOf } from './entry_pages';

function UsageRow({ name, usage }: { name: string; usage?: Usage }): JSX.Element | null {
  if (!usage) return null;
  return <><dt>{name}</dt><dd><bdi>{usage.model}</bdi>, {w.tokens(count(usage.inputTokens), count(usage.outputTokens))}{typeof usage.cost === 'number' && `, ${money(usage.cost)}`}</dd></>;
}
interface Verdict { version: number; replacedAt: string | null; score: number; overallPassed: boolean; assertionResults: AssertionResult[] }

function Verdicts({ result }: { result: ResultHead }): JSX.Element | null {
  const verdicts = useGet<Page<Verdict>>(inReport || result.status !== 'completed' ? null : `/test-results/${result.id}/verdicts`);
  if (!verdicts.data || verdicts.data.data.length < 2) return null;
  const [now, ...before] = verdicts.data.data;
  return (
    <details><summary>{w.verdicts} ({verdicts.data.total})</summary>
      <ul className="lines tall">{before.map((verdict) => {
        const flips = now.assertionResults.filter((each) => verdict.assertionResults.find((old) => old.id === each.id)?.status !== each.status);
        return <li key={verdict.version}><span>{w.verdict(verdict.version)}: {w.scoreOf(verdict.score)}</span><span className="small">{flips.map((flip) => <span key={flip.id} className="chip">{flipText(flip.name || flip.type, verdict.assertionResults.find((old) => old.id === flip.id)?.status, flip.status)}</span>)}</span></li>;
      })}</ul></details>
  );
}

export function markdownOf(result: ResultHead, entries: Entry[]): string {
  const text = inMarkdown;
  return [`## ${text(result.test?.name ?? result.id)}: ${result.status}, score ${result.score}`, '', ...sorted(result.assertionResults).map((each) => `- ${{ passed: '✓', failed: '✗' }[each.status as 'passed'] ?? '?'} **${text(each.name ?? each.type)}** ${text(each.reason ?? '')}`), '',
    ...entries.map((entry) => (entry.type === 'message' ? `**${entry.role}**: ${text(entry.content ?? '')}` : `*${entry.type}* ${text(entry.name ?? '')} \`${JSON.stringify(entry.metadata?.arguments ?? {}).replace(/`/g, "'")}\``)), '', location.href].join('\n');
}

export function Details({ result, all }: { result: ResultHead; all: () => Promise<Entry[]> }): JSX.Element {
  const { canWrite } = useRight();
  const [problem, setProblem] = useState<Problem>();
  const error = result.metadata?.error as { source?: string; code?: string; detail?: string } | undefined;
  const previous = result.metadata?.previous_test_result_id as string | undefined;
  const act = (action: () => Promise<unknown>) => () => { setProblem(undefined); action().then(() => refresh(`/test-results/${result.id}`, '/runs'), (failed) => { if (failed instanceof Problem) setProblem(failed); else throw failed; }); };
  const isOver = isFinished(result.status);
  const retry = async () => { const clone = await send<ResultHead>('POST', `/test-results/${result.id}/retry`); navigate(`/results/${clone.id}`); };
  const makeTest = async () => {
    const instruction = scriptOf(await all());
    try { sessionStorage.setItem('parley.new-test', JSON.stringify({ instruction, assertions: result.assertionResults.map(({ name, type, criteria, severity, weight, config }) => ({ name, type, criteria, severity, weight, config })) })); } catch { /* the editor opens empty */ }
    navigate('/tests/new');
  };
  const unsupported = result.claims?.filter((claim) => !claim.supported) ?? [];
  return (
    <div className="stack tight">
      {problem && <ProblemView problem={problem} />}
      {!inReport && <div className="row">
        <Button disabled={!canWrite || !isOver || !!result.retiredBy} title={w.retrySays} onClick={act(retry)}>{w.retryResult}</Button>
        {result.test && <Link className="button" to={`/tests/${result.test.id}?dry=${result.id}`}>{w.rescore}</Link>}
        <Button disabled={!canWrite} onClick={act(makeTest)}>{w.makeTest}</Button>
        {result.sourceConversationLog && <Link className="button" to={`/results/${result.sourceConversationLog.id}...${result.id}`}>{w.compareLog}</Link>}
        {isOver && <Button disabled={!canWrite} title={w.validitySays} onClick={act(() => send('POST', `/test-results/${result.id}/review`, {}))}>{w.reviewNow}</Button>}
        {canTalk(result.agent?.type ?? '') && <Link className="button" to={`/chat?agent=${result.agent.id}&from=${result.id}`}>{w.talkOn}</Link>}
      </div>}
      {error && <div className="note warn"><strong>{w.sources[error.source ?? ''] ?? ''} {w.fault}: <code>{error.code}</code></strong><p><Foreign text={error.detail ?? ''} /></p>{w.cures[error.code ?? ''] && <p className="small">{w.cures[error.code ?? '']}</p>}</div>}
      <dl className="facts">
        <dt>{w.outcomeLabel}</dt><dd>{w.statuses[result.status]}{result.endReason && <> · {w.endReason} {w.endReasons[result.endReason] ?? result.endReason}</>}</dd>
        <dt>{w.test}</dt><dd>{result.test ? <Link to={`/tests/${result.test.id}`}><bdi>{result.test.name || shortId(result.test.id)}</bdi></Link> : none}</dd>
        {result.run && <><dt>{w.run}</dt><dd><Link to={`/runs/${result.run.id}`}><bdi>{result.run.name || shortId(result.run.id)}</bdi></Link></dd></>}
        <dt>{w.agent}</dt><dd><Link to={`/agents/${result.agent.id}`}><bdi>{result.agent.name || shortId(result.agent.id)}</bdi></Link> <span className="muted">{result.agent.type}</span></dd>
        {result.personality && <><dt>{w.personality}</dt><dd><bdi>{result.personality.name}</bdi></dd></>}
        {result.averages?.responseTime !== null && result.averages && <><dt>{w.averageResponse}</dt><dd>{duration(result.averages.responseTime)}</dd></>}
        <UsageRow name={w.tester} usage={result.usage?.tester} /><UsageRow name={w.judgeColumn} usage={result.usage?.judge} />
        {previous && <><dt>{w.retriedFrom}</dt><dd><Link to={`/results/${previous}`}>{shortId(previous)}</Link></dd></>}
        {result.retiredBy && <><dt>{w.replacedBy}</dt><dd><Link to={`/results/${result.retiredBy}`}>{shortId(result.retiredBy)}</Link></dd></>}
        {result.review && <><dt>{w.validity}</dt><dd>{result.review.valid ? w.validTrial : w.invalidTrial(result.review.faultSource ?? '–')}: <Foreign text={result.review.reason} /></dd></>}
        <dt>{w.created}</dt><dd>{whenFull(result.createdAt)}</dd><dt>{w.ids}</dt><dd><code>{result.id}</code></dd>
        {result.externalLinks?.length > 0 && <><dt>{w.links}</dt><dd>{result.externalLinks.map((link, at) => <div key={at}><OutLink url={link.url ?? ''} name={link.name} /></div>)}</dd></>}
      </dl>
      <details open><summary>{w.script}</summary><pre className="script"><Foreign text={result.testInstruction || none} /></pre></details>
      {unsupported.length > 0 && <details><summary>{w.claims}: {unsupported.length} {w.unsupported}</summary><ul className="lines">{unsupported.map((claim, at) => <li key={at}><Foreign text={claim.text} /><a href={`#e-${claim.entry}`}>{claim.kind}</a></li>)}</ul></details>}
      <Verdicts result={result} />
      {!inReport && <LabelsOf result={result} />}
      <details><summary>{w.metadata}</summary><JsonTree value={result.metadata ?? {}} /></details>
      {!inReport && <div className="row"><CopyButton text={() => location.href}>{w.copyLink}</CopyButton><CopyButton text={async () => markdownOf(result, await all())}>{w.copyMarkdown}</CopyButton><CopyButton text={async () => JSON.stringify({ ...result, conversation: await all() }, null, 2)}>{w.copyJson}</CopyButton></div>}
      {!inReport && <CopyLine text={asCurl('GET', `/test-results/${result.id}`)} />}
    </div>
  );
}
