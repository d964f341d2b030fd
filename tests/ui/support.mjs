// A server, a browser and data for the tests of the page. The data have fixed contents and are created through the API.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const key = 'parley_uitest00_' + 'u'.repeat(43);
/** The tests use Chromium's headless shell: the same engine without the desktop, which opens a context in half the time. */
const desktop = '/usr/bin/chromium', headlessShell = '/usr/bin/chromium-headless-shell';
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const axeSource = readFileSync(join(root, 'tests/ui/node_modules/axe-core/axe.min.js'), 'utf8');

/** A port below those that the kernel gives to outgoing connections (32768 and above), so that none of them takes it during a restart. */
async function freePort() {
  const port = randomInt(20000, 32768);
  const isFree = await new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
  return isFree ? port : freePort();
}

export class Parley {
  static async start(...options) {
    const made = new Parley();
    made.folder = mkdtempSync(join(tmpdir(), 'parley-ui-'));
    made.options = options;
    await made.launch();
    return made;
  }
  async launch() {
    // The port stays the same: an open page must find the server again after a restart.
    const port = this.port ??= await freePort();
    this.url = `http://127.0.0.1:${port}`;
    this.base = this.options.includes('--base-path') ? this.options[this.options.indexOf('--base-path') + 1] : '';
    this.process = spawn(process.env.PARLEY_BINARY ?? join(root, 'build/release/parley'), ['serve', '--data', join(this.folder, 'data'), '--listen', `127.0.0.1:${port}`, ...(process.env.PARLEY_UI_DIR ? ['--ui-dir', process.env.PARLEY_UI_DIR] : []), ...this.options],
      { env: { ...process.env, PARLEY_BOOTSTRAP_KEY: key }, stdio: ['ignore', 'pipe', 'pipe'] });
    this.log = '';
    for (const stream of [this.process.stdout, this.process.stderr]) stream.on('data', (data) => { this.log += data; });
    for (let tries = 0; tries < 400; ++tries) {
      if (this.process.exitCode !== null) throw new Error(`the server ended:\n${this.log}`);
      try { if ((await fetch(`${this.url}${this.base}/readyz`)).ok) return; } catch { /* not yet */ }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`the server is not ready:\n${this.log}`);
  }
  async call(method, path, body, headers = {}) {
    const response = await fetch(this.url + this.base + path, { method, headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers }, body: body === undefined ? undefined : JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    try { return JSON.parse(text); } catch { return text; }
  }
  /** kill -9: the server writes nothing more and closes no connection properly. */
  async kill() {
    this.process.kill('SIGKILL');
    if (this.process.exitCode === null && this.process.signalCode === null) await new Promise((resolve) => this.process.once('exit', resolve));
  }
  /** A key of a new user with this role. */
  async keyOf(role, scopes) {
    const user = await this.post('/users/', { name: `A ${role}`, role });
    return (await this.post('/api-keys/', { name: role, user: user.id, scopes })).key;
  }
  get(path) { return this.call('GET', path); }
  post(path, body, headers) { return this.call('POST', path, body ?? {}, headers); }
  async stop() {
    this.process.kill('SIGTERM');
    // The timer must not keep the test alive after the server has ended.
    await new Promise((resolve) => { this.process.on('exit', resolve); if (this.process.exitCode !== null) resolve(); setTimeout(resolve, 12_000).unref(); });
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A browser with signed-in pages, which collects every fault that a page reports. */
export class Browser {
  static async start(server, { withKey = key, isDesktop = !existsSync(headlessShell) } = {}) {
    const made = new Browser();
    made.server = server;
    made.browser = await chromium.launch({ executablePath: isDesktop ? desktop : headlessShell, args: flags });
    made.name = `${isDesktop ? 'chromium' : 'chromium-headless-shell'} ${made.browser.version().split('.')[0]}`;
    const page = await made.open({}, false);
    await page.goto(`${server.url}${server.base}/ui/signin`);
    await page.fill('[data-part=sign-in] input', withKey);
    await page.click('[data-part=sign-in] button[type=submit]');
    await page.waitForURL(/\/ui\/$/);
    made.state = await page.context().storageState();
    await page.context().close();
    return made;
  }
  async open(options = {}, isSignedIn = true) {
    const context = await this.browser.newContext({ viewport: { width: 1440, height: 900 }, ...(isSignedIn ? { storageState: this.state } : {}), ...options });
    const page = await context.newPage();
    page.faults = [];
    page.foreign = [];
    page.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !/status of (4|5)\d\d/.test(message.text())) page.faults.push(message.text()); });
    page.on('pageerror', (error) => page.faults.push(error.message));
    page.on('request', (request) => { if (this.server && !request.url().startsWith(this.server.url) && !/^(data|blob|file):/.test(request.url())) page.foreign.push(request.url()); });
    return page;
  }
  stop() { return this.browser.close(); }
}

/** A chatbot that is called over HTTP. `answer` gets the body of a request and returns the body of the reply, or undefined for status 500. */
export async function startBot(answer) {
  const bot = createHttpServer((request, response) => {
    let body = '';
    request.on('data', (part) => { body += part; });
    request.on('end', async () => {
      const reply = await answer(JSON.parse(body));
      if (reply === undefined) { response.statusCode = 500; response.end('broken'); return; }
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(reply));
    });
  });
  await new Promise((resolve) => bot.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${bot.address().port}/`, stop() { bot.closeAllConnections(); bot.close(); } };
}

export async function visit(page, server, path) {
  await page.goto(`${server.url}${server.base}/ui${path}`);
  await ready(page);
}
export const ready = (page) => page.waitForFunction(() => document.documentElement.dataset.ready === 'true', null, { timeout: 15_000 });

export async function axe(page) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }));
  return found.violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} ${node.any[0]?.message ?? node.failureSummary ?? ''}`));
}
/** Whether the content is wider than the view. */
export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

export function clean(page) {
  assert.deepEqual(page.faults, [], 'the console of the page has errors');
  assert.deepEqual(page.foreign, [], 'the page made a request to another server');
}

const tests = [
  ['Asks for an order', 'say: Hello\nsay: Where is order 42?\nsay: bye', [{ id: 'lookup', name: 'looks the order up', type: 'tool-called', severity: 'BLOCKER', config: { name: 'lookup_order' } }, { id: 'hello', name: 'says hello', type: 'icontains', severity: 'MINOR', config: { value: 'hello' } }]],
  ['Wants a refund', 'say: Hello\nsay: I want my money back.\nsay: bye', [{ id: 'refund', name: 'gives the money back', type: 'contains', severity: 'BLOCKER', config: { value: 'has been refunded' } }]],
  ['Half of it holds', 'say: Hello\nsay: bye', [{ name: 'says something', type: 'min-length', severity: 'BLOCKER', config: { value: 1 } }, { name: 'says the weather', type: 'contains', severity: 'MAJOR', config: { value: 'It rains in Bergen' } }]],
  ['Needs a judge', 'say: Hello\nsay: bye', [{ name: 'is friendly', type: 'criteria', severity: 'BLOCKER', criteria: 'The chatbot is friendly.' }]],
];

/** Two runs of the demo agent, completed. */
export async function seed(server, repetitions = 3) {
  const agent = await server.post('/agents/', { name: 'Demo shop', type: 'DEMO' });
  const scenario = await server.post('/scenarios/', { name: 'Shop tests', description: 'Made by the tests.', agents: [agent.id] });
  const made = [];
  for (const [name, instruction, assertions] of tests) made.push(await server.post('/tests/', { scenario: scenario.id, name, instruction, assertions }));
  const runs = [];
  for (let at = 0; at < 2; ++at) runs.push(await finished(server, await server.post('/runs/', { scenario: scenario.id, agent: agent.id, status: 'pending', repetitions })));
  return { agent, scenario, tests: made, runs };
}
export async function finished(server, run) {
  for (let tries = 0; tries < 60; ++tries) {
    const now = await server.call('GET', `/runs/${run.id}`, undefined, { Prefer: 'wait=2' });
    if (['completed', 'failed', 'canceled'].includes(now.status)) return now;
  }
  throw new Error(`run ${run.id} does not end`);
}
export { assert };
