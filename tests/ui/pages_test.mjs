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
  for (const path of ['/', '/runs', `/runs/${data.runs[1].id}`, '/agents', '/agents/new', '/settings', '/review', '/chat', `/tests/${data.tests[0].id}`]) {
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

test('a name of a run is shown wherever the run is, and found', async () => {
  const page = await browser.open();
  const run = await server.post('/runs/', { scenario: data.scenario.id, agent: data.agent.id, status: 'new', name: 'Nightly 17' });
  for (const path of ['/', '/runs', `/runs/${run.id}`, `/runs/${run.id}?view=settings`, `/runs/${data.runs[1].id}...${run.id}`, '/s/nightly']) {
    await visit(page, server, path);
    await page.locator('main').getByText('Nightly 17').first().waitFor({ timeout: 5000 }).catch(() => assert.fail(`${path} does not name the run`));
  }
  await visit(page, server, `/runs/${run.id}?view=settings`);
  assert.match(await page.title(), /Nightly 17/);
  assert.match(await page.locator('.crumbs').innerText(), /Shop tests[^]*Nightly 17/);
  assert.match(await page.locator('.copy-line pre').first().innerText(), /"name":"Nightly 17"/);
  const menu = page.locator('.run-head .menu > button').last();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Archive', exact: true }).click();
  await page.locator('.run-head .badge', { hasText: 'archived' }).waitFor();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Unarchive' }).click();
  await page.locator('.run-head .badge', { hasText: 'archived' }).waitFor({ state: 'detached' });
  clean(page);
});

test('search: any text, also dots, and lists that are not complete say so', async () => {
  const page = await browser.open();
  await visit(page, server, '/');
  for (const text of ['..', '.', 'order 1.5', '100%']) {
    await page.fill('.search input', text);
    await page.press('.search input', 'Enter');
    await page.getByRole('heading', { name: `Search: ${text}` }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: `Search: ${text}` }).waitFor();
    assert.equal(await page.inputValue('.search input'), text);
  }
  for (let at = 0; at < 25; ++at) await server.post('/scenarios/', { name: `Partial ${at}` });
  await visit(page, server, '/s?q=Partial');
  assert.equal(await page.locator('[data-part=partial]').innerText(), '20 of 25 shown');
  await page.route('**/runs/?limit=200', async (route) => {
    const answer = await (await route.fetch()).json();
    const [run] = answer.data;
    await route.fulfill({ json: { ...answer, total: 900, data: Array.from({ length: 30 }, (_, at) => ({ ...run, id: `${run.id}${at}`, scenario: { ...run.scenario, id: `s${at}` } })) } });
  });
  await visit(page, server, '/');
  assert.equal(await page.locator('[data-part=partial]').innerText(), '24 of 30 shown · from the latest 30 of 900 runs');
  assert.equal(await page.locator('[data-part=run-card]').count(), 24);
});

test('a new test without any scenario leads to a new scenario', async () => {
  const page = await browser.open();
  await page.route('**/scenarios/?*', (route) => route.fulfill({ json: { data: [], total: 0, page: 1, limit: 200 } }));
  await visit(page, server, '/tests/new');
  await page.locator('[data-part=empty]').getByRole('link', { name: 'New scenario' }).click();
  await page.waitForURL(/\/scenarios$/);
});

test('with forced colors, what is selected looks different; the legend is named at every width', async () => {
  const page = await browser.open({ viewport: { width: 700, height: 900 }, forcedColors: 'active' });
  await visit(page, server, `/runs/${data.runs[1].id}?state=f`);
  await page.getByRole('button', { name: /\d passed$/ }).waitFor();
  const ground = (selector) => page.locator(selector).first().evaluate((each) => getComputedStyle(each).backgroundColor);
  assert.notEqual(await ground('[role=tab][aria-selected=true]'), await ground('[role=tab][aria-selected=false]'));
  assert.notEqual(await ground('[data-part=legend][aria-pressed=true]'), await ground('[data-part=legend][aria-pressed=false]'));
  assert.notEqual(await ground('.rail a[aria-current]'), await ground('.rail li a:not([aria-current])'));
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
  await page.locator('.banner').waitFor();
  assert.equal(await page.locator('[data-part=problem]').count(), 0, 'the banner says it, and nothing else');
  await page.locator('.rail').getByRole('link', { name: 'Trends' }).click();
  const problem = page.locator('[data-part=problem]');
  await problem.waitFor();
  assert.match(await problem.innerText(), /The server is unreachable/);
  await page.unroute('**/*');
  await page.waitForFunction(() => document.title.startsWith('Trends'), null, { timeout: 20_000 });
  await ready(page);
  assert.equal(await problem.count(), 0);
});
