// Takes the pictures of docs/guide/page-gallery.md: fourteen pages, three widths, light and dark. Run it when the look of a page changes.
//   PARLEY_BINARY=build/release/parley node tests/ui/screenshots.mjs [FOLDER]     default: docs/images/pages
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fourteenPages } from './every_page.mjs';
import { Browser, Parley, root, seed, visit } from './support.mjs';

const folder = process.argv[2] ?? join(root, 'docs/images/pages');
const views = [[1440, 900], [768, 1024], [360, 740]];
mkdirSync(folder, { recursive: true });

const server = await Parley.start();
const browser = await Browser.start(server);
const pages = await fourteenPages(server, await seed(server, 5));
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
