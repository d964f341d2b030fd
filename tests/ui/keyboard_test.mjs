// Keyboard only: from the sign-in to the evidence of a failed assertion; lists, dialogs, focus.
import { after, before, test } from 'node:test';
import { assert, Browser, clean, key, Parley, ready, seed, visit } from './support.mjs';

let server, browser, data;
before(async () => { server = await Parley.start(); browser = await Browser.start(server); data = await seed(server, 2); });
after(async () => { await browser?.stop(); await server?.stop(); });
const focused = (page) => page.evaluate(() => document.activeElement?.closest('[data-id]')?.dataset.id ?? '');

test('the walk: sign in, runs, a run, its failure, the evidence', async () => {
  const page = await browser.open({}, false);
  await page.goto(`${server.url}/ui/`);
  await page.waitForSelector('[data-part=sign-in]');
  await page.keyboard.type(key);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-part=run-card]');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.waitForSelector('[data-part=run-row]');
  await ready(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-part=cell]');
  await ready(page);
  await page.locator('[role=grid] [tabindex="0"]').first().waitFor();
  for (let tabs = 0; tabs < 40 && !(await page.evaluate(() => !!document.activeElement?.closest('[role=grid]'))); ++tabs) await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.activeElement?.dataset.state === 'f');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/results\//);
  await ready(page);
  await page.keyboard.press('e');
  await page.waitForURL(/a=refund/);
  await page.waitForFunction(() => document.activeElement?.dataset.part === 'entry');
  assert.match(await page.evaluate(() => document.activeElement.querySelector('[data-part=evidence]').dataset.id), /refund/);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !location.search.includes('a=refund'));
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/runs\/[^/?]+$/);
  clean(page);
});

test('j, k and o work on every list', async () => {
  const page = await browser.open();
  for (const path of ['/', '/scenarios', '/agents', `/scenarios/${data.scenario.id}`, `/runs/${data.runs[0].id}?view=failures`]) {
    await visit(page, server, path);
    await page.keyboard.press('j');
    const first = await focused(page);
    assert.notEqual(first, '', path);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    assert.equal(await focused(page), first, path);
  }
  await visit(page, server, '/scenarios');
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await page.waitForURL(/\/scenarios\/./);
});

test('g and a letter opens a section; ? lists the keys; a key in a field is text', async () => {
  const page = await browser.open();
  await visit(page, server, '/');
  for (const [letter, path] of [['s', '/scenarios'], ['a', '/agents'], ['t', '/trends'], ['v', '/review'], ['r', '/runs']]) {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    await page.waitForFunction((end) => location.pathname.endsWith(end), path);
    await ready(page);
  }
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  assert.ok(await page.evaluate(() => document.querySelector('dialog[open]').contains(document.activeElement)), 'the focus is in the dialog');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  await page.keyboard.press('/');
  await page.keyboard.type('?gr');
  assert.equal(await page.locator('.search input').inputValue(), '?gr');
  assert.equal(await page.locator('dialog[open]').count(), 0);
});

test('the focus is always visible, never under the head, and the skip link comes first', async () => {
  const page = await browser.open();
  await visit(page, server, `/runs/${data.runs[0].id}?view=failures`);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  for (let at = 0; at < 30; ++at) {
    await page.keyboard.press('Tab');
    const fault = await page.evaluate(() => {
      const here = document.activeElement;
      if (!here || here === document.body) return '';
      const box = here.getBoundingClientRect(), style = getComputedStyle(here);
      const isMarked = style.outlineStyle !== 'none' || style.boxShadow !== 'none';
      const top = document.elementFromPoint(Math.min(innerWidth - 1, Math.max(0, box.left + box.width / 2)), Math.min(innerHeight - 1, Math.max(0, box.top + box.height / 2)));
      const isCovered = top && !here.contains(top) && !top.contains(here);
      return `${isMarked ? '' : 'no focus mark'}${isCovered ? ` covered by ${top.className}` : ''}${isMarked && !isCovered ? '' : `: ${here.outerHTML.slice(0, 100)}`}`;
    });
    assert.equal(fault, '');
  }
});

test('Enter opens what has the focus, also on the page of runs', async () => {
  const page = await browser.open();
  await visit(page, server, '/runs');
  await page.locator('.rail a', { hasText: 'Agents' }).press('Enter');
  await page.waitForURL(/\/ui\/agents$/);
  await visit(page, server, '/runs');
  const row = page.locator('[data-part=run-row]').first();
  await row.locator('.menu button').press('Enter');
  await row.getByRole('menuitem').first().waitFor();
  await page.keyboard.press('Escape');
  const name = row.locator('.name-cell a').first(), path = await name.getAttribute('href');
  await name.press('Enter');
  await page.waitForURL(new RegExp(`${path}$`));
});

test('arrow keys reach the cells of an opened row; the button of the row is left of them', async () => {
  const page = await browser.open();
  await visit(page, server, `/runs/${data.runs[0].id}?fold=on`);
  const here = () => page.evaluate(() => document.activeElement.closest('[data-at]')?.dataset.at + (document.activeElement.matches('.fold') ? ' fold' : ` ${document.activeElement.dataset.repetition}`));
  const press = async (pressed, expected) => {
    await page.keyboard.press(pressed);
    await page.waitForFunction((text) => document.activeElement.closest('[data-at]')?.dataset.at + (document.activeElement.matches('.fold') ? ' fold' : ` ${document.activeElement.dataset.repetition}`) === text, expected, { timeout: 3000 }).catch(async () => assert.equal(await here(), expected, pressed));
  };
  await page.locator('.fold').first().focus();
  await press('ArrowDown', '1 fold');
  await press('Enter', '1 fold');
  await page.waitForSelector('[data-at="1"] [data-repetition="2"]');
  await press('ArrowRight', '1 1');
  await press('ArrowRight', '1 2');
  assert.equal(await page.locator('[role=grid] [tabindex="0"]').count(), 1, 'one tab stop');
  await press('ArrowDown', '2 fold');
  await press('ArrowUp', '1 fold');
  await press('End', '1 2');
  await press('Home', '1 fold');
  clean(page);
});

test('a dialog returns the focus to the button that opened it', async () => {
  const page = await browser.open();
  await visit(page, server, `/runs/${data.runs[0].id}`);
  const menu = page.locator('.run-head .menu button', { hasText: '⋯' });
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: 'Gate summary' }).press('Enter');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  assert.equal(await menu.evaluate((button) => button === document.activeElement), true);
  await page.locator('.top .menu > button').press('Enter');
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  assert.equal(await page.locator('.top .menu > button').evaluate((button) => button === document.activeElement), true);
});

test('on a narrow page, Escape and a click outside close the menu of pages', async () => {
  const page = await browser.open({ viewport: { width: 360, height: 740 } });
  await visit(page, server, '/runs');
  const button = page.locator('.rail-button'), rail = page.locator('.rail');
  await button.click();
  assert.ok(await rail.isVisible());
  await page.keyboard.press('Escape');
  await rail.waitFor({ state: 'hidden' });
  assert.equal(await button.evaluate((each) => each === document.activeElement), true);
  await button.click();
  await page.mouse.click(340, 500);
  await rail.waitFor({ state: 'hidden' });
});
