/** A run as one file: the same views, fed from the blocks of the document, with addresses in the fragment. No request is made. */
import '../css/main.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from './shared/api';
import { nameOfRun, whenFull } from './shared/format';
import { ErrorEdge } from './shared/edge';
import { ProblemView } from './shared/parts';
import { Link, navigate, usePlace } from './shared/router';
import { answerFrom } from './shared/store';
import './shared/print';
import { applyTheme } from './shared/theme';
import { Cells, FailureGroup, ResultHead, Run } from './shared/types';
import { w } from './shared/words';
import { ResultPage } from './result/result';
import { RunPage } from './run/run';

interface RunOf { run: Run; cells: Cells; failures: { groups: FailureGroup[] } }
interface Index extends RunOf { version: string; createdAt: string; others: RunOf[]; leftOut: string[] }
const index = JSON.parse(document.getElementById('report-index')?.textContent ?? 'null') as Index | null;

const runsOf = (data: Index): RunOf[] => [data, ...(data.others ?? [])];

const notInReport = (): Problem => new Problem(404, w.notInReport, w.notInReportSays);

async function unpack(id: string): Promise<ResultHead> {
  const block = document.getElementById(`transcript-${id}`);
  if (!block) throw notInReport();
  const bytes = Uint8Array.from(atob((block.textContent ?? '').trim()), (char) => char.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(plain).text()) as ResultHead;
}

function answers(data: Index): (path: string) => Promise<unknown> {
  return async (path) => {
    const result = /^\/test-results\/([^/?]+)\?output=head$/.exec(path);
    if (result) return unpack(result[1]);
    for (const each of runsOf(data)) {
      if (path === `/runs/${each.run.id}`) return each.run;
      if (path === `/runs/${each.run.id}/cells`) return each.cells;
      if (path === `/runs/${each.run.id}/failures`) return each.failures;
    }
    throw notInReport();
  };
}

function Report({ data }: { data: Index }): JSX.Element {
  const { path } = usePlace();
  const result = /^\/results\/([^/.]+)$/.exec(path);
  const id = /^\/runs\/([^/.]+)$/.exec(path)?.[1];
  const all = runsOf(data);
  const isHere = all.some((each) => each.run.id === id);
  const shown = all.find((each) => each.run.id === id || (result && each.cells.id.includes(result[1]))) ?? data;
  return (
    <div className="report">
      <header className="top"><nav className="crumbs" aria-label={w.breadcrumb}><ol><li><Link to={`/runs/${shown.run.id}`}><bdi>{nameOfRun(shown.run)}</bdi></Link></li>{result && <li><span aria-current="page">{w.transcript}</span></li>}</ol></nav>
        <span className="muted small">{w.reportMade(whenFull(data.createdAt), data.version)}</span></header>
      <main id="content">
        {data.leftOut?.length > 0 && !result && <p className="note" data-part="left-out">{w.leftOut(data.leftOut.length)}</p>}
        {all.length > 1 && !result && <nav className="run-links" aria-label={w.runs}>{all.map((each) => <Link key={each.run.id} className="button" to={`/runs/${each.run.id}`} data-part="run-link" data-id={each.run.id} aria-current={each === shown ? 'page' : undefined}><bdi>{nameOfRun(each.run)} · {each.run.agent?.name || w.unnamed}</bdi> <span className="number">{each.run.result.passed ?? 0}/{each.run.result.total ?? 0}</span></Link>)}</nav>}
        <ErrorEdge key={path}>{result ? <ResultPage id={result[1]} /> : isHere ? <RunPage id={shown.run.id} /> : <ProblemView problem={notInReport()} />}</ErrorEdge>
      </main>
    </div>
  );
}

if (index) {
  answerFrom(answers(index));
  applyTheme();
  if (!location.hash.startsWith('#/')) navigate(`/runs/${index.run.id}`, { replace: true });
  for (const id of ['report', 'report-plain']) document.getElementById(id)?.remove();
  const root = document.createElement('div');
  root.id = 'page';
  document.body.prepend(root);
  createRoot(root).render(<StrictMode><Report data={index} /></StrictMode>);
}
