// Pictures of fourteen pages at three widths, light and dark.
import { fourteenPages } from './every_page.mjs';
import { seed, visit } from './support.mjs';

const views = [[1440, 900], [768, 1024], [360, 740]];

/** Seeds the server and calls `take(name, page, shot)` for each picture; `shot()` returns it as WebP. */
export async function picture(server, browser, repetitions, take) {
  const pages = await fourteenPages(server, await seed(server, repetitions));
  for (const scheme of ['light', 'dark']) {
    const page = await browser.open({ colorScheme: scheme, reducedMotion: 'reduce' });
    const session = await page.context().newCDPSession(page);
    const shot = async () => Buffer.from((await session.send('Page.captureScreenshot', { format: 'webp', quality: 55 })).data, 'base64');
    for (const [name, path] of Object.entries(pages)) for (const [width, height] of views) {
      await page.setViewportSize({ width, height });
      await visit(page, server, path);
      // The editor explains the script after the page is ready.
      if (name === 'test') await page.getByText('says "bye"').waitFor();
      await page.waitForTimeout(300);
      await take(`${name}-${width}-${scheme}`, page, shot);
    }
    await page.context().close();
  }
}
