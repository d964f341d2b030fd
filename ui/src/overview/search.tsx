/** Search: names of scenarios, tests, agents and runs, and texts in the transcripts of the latest runs. */
import { useEffect, useState } from 'react';
import { ago, shortId } from '../shared/format';
import { get, Problem, queryOf } from '../shared/api';
import { useCrumbs } from '../shared/frame';
import { Empty, ProblemView, Skeleton, useReady, useTitle } from '../shared/parts';
import { Link } from '../shared/router';
import { useGet } from '../shared/store';
import { Agent, Page, Run, Scenario, Test } from '../shared/types';
import { w } from '../shared/words';
import { grep, Hit } from '../run/server_terms';

const runsSearched = 5, hitsShown = 20;
interface InRun { run: Run; hits: Hit[]; names: Map<string, string> }

async function searchRun(run: Run, text: string): Promise<InRun> {
  const hits = await grep(run.id, text, hitsShown);
  const tests = hits.length && run.scenario ? (await get<Page<Test>>(`/scenarios/${run.scenario.id}/tests?limit=500&sortOrder=asc`)).data : [];
  return { run, hits, names: new Map(tests.map((test) => [test.id, test.name])) };
}

function Group({ title, rows }: { title: string; rows: [string, string, string][] }): JSX.Element | null {
  if (rows.length === 0) return null;
  return <section className="panel"><h2>{title}</h2><ul className="lines">{rows.map(([to, name, note]) => <li key={to}><Link to={to}><bdi>{name || w.unnamed}</bdi></Link><span className="muted small"><bdi>{note}</bdi></span></li>)}</ul></section>;
}

export function Search({ id: text }: { id: string }): JSX.Element {
  const named = (path: string) => (text ? `${path}${queryOf({ name: text, limit: 20, output: 'minimal' })}` : null);
  const scenarios = useGet<Page<Scenario>>(named('/scenarios/'));
  const tests = useGet<Page<Test>>(named('/tests/'));
  const agents = useGet<Page<Agent>>(named('/agents/'));
  const runs = useGet<Page<Run>>(text ? `/runs/${queryOf({ limit: 50 })}` : null);
  const [hits, setHits] = useState<InRun[]>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    if (!runs.data || hits) return undefined;
    let isGone = false;
    Promise.all(runs.data.data.slice(0, runsSearched).map((run) => searchRun(run, text))).then((found) => { if (!isGone) setHits(found.filter((each) => each.hits.length)); },
      (failed) => { if (!(failed instanceof Problem)) throw failed; if (!isGone) { setProblem(failed); setHits([]); } });
    return () => { isGone = true; };
  }, [runs.data]);
  useTitle(text ? w.searchResults(text) : w.search);
  useCrumbs([{ name: w.search }]);
  const failed = [scenarios, tests, agents, runs].find((each) => each.problem && !each.data);
  const isLoaded = !text || (!!scenarios.data && !!tests.data && !!agents.data && !!runs.data);
  useReady(isLoaded && (!text || hits !== undefined));
  if (!text) return <Empty says={w.searchAsk} />;
  if (failed?.problem) return <ProblemView problem={failed.problem} retry={failed.reload} />;
  if (!isLoaded) return <Skeleton />;
  const lower = text.toLowerCase();
  const runRows = runs.data!.data.filter((run) => run.id === text || run.scenario?.name?.toLowerCase().includes(lower) || run.agent?.name?.toLowerCase().includes(lower)).slice(0, 20);
  const isEmpty = !scenarios.data!.total && !tests.data!.total && !agents.data!.total && !runRows.length && hits !== undefined && hits.length === 0 && !problem;
  return (
    <div className="stack"><h1><bdi>{w.searchResults(text)}</bdi></h1>
      {problem && <ProblemView problem={problem} />}
      {isEmpty && <Empty says={w.searchNothing} />}
      <div className="halves">
        <Group title={w.scenarios} rows={scenarios.data!.data.map((each) => [`/scenarios/${each.id}`, each.name, each.description])} />
        <Group title={w.tests} rows={tests.data!.data.map((each) => [`/tests/${each.id}`, each.name, each.scenario?.name ?? ''])} />
        <Group title={w.agents} rows={agents.data!.data.map((each) => [`/agents/${each.id}`, each.name, each.type])} />
        <Group title={w.runs} rows={runRows.map((run) => [`/runs/${run.id}`, `${run.scenario?.name ?? ''} · ${run.agent?.name ?? ''}`, ago(run.createdAt)])} />
        {(hits ?? []).map(({ run, hits: found, names }) => <Group key={run.id} title={w.inTranscriptsOf(run.scenario?.name ?? '', ago(run.createdAt))} rows={found.slice(0, hitsShown).map((hit) => [`/results/${hit.result}`, names.get(hit.test) || shortId(hit.result), hit.matches.length ? w.turn(hit.matches[0].turn) : ''])} />)}
      </div>
    </div>
  );
}
