/** Every sentence that the page shows, in one table: whole sentences with slots, never glued from parts. */
import { pageWords } from './words_pages';

type Words = Record<string, unknown>;
const plural = (n: number, one: string, many: string): string => `${n.toLocaleString(navigator.language)} ${n === 1 ? one : many}`;

const frameWords = {
  overview: 'Overview', runs: 'Runs', scenarios: 'Scenarios', agents: 'Agents', chat: 'Chat', review: 'Review', trends: 'Trends', logs: 'Logs', settings: 'Settings',
  skip: 'Skip to the content', mainNavigation: 'Main navigation', breadcrumb: 'Breadcrumb', menu: 'Menu', me: 'Signed in', close: 'Close', loading: 'Loading',
  search: 'Search', searchHint: 'Names and transcripts', shortcuts: 'Keyboard shortcuts', command: 'Command',
  live: 'live', polling: 'polling', held: 'paused', holdUpdates: 'Pause or resume live updates (p)', offlineSince: (at: string) => `offline since ${at}`,
  offlineBanner: (at: string) => `The server cannot be reached. What you see is from ${at}; changes are disabled until it answers.`,
  unreachable: 'The server cannot be reached.', goneOrNever: 'This no longer exists, or never did.', retry: 'Try again', retryIn: (s: number) => `Try again in ${s} s`, requestId: 'Request',
  copy: 'Copy', copied: 'Copied', copyLink: 'Copy link', copyCurl: 'Copy as curl', copyMarkdown: 'Copy as Markdown', copyJson: 'Copy JSON',
  signIn: 'Sign in', signOut: 'Sign out', signingIn: 'Signing in …', apiKey: 'API key', keyIsIn: 'The key of the first start is in',
  wrongKey: 'This key is not valid: it is unknown, revoked or expired, or its user is disabled.',
  codeUsed: 'This link has been used or has expired: a code works once, within 60 seconds. Sign in with a key, or request a new link.',
  sessionEnded: 'Your session has ended. Sign in to continue; what you typed is kept.',
  rights: { read: 'viewer', write: 'member', admin: 'admin' } as Record<string, string>,
  needsWrite: 'needs the write right', needsAdmin: 'needs the admin right', isOffline: 'the server cannot be reached',
  pageFailed: 'This view failed. It is a defect of the page; the data are safe.', newVersion: 'The server has a new version of this page.', reload: 'Reload', notFoundPage: 'This page does not exist.', home: 'Go to the overview', cancel: 'Cancel', save: 'Save',
  remove: 'Remove', add: 'Add', next: 'Next', previous: 'Previous', more: 'More', all: 'All', yes: 'yes', no: 'no', unnamed: 'unnamed', older: 'Older', newer: 'Newest',
  shown: (shown: number, total: number) => `${shown.toLocaleString()} of ${total.toLocaleString()} shown`,
  states: {
    p: 'passed', q: 'passed, but not every assertion held', f: 'failed', u: 'undecided', a: 'agent fault', t: 'tester fault', j: 'judge fault',
    i: 'infrastructure fault', c: 'client fault', e: 'test fault', v: 'invalid trial', r: 'running', w: 'waiting', h: 'waits for a person or for finish', k: 'canceled', '-': 'expected, not made',
  } as Record<string, string>,
  statuses: { new: 'new', pending: 'pending', running: 'running', completed: 'completed', failed: 'failed', canceled: 'canceled' } as Record<string, string>,
  sources: { agent: 'agent', tester: 'tester', judge: 'judge', infrastructure: 'infrastructure', client: 'client', test: 'test' } as Record<string, string>,
  shortcutRows: [
    ['?', 'this table'], ['/', 'search'], ['g then r s a t v', 'runs, scenarios, agents, trends, review'], ['j k', 'next, previous row'], ['← → ↑ ↓', 'move in the matrix'],
    ['Enter o', 'open'], ['] [', 'next, previous result of the list it was opened from'], ['x c', 'select a run, compare two'], ['} {', 'next, previous turn'],
    ['e E', 'next, previous evidence'], ['n', 'next difference'], ['f', 'find in the transcript, or filter'], ['m t v', 'metadata, tools, events'],
    ['1 2 3 4', 'label: holds, does not hold, unsure, invalid trial (review only)'], ['p', 'hold live updates'], ['s', 'split or unified comparison'], ['Esc', 'close, clear, back to the list'],
  ] as [string, string][],
  endReasons: {
    tester_ended: 'the tester had nothing more to say', goal_reached: 'the goal was reached', max_turns: 'the limit of turns was reached', agent_ended: 'the agent ended the conversation',
    action_error: 'an action was invoked with wrong arguments', agent_error: 'the agent failed', tester_error: 'the tester failed', infrastructure_error: 'parley or its infrastructure failed',
    client_error: 'the client reported a failure', conversation_full: 'the conversation reached its size limit', canceled: 'it was canceled', timeout: 'it took too long',
  } as Record<string, string>,
  cures: {
    bad_status: 'Check the status and the body that the agent sent; redirects are not followed.', not_json: 'The agent must answer with one JSON object.',
    provider_error: 'The provider reported a failure; its words are in the detail.', wrong_shape: 'The JSON has the wrong form; the detail names the place.',
    too_large: 'Shorten the answer, its metadata or its lists.', invalid_config: 'Correct the settings of the agent.', invalid_secret: 'Set the secret of the agent again.',
    connect: 'Nothing listens at this address, or a firewall blocks it: start the agent and check host and port.', tls: 'The certificate is not valid for this host.',
    bad_url: 'The host name does not resolve.', blocked_address: 'Private addresses are blocked on this server: start it with --allow-private-agents, or name the network.',
    timeout: 'The agent took too long: raise timeoutMs, or make the agent faster.', slow: 'The answer came too slowly.', broken: 'The answer is not valid HTTP, or ended early.',
  } as Record<string, string>,
  results: (n: number) => plural(n, 'result', 'results'), turns: (n: number) => plural(n, 'turn', 'turns'),
};

/** `?lang=qps` makes every text longer and marks it, so that cut texts and forgotten ones show. */
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
