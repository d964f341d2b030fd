// The page claims no more than it knows: marks, headlines and comparisons; failures are shown; links and reloads keep the view.
import { after, before, test } from 'node:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, Browser, clean, finished, overflow, Parley, ready, seed, startBot, visit } from './support.mjs';

const longName = 'Returns, refunds, exchanges and complaints about deliveries to islands and other remote addresses';
const assertions = [{ id: 'first', name: 'says hello', type: 'icontains', severity: 'BLOCKER', config: { value: 'hello' } }, { id: 'second', name: 'names the price', type: 'contains', severity: 'MAJOR', config: { value: '4.50' } }, { id: 'third', name: 'says goodbye', type: 'contains', severity: 'MINOR', config: { value: 'goodbye' } }];

let server, browser, bot, data, canceled, undecided, priced;
before(async () => {
  server = await Parley.start();
  browser = await Browser.start(server);
  data = await seed(server, 3);
  bot = await startBot(({ message }) => (message === 'crash' ? undefined : { message: `Hello! You said ${message}. It costs 4.50.` }));
  const agent = await server.post('/agents/', { name: `${longName}: the agent`, type: 'HTTP', config: { url: bot.url } });
  const scenario = await server.post('/scenarios/', { name: longName });
  const made = async (name, instruction, own) => server.post('/tests/', { scenario: scenario.id, name, instruction, assertions: own });
  const good = await made(`${longName}: the test`, 'say: Hello\nsay: again', assertions);
  const broken = await made('Breaks', 'say: Hello\nsay: crash', assertions.slice(0, 1));
  const judged = await made('Needs a judge', 'say: Hello', [{ name: 'is kind', type: 'criteria', severity: 'BLOCKER', criteria: 'The chatbot is kind.' }]);
  const launch = (tests, repetitions = 1) => server.post('/runs/', { scenario: scenario.id, agent: agent.id, status: 'pending', repetitions, testConfigs: tests.map((each) => ({ test: each.id })) });
  canceled = await launch([good], 80);
  await server.post(`/runs/${canceled.id}/cancel`);
  undecided = await finished(server, await launch([good, judged]));
  priced = await finished(server, await launch([good, broken]));
  Object.assign(data, { broken, judged, good });
});
after(async () => { await browser?.stop(); await server?.stop(); bot?.stop(); });
const titled = (page, start) => page.waitForFunction((text) => document.title.startsWith(text), start);

test('the title of a run is green only if everything was decided and passed', async () => {
  const page = await browser.open();
  for (const [run, mark] of [[canceled, '–'], [undecided, '?'], [priced, '✗']]) {
    await visit(page, server, `/runs/${run.id}`);
    await titled(page, `${mark} `);
  }
  clean(page);
});

test('the overview names what it compares with, and the agent of each failure', async () => {
  const page = await browser.open();
  await visit(page, server, '/');
  const card = page.locator('[data-part=run-card]', { hasText: 'Shop tests' });
  assert.match(await card.innerText(), /same as previous run/);
  assert.doesNotMatch(await card.innerText(), /baseline/);
  assert.match(await page.locator('.thirds').innerText(), /the agent/);
  await server.call('PATCH', `/scenarios/${data.scenario.id}`, { baselines: { [data.agent.id]: data.runs[0].id } });
  await visit(page, server, '/');
  assert.match(await card.innerText(), /same as baseline/);
  clean(page);
});

test('the history of a test has the states that the server gave', async () => {
  const page = await browser.open();
  for (const [made, says] of [[data.broken, 'agent fault'], [data.judged, 'undecided']]) {
    await visit(page, server, `/tests/${made.id}`);
    const row = page.locator('.lines li', { hasText: 'the agent' }).first();
    await row.getByRole('img', { name: says }).waitFor();
    assert.match(await row.innerText(), new RegExp(says));
  }
  clean(page);
});

test('an assertion that was never scored says so', async () => {
  const { data: [result] } = await server.get(`/runs/${priced.id}/test-results?state=a`);
  const page = await browser.open();
  await visit(page, server, `/results/${result.id}`);
  assert.match(await page.locator('[data-part=assertion][data-state=pending]').first().innerText(), /Not scored/);
});

test('evidence: one chip for each turn; E begins at the end; e goes on from the evidence that is open', async () => {
  const { data: results } = await server.get(`/runs/${undecided.id}/test-results?limit=10`);
  const result = results.find((each) => each.test.id === data.good.id);
  const page = await browser.open();
  await visit(page, server, `/results/${result.id}`);
  const chips = page.locator('[data-part=assertion][data-id=second] button.chip');
  assert.deepEqual(await chips.allInnerTexts(), ['Turn 0 ›', 'Turn 1 ›']);
  const states = await page.locator('[data-part=assertion]').evaluateAll((all) => all.map((each) => each.dataset.id));
  const last = states.filter((id) => id !== 'third').at(-1);
  await page.keyboard.press('E');
  await page.waitForURL(new RegExp(`a=${last}`));
  await chips.first().click();
  await page.waitForURL(/a=second/);
  const first = await page.waitForFunction(() => document.activeElement?.dataset.part === 'entry' && document.activeElement.dataset.id).then((found) => found.jsonValue());
  await page.keyboard.press('e');
  await page.waitForFunction((id) => document.activeElement?.dataset.part === 'entry' && document.activeElement.dataset.id !== id, first);
  assert.match(page.url(), /a=second/);
  assert.equal(await overflow(page), 0);
  clean(page);
});

test('the list of a filter, of a state and of a group survive a reload; the walk keeps how the transcript is shown', async () => {
  const page = await browser.open();
  const [run] = data.runs;
  const position = () => page.locator('.page-head .number').first().innerText();
  await visit(page, server, `/runs/${run.id}?state=f`);
  await page.locator('a[data-part=cell][data-state=f]').first().click();
  await ready(page);
  assert.equal(await position(), '1 of 3');
  await page.reload();
  await ready(page);
  await page.getByText('1 of 3').waitFor();
  await page.keyboard.press('m');
  await page.keyboard.press(']');
  await page.getByText('2 of 3').waitFor();
  assert.match(page.url(), /meta=1/);
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/runs\/[^?]+\?state=f$/);
  await page.getByRole('tab', { name: 'List' }).click();
  await page.waitForSelector('tr[data-part=cell]');
  assert.equal(await page.locator('tr[data-part=cell]').count(), 3, 'the list has the same filter');
  await page.locator('[data-part=legend][data-state=f]').click();
  await page.waitForFunction(() => document.querySelectorAll('tr[data-part=cell]').length === 12);
  await page.keyboard.press('f');
  await page.keyboard.type('nothing-has-this-name');
  await page.getByText('No rows match.').waitFor();
  await visit(page, server, `/runs/${run.id}?view=failures`);
  await page.locator('[data-part=failure-group][data-state=verdict]', { hasText: 'gives the money back' }).getByRole('button', { name: 'Step through' }).click();
  await ready(page);
  await page.keyboard.press(']');
  await page.getByText('2 of 3').waitFor();
  assert.match(page.url(), /a=refund/);
  await page.reload();
  await ready(page);
  await page.getByText('2 of 3').waitFor();
  clean(page);
});

test('every page is ready when a part of it cannot be fetched, and what is missing is said', async () => {
  const page = await browser.open();
  const [run] = data.runs;
  for (const [path, pattern, isSaid] of [['/', '**/agents/?*', true], ['/', '**/tests/?*', false], ['/runs', '**/scenarios/?*', false], ['/agents', '**/runs/?*', false], ['/trends', '**/runs/?*', false], ['/tests/new', '**/scenarios/?*', true],
    [`/runs/${data.runs[0].id}...${data.runs[1].id}`, '**/cells', false], ['/s/order', '**/scenarios/?*', true], ['/logs', '**/tags/*', false], [`/runs/${run.id}`, '**/cells', true]]) {
    await page.route(pattern, (route) => route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify({ title: 'Broken', status: 500, detail: 'on purpose' }) }));
    if (path === '/tests/new') { await page.goto(`${server.url}/ui${path}`); await page.waitForSelector('[data-part=problem]'); }
    await visit(page, server, path);
    if (isSaid) await page.locator('[data-part=problem][data-status="500"]').first().waitFor();
    await page.unroute(pattern);
  }
  const [[a], [b]] = await Promise.all(data.runs.map(async (each) => (await server.get(`/runs/${each.id}/test-results?limit=1`)).data));
  await page.route('**/entries?*', (route) => route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify({ title: 'Broken', status: 500 }) }));
  await visit(page, server, `/results/${a.id}...${b.id}`);
  assert.equal(await page.locator('[data-part=problem][data-status="500"]').count(), 1);
});

test('a link to the page that is open leaves it ready; a filter by time is a filter', async () => {
  const page = await browser.open();
  await visit(page, server, '/runs');
  await page.getByLabel('Status').selectOption('canceled');
  await page.waitForURL(/status=canceled/);
  await ready(page);
  await page.locator('.rail').getByRole('link', { name: 'Runs' }).click();
  await page.waitForURL(/\/runs$/);
  await ready(page);
  await page.route('**/runs/?*after=*', (route) => route.fulfill({ contentType: 'application/json', body: '{"data":[],"total":0,"page":1,"limit":50}' }));
  await visit(page, server, '/runs?since=1');
  assert.match(await page.locator('[data-part=empty]').innerText(), /match these filters/);
});

test('a record that is gone has a title and a breadcrumb', async () => {
  const page = await browser.open();
  const gone = '01900000-0000-7000-8000-0000000000ab';
  for (const path of ['scenarios', 'tests', 'agents', 'results', 'runs', 'logs']) {
    await visit(page, server, `/${path}/${gone}`);
    await page.waitForSelector('[data-part=problem][data-status="404"]');
    assert.match(await page.title(), /0000ab/, path);
    assert.match(await page.locator('.crumbs').innerText(), /0000ab/, path);
  }
});

test('long names: the breadcrumb keeps its first part, names are cut with an ellipsis, nothing overflows', async () => {
  const page = await browser.open();
  const { data: [result] } = await server.get(`/runs/${undecided.id}/test-results?limit=1`);
  for (const width of [1440, 768, 360]) for (const path of ['/', `/runs/${undecided.id}`, `/runs/${undecided.id}?view=list`, `/results/${result.id}`]) {
    await page.setViewportSize({ width, height: 900 });
    await visit(page, server, path);
    assert.equal(await overflow(page), 0, `${path} at ${width}`);
    const cut = await page.evaluate(() => [...document.querySelectorAll('.crumbs li:first-child > *, .entry > header, .entry-body')].filter((each) => each.checkVisibility() && (each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > innerWidth)).map((each) => each.outerHTML.slice(0, 80)));
    assert.deepEqual(cut, [], `${path} at ${width}`);
  }
  clean(page);
});

test('a report says what is not in it, and offers nothing that leads nowhere', async () => {
  const file = join(server.folder, 'none.html');
  writeFileSync(file, await server.get(`/runs/${data.runs[0].id}/report?transcripts=none`));
  const page = await browser.open({ offline: true }, false);
  for (const address of ['/results/01900000-0000-7000-8000-0000000000ab', '/runs/01900000-0000-7000-8000-0000000000ab', '/agents']) {
    await page.goto('about:blank');
    await page.goto(`file://${file}#${address}`);
    const problem = page.locator('[data-part=problem][data-status="404"]');
    await problem.waitFor();
    assert.equal(await problem.locator('strong').innerText(), 'Not in this report');
    assert.doesNotMatch(await problem.innerText(), /deleted/);
    assert.equal(await problem.locator('button, .button').count(), 0);
  }
  assert.deepEqual(page.faults, []);
});
