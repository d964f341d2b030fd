// Work on the page from end to end: search, logs, settings, matrix in groups, charts, trends, compare and the dialogs.
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { assert, axe, Browser, clean, finished, Parley, ready, seed, visit } from './support.mjs';

let server, browser, data;
before(async () => {
  server = await Parley.start();
  browser = await Browser.start(server);
  data = await seed(server, 3);
  for (const [at, made] of data.tests.entries()) await server.call('PATCH', `/tests/${made.id}`, { fields: { area: at % 2 ? 'money' : 'orders' } });
});
after(async () => { await browser?.stop(); await server?.stop(); });

test('search finds names, and words of transcripts', async () => {
  const page = await browser.open();
  await visit(page, server, '/');
  await page.keyboard.press('/');
  await page.keyboard.type('refund');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/s\?q=refund/);
  await ready(page);
  await page.getByRole('link', { name: 'Wants a refund' }).first().click();
  await page.waitForURL(/\/tests\//);
  await visit(page, server, '/s/I%20want%20my%20money%20back');
  assert.ok(await page.locator('.lines a[href*="/results/"]').count() > 0, 'no transcript was found');
  await visit(page, server, '/s/zzzzunknown');
  await page.waitForSelector('[data-part=empty]');
  clean(page);
});

test('a log is read, and becomes a test', async () => {
  const log = await server.post('/external-conversation-logs/', { externalId: 'c-1', description: 'A late parcel', externalSource: 'zendesk', conversation: [{ role: 'user', content: 'Where is my parcel?' }, { role: 'assistant', content: 'On its way.' }] });
  const page = await browser.open();
  await visit(page, server, '/logs');
  await page.getByRole('link', { name: 'A late parcel' }).click();
  await page.waitForURL(new RegExp(log.id));
  await ready(page);
  assert.deepEqual(await page.locator('[data-part=entry]').evaluateAll((all) => all.map((each) => each.dataset.kind)), ['tester', 'chatbot']);
  await page.getByRole('button', { name: 'Create test' }).click();
  await page.waitForURL(/\/tests\//);
  await ready(page);
  const made = await server.get(`/tests/${page.url().split('/').pop()}`);
  assert.equal(made.sourceConversationLog?.id ?? made.sourceConversationLog, log.id);
  clean(page);
});

test('chosen logs are scored against a test; the verdict is stored only on request', async () => {
  const made = [];
  for (const [at, content] of ['Hello! Order 42 is on its way.', 'Your money has been refunded.', 'I do not know.'].entries())
    made.push(await server.post('/external-conversation-logs/', { externalId: `scored-${at}`, description: `Scored ${at}`, conversation: [{ role: 'user', content: 'Hello' }, { role: 'assistant', content }] }));
  const page = await browser.open();
  await visit(page, server, '/logs');
  assert.ok(await page.getByRole('button', { name: 'Score 0 logs' }).isDisabled());
  for (const at of [1, 2]) await page.getByLabel(`Select Scored ${at}`).check();
  await page.getByRole('button', { name: 'Score 2 logs' }).click();
  const dialog = page.locator('dialog[open]');
  const score = async () => {
    await dialog.getByLabel('Score with').selectOption({ label: 'Wants a refund' });
    const answers = [page.waitForResponse((answer) => answer.url().includes(`${made[1].id}/score`)), page.waitForResponse((answer) => answer.url().includes(`${made[2].id}/score`))];
    await dialog.getByRole('button', { name: 'Score 2 logs' }).click();
    await Promise.all(answers);
    await dialog.locator('[data-part=log-score]').first().waitFor();
    return dialog.locator('[data-part=log-score]').evaluateAll((all) => all.map((each) => [each.dataset.id, each.dataset.state]));
  };
  assert.deepEqual(await score(), [[made[1].id, 'passed'], [made[2].id, 'failed']]);
  assert.match(await dialog.locator('[role=status]').innerText(), /1 of 2 passed/);
  assert.equal((await server.get(`/external-conversation-logs/${made[1].id}`)).score, null);
  assert.deepEqual(await axe(page), []);
  await dialog.getByLabel('Save the verdict').check();
  await score();
  await page.keyboard.press('Escape');
  for (const [log, state] of [[made[1], 'passed'], [made[2], 'failed']]) {
    const stored = await server.get(`/external-conversation-logs/${log.id}`);
    const mark = page.locator(`tr[data-id="${log.id}"] [data-part=log-verdict][data-state=${state}]`);
    await mark.waitFor();
    assert.ok((await mark.innerText()).includes(`score ${stored.score}`));
  }
  clean(page);
});

test('a log is scored with assertions written on its page, and the evidence is in its words', async () => {
  const log = await server.post('/external-conversation-logs/', { externalId: 'scored-here', description: 'Scored here', conversation: [{ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'It rains in Bergen.' }] });
  const page = await browser.open();
  await visit(page, server, `/logs/${log.id}`);
  const form = page.locator('[data-part=score-form]');
  await form.getByLabel('Score with').selectOption('');
  assert.ok(await form.getByRole('button', { name: 'Score 1 log' }).isDisabled(), 'there is nothing to score with');
  await form.getByRole('button', { name: 'Add assertion' }).click();
  await form.getByLabel('What do you want to check?').fill('contains');
  await form.locator('.picker button', { has: page.locator('code', { hasText: /^contains$/ }) }).click();
  await form.getByRole('button', { name: 'Score 1 log' }).click();
  await form.locator('[data-part=problem][data-status="400"]').waitFor();
  await form.locator('label:has-text("value") input').first().fill('rains');
  await form.getByRole('button', { name: 'Score 1 log' }).click();
  await page.waitForSelector('[data-part=assertion][data-state=passed]');
  assert.equal(await page.locator('[data-part=entry][data-kind=chatbot] [data-part=evidence]').innerText(), 'rains');
  assert.equal(await form.locator('[data-part=problem]').count(), 0);
  clean(page);
});

test('settings: a key is shown once and can be revoked; theme and density stay', async () => {
  const page = await browser.open();
  await visit(page, server, '/settings');
  await page.getByPlaceholder('Key name').fill('for the test');
  await page.getByRole('button', { name: 'New key' }).click();
  const made = await page.locator('.note pre').innerText();
  assert.equal((await fetch(`${server.url}/runs/`, { headers: { Authorization: `Bearer ${made}` } })).status, 200);
  const { data: [first] } = await server.get('/api-keys/?limit=1');
  await page.route('**/api-keys/?*', (route) => route.fulfill({ json: { data: [{ ...first, name: 'old', expiresAt: '2020-01-01T00:00:00Z' }, { ...first, id: 'x', name: 'new', expiresAt: null }], total: 2, page: 1, limit: 200 } }));
  await page.reload();
  await page.locator('tr', { hasText: /^old/ }).waitFor();
  assert.deepEqual(await page.locator('tr', { hasText: /^(old|new)/ }).locator('td:nth-child(6)').allInnerTexts(), ['expired', 'never']);
  await page.getByRole('columnheader', { name: 'Expires' }).waitFor();
  await page.unroute('**/api-keys/?*');
  await page.reload();
  page.once('dialog', (dialog) => dialog.accept());
  await page.locator('tr', { hasText: 'for the test' }).getByRole('button', { name: 'Revoke' }).click();
  await page.waitForFunction(() => ![...document.querySelectorAll('tr')].some((row) => row.textContent.includes('for the test')));
  assert.equal((await fetch(`${server.url}/runs/`, { headers: { Authorization: `Bearer ${made}` } })).status, 401);
  await page.getByLabel('Dark', { exact: true }).check();
  await page.getByLabel('Compact').check();
  await page.reload();
  await ready(page);
  assert.deepEqual(await page.evaluate(() => [document.documentElement.dataset.theme, document.documentElement.dataset.density]), ['dark', 'compact']);
  clean(page);
});

test('the matrix groups rows by a field, sorts, and colours by change', async () => {
  const page = await browser.open();
  await visit(page, server, `/runs/${data.runs[1].id}`);
  await page.locator('.matrix-tools label', { has: page.getByText('Group', { exact: true }) }).locator('select').selectOption('field.area');
  await page.waitForSelector('[data-part=row-group]');
  assert.deepEqual(await page.locator('[data-part=row-group]').allInnerTexts(), ['money', 'orders']);
  assert.equal(await page.locator('[data-part=matrix-row]').count(), 4);
  await page.reload();
  await page.waitForSelector('[data-part=row-group]');
  await page.getByLabel('Color').selectOption('change');
  await page.waitForSelector('.cell.plain-cell');
  await page.getByLabel('Sort').selectOption('worst');
  clean(page);
});

test('matrix and list group rows by tag; a test with two tags is in both groups', async () => {
  const tags = [['orders', 'smoke'], ['money'], ['smoke'], []];
  for (const [at, made] of data.tests.entries()) await server.call('PATCH', `/tests/${made.id}`, { tags: tags[at] });
  const page = await browser.open();
  await visit(page, server, `/runs/${data.runs[1].id}`);
  await page.locator('.matrix-tools label', { has: page.getByText('Group', { exact: true }) }).locator('select').selectOption('tag');
  await page.waitForSelector('[data-part=row-group]');
  const names = ['money', 'orders', 'smoke', 'No value'];
  assert.deepEqual(await page.locator('[data-part=row-group]').allInnerTexts(), names);
  // From top to bottom, in reading order.
  const placed = await page.locator('[data-part=row-group], [data-part=matrix-row]').evaluateAll((all) => all.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((each) => each.dataset.id ?? each.innerText));
  const [order, refund, half, judge] = data.tests.map((each) => each.id);
  assert.deepEqual(placed, ['money', refund, 'orders', order, 'smoke', order, half, 'No value', judge]);
  assert.match(page.url(), /group=tag/);
  await page.getByRole('tab', { name: 'List' }).click();
  await page.waitForSelector('.list-box [data-part=row-group]');
  assert.deepEqual(await page.locator('[data-part=row-group]').allInnerTexts(), names);
  assert.equal(await page.locator('[data-part=cell]').count(), 15);
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await page.waitForURL(/\/results\//);
  await ready(page);
  assert.match(await page.locator('h1').innerText(), /Wants a refund/);
  clean(page);
});

test('charts and trends have the server’s numbers', async () => {
  const page = await browser.open();
  await visit(page, server, `/runs/${data.runs[1].id}?view=charts`);
  await page.waitForSelector('[data-part=turn-times] li[data-turn="0"]');
  const run = await server.get(`/runs/${data.runs[1].id}`);
  assert.match(await page.locator('[data-part=roles] li[data-id=agent]').innerText(), new RegExp(`${run.usage.agent.calls} calls`));
  await visit(page, server, `/trends?scenario=${data.scenario.id}`);
  const { runs } = await server.get(`/trends?scenario=${data.scenario.id}`);
  await page.locator('figure').first().getByRole('button', { name: 'Table' }).click();
  assert.equal(await page.locator('figure').first().locator('tbody tr').count(), runs.length);
  assert.match(await page.locator('figure').first().locator('tbody').innerText(), new RegExp(`${Math.round(runs[0].passRate * 100)} %`));
  clean(page);
});

test('trends mark the run that is the baseline, in each chart, in the words and in the table', async () => {
  const [first] = data.runs;
  await server.call('PATCH', `/scenarios/${data.scenario.id}`, { baselines: { [data.agent.id]: first.id } });
  const page = await browser.open();
  await visit(page, server, `/trends?scenario=${data.scenario.id}`);
  const plots = await page.locator('figure svg.plot[role=img]').count();
  assert.ok(plots >= 3);
  const marked = await page.locator('[data-part=baseline-mark]').evaluateAll((all) => all.map((each) => each.dataset.id));
  assert.deepEqual(marked, Array(plots).fill(first.id));
  const plot = page.locator('figure svg.plot[role=img]').first();
  // The mark is at the point of the run, the first of two.
  const [mark, dot] = [await plot.locator('[data-part=baseline-mark] line').getAttribute('x1'), await plot.locator('circle').first().getAttribute('cx')];
  assert.equal(mark, dot);
  assert.doesNotMatch(await plot.getAttribute('aria-label'), /baseline/);
  await plot.focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('figure svg.plot[role=img]').getAttribute('aria-label').includes('(baseline)'));
  await page.locator('figure').first().getByRole('button', { name: 'Table' }).click();
  assert.deepEqual(await page.locator('figure').first().locator('tbody tr').evaluateAll((all) => all.map((row) => row.cells[0].innerText.includes('baseline'))), [true, false]);
  clean(page);
});

test('dialogs: no axe finding in any, in both themes', async () => {
  const findings = [];
  for (const scheme of ['light', 'dark']) {
    const page = await browser.open({ colorScheme: scheme });
    const look = async (what) => { await page.waitForSelector('dialog[open]'); for (const each of await axe(page)) findings.push(`${what}, ${scheme}: ${each}`); await page.keyboard.press('Escape'); await page.waitForFunction(() => !document.querySelector('dialog[open]')); };
    await visit(page, server, `/scenarios/${data.scenario.id}`);
    await page.getByRole('button', { name: 'New run' }).click();
    await look('new run');
    await page.keyboard.press('?');
    await look('shortcuts');
    await visit(page, server, `/runs/${data.runs[1].id}`);
    for (const item of ['Gate summary', 'Preview rescoring', 'Delete']) {
      await page.locator('.run-head .menu > button').last().click();
      await page.getByRole('menuitem', { name: item }).click();
      await look(item);
    }
  }
  assert.deepEqual(findings, []);
});

test('states: empty, loading, gone and busy have no axe finding either', async () => {
  const findings = [];
  const page = await browser.open();
  const look = async (what) => { for (const each of await axe(page)) findings.push(`${what}: ${each}`); };
  for (const [path, what] of [['/runs?status=failed', 'empty'], ['/results/01900000-0000-7000-8000-000000000000', '404']]) { await visit(page, server, path); await look(what); }
  await page.route('**/events?*', (route) => route.abort());
  await page.route('**/runs/?*', () => undefined);
  await page.goto(`${server.url}/ui/runs`);
  await page.waitForSelector('.skeleton .bone');
  await look('loading');
  await page.unroute('**/runs/?*');
  await page.route('**/runs/?*', (route) => route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify({ title: 'Forbidden', status: 403, detail: 'the key has no read right' }) }));
  await page.goto(`${server.url}/ui/runs`);
  await page.waitForSelector('[data-part=problem][data-status="403"]');
  await look('403');
  await page.route('**/*', (route) => route.abort());
  await page.waitForSelector('[data-part=live][data-state=offline]', { timeout: 20_000 });
  await look('offline');
  assert.deepEqual(findings, []);
});

test('trends mark the runs before which tests were edited, in the words, the table and the CSV', async () => {
  const { agent, scenario } = data;
  const test = data.tests[2];
  await server.call('PATCH', `/tests/${test.id}`, { instruction: `${test.instruction}\nsay: bye again` });
  const third = await finished(server, await server.post('/runs/', { scenario: scenario.id, agent: agent.id, status: 'pending', repetitions: 2 }));
  const page = await browser.open();
  await visit(page, server, `/trends?scenario=${scenario.id}`);
  const { runs } = await server.get(`/trends?scenario=${scenario.id}`);
  assert.deepEqual(runs.map((run) => run.edited.map((each) => each.name)), [[], [], ['Half of it holds']]);
  const marks = page.locator('[data-part=edit-mark]');
  assert.deepEqual(await marks.evaluateAll((all) => all.map((each) => each.dataset.id)), [third.id], 'in the chart of pass rates alone');
  const figure = page.locator('figure').first(), plot = figure.locator('svg.plot[role=img]');
  assert.match(await plot.getAttribute('aria-label'), /Edited: Half of it holds$/);
  assert.match(await figure.locator('[aria-live]').innerText(), /Edited: Half of it holds$/);
  const [mark, dot] = [await marks.first().boundingBox(), await plot.locator('circle').last().boundingBox()];
  assert.ok(Math.abs(mark.x + mark.width / 2 - dot.x - dot.width / 2) < 1, 'the mark is where the point of the run is');
  await plot.focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => !document.querySelector('figure svg.plot[role=img]').getAttribute('aria-label').includes('Edited'));
  const download = page.waitForEvent('download');
  await figure.getByRole('button', { name: 'CSV' }).click();
  const csv = readFileSync(await (await download).path(), 'utf8').trim().split(/\r?\n/);
  assert.match(csv[0], /Edited tests/);
  assert.deepEqual(csv.slice(1).map((line) => line.includes('Half of it holds')), [false, false, true]);
  await figure.getByRole('button', { name: 'Table' }).click();
  assert.deepEqual(await figure.locator('tbody tr').evaluateAll((all) => all.map((row) => row.cells[3].innerText)), ['', '', 'Half of it holds']);
  clean(page);
});

test('a log is replayed against an agent and compared with the replay, which links to the comparison too', async () => {
  const log = await server.post('/external-conversation-logs/', { externalId: 'replayed', description: 'Replayed <b>', conversation: [{ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Hello! I am a demo.' }, { role: 'user', content: 'Where is order 42?' }, { role: 'assistant', content: 'No idea.' }] });
  await server.post(`/external-conversation-logs/${log.id}/score`, { assertions: [{ id: 'asks', name: 'has no idea', type: 'contains', severity: 'BLOCKER', config: { value: 'No idea' } }], save: true });
  const page = await browser.open();
  await visit(page, server, `/logs/${log.id}`);
  const form = page.locator('[data-part=replay-form]');
  assert.deepEqual(await axe(page), []);
  await form.getByLabel('Agent').selectOption({ label: 'Demo shop (DEMO)' });
  await form.getByRole('button', { name: 'Replay and compare' }).press('Enter');
  await page.waitForURL(new RegExp(`/results/${log.id}\\.\\.\\.`));
  await ready(page);
  const replay = page.url().split('...')[1];
  const diff = await server.get(`/test-results/${log.id}/compare/${replay}`);
  assert.equal((await server.get(`/test-results/${replay}`)).sourceConversationLog.id, log.id);
  assert.ok(diff.turns.length >= 2);
  const sides = page.locator('.compare-results h2');
  assert.match(await sides.first().innerText(), /Replayed <b>/);
  assert.match(await sides.last().innerText(), /Demo shop/);
  assert.equal(await page.locator('[data-part=diverging-turn]').getAttribute('data-turn'), String(diff.structural?.turn ?? diff.wording));
  assert.match(await page.locator('.compare-results').innerText(), /No idea\./);
  assert.match(await page.locator('.chip').filter({ hasText: 'has no idea' }).innerText(), /has no idea/);
  assert.deepEqual(await axe(page), []);
  await sides.first().getByRole('link').click();
  await page.waitForURL(new RegExp(`/logs/${log.id}$`));
  await visit(page, server, `/results/${replay}`);
  await page.getByRole('link', { name: 'Compare with the log' }).click();
  await page.waitForURL(new RegExp(`/results/${log.id}\\.\\.\\.${replay}$`));
  await ready(page);
  clean(page);
});

test('a log that an agent is not allowed to replay says so, and a broken agent leads to its fault', async () => {
  const broken = await server.post('/agents/', { name: 'Broken', type: 'HTTP', config: { url: 'http://127.0.0.1:9/', retries: 0 } });
  const conversation = [{ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Hi' }];
  const external = await server.post('/agents/', { name: 'Outside', type: 'EXTERNAL' });
  const closed = await server.post('/external-conversation-logs/', { externalId: 'closed', agents: [external.id], conversation });
  const open = await server.post('/external-conversation-logs/', { externalId: 'only-broken', agents: [broken.id], conversation });
  const page = await browser.open();
  await visit(page, server, `/logs/${closed.id}`);
  await page.getByText('No allowed agent can replay this log.').waitFor();
  await visit(page, server, `/logs/${open.id}`);
  const choices = page.locator('[data-part=replay-form] option');
  await choices.first().waitFor({ state: 'attached' });
  assert.deepEqual(await choices.allInnerTexts(), ['Broken (HTTP)']);
  await page.getByRole('button', { name: 'Replay and compare' }).click();
  await page.waitForURL(/\/results\/[0-9a-f-]+$/);
  await ready(page);
  await page.getByText('The agent', { exact: false }).first().waitFor();
  assert.match(await page.locator('main').innerText(), /connect|blocked_address/);
  clean(page);
});
