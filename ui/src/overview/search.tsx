/** Search: names of scenarios, tests, agents and runs, and texts in the transcripts of the latest runs. */
import { useEffect, useState } from 'react';
import { ago, nameOfRun, shortId } from '../shared/format';
import { get, Problem, queryOf } from '../shared/api';
import { useCrumbs } from '../shared/frame';
import { Empty, ProblemView, Skeleton, useReady, useTitle } from '../shared/parts';
import { Link, searchedText, usePlace } from '../shared/router';
import { useGet } from '../shared/store';
import { Agent, Page, Run, Scenario, Test } from '../shared/types';
import { w } from '../shared/words';
import { grep, Hit } from '../run/server_terms';

const runsSearched = 5, hitsShown = 20, rowsShown = 20;
interface InRun { run: Run; hits: Hit[]; names: Map<string, string> }

async function searchRun(run: Run, text: string): Promise<InRun> {
  const hits = await grep(run.id, text, hitsShown);
  const tests = hits.length && run.scenario ? (await get<Page<Test>>(`/scenarios/${run.scenario.id}/tests?limit=500&sortOrder=asc`)).data : [];
  return { run, hits, names: new Map(tests.map((test) => [test.id, test.name])) };
}

/** Rows that link to a record; `total` is the number of rows that there are. */
function Group({ title, rows, total = rows.length, says = '' }: { title: string; rows: [string, string, string][]; total?: number; says?: string }): JSX.Element | null {
  const partial = [total > rows.length && w.shown(rows.length, total), says].filter(Boolean).join(' · ');
  if (rows.length === 0) return null;
  return <section className="panel"><h2>{title}</h2><ul className="lines">{rows.map(([to, name, note]) => <li key={to}><Link to={to}><bdi>{name || w.unnamed}</bdi></Link><span className="muted small"><bdi>{note}</bdi></span></li>)}</ul>{partial && <p className="muted small" data-part="partial">{partial}</p>}</section>;
}

export function Search(): JSX.Element {
  const text = searchedText(usePlace());
  return <SearchFor key={text} text={text} />;
}

function SearchFor({ text }: { text: string }): JSX.Element {
  const named = (path: string) => (text ? `${path}${queryOf({ name: text, limit: rowsShown, output: 'minimal' })}` : null);
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
  const runRows = runs.data!.data.filter((run) => run.id === text || [run.name, run.scenario?.name, run.agent?.name].some((each) => each?.toLowerCase().includes(lower)));
  const isEmpty = !scenarios.data!.total && !tests.data!.total && !agents.data!.total && !runRows.length && hits !== undefined && hits.length === 0 && !problem;
  return (
    <div className="stack"><h1><bdi>{w.searchResults(text)}</bdi></h1>
      {problem && <ProblemView problem={problem} />}
      {isEmpty && <Empty says={w.searchNothing} />}
      <div className="halves">
        <Group title={w.scenarios} rows={scenarios.data!.data.map((each) => [`/scenarios/${each.id}`, each.name, each.description])} total={scenarios.data!.total} />
        <Group title={w.tests} rows={tests.data!.data.map((each) => [`/tests/${each.id}`, each.name, each.scenario?.name ?? ''])} total={tests.data!.total} />
        <Group title={w.agents} rows={agents.data!.data.map((each) => [`/agents/${each.id}`, each.name, each.type])} total={agents.data!.total} />
        <Group title={w.runs} rows={runRows.slice(0, rowsShown).map((run) => [`/runs/${run.id}`, `${nameOfRun(run)} · ${run.agent?.name ?? ''}`, ago(run.createdAt)])} total={runRows.length} says={runs.data!.total > runs.data!.data.length ? w.latestRuns(runs.data!.data.length, runs.data!.total) : ''} />
        {(hits ?? []).map(({ run, hits: found, names }) => <Group key={run.id} title={w.inTranscriptsOf(nameOfRun(run), ago(run.createdAt))} total={found.length} rows={found.slice(0, hitsShown).map((hit) => [`/results/${hit.result}`, names.get(hit.test) || shortId(hit.result), hit.matches.length ? w.turn(hit.matches[0].turn) : ''])} />)}
      </div>
    </div>
  );
}
