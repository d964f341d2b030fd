/** The page program: theme, session, routes. Larger pages are chunks of their own. */
import '../css/main.css';
import { ComponentType, lazy, StrictMode, Suspense, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Overview } from './overview/overview';
import { askFirst } from './result/entry_pages';
import { Runs } from './runs/runs';
import { hasPageHalf } from './shared/api';
import { Frame, useCrumbs } from './shared/frame';
import { ErrorEdge } from './shared/edge';
import { Empty, RightsKnown, Skeleton, useReady, useTitle } from './shared/parts';
import './shared/print';
import { decoded, herePlace, Link, navigate, onMove, usePlace } from './shared/router';
import { keepRestoring, Lapsed, useSigned } from './shared/session';
import { ask } from './shared/store';
import { applyTheme } from './shared/theme';
import { w } from './shared/words';
import { SignIn } from './signin/signin';

type PageProps = { id: string; other: string };
const loaders = new Map<unknown, () => Promise<unknown>>();
const page = (load: () => Promise<Record<string, unknown>>, name: string) => {
  const made = lazy(async () => ({ default: (await load())[name] as ComponentType<PageProps> }));
  loaders.set(made, load);
  return made;
};
/** Address, page, and the first request of pages with large answers, which is sent before the chunk arrives and the page is drawn. */
const pages: [RegExp, ComponentType<PageProps>, ((id: string, other: string) => void)?][] = [
  [/^\/$/, Overview as ComponentType<PageProps>],
  [/^\/runs$/, Runs as ComponentType<PageProps>],
  [/^\/runs\/([^/.]+)$/, page(() => import('./run/run'), 'RunPage'), (id) => ['', '/cells', '/failures'].forEach((part) => ask(`/runs/${id}${part}`))],
  [/^\/results\/([^/.]+)$/, page(() => import('./result/result'), 'ResultPage'), (id) => { ask(`/test-results/${id}?output=head`); askFirst(id); }],
  [/^\/review$/, page(() => import('./review/review'), 'Review')],
  [/^\/trends$/, page(() => import('./trends/trends'), 'Trends')],
  [/^\/logs$/, page(() => import('./settings/logs'), 'Logs')],
  [/^\/logs\/([^/]+)$/, page(() => import('./settings/logs'), 'LogPage')],
  [/^\/agents$/, page(() => import('./agents/agents'), 'Agents')],
  [/^\/agents\/new$/, page(() => import('./agents/wizard'), 'Wizard')],
  [/^\/agents\/([^/]+)$/, page(() => import('./agents/agents'), 'AgentPage')],
  [/^\/chat(?:\/([^/]+))?$/, page(() => import('./chat/chat'), 'Chat')],
  [/^\/scenarios$/, page(() => import('./edit/scenarios'), 'Scenarios')],
  [/^\/scenarios\/([^/]+)$/, page(() => import('./edit/scenarios'), 'ScenarioPage')],
  [/^\/tests\/([^/]+)$/, page(() => import('./edit/test'), 'TestPage')],
  [/^\/runs\/([^/.]+)\.\.\.([^/.]+)$/, page(() => import('./compare/runs'), 'CompareRuns'), (a, b) => [a, b, `${a}/compare/${b}`, `${a}/cells`, `${b}/cells`].forEach((part) => ask(`/runs/${part}`))],
  [/^\/results\/([^/.]+)\.\.\.([^/.]+)$/, page(() => import('./compare/results'), 'CompareResults')],
  [/^\/s(?:\/.*)?$/, page(() => import('./overview/search'), 'Search')],
  [/^\/settings$/, page(() => import('./settings/settings'), 'Settings')],
];

function Missing(): JSX.Element {
  useTitle(w.notFoundPage);
  useCrumbs([{ name: w.notFoundPage }]);
  useReady(true);
  return <Empty says={w.notFoundPage}><Link className="button" to="/">{w.home}</Link></Empty>;
}

function Routed(): JSX.Element {
  const { path } = usePlace();
  const clean = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  for (const [pattern, Page] of pages) {
    const found = pattern.exec(clean);
    if (found) return <ErrorEdge key={clean}><Suspense fallback={<Skeleton />}><Page id={decoded(found[1] ?? '')} other={decoded(found[2] ?? '')} /></Suspense></ErrorEdge>;
  }
  return <Missing />;
}

function App(): JSX.Element {
  const { state } = useSigned();
  const place = usePlace();
  const isSignIn = place.path === '/signin';
  useEffect(() => {
    if (state !== 'out' || isSignIn) return;
    const search = place.query.toString();
    const back = place.path + (search ? `?${search}` : '') + (place.hash ? `#${place.hash}` : '');
    navigate(back === '/' ? '/signin' : `/signin?back=${encodeURIComponent(back)}`, { replace: true });
  }, [state, isSignIn]);
  if (isSignIn) return <SignIn />;
  if (state === 'out') return <main className="sign-in-page"><Skeleton rows={3} /></main>;
  // The page fetches its data while the session is looked up. If the session has ended, these requests are refused.
  return <RightsKnown.Provider value={state !== 'unknown'}><Lapsed><Frame><Routed /></Frame></Lapsed></RightsKnown.Provider>;
}

keepRestoring();
/** Fetches the chunk of a page and its data before the page is drawn. A failure shows when it is drawn. */
let lastPath = '';
function fetchAhead(): void {
  const { path } = herePlace();
  if (path === lastPath) return;
  lastPath = path;
  const next = pages.find(([pattern]) => pattern.test(path));
  if (!next) return;
  const [pattern, Page, asks] = next, [, id = '', other = ''] = pattern.exec(path)!;
  loaders.get(Page)?.().catch(() => undefined);
  if (asks && hasPageHalf()) asks(decoded(id), decoded(other));
}
fetchAhead();
onMove(fetchAhead);
/** Most visits open runs and results next, so their chunks are fetched once the first page is drawn. */
setTimeout(() => { for (const next of ['/runs/x', '/results/x']) loaders.get(pages.find(([pattern]) => pattern.test(next))?.[1])?.().catch(() => undefined); }, 2000);
applyTheme();
createRoot(document.getElementById('page')!).render(<StrictMode><App /></StrictMode>);
