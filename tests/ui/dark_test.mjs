import { after, before, test } from 'node:test';
import { faultsOfPages, pathsOf } from './every_page.mjs';
import { assert, Browser, clean, Parley, seed } from './support.mjs';

let server, browser, paths;
before(async () => { server = await Parley.start(); browser = await Browser.start(server); paths = await pathsOf(server, await seed(server)); });
after(async () => { await browser?.stop(); await server?.stop(); });

test('every page, dark: no axe finding, nothing wider than the view, no error', async () => {
  const page = await browser.open({ colorScheme: 'dark' });
  assert.deepEqual(await faultsOfPages(page, server, paths), []);
  clean(page);
});
