/** Search: names of scenarios, tests, agents and runs, and texts in the transcripts of the latest runs. */
import { useEffect, useState } from 'react';
import { queryOf } from '../shared/api';
import { ago, shortId } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { Empty, Skeleton, useReady, useTitle } from '../shared/parts';
import { Link } from '../shared/router';
import { useGet } from '../shared/store';
import { Agent, Page, Run, Scenario, Test } from '../shared/types';
import { w } from '../shared/words';
import { grep } from '../run/filter_box';

const runsSearched = 5;

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
  const [hits, setHits] = useState<{ run: Run; ids: string[] }[]>();
  useEffect(() => {
    if (!runs.data || hits) return undefined;
    let isGone = false;
    void Promise.all(runs.data.data.slice(0, runsSearched).map(async (run) => ({ run, ids: await grep(run.id, text) }))).then((found) => { if (!isGone) setHits(found.filter((each) => each.ids.length)); });
    return () => { isGone = true; };
  }, [runs.data]);
  useTitle(text ? w.searchResults(text) : w.search);
  useCrumbs([{ name: w.search }]);
  const isLoaded = !text || (!!scenarios.data && !!tests.data && !!agents.data && !!runs.data);
  useReady(isLoaded && (!text || hits !== undefined));
  if (!text) return <Empty says={w.searchAsk} />;
  if (!isLoaded) return <Skeleton />;
  const lower = text.toLowerCase();
  const runRows = runs.data!.data.filter((run) => run.id === text || run.scenario?.name?.toLowerCase().includes(lower) || run.agent?.name?.toLowerCase().includes(lower)).slice(0, 20);
  const isEmpty = !scenarios.data!.total && !tests.data!.total && !agents.data!.total && !runRows.length && hits !== undefined && hits.length === 0;
  return (
    <div className="stack"><h1><bdi>{w.searchResults(text)}</bdi></h1>
      {isEmpty && <Empty says={w.searchNothing} />}
      <div className="halves">
        <Group title={w.scenarios} rows={scenarios.data!.data.map((each) => [`/scenarios/${each.id}`, each.name, each.description])} />
        <Group title={w.tests} rows={tests.data!.data.map((each) => [`/tests/${each.id}`, each.name, each.scenario?.name ?? ''])} />
        <Group title={w.agents} rows={agents.data!.data.map((each) => [`/agents/${each.id}`, each.name, each.type])} />
        <Group title={w.runs} rows={runRows.map((run) => [`/runs/${run.id}`, `${run.scenario?.name ?? ''} · ${run.agent?.name ?? ''}`, ago(run.createdAt)])} />
        {(hits ?? []).map(({ run, ids }) => <Group key={run.id} title={`${w.inTranscripts}: ${run.scenario?.name ?? ''} ${ago(run.createdAt)}`} rows={ids.slice(0, 20).map((id) => [`/results/${id}`, shortId(id), ''])} />)}
      </div>
    </div>
  );
}
