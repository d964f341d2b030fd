// What each role sees and may do, and reviews of results by people.
import { after, before, test } from 'node:test';
import { assert, Browser, clean, Parley, ready, seed, visit } from './support.mjs';

let server, data, viewer, admin;
before(async () => {
  server = await Parley.start();
  data = await seed(server, 2);
  viewer = await Browser.start(server, { withKey: await server.keyOf('viewer', ['read']) });
  admin = await Browser.start(server);
});
after(async () => { await viewer?.stop(); await admin?.stop(); await server?.stop(); });

/** Buttons and fields that write, by page. */
const writes = (data) => [
  [`/runs/${data.runs[0].id}`, []], [`/runs/${data.runs[0].id}?view=failures`, ['Note']], ['/scenarios', ['New scenario']], [`/scenarios/${data.scenario.id}`, ['New run']], [`/tests/${data.tests[0].id}`, ['Save', 'Add assertion', 'Try on the last  results']],
  [`/agents/${data.agent.id}`, ['Edit', 'Disable', 'Check now']], ['/agents/new?type=DEMO', ['Check now']], ['/chat', ['Start chat']], ['/settings', ['New key']], ['/review', ['Holds', 'Does not hold', 'Unsure', 'Invalid trial']],
];

test('a viewer has no control that writes: each is absent or disabled', async () => {
  const page = await viewer.open();
  const open = [];
  for (const [path, names] of writes(data)) {
    await visit(page, server, path);
    await page.waitForTimeout(100);
    const enabled = await page.locator('#content button:not([disabled])').evaluateAll((all) => all.map((each) => each.innerText.replace(/[^a-zA-Z ]/g, '').trim()));
    open.push(...names.filter((name) => enabled.includes(name.replace(/\d/g, '').trim())).map((name) => `${path}: ${name}`));
    if (path.startsWith('/scenarios/') && await page.locator('#content td input[type=checkbox]:not([disabled])').count()) open.push(`${path}: a switch`);
  }
  assert.deepEqual(open, []);
  await visit(page, server, `/runs/${data.runs[0].id}`);
  for (const label of ['Rerun ▾', '⋯']) {
    await page.locator('.run-head .menu > button').filter({ hasText: label }).click();
    for (const item of await page.locator('[role=menuitem]:not([aria-disabled=true])').allInnerTexts()) assert.doesNotMatch(item, /Rerun|baseline|Archive|Delete|rescor|claims/i);
    await page.keyboard.press('Escape');
  }
  await visit(page, server, '/settings');
  assert.equal(await page.getByPlaceholder('User name').count(), 0);
  clean(page);
});

test('calls that a viewer forces are refused', async () => {
  const page = await viewer.open();
  await visit(page, server, '/');
  for (const [method, path] of [['POST', '/scenarios/'], ['PATCH', `/tests/${data.tests[0].id}`], ['POST', '/labels/'], ['PUT', `/runs/${data.runs[0].id}/failures/0000000000000000/note`], ['DELETE', `/runs/${data.runs[0].id}`], ['POST', `/runs/${data.runs[0].id}/cancel`]]) {
    const status = await page.evaluate(async ([way, to]) => (await fetch(to, { method: way, credentials: 'same-origin', headers: { 'Content-Type': 'application/json', 'X-Parley-Page': localStorage.getItem('parley.page') }, body: way === 'DELETE' ? undefined : '{"name": "x"}' })).status, [method, path]);
    assert.equal(status, 403, `${method} ${path}`);
  }
});

test('review by keys: blind, label, note, undo, next; the verdict does not change', async () => {
  const page = await admin.open();
  const before = await server.get(`/runs/${data.runs[0].id}`);
  await visit(page, server, '/review');
  const item = page.locator('[data-part=review-item]');
  assert.equal(await item.getAttribute('data-state'), 'open');
  assert.equal(await page.locator('[data-part=verdict]').count(), 0, 'the verdict is hidden');
  assert.equal(await page.locator('[data-part=evidence]').count(), 0, 'and so is its evidence');
  await page.keyboard.press('1');
  await page.waitForSelector('[data-part=review-item][data-state=labelled]');
  await page.waitForSelector('[data-part=verdict]');
  let labels = await server.get('/labels/');
  assert.deepEqual([labels.total, labels.data[0].verdict, labels.data[0].result], [1, 'passed', await item.getAttribute('data-id')]);
  await page.keyboard.press('n');
  await page.keyboard.type('because of this');
  await page.keyboard.press('Escape');
  await page.waitForFunction(async () => (await (await fetch('/labels/', { headers: { 'X-Parley-Page': localStorage.getItem('parley.page') } })).json()).data[0]?.note === 'because of this');
  await page.keyboard.press('u');
  await page.waitForSelector('[data-part=review-item][data-state=open]');
  await page.keyboard.press('2');
  await page.waitForSelector('[data-part=label][data-state=failed][aria-pressed=true]');
  labels = await server.get('/labels/');
  assert.equal(labels.data[0].verdict, 'failed');
  const shown = await page.locator('[data-part=progress]').innerText();
  await page.keyboard.press('Enter');
  await page.waitForFunction((old) => document.querySelector('[data-part=progress]').innerText !== old, shown);
  assert.deepEqual((await server.get(`/runs/${data.runs[0].id}`)).result, before.result);
  await visit(page, server, `/results/${labels.data[0].result}`);
  await page.waitForSelector('[data-part=label][data-state=failed]');
  await visit(page, server, '/review?queue=mine');
  await page.waitForSelector('[data-part=review-item][data-state=labelled]');
  clean(page);
});

test('agreement is the table of the server', async () => {
  const page = await admin.open();
  await visit(page, server, '/review?view=agreement');
  await page.waitForSelector('[data-part=empty]');
  const criteria = [{ test: { id: data.tests[3].id, name: 'Needs a judge' }, assertion: { id: 'c', name: 'is friendly', criteria: null }, judge: 'some-model', n: 20, agreed: 18, baseRate: 0.5, kappa: 0.8, interval: { low: 0.53, high: 1 } }];
  await page.route('**/agreement/', (route) => route.fulfill({ contentType: 'application/json', body: JSON.stringify({ criteria }) }));
  await page.reload();
  await ready(page);
  assert.match(await page.locator('[data-part=agreement-row]').innerText(), /is friendly[\s\S]*some-model[\s\S]*20[\s\S]*90 %[\s\S]*50 %[\s\S]*0\.8/);
});
