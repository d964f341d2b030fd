import { after, before, test } from 'node:test';
import { assert, Browser, clean, overflow, Parley, ready, seed, visit } from './support.mjs';

let server, browser, data;
before(async () => {
  server = await Parley.start();
  browser = await Browser.start(server);
});
after(async () => { await browser?.stop(); await server?.stop(); });

test('the overview leads from nothing to a played demo with a failure', async () => {
  const page = await browser.open();
  await visit(page, server, '/');
  await page.waitForSelector('[data-part=empty]');
  await page.click('text=Play the demo');
  await page.waitForURL(/\/ui\/runs\//);
  await page.waitForSelector('[data-part=cell][data-state=f]', { timeout: 20_000 });
  await page.click('.brand');
  await page.waitForSelector('[data-part=run-card]');
  clean(page);
  data = await seed(server);
});

test('texts that are 40 % longer do not overflow', async () => {
  const page = await browser.open({ viewport: { width: 360, height: 800 } });
  for (const path of ['/', '/runs', `/runs/${data.runs[1].id}`, '/agents', '/settings']) {
    await visit(page, server, `${path}?lang=qps`);
    assert.equal(await overflow(page), 0, path);
  }
});

test('runs: filters are chips, and Back restores them', async () => {
  const page = await browser.open();
  await visit(page, server, '/runs');
  const all = await page.locator('[data-part=run-row]').count();
  await page.getByLabel('Scenario').selectOption(data.scenario.id);
  await page.waitForFunction((n) => document.querySelectorAll('[data-part=run-row]').length < n, all);
  assert.equal(await page.locator('[data-part=run-row]').count(), 2);
  await page.goBack();
  await page.waitForFunction((n) => document.querySelectorAll('[data-part=run-row]').length === n, all);
  await page.keyboard.press('j'); await page.keyboard.press('x'); await page.keyboard.press('j'); await page.keyboard.press('x'); await page.keyboard.press('c');
  await page.waitForURL(/\.\.\./);
  await ready(page);
  assert.match(await page.locator('[data-part=outcome]').innerText(), /regressed/);
});

test('shortcuts can be switched off', async () => {
  const page = await browser.open();
  await visit(page, server, '/settings');
  await page.getByLabel('Single-letter shortcuts').uncheck();
  await visit(page, server, '/runs');
  await page.keyboard.press('?');
  assert.equal(await page.locator('dialog[open]').count(), 0);
});

test('answers that fail are shown with what to do', async () => {
  const page = await browser.open();
  await page.route('**/runs/?*', (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', headers: { 'Retry-After': '9' }, body: JSON.stringify({ title: 'Busy', status: 503, detail: 'try later' }) }));
  await page.goto(`${server.url}/ui/runs`);
  const problem = page.locator('[data-part=problem]');
  await problem.waitFor();
  assert.equal(await problem.getAttribute('data-status'), '503');
  assert.match(await problem.innerText(), /Try again in \d s/);
  await page.unroute('**/runs/?*');
  await page.goto(`${server.url}/ui/results/01900000-0000-7000-8000-000000000000`);
  await page.waitForSelector('[data-part=problem][data-status="404"]');
});

test('a server that is gone is said, with the time of the data', async () => {
  const page = await browser.open();
  await page.route('**/events?*', (route) => route.abort());
  await visit(page, server, '/runs');
  await page.route('**/*', (route) => route.abort());
  await page.waitForSelector('[data-part=live][data-state=offline]', { timeout: 20_000 });
  assert.ok(await page.locator('[data-part=run-row]').count() > 0, 'what was there stays');
});
