// The page and the server agree on faults, canceled runs, costs and filters.
import { after, before, test } from 'node:test';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { assert, Browser, clean, finished, key, Parley, ready, root, startBot, visit } from './support.mjs';

let server, browser, bot, data;
let mayAnswer = Promise.resolve();
/** Answers with a price; fails at the word "crash". */
const answer = async ({ message }) => mayAnswer.then(() => (message === 'crash' ? undefined : { message: `You said: ${message}`, tools: [{ name: 'look_up', metadata: { arguments: { shop: 'north', word: message } } }], metadata: { cost: 0.002 } }));
before(async () => {
  server = await Parley.start();
  browser = await Browser.start(server);
  bot = await startBot(answer);
  const agent = await server.post('/agents/', { name: 'A priced bot', type: 'HTTP', config: { url: bot.url } });
  const scenario = await server.post('/scenarios/', { name: 'A shop with a rather long name that never fits into a cell of a table' });
  const make = (name, instruction, assertions, tags = []) => server.post('/tests/', { scenario: scenario.id, name, instruction, assertions, tags });
  const tests = [
    await make('Passes', 'say: Hello\nsay: again', [{ name: 'repeats', type: 'contains', severity: 'BLOCKER', config: { value: 'Hello' } }], ['smoke']),
    await make('Fails', 'say: Hello', [{ name: 'says tomorrow', type: 'contains', severity: 'BLOCKER', config: { value: 'tomorrow' } }]),
    await make('Breaks', 'say: Hello\nsay: crash', [{ name: 'repeats', type: 'contains', severity: 'BLOCKER', config: { value: 'Hello' } }]),
    await make('Is undecided', 'say: Hello', [{ name: 'is kind', type: 'criteria', severity: 'BLOCKER', criteria: 'The chatbot is kind.' }]),
  ];
  const launch = (repetitions) => server.post('/runs/', { scenario: scenario.id, agent: agent.id, status: 'pending', repetitions });
  const runs = [await finished(server, await launch(80)), await finished(server, await launch(2))];
  // No result of the canceled run ends before it is canceled.
  let release;
  mayAnswer = new Promise((resolve) => { release = resolve; });
  const canceled = await launch(50);
  await server.post(`/runs/${canceled.id}/cancel`);
  release();
  const first = (await server.get(`/runs/${runs[1].id}/test-results?limit=50`)).data.find((each) => each.test.name === 'Passes');
  await server.post('/labels/', { result: first.id, verdict: 'unsure' });
  data = { agent, scenario, tests, runs, canceled, first };
});
after(async () => { await browser?.stop(); await server?.stop(); bot?.stop(); });

test('the cost of a run is the sum of its usage, on every page', async () => {
  const page = await browser.open();
  const { usage } = await server.get(`/runs/${data.runs[0].id}`);
  const cost = `$${usage.agent.cost.toLocaleString('en', { maximumSignificantDigits: usage.agent.cost < 1 ? 2 : 4 })}`;
  await visit(page, server, '/runs');
  assert.match(await page.locator(`[data-part=run-row][data-id="${data.runs[0].id}"]`).innerText(), new RegExp(`\\${cost}(\\s|$)`));
  await visit(page, server, `/runs/${data.runs[0].id}?view=charts`);
  assert.match(await page.getByRole('heading', { name: 'This run cost' }).innerText(), new RegExp(`\\${cost}$`));
  clean(page);
});

test('a role that was never called has no bar', async () => {
  const page = await browser.open();
  await visit(page, server, `/runs/${data.runs[0].id}?view=charts`);
  await page.waitForSelector('[data-part=roles] li[data-id=judge]');
  assert.equal(await page.locator('[data-part=roles] li[data-id=judge] .piece').evaluate((piece) => piece.getBoundingClientRect().width), 0);
});

test('the table of runs fits into wide views, and shows the pass rate in each', async () => {
  const page = await browser.open();
  for (const width of [390, 820, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await visit(page, server, '/runs');
    const [own, shown] = await page.locator('.table-wrap').evaluate((box) => [box.scrollWidth, box.clientWidth]);
    if (width >= 820) assert.ok(own <= shown, `${own} px of table in ${shown} px at ${width}`);
    const right = await page.getByRole('columnheader', { name: 'Pass rate' }).evaluate((cell) => cell.getBoundingClientRect().right);
    assert.ok(right <= width, `the pass rate ends at ${right} of ${width}`);
  }
});

test('list and matrix filter by what only the server knows, also negated, and by more than one page of hits', async () => {
  const page = await browser.open();
  const shows = async (run, filter, expected) => {
    for (const view of ['list', 'matrix']) {
      await visit(page, server, `/runs/${run.id}?view=${view}&fold=off&filter=${encodeURIComponent(filter)}`);
      await page.waitForFunction(([count, isList]) => (isList ? document.querySelector('.run-view').innerText.includes(`${count} result`) : document.querySelectorAll('[data-part=cell]:not(.dim)').length === count), [expected, view === 'list'], { timeout: 5000 })
        .catch(() => assert.fail(`${filter} in ${view} does not show ${expected}`));
    }
  };
  const [, run] = data.runs;
  await shows(run, 'assertion:"says tomorrow"', 2);
  await shows(run, '-assertion:"says tomorrow"', 6);
  await shows(run, 'reason:tomorrow', 2);
  await shows(run, 'text:crash', 2);
  await shows(run, '-text:crash', 6);
  await shows(run, 'end:agent_error', 2);
  await shows(run, 'source:agent code:bad_status', 2);
  await shows(run, 'label:unsure', 1);
  await shows(run, 'tag:smoke', 2);
  await shows(run, 'agent:nobody', 0);
  await visit(page, server, `/runs/${data.runs[0].id}?view=list&filter=text%3AHello`);
  await page.waitForFunction(() => document.querySelector('.run-view').innerText.includes('320 results'));
  clean(page);
});

test('a filter that the server refuses says so, and hides nothing', async () => {
  const page = await browser.open();
  await page.route('**/grep', (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify({ title: 'Busy', status: 503, detail: 'too many searches' }) }));
  await visit(page, server, `/runs/${data.runs[1].id}?view=list&filter=text%3AHello`);
  await page.waitForSelector('[data-part=problem][data-status="503"]');
  assert.match(await page.locator('[data-part=problem]').innerText(), /too many searches/);
  assert.equal(await page.locator('[data-part=cell]').count(), 8);
});

test('the heading of a result has a score only where one was decided; other runs are cells of the server', async () => {
  const page = await browser.open();
  for (const { id, test: { name } } of (await server.get(`/runs/${data.runs[1].id}/test-results?limit=50`)).data) {
    await visit(page, server, `/results/${id}`);
    const says = await page.locator('[data-part=outcome]').innerText();
    assert.equal(/score/.test(says), name === 'Passes' || name === 'Fails', `${name}: ${says}`);
    const expected = { Passes: 'p', Fails: 'f', Breaks: 'a', 'Is undecided': 'u' }[name];
    // The other repetitions show a number; the results of other runs do not.
    const ofOtherRuns = '.siblings [data-state]:not([data-repetition])';
    await page.waitForSelector(ofOtherRuns);
    assert.deepEqual(await page.locator(ofOtherRuns).evaluateAll((all) => all.map((each) => each.dataset.state)), [expected]);
  }
  clean(page);
});

test('a canceled run says what became of its results, and does not hide the run before', async () => {
  const page = await browser.open();
  await visit(page, server, `/runs/${data.canceled.id}`);
  const { result } = await server.get(`/runs/${data.canceled.id}`);
  assert.match(await page.locator('[data-part=outcome]').innerText(), new RegExp(`${result.canceled} canceled`));
  await visit(page, server, '/');
  assert.match(await page.locator('.thirds').innerText(), /✗ 2\s+⚠ 2/);
  await visit(page, server, '/agents');
  assert.match(await page.locator(`[data-part=agent-row][data-id="${data.agent.id}"]`).innerText(), /50 %/);
});

test('search names the tests of its hits', async () => {
  const page = await browser.open();
  await visit(page, server, '/s/crash');
  assert.match(await page.locator('.halves').innerText(), /In transcripts of A shop[\s\S]*Breaks[\s\S]*Turn 1/);
  await page.setViewportSize({ width: 390, height: 900 });
  await visit(page, server, '/s/shop');
  for (const link of await page.locator('.lines li > a').all()) assert.ok((await link.boundingBox()).width > 80, `${await link.innerText()} is cut off`);
  await visit(page, server, '/s/100%');
  await page.waitForSelector('[data-part=empty]');
  clean(page);
});

test('Escape leads back to the view of the run that a result was opened from', async () => {
  const page = await browser.open();
  const query = 'view=list&filter=state%3Af&by=test';
  await visit(page, server, `/runs/${data.runs[1].id}?${query}`);
  await page.locator('[data-part=cell] a').first().click();
  await page.waitForSelector('[data-part=entry]');
  await ready(page);
  await page.keyboard.press('Escape');
  await page.waitForURL(new RegExp(`/runs/${data.runs[1].id}\\?`));
  assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), Object.fromEntries(new URLSearchParams(query)));
});

test('two runs: passed of decided on each side', async () => {
  const page = await browser.open();
  await visit(page, server, `/runs/${data.runs[0].id}...${data.runs[1].id}`);
  const row = page.locator(`[data-part=compare-row][data-id="${data.tests[1].id}"]`);
  assert.match(await row.innerText(), /0\/80 → 0\/2/);
  const of = async (name) => (await server.get(`/runs/${data.runs[1].id}/test-results?limit=50`)).data.find((each) => each.test.name === name).id;
  const [a, b] = [await of('Passes'), await of('Breaks')];
  await visit(page, server, `/results/${a}...${b}`);
  assert.match(await page.locator('h1[data-part=outcome]').innerText(), /Diverges at turn 1: the tester said "again", now "crash"/);
  clean(page);
});

test('“play more” repeats both runs as they were, and compares the runs that it made', async () => {
  const [a, b] = [await server.post('/runs/', { scenario: data.scenario.id, agent: data.agent.id, status: 'new', seed: 7, name: 'Before' }), await server.post('/runs/', { scenario: data.scenario.id, agent: data.agent.id, status: 'new', seed: 8 })];
  const page = await browser.open();
  const path = `/runs/${a.id}/compare/${b.id}`, personality = { id: '01900000-0000-7000-8000-000000000001', name: 'Impatient' };
  await page.route(`**${path}`, async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, tests: [{ test: { id: data.tests[0].id, name: 'Passes' }, personality, change: 'undecided', pairs: 1, open: 0, trialsBefore: 1, trialsAfter: 1, passedBefore: 1, passedAfter: 0, better: 0, worse: 1, p: 1, adjustedP: 1, furtherRepetitions: 4 }] } });
  });
  const bodies = [], made = data.runs.map((run) => run.id);
  await page.route('**/runs/', (route) => { bodies.push(route.request().postDataJSON()); return route.fulfill({ status: 201, json: { id: made[bodies.length - 1] } }); });
  await visit(page, server, `/runs/${a.id}...${b.id}`);
  await page.getByRole('button', { name: /more times on both agents/ }).click();
  await page.waitForURL(new RegExp(`/runs/${made[0]}\\.\\.\\.${made[1]}\\?looks=2`));
  const testConfigs = [{ test: data.tests[0].id, personality: personality.id, repetitions: 4 }];
  assert.deepEqual(bodies.map(({ seed, name, testConfigs }) => ({ seed, name, testConfigs })), [{ seed: 7, name: 'Before', testConfigs }, { seed: 8, name: undefined, testConfigs }]);
});

test('two texts without a common word are one piece that is gone and one that is new', async () => {
  const agent = await server.post('/agents/', { name: 'A client', type: 'EXTERNAL' });
  const ids = [];
  for (const content of ['Your order was sent on Tuesday.', 'I am sorry, nobody knows it.']) {
    const { id } = await server.post('/test-results/', { agent: agent.id, testInstruction: 'say: Hello' });
    await server.post(`/test-results/${id}/next-message`);
    await server.post(`/test-results/${id}/conversation`, { content });
    ids.push(id);
  }
  const page = await browser.open();
  await visit(page, server, `/results/${ids[0]}...${ids[1]}?split=0`);
  assert.deepEqual(await page.locator('.turn-pair del, .turn-pair ins').allInnerTexts(), ['Your order was sent on Tuesday', 'I am sorry, nobody knows it']);
  clean(page);
});

test('trends begin with the scenario of the newest run, and say the last numbers that there are', async () => {
  await server.post('/scenarios/', { name: 'Nothing was run here' });
  const page = await browser.open();
  await visit(page, server, '/trends');
  assert.match(await page.locator('select').first().evaluate((select) => select.selectedOptions[0].textContent), /A shop/);
  assert.match(await page.locator('figure').first().innerText(), /Pass rate 50 %/);
  clean(page);
});

test('a log is read at every width', async () => {
  const log = await server.post('/external-conversation-logs/', { externalId: 'narrow', conversation: [{ role: 'user', content: 'Where is my parcel?' }] });
  const page = await browser.open();
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await visit(page, server, `/logs/${log.id}`);
    assert.ok(await page.locator('[data-part=entry]').first().evaluate((entry) => entry.getBoundingClientRect().width) > 250, `too narrow at ${width}`);
  }
});

test('the commands that empty pages offer are accepted by the server', async () => {
  const page = await browser.open();
  await page.route('**/scenarios/?*', (route) => route.fulfill({ contentType: 'application/json', body: JSON.stringify({ data: [], total: 0, page: 1, limit: 200 }) }));
  await visit(page, server, '/scenarios');
  const command = await page.locator('[data-part=empty] pre').innerText();
  assert.equal(execFileSync('sh', ['-c', `${command} -s -o /dev/null -w '%{http_code}'`], { env: { ...process.env, PARLEY_KEY: key } }).toString(), '201');
});

test('a run is repeated with its selection of tests, and the gate’s command names this server', async () => {
  const made = await finished(server, await server.post('/runs/', { scenario: data.scenario.id, agent: data.agent.id, status: 'pending', testConfigs: [{ test: data.tests[0].id, repetitions: 3 }] }));
  const page = await browser.open();
  await visit(page, server, `/runs/${made.id}?view=settings`);
  const command = await page.locator('.copy-line pre').first().innerText();
  const { id } = JSON.parse(execFileSync('sh', ['-c', `${command} -s`], { env: { ...process.env, PARLEY_KEY: key } }).toString());
  assert.equal((await finished(server, { id })).result.total, 3);
  await page.locator('.run-head .menu > button').last().click();
  await page.getByRole('menuitem', { name: 'Gate summary' }).click();
  const gate = (await page.locator('dialog pre').innerText()).replace(/^parley /, '');
  const { status, stderr } = spawnSync('sh', ['-c', `${process.env.PARLEY_BINARY ?? join(root, 'build/release/parley')} ${gate}`], { env: { ...process.env, PARLEY_KEY: key } });
  assert.equal(status, 0, String(stderr));
});

test('rescoring covers every result of a run, not a page of them', async () => {
  const [run] = data.runs;
  const test = data.tests[3];
  await server.call('PATCH', `/tests/${test.id}`, { assertions: [{ ...test.assertions[0], type: 'contains', criteria: '', config: { value: 'said' } }] });
  const page = await browser.open();
  await visit(page, server, `/runs/${run.id}`);
  await page.locator('.run-head .menu > button').last().click();
  await page.getByRole('menuitem', { name: 'Preview rescoring' }).click();
  await page.waitForSelector('dialog[open] .lines');
  assert.match(await page.locator('dialog').innerText(), /80 of 240 results would change/);
  await page.getByRole('button', { name: 'Save new verdicts' }).click();
  await page.getByRole('button', { name: 'Saved' }).waitFor();
  assert.equal((await server.get(`/runs/${run.id}`)).result.undecided, 0);
  clean(page);
});
