// Takes the pictures of docs/guide/page-gallery.md: fourteen pages, three widths, light and dark. Run it when the look of a page changes.
//   PARLEY_BINARY=build/release/parley node tests/ui/screenshots.mjs [FOLDER]     default: docs/images/pages
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { picture } from './pictures.mjs';
import { Browser, Parley, root } from './support.mjs';

const folder = process.argv[2] ?? join(root, 'docs/images/pages');
mkdirSync(folder, { recursive: true });

const server = await Parley.start();
const browser = await Browser.start(server);
await picture(server, browser, 5, async (name, page, shot) => writeFileSync(join(folder, `${name}.webp`), await shot()));
await browser.stop();
await server.stop();
const files = readdirSync(folder);
console.log(`${files.length} pictures, ${Math.round(files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1024)} KiB`);
