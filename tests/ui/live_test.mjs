// What the page shows while things change or break: crashes, proxies, many tabs, ended sessions, wrong clocks.
import { after, before, test } from 'node:test';
import { createServer, request } from 'node:http';
import { assert, Browser, clean, finished, key, Parley, ready, seed, visit } from './support.mjs';

let server, browser, data;
before(async () => { server = await Parley.start(); browser = await Browser.start(server); data = await seed(server, 2); });
after(async () => { await browser?.stop(); await server?.stop(); });

const live = (page, mode, timeout = 30_000) => page.waitForSelector(`[data-part=live][data-state=${mode}]`, { timeout });
const letters = (page) => page.locator('[data-part=cell]').evaluateAll((all) => all.map((each) => each.dataset.state).sort().join(''));
const startsWith = (page, text, timeout = 40_000) => page.waitForFunction((start) => document.querySelector('[data-part=outcome]')?.textContent.startsWith(start), text, { timeout });

test('a run of 2,000: counts follow it, and equal the server’s at the end', async () => {
  const page = await browser.open();
  const made = await server.post('/runs/', { scenario: data.scenario.id, agent: data.agent.id, status: 'pending', repetitions: 500 });
  await visit(page, server, `/runs/${made.id}`);
  const done = await finished(server, made);
  assert.equal(done.result.total, 2000);
  await startsWith(page, `${done.result.passed.toLocaleString('en')} of `);
  const cells = await server.get(`/runs/${made.id}/cells`);
  const counts = {};
  for (const letter of cells.state) counts[letter] = (counts[letter] ?? 0) + 1;
  for (const [letter, number] of Object.entries(counts))
    await page.waitForFunction(([of, text]) => document.querySelector(`[data-part=legend][data-state="${of}"] .number`)?.textContent === text, [letter, number.toLocaleString('en')], { timeout: 20_000 });
  clean(page);
});

test('kill -9 under an open page: it says so, recovers by itself, and has the server’s numbers', async () => {
  const page = await browser.open();
  const client = await server.post('/agents/', { name: 'Driven from outside', type: 'EXTERNAL' });
  const scenario = await server.post('/scenarios/', { name: 'Driven from outside' });
  const tests = [];
  for (const { name, instruction, assertions } of [data.tests[1], data.tests[2]]) tests.push(await server.post('/tests/', { scenario: scenario.id, name, instruction, assertions }));
  const run = await server.post('/runs/', { scenario: scenario.id, agent: client.id, status: 'running' });
  const drive = async (at) => {
    const result = await server.post('/test-results/', { test: tests[at].id, run: run.id, agent: client.id });
    for (;;) {
      if ((await server.post(`/test-results/${result.id}/next-message`)).end_chat) break;
      await server.post(`/test-results/${result.id}/conversation`, { content: 'Hello, it has been refunded' });
    }
    await server.call('GET', `/test-results/${result.id}`, undefined, { Prefer: 'wait=20' });
  };
  await drive(0);
  await visit(page, server, `/runs/${run.id}`);
  await live(page, 'live');
  await page.waitForSelector('[data-part=cell][data-state=p]');
  await server.kill();
  await live(page, 'offline');
  assert.equal(await page.locator('[data-part=cell][data-state=p]').count(), 1, 'what was there stays');
  assert.ok(await page.getByRole('button', { name: 'Cancel', exact: true }).isDisabled(), 'nothing can be written while the server is away');
  await server.launch();
  await drive(1);
  await live(page, 'live', 60_000);
  await page.waitForSelector('[data-part=cell][data-state=q]', { timeout: 20_000 });
  const cells = await server.get(`/runs/${run.id}/cells`);
  assert.equal((await letters(page)).replace(/-/g, ''), [...cells.state].sort().join('').replace(/-/g, ''));
});

test('the comparison of two runs follows both', async () => {
  const client = await server.post('/agents/', { name: 'Drives two runs', type: 'EXTERNAL' });
  const scenario = await server.post('/scenarios/', { name: 'Two runs' });
  const { name, instruction, assertions } = data.tests[1];
  const test = await server.post('/tests/', { scenario: scenario.id, name, instruction, assertions });
  const runs = [];
  for (let at = 0; at < 2; ++at) runs.push(await server.post('/runs/', { scenario: scenario.id, agent: client.id, status: 'running' }));
  const drive = async (run) => {
    const result = await server.post('/test-results/', { test: test.id, run: run.id, agent: client.id });
    while (!(await server.post(`/test-results/${result.id}/next-message`)).end_chat) await server.post(`/test-results/${result.id}/conversation`, { content: 'It has been refunded' });
    await server.call('GET', `/test-results/${result.id}`, undefined, { Prefer: 'wait=20' });
  };
  for (const run of runs) await drive(run);
  const page = await browser.open();
  await visit(page, server, `/runs/${runs[0].id}...${runs[1].id}`);
  await live(page, 'live');
  const row = page.locator('[data-part=compare-row]');
  await row.getByText('1/1 → 1/1').waitFor();
  await drive(runs[1]);
  await row.getByText('1/1 → 2/2').waitFor({ timeout: 15_000 });
  await drive(runs[0]);
  await row.getByText('2/2 → 2/2').waitFor({ timeout: 15_000 });
  clean(page);
});

test('updates do not move the rows of the matrix under the pointer', async () => {
  const page = await browser.open();
  let worst = 1;
  const cells = await server.get(`/runs/${data.runs[0].id}/cells`);
  await page.route('**/cells', (route) => route.fulfill({ json: { ...cells, state: cells.row.map((row) => (row === worst ? 'f' : 'p')).join('') } }));
  await visit(page, server, `/runs/${data.runs[0].id}?sort=worst`);
  const tops = () => page.locator('[data-part=matrix-row]').evaluateAll((all) => all.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((each) => `${each.dataset.id} ${each.querySelector('[data-part=cell]').dataset.state}`));
  const id = (row) => cells.tests[row].test.id;
  assert.equal((await tops())[0], `${id(1)} f`);
  await page.locator('[data-part=cell]').first().hover();
  worst = 2;
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.waitForFunction((test) => document.querySelector(`[data-part=matrix-row][data-id="${test}"] [data-part=cell]`).dataset.state === 'f', id(2));
  assert.equal((await tops())[0], `${id(1)} p`, 'the row stays where it was');
  await page.locator('[data-part=outcome]').hover();
  await page.waitForFunction((test) => [...document.querySelectorAll('[data-part=matrix-row]')].every((row) => row.dataset.id === test || row.getBoundingClientRect().top > document.querySelector(`[data-part=matrix-row][data-id="${test}"]`).getBoundingClientRect().top), id(2));
  clean(page);
});

test('a proxy that buffers the stream: the page polls, and still follows', async () => {
  const held = [];
  const proxy = createServer((incoming, outgoing) => {
    const forward = request({ host: '127.0.0.1', port: server.port, path: incoming.url, method: incoming.method, headers: incoming.headers }, (answer) => {
      if (incoming.url.includes('/events')) { held.push(answer); answer.resume(); return; }
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forward);
    forward.on('error', () => outgoing.destroy());
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const through = { url: `http://127.0.0.1:${proxy.address().port}`, base: '' };
  try {
    const page = await browser.open({}, false);
    await page.goto(`${through.url}/ui/signin`);
    await page.fill('[data-part=sign-in] input', key);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/ui\/$/);
    await visit(page, through, '/runs');
    const before = await page.locator('[data-part=run-row]').count();
    await finished(server, await server.post('/runs/', { scenario: data.scenario.id, agent: data.agent.id, status: 'pending' }));
    await page.waitForSelector('.fresh', { timeout: 30_000 });
    await live(page, 'polling');
    await page.click('.fresh');
    assert.equal(await page.locator('[data-part=run-row]').count(), before + 1);
    await page.context().close();
  } finally {
    held.forEach((answer) => answer.destroy());
    proxy.closeAllConnections();
    proxy.close();
  }
});

test('nine tabs of one browser: each of them loads and shows the numbers', async () => {
  const first = await browser.open();
  const pages = [first];
  for (let tab = 1; tab < 9; ++tab) pages.push(await first.context().newPage());
  for (const page of pages) {
    await visit(page, server, `/runs/${data.runs[0].id}`);
    await page.waitForSelector('[data-part=cell]');
  }
  const { result } = await server.get(`/runs/${data.runs[0].id}`);
  for (const page of pages) await startsWith(page, `${result.passed} of `);
  await first.context().close();
});

test('more pages of one session than it may have streams: those without one poll, and open no other at once', async () => {
  const pages = [];
  for (let at = 0; at < 11; ++at) {
    pages.push(await browser.open());
    await visit(pages[at], server, `/runs/${data.runs[0].id}`);
  }
  let streams = 0, polls = 0;
  for (const page of pages) page.on('request', (request) => { request.url().includes('/events?') ? ++streams : ++polls; });
  await pages[0].waitForTimeout(6000);
  assert.ok(streams <= 3, `${streams} streams were opened within six seconds`);
  assert.ok(polls > 0, 'nothing polled');
  for (const page of pages) await page.context().close();
});

test('a session that ends over an open edit: the dialog asks again, and the input is kept', async () => {
  const page = await browser.open({}, false);
  await page.goto(`${server.url}/ui/tests/${data.tests[0].id}`);
  await page.fill('[data-part=sign-in] input', key);
  await page.keyboard.press('Enter');
  await ready(page);
  await page.locator('label:has-text("Name") input').first().fill('A name that must not be lost');
  const { user } = await server.get('/session');
  await server.call('DELETE', `/sessions?user=${user.id}`);
  await page.waitForSelector('dialog[open] [data-part=sign-in]', { timeout: 30_000 });
  await page.fill('dialog[open] [data-part=sign-in] input', key);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  assert.equal(await page.locator('label:has-text("Name") input').first().inputValue(), 'A name that must not be lost');
  browser.state = await page.context().storageState();
});

test('a client whose clock is a day off signs in and follows', async () => {
  for (const hours of [-24, 24]) {
    const page = await browser.open();
    await page.clock.install({ time: new Date(Date.now() + hours * 3_600_000) });
    await visit(page, server, `/runs/${data.runs[0].id}`);
    await page.clock.runFor(7_000);
    await live(page, 'live');
    assert.equal(await page.locator('[data-part=problem]').count(), 0);
    clean(page);
    await page.context().close();
  }
});
