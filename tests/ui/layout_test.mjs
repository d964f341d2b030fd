// The geometry of fourteen pages at three widths in both themes: nothing cut, nothing covered, nothing too small to hit.
import { after, before, test } from 'node:test';
import { fourteenPages } from './every_page.mjs';
import { assert, Browser, Parley, seed, visit } from './support.mjs';

let server, browser, paths;
before(async () => {
  server = await Parley.start();
  browser = await Browser.start(server);
  paths = Object.values(await fourteenPages(server, await seed(server, 3)));
});
after(async () => { await browser?.stop(); await server?.stop(); });

/** Faults of the page as it is laid out now. */
const faults = (page) => page.evaluate(() => {
  const found = [];
  const says = (element) => `${element.tagName.toLowerCase()}.${String(element.className?.baseVal ?? element.className).split(' ')[0]} "${(element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 30)}"`;
  const isShown = (element) => element.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true }) && element.getBoundingClientRect().width > 0;
  const inScroller = (element) => element.closest('.table-wrap, .matrix-box, .list-box, pre, .copy-line, .rail, .column, .test-choice, .script-editor, .offscreen, .minimap');
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  const controls = [...document.querySelectorAll('button, a[href], input, select, textarea')].filter(isShown);
  for (const control of controls) {
    const box = control.getBoundingClientRect();
    if (!inScroller(control) && (box.left < -1 || box.right > innerWidth + 1) && !control.matches('.skip')) found.push(`outside the view: ${says(control)}`);
    if (control.tagName === 'BUTTON' && control.scrollWidth > control.clientWidth + 2 && getComputedStyle(control).overflowX === 'visible' && !control.closest('.cell-box')) found.push(`text wider than its button: ${says(control)}`);
  }
  const main = controls.filter((control) => control.closest('#content') && !inScroller(control));
  for (let i = 0; i < main.length; ++i) for (let j = i + 1; j < Math.min(main.length, i + 40); ++j) {
    if (main[i].contains(main[j]) || main[j].contains(main[i])) continue;
    const a = main[i].getBoundingClientRect(), b = main[j].getBoundingClientRect();
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left), height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (width > 3 && height > 3) found.push(`overlap: ${says(main[i])} and ${says(main[j])}`);
  }
  return [...new Set(found)].slice(0, 8);
});

for (const scheme of ['light', 'dark']) test(`fourteen pages at three widths, ${scheme}`, async () => {
  const found = [];
  const page = await browser.open({ colorScheme: scheme });
  for (const path of paths) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit(page, server, path);
    for (const width of [1440, 768, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(80);
      for (const fault of await faults(page)) found.push(`${path} ${width}: ${fault}`);
    }
  }
  assert.deepEqual(found, []);
});
