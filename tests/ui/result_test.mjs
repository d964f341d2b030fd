import { after, before, test } from 'node:test';
import { assert, Browser, clean, Parley, ready, seed, visit } from './support.mjs';

let server, browser, data, long;
before(async () => {
  server = await Parley.start();
  browser = await Browser.start(server);
  data = await seed(server, 2);
});
after(async () => { await browser?.stop(); await server?.stop(); });

/** A result that a client drove: `turns` answers, then the end. */
async function converse(answers, assertions) {
  const agent = await server.post('/agents/', { name: 'My client', type: 'EXTERNAL' });
  const said = answers.map((_, at) => `say: question ${at}`).join('\n');
  const result = await server.post('/test-results/', { agent: agent.id, testInstruction: said, assertionResults: assertions });
  for (const answer of answers) {
    await server.post(`/test-results/${result.id}/next-message`);
    for (const entry of [answer].flat()) await server.post(`/test-results/${result.id}/conversation`, typeof entry === 'string' ? { content: entry } : entry, { Prefer: 'return=minimal' });
  }
  await server.post(`/test-results/${result.id}/next-message`);
  return server.call('GET', `/test-results/${result.id}`, undefined, { Prefer: 'wait=20' });
}

test('the evidence is marked in the words, at the right occurrence', async () => {
  const result = await converse(['no price here', 'It is 4.50, I say 4.50 \u{1F600} 4.50'], [{ id: 'price', name: 'names the price', type: 'contains', severity: 'BLOCKER', config: { value: '4.50' } }]);
  const page = await browser.open();
  await visit(page, server, `/results/${result.id}?a=price`);
  const [verdict] = result.assertionResults;
  const marks = page.locator('[data-part=evidence][data-id=price]');
  assert.ok(await marks.count() >= 1);
  if (verdict.quotes?.length) {
    assert.equal(await marks.first().innerText(), '4.50');
    const before = await marks.first().evaluate((mark) => { const range = document.createRange(); range.setStart(mark.closest('.words'), 0); range.setEndBefore(mark); return range.toString(); });
    assert.equal(before.split('4.50').length - 1, verdict.quotes[0].nth - 1);
  }
  clean(page);
});

test('assertions, entries and tools carry their hooks; failed ones are first', async () => {
  const id = (await server.get(`/runs/${data.runs[0].id}/test-results?limit=50`)).data.find((each) => each.test.name === 'Wants a refund').id;
  const page = await browser.open();
  await visit(page, server, `/results/${id}`);
  const result = await server.get(`/test-results/${id}`);
  const states = await page.locator('[data-part=assertion]').evaluateAll((all) => all.map((each) => each.dataset.state));
  assert.equal(states[0], 'failed');
  const kinds = await page.locator('[data-part=entry]').evaluateAll((all) => all.map((each) => each.dataset.kind));
  assert.deepEqual(kinds, result.conversation.map((entry) => (entry.type === 'message' ? entry.role : entry.type)));
  await page.keyboard.press('t');
  await page.waitForFunction(() => !document.querySelector('[data-kind=tool]'));
  assert.match(page.url(), /tools=0/);
});

test('a conversation of 900 entries: windows, find on the server, few entries in the document', async () => {
  const log = await server.post('/external-conversation-logs/', { externalId: 'long', conversation: Array.from({ length: 450 }, (_, at) => [{ role: 'user', content: `question ${at}` }, { role: 'assistant', content: at === 430 ? 'the needle is here' : `answer ${at}` }]).flat() });
  assert.ok(log.id);
  long = await converse(Array.from({ length: 25 }, (_, at) => Array.from({ length: 30 }, (_, part) => ({ content: at === 24 && part === 29 ? 'the needle is here' : `part ${part} of ${at}` }))), [{ type: 'contains', config: { value: 'needle' } }]);
  const page = await browser.open();
  await visit(page, server, `/results/${long.id}`);
  assert.ok(await page.locator('[data-part=entry]').count() <= 420);
  await page.keyboard.press('f');
  await page.keyboard.type('needle is');
  await page.waitForFunction(() => document.querySelector('.find-bar [role=status]')?.textContent.includes('1'));
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=needle is here');
  assert.ok(await page.locator('.minimap button').count() > 12);
  clean(page);
});

test('} and { go from turn to turn', async () => {
  const page = await browser.open();
  await visit(page, server, `/results/${long.id}`);
  // The turn whose start is where the view was scrolled to.
  const names = await page.locator('.turn').evaluateAll((all) => all.slice(0, 4).map((each) => each.getAttribute('aria-label').split(' ').at(-1)));
  for (const [pressed, at] of [['}', 1], ['}', 2], ['}', 3], ['{', 2], ['{', 1], ['}}', 3], ['{{', 1]]) {
    for (const key of pressed) await page.keyboard.press(key);
    await page.waitForFunction((name) => [...document.querySelectorAll('.turn')].some((each) => each.getAttribute('aria-label').split(' ').at(-1) === name && Math.abs(each.getBoundingClientRect().top - 150) < 4), names[at], { timeout: 5000 });
  }
  clean(page);
});

test('what leaves the page has the whole conversation, also what is not shown yet', async () => {
  const page = await browser.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await visit(page, server, `/results/${long.id}`);
  const { conversation } = await server.get(`/test-results/${long.id}`);
  const drawn = await page.locator('[data-part=entry]').count();
  assert.ok(drawn < conversation.length, `${drawn} of ${conversation.length} entries are shown`);
  await page.emulateMedia({ media: 'print' });
  assert.match(await page.locator('[data-part=not-printed]').innerText(), new RegExp(`^${conversation.length - drawn} of ${conversation.length} entries are not printed`));
  await page.emulateMedia({ media: 'screen' });
  assert.equal(await page.locator('[data-part=not-printed]').isVisible(), false);
  const copied = async (name) => {
    await page.getByRole('button', { name }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.deepEqual(JSON.parse(await copied('Copy JSON')).conversation.map((entry) => entry.id), conversation.map((entry) => entry.id));
  await page.getByRole('button', { name: 'Copy JSON' }).waitFor();
  assert.match(await copied('Copy as Markdown'), /the needle is here/);
  await page.getByRole('button', { name: 'Create test' }).click();
  await page.waitForURL(/\/tests\/new/);
  await ready(page);
  const said = conversation.filter((entry) => entry.role === 'tester').length;
  assert.equal((await page.locator('.script-editor textarea').inputValue()).split('\n').length, said);
  clean(page);
});

test('two conversations part at the turn that the API names', async () => {
  const [a, b] = [await converse(['Hello', 'It is sent', 'Bye'], []), await converse(['Hello', [{ type: 'tool', name: 'lookup', metadata: { arguments: { order: 24 } } }, 'It is lost'], 'Bye'], [])];
  const page = await browser.open();
  await visit(page, server, `/results/${a.id}...${b.id}`);
  const diff = await server.get(`/test-results/${a.id}/compare/${b.id}`);
  const turn = await page.locator('[data-part=diverging-turn]').getAttribute('data-turn');
  assert.equal(Number(turn), diff.structural.turn);
  // Both conversations are shown entry by entry, with the same hooks as in a transcript.
  const both = [a, b].map((each) => server.get(`/test-results/${each.id}`));
  const expected = (await Promise.all(both)).flatMap((each) => each.conversation.map((entry) => [entry.id, entry.type === 'message' ? entry.role : entry.type, String(entry.turn)])).sort();
  assert.deepEqual((await page.locator('[data-part=entry]').evaluateAll((all) => all.map((each) => [each.dataset.id, each.dataset.kind, each.dataset.turn]))).sort(), expected);
  await page.keyboard.press('s');
  await page.waitForSelector('[data-part=diverging-turn] .unified[data-part=entry]');
  // Two columns are offered only if they fit.
  await page.keyboard.press('s');
  await page.waitForSelector('[data-part=diverging-turn] .split-row');
  await page.setViewportSize({ width: 600, height: 800 });
  await page.waitForSelector('[data-part=diverging-turn] .unified[data-part=entry]');
  assert.equal(await page.getByRole('button', { name: 'Side by side' }).count(), 0);
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.waitForSelector('[data-part=diverging-turn] .split-row');
  clean(page);
});

test('cells of two runs, and of the other repetitions of a result, have the hooks of the matrix', async () => {
  const page = await browser.open();
  const cellsOf = async (run) => { const cells = await server.get(`/runs/${run.id}/cells`); return cells.id.map((id, at) => [id, cells.state[at], String(cells.n[at]), cells.row[at]]); };
  const drawn = async () => (await page.locator('[data-part=cell]').evaluateAll((all) => all.map((each) => [each.dataset.id, each.dataset.state, each.dataset.repetition]))).sort();
  const [before, after] = await Promise.all(data.runs.map(cellsOf));
  await visit(page, server, `/runs/${data.runs[0].id}...${data.runs[1].id}`);
  assert.deepEqual(await drawn(), [...before, ...after].map((cell) => cell.slice(0, 3)).sort());
  const [one] = after;
  await visit(page, server, `/results/${one[0]}`);
  await page.waitForSelector('.siblings [data-part=cell]');
  const own = after.filter((cell) => cell[3] === one[3]).map((cell) => cell.slice(0, 3)).sort();
  assert.deepEqual((await drawn()).filter(([, , repetition]) => repetition !== undefined), own);
  clean(page);
});

test('printing has the whole text', async () => {
  const page = await browser.open();
  await visit(page, server, `/runs/${data.runs[0].id}`);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.rail').isVisible(), false);
  assert.ok((await page.pdf()).length > 5000);
  await ready(page);
});
