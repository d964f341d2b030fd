import { after, before, test } from 'node:test';
import { assert, Browser, clean, Parley, ready, seed, startBot, visit } from './support.mjs';

let server, browser, data;
before(async () => { server = await Parley.start(); browser = await Browser.start(server); data = await seed(server, 2); });
after(async () => { await browser?.stop(); await server?.stop(); });

test('the editor shows what a line does, and a fault at its place', async () => {
  const page = await browser.open();
  await visit(page, server, `/tests/${data.tests[0].id}`);
  const script = page.locator('.script-editor textarea');
  await script.fill('say: Hello\nend if /(/');
  await page.waitForSelector('.fault');
  assert.ok(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled());
  await script.fill('say: Hello\nend');
  await page.waitForSelector('.line-notes >> text=ends the conversation');
  await page.reload();
  await ready(page);
  assert.equal(await script.inputValue(), 'say: Hello\nend', 'what is not saved survives a reload');
  clean(page);
});

test('an assertion is a form, and saving stores it', async () => {
  const page = await browser.open();
  await visit(page, server, `/tests/${data.tests[2].id}`);
  await page.click('text=Add assertion');
  await page.getByLabel('What do you want to check?').fill('promptfoo latency');
  await page.keyboard.press('Enter');
  const form = page.locator('[data-part=assertion-form]').last();
  await form.locator('label:has-text("max") input').first().fill('5000');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForFunction(() => !document.body.innerText.includes('Unsaved changes'));
  const stored = await server.get(`/tests/${data.tests[2].id}`);
  assert.equal(stored.assertions.at(-1).type, 'response-time');
  assert.equal(stored.assertions.at(-1).config.max, 5000);
});

test('a concurrent change is not overwritten silently', async () => {
  const page = await browser.open();
  await visit(page, server, `/tests/${data.tests[1].id}`);
  await page.locator('label:has-text("Name") input').first().fill('Mine');
  await server.call('PATCH', `/tests/${data.tests[1].id}`, { description: 'theirs' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForSelector('dialog[open]');
  assert.notEqual((await server.get(`/tests/${data.tests[1].id}`)).name, 'Mine');
  await page.click('text=Save mine');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  await page.waitForFunction(() => !document.body.innerText.includes('Unsaved changes'));
  assert.equal((await server.get(`/tests/${data.tests[1].id}`)).name, 'Mine');
});

test('a draft of an older version does not overwrite a newer one: the user sees both and chooses', async () => {
  const path = `/tests/${data.tests[3].id}`;
  const page = await browser.open();
  const name = page.locator('label:has-text("Name") input').first();
  const draftThenChange = async (mine, theirs) => {
    await visit(page, server, path);
    await name.fill(mine);
    await visit(page, server, '/scenarios');
    await server.call('PATCH', path, { name: theirs });
    await visit(page, server, path);
    await page.waitForSelector('[data-part=outdated-draft]');
    assert.equal(await name.inputValue(), mine);
    assert.match(await page.locator('[data-part=outdated-draft]').innerText(), /Different: Name\./);
  };
  await draftThenChange('My first', 'Their first');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForSelector('dialog[open]');
  assert.equal((await server.get(path)).name, 'Their first');
  await page.keyboard.press('Escape');
  await page.locator('[data-part=outdated-draft]').getByRole('button', { name: 'Take theirs' }).click();
  await page.waitForSelector('[data-part=outdated-draft]', { state: 'detached' });
  assert.equal(await name.inputValue(), 'Their first');
  await page.reload();
  await ready(page);
  assert.equal(await name.inputValue(), 'Their first', 'the draft is gone');
  await draftThenChange('My second', 'Their second');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.waitForSelector('[data-part=outdated-draft]', { state: 'detached' });
  await page.reload();
  await ready(page);
  assert.equal(await page.locator('[data-part=outdated-draft]').count(), 0, 'the choice is kept');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForFunction(() => !document.body.innerText.includes('Unsaved changes'));
  assert.equal((await server.get(path)).name, 'My second');
  clean(page);
});

test('a change elsewhere appears in an open editor without a draft, and as a question next to a draft', async () => {
  const path = `/tests/${data.tests[3].id}`;
  const page = await browser.open();
  await visit(page, server, path);
  await page.waitForSelector('[data-part=live][data-state=live]');
  const name = page.locator('label:has-text("Name") input').first();
  await server.call('PATCH', path, { name: 'From elsewhere' });
  await page.waitForFunction(() => document.querySelector('.editor input').value === 'From elsewhere', null, { timeout: 15_000 });
  assert.equal(await page.locator('[data-part=outdated-draft]').count(), 0);
  await name.fill('My draft');
  await server.call('PATCH', path, { name: 'From elsewhere again' });
  await page.waitForSelector('[data-part=outdated-draft]', { timeout: 15_000 });
  assert.equal(await name.inputValue(), 'My draft');
  clean(page);
});

test('a dry run says what rescoring says, and stores nothing', async () => {
  const page = await browser.open();
  await visit(page, server, `/tests/${data.tests[0].id}`);
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await ready(page);
  await page.click('text=Try on the last 20 results');
  await page.waitForSelector('[data-part=dry-row]');
  assert.equal(await page.locator('[data-part=dry-row]').count(), 4);
});

test('without a blocker, the editor says that nothing can fail', async () => {
  const page = await browser.open();
  await visit(page, server, `/tests/new?scenario=${data.scenario.id}`);
  assert.match(await page.locator('[data-part=warning]').innerText(), /Nothing can fail/);
});

test('the wizard checks an agent before anything is stored', async () => {
  const page = await browser.open();
  const before = (await server.get('/agents/')).total;
  await visit(page, server, '/agents/new?type=HTTP');
  await page.locator('label:has-text("Name") input').first().fill('Webhook');
  await page.locator('label:has-text("url") input').first().fill('http://127.0.0.1:9/turn');
  await page.click('text=Check now');
  await page.waitForSelector('[data-part=agent-check] .note code');
  assert.equal(await page.locator('[data-part=agent-check] .note code').innerText(), 'connect');
  assert.equal((await server.get('/agents/')).total, before);
  clean(page);
});

test('a talk is continued after slow answers, and Enter twice says it once', async (t) => {
  const bot = await startBot(async () => { await new Promise((resolve) => setTimeout(resolve, 1500)); return { message: 'slowly' }; });
  t.after(() => bot.stop());
  const agent = await server.post('/agents/', { name: 'A slow bot', type: 'HTTP', config: { url: bot.url } });
  const own = await server.post('/test-results/', { agent: agent.id, isManual: true });
  for (const content of ['one', 'two']) {
    await server.post(`/test-results/${own.id}/conversation`, { role: 'tester', content });
    while ((await server.get(`/test-results/${own.id}`)).conversation.at(-1).role === 'tester') await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const page = await browser.open();
  await visit(page, server, `/chat?agent=${agent.id}&from=${own.id}`);
  await page.getByRole('button', { name: 'Start chat' }).click();
  await page.waitForURL(/\/chat\/./, { timeout: 30_000 });
  const id = page.url().split('/').pop();
  await page.waitForFunction(() => document.querySelectorAll('[data-kind=chatbot]').length === 2);
  await page.locator('.composer textarea').fill('three');
  await page.locator('.composer textarea').evaluate((field) => { for (let times = 0; times < 2; ++times) field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })); });
  await page.waitForFunction(() => document.querySelectorAll('[data-kind=chatbot]').length === 3, null, { timeout: 15_000 });
  assert.deepEqual((await server.get(`/test-results/${id}`)).conversation.map((entry) => entry.content), ['one', 'slowly', 'two', 'slowly', 'three', 'slowly']);
  assert.equal(await page.locator('[data-part=problem]').count(), 0);
  clean(page);
});

test('a person chats, finishes, and the conversation becomes a script', async () => {
  const page = await browser.open();
  await visit(page, server, `/chat?agent=${data.agent.id}`);
  await page.getByRole('button', { name: 'Start chat' }).click();
  await page.waitForURL(/\/chat\/./);
  await page.locator('.composer textarea').fill('Where is order 42?');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-kind=chatbot]', { timeout: 15_000 });
  await page.click('text=Save as test');
  await page.waitForURL(/\/tests\/new/);
  await ready(page);
  assert.match(await page.locator('.script-editor textarea').inputValue(), /say: "Where is order 42\?"/);
  clean(page);
});

test('a LOCAL agent says how its runner starts; one that suite files own has the command of its suite', async () => {
  const local = await server.post('/agents/', { name: 'My machine', type: 'LOCAL' });
  await server.post('/apply', { project: 'coffee', agents: [{ key: 'bot', name: 'Barista', type: 'LOCAL' }] });
  const owned = (await server.get('/agents/?limit=100')).data.find((each) => each.name === 'Barista');
  const page = await browser.open();
  for (const [agent, command] of [[local, 'contrib/local_runner.py'], [owned, 'parley agent serve "Barista" --server http']]) {
    await visit(page, server, `/agents/${agent.id}`);
    assert.match(await page.locator('main').innerText(), new RegExp(command.replaceAll('.', '\\.')));
  }
  clean(page);
});
