import { after, before, test } from 'node:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, Browser, Parley, seed } from './support.mjs';

let server, browser, data, file, html;
before(async () => {
  server = await Parley.start();
  browser = await Browser.start(server);
  data = await seed(server, 3);
  html = await server.get(`/runs/${data.runs[0].id}/report?transcripts=all`);
  file = join(server.folder, 'report.html');
  writeFileSync(file, html);
});
after(async () => { await browser?.stop(); await server?.stop(); });

test('from a file and without the network: the same numbers, no request, no fault', async () => {
  const page = await browser.open({ offline: true }, false);
  const requests = [];
  page.on('request', (request) => { if (!request.url().startsWith('file:') && !request.url().startsWith('data:')) requests.push(request.url()); });
  const start = Date.now();
  await page.goto(`file://${file}`);
  await page.waitForSelector('[data-part=cell]');
  assert.ok(Date.now() - start < 5000);
  const { result } = await server.get(`/runs/${data.runs[0].id}`);
  assert.ok((await page.locator('[data-part=outcome]').innerText()).startsWith(`${result.passed} of ${result.passed + result.notPassed}`));
  await page.click('[data-part=cell][data-state=f]');
  await page.waitForSelector('[data-part=entry]');
  assert.equal(await page.locator('[data-part=assertion][data-state=failed]').count(), 1);
  await page.goBack();
  await page.waitForSelector('[data-part=cell]');
  assert.deepEqual(requests, []);
  assert.deepEqual(page.faults, []);
});

test('without script there is a plain table', async () => {
  const page = await browser.open({ javaScriptEnabled: false }, false);
  await page.goto(`file://${file}`);
  assert.ok(await page.locator('table').count() >= 1);
  assert.match(await page.locator('#report').innerText(), /Wants a refund/);
});

test('a report without transcripts says so', async () => {
  const small = await server.get(`/runs/${data.runs[0].id}/report?transcripts=none`);
  assert.ok(small.length < html.length);
  assert.ok(!small.includes('id="transcript-'));
});

test('a report offers no link that leads nowhere, no command of a file, and asks no server for a filter', async () => {
  const page = await browser.open({ offline: true }, false);
  await page.goto(`file://${file}`);
  await page.waitForSelector('[data-part=cell]');
  await page.getByRole('tab', { name: 'Settings' }).click();
  assert.doesNotMatch(await page.locator('.run-view').innerText(), /file:\/\//);
  await page.getByRole('tab', { name: 'List' }).click();
  await page.fill('#run-filter', 'text:refund');
  await page.waitForSelector('.run-view [data-part=problem]');
  await page.fill('#run-filter', '');
  await page.locator('[data-part=cell] a').first().click();
  await page.waitForSelector('[data-part=entry]');
  const dead = await page.locator('a[href^="#/"]').evaluateAll((all) => all.map((link) => link.getAttribute('href')).filter((href) => !/^#\/(runs|results)\//.test(href)));
  assert.deepEqual(dead, []);
  assert.deepEqual(page.faults, []);
});
