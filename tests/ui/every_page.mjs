// The paths of all pages and views, and the faults that are found there.
import { geometryFaults } from './geometry.mjs';
import { fixTimes, pixelComparison } from './pixels.mjs';
import { assert, axe, Browser, clean, overflow, Parley, seed, visit } from './support.mjs';

/** The fourteen pages of the pictures in the guide and of the tests of geometry and pixels, by name. */
export async function fourteenPages(server, data) {
  const [a, b] = data.runs.map((run) => run.id);
  const results = (await server.get(`/runs/${b}/test-results?limit=50`)).data;
  const [good, failed] = data.tests.map((each) => results.find((result) => result.test.id === each.id));
  return {
    overview: '/', runs: '/runs', run: `/runs/${b}`, failures: `/runs/${b}?view=failures`, comparison: `/runs/${a}...${b}`, result: `/results/${failed.id}`, conversations: `/results/${good.id}...${failed.id}`,
    scenario: `/scenarios/${data.scenario.id}`, test: `/tests/${data.tests[1].id}`, agent: `/agents/${data.agent.id}`, chat: '/chat', review: '/review', trends: '/trends', settings: '/settings',
  };
}

/** The pages and views without a picture. */
const otherPages = (data) => [...['?view=list', '?view=charts', '?view=settings', '?fold=on'].map((query) => `/runs/${data.runs[1].id}${query}`),
  '/scenarios', '/tests/new', '/agents', '/agents/new', '/agents/new?type=HTTP', '/review?view=agreement', '/logs', '/s/order', '/nowhere'];

/** The sizes of the pictures. */
export const sizes = [[1440, 900], [768, 1024], [360, 740]];

/** Visits a page: checks accessibility and, at four widths, the width of the content; for named pages also geometry and pixels. */
async function faultsOf(page, server, path, name, comparison) {
  const findings = [];
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, server, path);
  // The editor explains the script after the page is ready.
  if (name?.startsWith('test-')) await page.getByText('says "bye"').waitFor();
  for (const found of await axe(page)) findings.push(`${path}: ${found}`);
  for (const [width, height] of [...sizes, [320, 740]]) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(name ? 150 : 60);
    const over = await overflow(page);
    if (over > 0) findings.push(`${path}: ${over} px wider than ${width}`);
    if (!name || width === 320) continue;
    for (const fault of await geometryFaults(page)) findings.push(`${path} ${width}: ${fault}`);
    findings.push(...await comparison(name.replace('-', `-${width}-`)));
  }
  return findings;
}

/** Checks every page in a color scheme, on a separate server. */
export async function checkEveryPage(scheme, context) {
  const server = await Parley.start();
  const browser = await Browser.start(server);
  try {
    const data = await seed(server);
    const page = await browser.open({ colorScheme: scheme, reducedMotion: 'reduce' });
    await fixTimes(page);
    const comparison = await pixelComparison(browser, page, context);
    const findings = [];
    for (const [name, path] of Object.entries(await fourteenPages(server, data))) findings.push(...await faultsOf(page, server, path, `${name}-${scheme}`, comparison));
    for (const path of otherPages(data)) findings.push(...await faultsOf(page, server, path));
    assert.deepEqual([...new Set(findings)], []);
    clean(page);
  } finally {
    await browser.stop();
    await server.stop();
  }
}
