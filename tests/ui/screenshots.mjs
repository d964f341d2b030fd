// Takes the pictures of docs/guide/page-gallery.md: fourteen pages, three widths, light and dark. Run it when the look of a page changes.
//   PARLEY_BINARY=build/release/parley node tests/ui/screenshots.mjs [FOLDER]     default: docs/images/pages
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser, Parley, root, seed, visit } from './support.mjs';

const folder = process.argv[2] ?? join(root, 'docs/images/pages');
const views = [[1440, 900], [768, 1024], [360, 740]];
mkdirSync(folder, { recursive: true });

const server = await Parley.start();
const browser = await Browser.start(server);
const data = await seed(server, 5);
const [a, b] = data.runs.map((run) => run.id);
const results = (await server.get(`/runs/${b}/test-results?limit=50`)).data;
const [good, failed] = data.tests.map((each) => results.find((result) => result.test.id === each.id));
const pages = {
  overview: '/', runs: '/runs', run: `/runs/${b}`, failures: `/runs/${b}?view=failures`, comparison: `/runs/${a}...${b}`, result: `/results/${failed.id}`, conversations: `/results/${good.id}...${failed.id}`,
  scenario: `/scenarios/${data.scenario.id}`, test: `/tests/${data.tests[1].id}`, agent: `/agents/${data.agent.id}`, chat: '/chat', review: '/review', trends: '/trends', settings: '/settings',
};
for (const scheme of ['light', 'dark']) {
  const page = await browser.open({ colorScheme: scheme, reducedMotion: 'reduce' });
  const session = await page.context().newCDPSession(page);
  for (const [name, path] of Object.entries(pages)) for (const [width, height] of views) {
    await page.setViewportSize({ width, height });
    await visit(page, server, path);
    await page.waitForTimeout(300);
    const taken = await session.send('Page.captureScreenshot', { format: 'webp', quality: 55 });
    writeFileSync(join(folder, `${name}-${width}-${scheme}.webp`), Buffer.from(taken.data, 'base64'));
  }
  await page.context().close();
}
await browser.stop();
await server.stop();
const files = readdirSync(folder);
console.log(`${files.length} pictures, ${Math.round(files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1024)} KiB`);
