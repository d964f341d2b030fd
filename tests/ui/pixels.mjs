// Compares the look of a page with its picture in pixels/. Times are fixed, numbers are replaced.
//   PARLEY_RETAKE=1 PARLEY_BINARY=build/release/parley node tests/ui/run.mjs light dark      takes the pictures again
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './support.mjs';

const comparisonSource = readFileSync(join(root, 'tests/ui/node_modules/pixelmatch/index.js'), 'utf8');
const folder = join(root, 'tests/ui/pixels');
const retakes = process.env.PARLEY_RETAKE === '1';
/** The share of the pixels that may differ. */
const tolerance = 0.001;

/** Makes the page show the same dates and response times whenever it is loaded. Charts draw response times to scale. */
export async function fixTimes(page) {
  await page.addInitScript(() => {
    Intl.RelativeTimeFormat.prototype.format = () => '30 minutes ago';
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', { get() { return () => (this.resolvedOptions().dateStyle ? 'Nov 30, 2026, 10:30:30 PM' : 'Nov 30, 10:30 PM'); } });
  });
  await page.route('**/trends?*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/"(p50|p95|p99)":[\d.]+/g, '"$1":1') });
  });
}

/** Replaces ids and numbers, which differ between two servers with the same data. */
const normalize = (page) => page.evaluate(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    text.nodeValue = text.nodeValue.replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'ID').replace(/\d[\d.,:]*/g, '0');
  }
});

/** The share of the pixels that differ between two pictures. The browser decodes and compares them: raw pixels are slow to transfer. */
const difference = (page, one, other) => page.evaluate(async (pictures) => {
  const [a, b] = await Promise.all(pictures.map(async (base64) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/webp;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    return canvas.getContext('2d').getImageData(0, 0, bitmap.width, bitmap.height);
  }));
  if (a.width !== b.width || a.height !== b.height) return 1;
  return globalThis.pixelmatch(a.data, b.data, null, a.width, a.height) / (a.width * a.height);
}, [one.toString('base64'), other.toString('base64')]);

/** Returns a function that compares the page with the picture of a name and returns the differences. */
export async function pixelComparison(browser, page, context) {
  const browserFile = join(folder, 'browser');
  if (retakes) { mkdirSync(folder, { recursive: true }); writeFileSync(browserFile, `${browser.name}\n`); }
  const kept = existsSync(browserFile) ? readFileSync(browserFile, 'utf8').trim() : 'none';
  if (kept !== browser.name) { context.diagnostic(`pictures are not compared: they are of ${kept}, this is ${browser.name}`); return async () => []; }
  const blank = await (await browser.browser.newContext()).newPage();
  await blank.addScriptTag({ type: 'module', content: `${comparisonSource}\nglobalThis.pixelmatch = pixelmatch;` });
  const session = await page.context().newCDPSession(page);
  return async (name) => {
    await normalize(page);
    const taken = Buffer.from((await session.send('Page.captureScreenshot', { format: 'webp', quality: 55 })).data, 'base64');
    const file = join(folder, `${name}.webp`);
    if (retakes) { writeFileSync(file, taken); return []; }
    const expected = readFileSync(file);
    if (expected.equals(taken)) return [];
    const share = await difference(blank, expected, taken);
    if (share <= tolerance) return [];
    const copy = join(tmpdir(), `parley-pixels-${name}.webp`);
    writeFileSync(copy, taken);
    return [`${name}: ${(share * 100).toFixed(2)} % of the pixels differ from ${file}; the new picture is ${copy}`];
  };
}
