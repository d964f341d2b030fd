import { after, before, test } from 'node:test';
import { assert, Browser, clean, key, Parley, ready, seed, visit } from './support.mjs';

let server, browser, data;
before(async () => { server = await Parley.start(); data = await seed(server, 1); browser = await Browser.start(server); });
after(async () => { await browser?.stop(); await server?.stop(); });

const signIn = async (page, text) => { await page.fill('[data-part=sign-in] input', text); await page.click('[data-part=sign-in] button[type=submit]'); };

test('a wrong key is refused in words, and the right one opens the page', async () => {
  const page = await browser.open({}, false);
  await page.goto(`${server.url}/ui/`);
  await page.waitForSelector('[data-part=sign-in]');
  await signIn(page, 'parley_wrong000_' + 'x'.repeat(43));
  await page.waitForSelector('[data-part=problem][data-status="401"]');
  await signIn(page, key);
  await page.waitForSelector('[data-part=run-card]');
  clean(page);
});

test('a deep link survives the sign-in, with its filter', async () => {
  const page = await browser.open({}, false);
  await page.goto(`${server.url}/ui/runs/${data.runs[0].id}?view=list&filter=state%3Af`);
  await page.waitForSelector('[data-part=sign-in]');
  await signIn(page, key);
  await page.waitForURL(/view=list/);
  await ready(page);
  assert.equal(await page.inputValue('#run-filter'), 'state:f');
});

test('a code works once', async () => {
  const made = await server.post('/session/codes');
  const code = made.code ?? /code=([^&]+)/.exec(made.url)[1];
  const page = await browser.open({}, false);
  await page.goto(`${server.url}/ui/signin#code=${code}`);
  await page.waitForSelector('[data-part=run-card]');
  assert.ok(!page.url().includes('code='), 'the code does not stay in the address');
  const again = await browser.open({}, false);
  await again.goto(`${server.url}/ui/signin#code=${code}`);
  await again.waitForSelector('[data-part=problem][data-status="401"]');
});

test('a code that is not valid percent-encoding is a wrong code, and a key still signs in', async () => {
  const page = await browser.open({}, false);
  await page.goto(`${server.url}/ui/signin#code=%E0%A4%A`);
  await page.waitForSelector('[data-part=problem]');
  await page.fill('[data-part=sign-in] input', key);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/ui\/$/);
  clean(page);
});

test('half of a session is none, and a foreign origin may not write', async () => {
  const made = await fetch(`${server.url}/session`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ key }) });
  const cookie = made.headers.get('set-cookie').split(';')[0];
  assert.match(made.headers.get('set-cookie'), /HttpOnly/);
  assert.match(made.headers.get('set-cookie'), /SameSite=Strict/);
  const { page } = await made.json();
  const status = async (headers, method = 'GET', path = '/runs/') => (await fetch(server.url + path, { method, headers: { 'Content-Type': 'application/json', ...headers }, body: method === 'GET' ? undefined : '{"name": "x"}' })).status;
  assert.equal(await status({ Cookie: cookie }), 401);
  assert.equal(await status({ 'X-Parley-Page': page }), 401);
  assert.equal(await status({ Cookie: cookie, 'X-Parley-Page': page }), 200);
  assert.equal(await status({ Cookie: cookie, 'X-Parley-Page': page, Origin: 'http://127.0.0.1:8000' }, 'POST', '/scenarios/'), 403);
});

test('signing out ends the session here and in another tab', async () => {
  const page = await browser.open({}, false);
  await page.goto(`${server.url}/ui/`);
  await signIn(page, key);
  await page.waitForSelector('[data-part=run-card]');
  const other = await page.context().newPage();
  await other.goto(`${server.url}/ui/runs`);
  await other.waitForSelector('[data-part=run-row]');
  await page.click('.user');
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForSelector('[data-part=sign-in]');
  await other.waitForSelector('[data-part=sign-in]', { timeout: 10_000 });
});

test('the base path is before every address', async () => {
  const based = await Parley.start('--base-path', '/qa');
  try {
    const inside = await Browser.start(based);
    const page = await inside.open();
    await visit(page, based, '/runs');
    assert.equal(new URL(page.url()).pathname, '/qa/ui/runs');
    clean(page);
    await inside.stop();
  } finally { await based.stop(); }
});
