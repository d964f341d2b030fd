// Takes every picture of the page: those of docs/guide/page.md (docs/images), and those of docs/guide/page-gallery.md (docs/images/pages):
// fourteen pages, three widths, light and dark. Run it when the look of a page changes.
//   PARLEY_BINARY=build/release/parley node tests/ui/screenshots.mjs [FOLDER]     default: docs/images
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fourteenPages, sizes } from './every_page.mjs';
import { Browser, finished, Parley, root, seed, visit } from './support.mjs';

const folder = process.argv[2] ?? join(root, 'docs/images');
const gallery = join(folder, 'pages');
mkdirSync(gallery, { recursive: true });

/** The pages in every width and theme. */
async function takeGallery() {
  const server = await Parley.start();
  const browser = await Browser.start(server);
  const pages = await fourteenPages(server, await seed(server, 5));
  for (const scheme of ['light', 'dark']) {
    const page = await browser.open({ colorScheme: scheme, reducedMotion: 'reduce' });
    for (const [name, path] of Object.entries(pages)) for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await visit(page, server, path);
      if (name === 'test') await page.waitForSelector('.line-notes');
      await take(page, join(gallery, `${name}-${width}-${scheme}.webp`), 55);
    }
    await page.context().close();
  }
  await browser.stop();
  await server.stop();
}

/** Takes a picture of the page once it no longer changes. */
async function take(page, file, quality) {
  await page.waitForTimeout(300);
  const session = await page.context().newCDPSession(page);
  const taken = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  writeFileSync(file, Buffer.from(taken.data, 'base64'));
  await session.detach();
}

const tool = { id: 'lookup', name: 'looks the order up', type: 'tool-called', severity: 'BLOCKER', config: { name: 'lookup_order' } };
const says = (id, name, severity, value) => ({ id, name, type: 'icontains', severity, config: { value } });
const guideTests = [
  ['Wants a refund', 'money', 'say: Hello\nsay: I want my money back for order 42.\nsay: bye', [{ ...says('refund', 'gives the money back', 'BLOCKER', 'has been refunded'), type: 'contains' }, says('hello', 'greets', 'MINOR', 'hello')]],
  ['Asks for an order', 'orders', 'say: Hello\nsay: Where is order 42?\nsay: bye', [tool, says('when', 'says when it arrives', 'MINOR', 'friday')]],
  ['Asks for an unknown order', 'orders', 'say: Hello\nsay: Where is order 99?\nsay: bye', [tool]],
  ['Asks for two orders', 'orders', 'say: Hello\nsay: Where are order 42 and order 20?\nsay: bye', [tool, says('both', 'says where the second one is', 'MAJOR', 'order 20 has been sent')]],
  ['Is polite', 'tone', 'say: Hello\nsay: bye', [says('hello', 'greets', 'BLOCKER', 'hello')]],
];

/** One picture for each step of the guide, 1240 points wide. */
async function takeGuide() {
  const server = await Parley.start();
  const browser = await Browser.start(server);
  const agent = await server.post('/agents/', { name: 'Demo shop', type: 'DEMO' });
  const scenario = await server.post('/scenarios/', { name: 'Orders and refunds', agents: [agent.id] });
  const tests = {};
  for (const [name, area, instruction, assertions] of guideTests) tests[name] = (await server.post('/tests/', { scenario: scenario.id, name, instruction, assertions, fields: { area } })).id;
  let run;
  for (let at = 0; at < 2; ++at) run = await finished(server, await server.post('/runs/', { scenario: scenario.id, agent: agent.id, status: 'pending', repetitions: 12 }));
  const results = (await server.get(`/runs/${run.id}/test-results?limit=100`)).data;
  const of = (name) => results.find((result) => result.test.id === tests[name]).id;
  const page = await browser.open({ colorScheme: 'light', reducedMotion: 'reduce', deviceScaleFactor: 1.5 });
  const [order, refund] = [of('Asks for an order'), of('Wants a refund')];
  const pages = { overview: '/', run: `/runs/${run.id}?group=field.area`, result: `/results/${refund}?a=hello`, conversations: `/results/${order}...${refund}`, review: `/review?result=${order}`, editor: `/tests/${tests['Asks for an order']}` };
  for (const [name, path] of Object.entries(pages)) {
    await page.setViewportSize({ width: 1240, height: name === 'overview' ? 420 : 640 });
    await visit(page, server, path);
    if (name === 'review') { await page.keyboard.press('1'); await page.waitForSelector('[data-part=verdict]'); }
    if (name === 'editor') await page.waitForSelector('.line-notes');
    await take(page, join(folder, `${name}.webp`), 80);
  }
  await browser.stop();
  await server.stop();
}

await takeGuide();
await takeGallery();
const files = [folder, gallery].flatMap((each) => readdirSync(each).filter((name) => name.endsWith('.webp')).map((name) => statSync(join(each, name)).size));
console.log(`${files.length} pictures, ${Math.round(files.reduce((sum, size) => sum + size, 0) / 1024)} KiB`);
