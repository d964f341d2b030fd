/** Every sentence of the page, in one table: whole sentences with slots, never concatenated from parts. */
import { pageWords } from './words_pages';

type Words = Record<string, unknown>;
const plural = (n: number, one: string, many: string): string => `${n.toLocaleString(navigator.language)} ${n === 1 ? one : many}`;

const frameWords = {
  overview: 'Overview', runs: 'Runs', scenarios: 'Scenarios', agents: 'Agents', chat: 'Chat', review: 'Review', trends: 'Trends', logs: 'Logs', settings: 'Settings',
  skip: 'Skip to content', mainNavigation: 'Main navigation', breadcrumb: 'Breadcrumb', menu: 'Menu', me: 'Signed in', close: 'Close', loading: 'Loading',
  search: 'Search', searchHint: 'Names and transcripts', shortcuts: 'Keyboard shortcuts', command: 'Command',
  live: 'live', polling: 'polling', held: 'paused', holdUpdates: 'Pause or resume live updates (p)', offlineSince: (at: string) => `offline since ${at}`,
  offlineBanner: (at: string) => `The server is unreachable. Data is from ${at}. Changes are disabled until it is back.`,
  unreachable: 'The server is unreachable.', goneOrNever: 'Not found. It may have been deleted.', retry: 'Try again', retryIn: (s: number) => `Try again in ${s} s`, requestId: 'Request ID',
  copy: 'Copy', copied: 'Copied', notCopied: 'Not copied', copyLink: 'Copy link', copyCurl: 'Copy as curl', copyMarkdown: 'Copy as Markdown', copyJson: 'Copy JSON',
  signIn: 'Sign in', signOut: 'Sign out', signingIn: 'Signing in…', apiKey: 'API key', keyIsIn: 'The server’s first key is in',
  wrongKey: 'This key is not valid. It may be mistyped, revoked or expired, or its user is disabled.',
  codeUsed: 'This link was already used or has expired. A link works once, within 60 seconds. Sign in with a key or get a new link.',
  sessionEnded: 'Your session has ended. Sign in to continue. Your input is kept.',
  rights: { read: 'viewer', write: 'member', admin: 'admin' } as Record<string, string>,
  needsWrite: 'Needs write access', needsAdmin: 'Needs admin access', isOffline: 'The server is unreachable',
  pageFailed: 'This view failed because of a bug in the page. Your data is safe.', newVersion: 'A new version of this page is available.', reload: 'Reload', loadsWhenBack: 'This page is not loaded yet. It opens as soon as the server is back.', notFoundPage: 'Page not found', home: 'Go to overview', cancel: 'Cancel', save: 'Save',
  remove: 'Remove', add: 'Add', next: 'Next', previous: 'Previous', unnamed: 'unnamed', older: 'Older', newer: 'Newest',
  shown: (shown: number, total: number) => `${shown.toLocaleString()} of ${total.toLocaleString()} shown`,
  states: {
    p: 'passed', q: 'passed, but not every assertion held', f: 'failed', u: 'undecided', a: 'agent fault', t: 'tester fault', j: 'judge fault',
    i: 'infrastructure fault', c: 'client fault', e: 'test fault', v: 'invalid trial', r: 'running', w: 'waiting', h: 'waits for a person or for finish', k: 'canceled', '-': 'expected, not made',
  } as Record<string, string>,
  statuses: { new: 'new', pending: 'pending', running: 'running', completed: 'completed', failed: 'failed', canceled: 'canceled' } as Record<string, string>,
  sources: { agent: 'agent', tester: 'tester', judge: 'judge', infrastructure: 'infrastructure', client: 'client', test: 'test' } as Record<string, string>,
  shortcutRows: [
    ['?', 'Show this list'], ['/', 'Search'], ['g then r s a t v', 'Go to runs, scenarios, agents, trends, review'], ['j k', 'Next, previous row'], ['← → ↑ ↓', 'Move in the matrix'],
    ['Enter o', 'Open'], ['] [', 'Next, previous result in the list'], ['x c', 'Select a run, compare two runs'], ['} {', 'Next, previous turn'],
    ['e E', 'Next, previous evidence'], ['n', 'Next difference'], ['f', 'Find in the transcript, or filter'], ['m t v', 'Show or hide metadata, tools, events'],
    ['1 2 3 4', 'In review: holds, does not hold, unsure, invalid trial'], ['p', 'Pause or resume live updates'], ['s', 'Compare side by side or unified'], ['Esc', 'Close, clear, or go back'],
  ] as [string, string][],
  endReasons: {
    tester_ended: 'the tester had nothing more to say', goal_reached: 'the goal was reached', max_turns: 'the turn limit was reached', agent_ended: 'the agent ended the conversation',
    action_error: 'an action was invoked with invalid arguments', agent_error: 'the agent failed', tester_error: 'the tester failed', infrastructure_error: 'parley or its infrastructure failed',
    client_error: 'the client reported a failure', conversation_full: 'the conversation reached its size limit', canceled: 'it was canceled', timeout: 'it timed out',
  } as Record<string, string>,
  cures: {
    bad_status: 'Check the status and body that the agent sent. Redirects are not followed.', not_json: 'The agent must answer with a single JSON object.',
    provider_error: 'The provider reported the error above.', wrong_shape: 'The JSON has the wrong structure. The message above says where.',
    too_large: 'Shorten the answer, its metadata or its lists.', invalid_config: 'Fix the agent’s settings.', invalid_secret: 'Set the agent’s secret again.',
    connect: 'Check that the agent is running, that host and port are right, and that no firewall blocks them.', tls: 'The certificate is not trusted or is for another host. Check the certificate and the URL.',
    bad_url: 'Fix the agent’s URL or headers.', blocked_address: 'This server blocks private addresses. Allow them, or only this network, with --allow-private-agents.',
    timeout: 'The agent took too long. Raise timeoutMs or make the agent faster.', slow: 'The answer arrived too slowly. Check the agent and its network.', broken: 'The answer is not valid HTTP or ended early. Check the agent’s log.',
  } as Record<string, string>,
  results: (n: number) => plural(n, 'result', 'results'), turns: (n: number) => plural(n, 'turn', 'turns'),
};

/** `?lang=qps` makes every text longer and marks it, so that truncated texts and texts outside the table show. */
const accents: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', A: 'Á', E: 'É', O: 'Ó', n: 'ñ', s: 'š', c: 'ç' };
function stretch(text: string): string {
  const marked = text.replace(/[aeiouAEOnsc]/g, (letter) => accents[letter] ?? letter);
  return text.length < 2 ? text : `[${marked}${'~'.repeat(Math.ceil(text.length * 0.4))}]`;
}
function pseudo(value: unknown): unknown {
  if (typeof value === 'string') return stretch(value);
  if (typeof value === 'function') return (...given: unknown[]) => pseudo((value as (...all: unknown[]) => unknown)(...given));
  if (Array.isArray(value)) return value.map((each, at) => (Array.isArray(value) && value.length === 2 && at === 0 ? each : pseudo(each)));
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value as Words).map(([key, each]) => [key, pseudo(each)]));
  return value;
}
const table = { ...frameWords, ...pageWords };
export const w: typeof table = /[?&]lang=qps\b/.test(location.search + location.hash) ? pseudo(table) as typeof table : table;
export { plural };
