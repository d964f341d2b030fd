// Fourteen pages at three widths in both themes look as in the kept pictures. Numbers and times are replaced first.
//   PARLEY_RETAKE=1 PARLEY_BINARY=build/release/parley node tests/ui/run.mjs pixels      takes the pictures again
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pixelmatch from 'pixelmatch';
import { picture } from './pictures.mjs';
import { assert, Browser, Parley, root } from './support.mjs';

const folder = join(root, 'tests/ui/pixels');
const retakes = process.env.PARLEY_RETAKE === '1';
let server, browser;
before(async () => { server = await Parley.start(); browser = await Browser.start(server); });
after(async () => { await browser?.stop(); await server?.stop(); });

/** Replaces what differs between two servers with the same data: ids, numbers and times. */
const normalize = (page) => page.evaluate(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    text.nodeValue = text.nodeValue.replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'ID')
      .replace(/just now|\d+ \w+ ago/g, '0 ago').replace(/\d[\d.,:]*/g, '0');
  }
});

/** The share of the pixels that differ between two pictures, decoded by the browser. */
async function difference(page, one, other) {
  const decoded = async (picture) => {
    const { width, height, data } = await page.evaluate(async (base64) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/webp;base64,${base64}`)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      canvas.getContext('2d').drawImage(bitmap, 0, 0);
      const pixels = canvas.getContext('2d').getImageData(0, 0, bitmap.width, bitmap.height).data;
      let text = '';
      for (let at = 0; at < pixels.length; at += 32768) text += String.fromCharCode(...pixels.subarray(at, at + 32768));
      return { width: bitmap.width, height: bitmap.height, data: btoa(text) };
    }, picture.toString('base64'));
    return { width, height, data: Buffer.from(data, 'base64') };
  };
  const [a, b] = [await decoded(one), await decoded(other)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  return pixelmatch(a.data, b.data, null, a.width, a.height) / (a.width * a.height);
}

test('fourteen pages look as in their pictures', async (context) => {
  const major = browser.browser.version().split('.')[0];
  const versionFile = join(folder, 'chromium');
  if (retakes) { mkdirSync(folder, { recursive: true }); writeFileSync(versionFile, `${major}\n`); }
  const kept = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : 'none';
  if (kept !== major) { context.skip(`not compared: the pictures are of Chromium ${kept}, this is ${major}`); return; }
  const blank = await (await browser.browser.newContext()).newPage();
  const found = [];
  await picture(server, browser, 3, async (name, page, shot) => {
    await normalize(page);
    const taken = await shot();
    const file = join(folder, `${name}.webp`);
    if (retakes) { writeFileSync(file, taken); return; }
    const expected = readFileSync(file);
    if (expected.equals(taken)) return;
    const share = await difference(blank, expected, taken);
    if (share <= 0.001) return;
    const copy = join(tmpdir(), `parley-pixels-${name}.webp`);
    writeFileSync(copy, taken);
    found.push(`${name}: ${(share * 100).toFixed(2)} % of the pixels differ from ${file}; the new picture is ${copy}`);
  });
  assert.deepEqual(found, []);
});
