// The budgets of the page, measured in a real browser against the real server:
//   node bench/page.mjs [--smoke] [--stored N] [--idle SECONDS] [--json FILE]
// --smoke uses a tiny run and transcript in Chromium's headless shell, and only shows that everything can be measured.
// --stored N stores N results before the last measurements. --idle SECONDS: how long 100 pages stay open.
// Without --smoke it exits with 1 if a figure exceeds its budget.
// A first visit has no cached file; the other ways to open a page are those of a user who has opened it before.
// Exits with 77 (skipped) if chromium or the tools of tests/ui (scripts/setup) are missing.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
if (!existsSync('/usr/bin/chromium') || !existsSync(join(root, 'tests/ui/node_modules/playwright-core'))) { console.log('page: skipped, there is no chromium or scripts/setup has not run'); process.exit(77); }
const { Browser, finished, key, Parley, ready, seed } = await import(join(root, 'tests/ui/support.mjs'));

const given = process.argv.slice(2);
const option = (name) => (given.includes(name) ? given[given.indexOf(name) + 1] : undefined);
const isSmoke = given.includes('--smoke');
const sizes = isSmoke ? { tests: 4, repetitions: 25, entries: 300, stored: 0, pages: 3 } : { tests: 10, repetitions: 1_000, entries: 10_000, stored: Number(option('--stored') ?? 0), pages: 100 };
const rows = [];
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const note = (what, unit, budget, plain, throttled) => rows.push({ what, unit, budget, plain: plain === undefined ? null : Math.round(plain * 10) / 10, throttled: throttled === undefined ? null : Math.round(throttled * 10) / 10 });

const server = await Parley.start();
// The budgets are measured in the browser that people use.
const browser = await Browser.start(server, isSmoke ? {} : { isDesktop: true });
const began = Date.now();
const url = (path) => `${server.url}/ui${path}`;

/** Milliseconds until the page has drawn its data: in a new profile, with its files cached, and opened from another page of the program. */
async function load(path, isThrottled) {
  const times = { first: [], firstPainted: [], cached: [], painted: [], inside: [] };
  for (let round = 0; round < (isSmoke ? 1 : 3); ++round) {
    const page = await browser.open();
    const session = await page.context().newCDPSession(page);
    if (isThrottled) await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.addInitScript(() => {
      const watch = () => { const html = document.documentElement; if (html?.dataset.ready === 'true') { globalThis.__usable = performance.now(); return; } requestAnimationFrame(watch); };
      watch();
    });
    const visit = async (to) => {
      await page.goto(url(to));
      await page.waitForFunction(() => globalThis.__usable, null, { timeout: 60_000 });
      return page.evaluate(() => ({ usable: globalThis.__usable, painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0 }));
    };
    const first = await visit(path);
    await page.waitForTimeout(500);
    // The browser compiles the files a second time and keeps the result for the third.
    await visit(path);
    const cached = await visit(path);
    times.first.push(first.usable); times.firstPainted.push(first.painted); times.cached.push(cached.usable); times.painted.push(cached.painted);
    await visit(path === '/' ? '/agents' : '/');
    // The program fetches the chunks of runs and results two seconds after it starts.
    await page.waitForTimeout(isSmoke ? 500 : 3_000);
    times.inside.push(await page.evaluate((to) => new Promise((resolve) => {
      const start = performance.now();
      history.pushState(null, '', to);
      document.documentElement.dataset.ready = 'false';
      dispatchEvent(new PopStateEvent('popstate'));
      const watch = () => (document.documentElement.dataset.ready === 'true' ? resolve(performance.now() - start) : requestAnimationFrame(watch));
      requestAnimationFrame(watch);
    }), `/ui${path}`));
    await page.context().close();
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}
const ways = { first: 'first visit', cached: 'files cached', inside: 'from another page' };
/** The budget holds for one way to open the page; the other ways are measured without a budget. */
async function loads(what, path, budget, held = 'cached') {
  if (process.env.VERBOSE) console.error(`${((Date.now() - began) / 1000).toFixed(1)} s: ${what}`);
  const plain = await load(path, false);
  // One page is enough to show that the throttled measurement works.
  const slow = isSmoke && path !== '/' ? undefined : await load(path, true);
  for (const way of Object.keys(ways)) note(`${what}, ${ways[way]}`, 'ms', way === held ? budget : '-', plain[way], slow?.[way]);
  return [plain, slow];
}

function sizesOfFiles() {
  const folder = process.env.PARLEY_UI_SITE ?? join(dirname(process.env.PARLEY_BINARY ?? join(root, 'build/release/parley')), 'generated/ui/site/assets');
  if (!existsSync(folder)) return;
  const packed = (name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length / 1024;
  const all = readdirSync(folder);
  const main = all.filter((name) => name.startsWith('main-'));
  const source = readFileSync(join(folder, main.find((name) => name.endsWith('.js'))), 'utf8');
  const first = [...main, ...all.filter((name) => name.startsWith('chunk-') && new RegExp(`from"\\./${name}"|import"\\./${name}"`).test(source))];
  note('first load: main, its chunks and style, gz', 'KB', '95', first.reduce((sum, name) => sum + packed(name), 0));
  note('all chunks of the page, gz', 'KB', '170', all.filter((name) => !name.startsWith('report')).reduce((sum, name) => sum + packed(name), 0));
  note('the binary, not stripped', 'MB', '-', statSync(process.env.PARLEY_BINARY ?? join(root, 'build/release/parley')).size / 1e6);
}

/** A conversation of `count` entries that a client recorded, in one result. */
async function long(count) {
  const agent = await server.post('/agents/', { name: 'Recorded', type: 'EXTERNAL' });
  const perTurn = 500, turns = Math.ceil(count / perTurn);
  const result = await server.post('/test-results/', { agent: agent.id, testInstruction: Array.from({ length: turns }, (_, at) => `say: question ${at}`).join('\n'), assertionResults: [] });
  for (let turn = 0; turn < turns; ++turn) {
    await server.post(`/test-results/${result.id}/next-message`);
    const adds = Array.from({ length: perTurn - 2 }, (_, at) => ({ type: 'tool', name: `step_${at}`, metadata: { arguments: { turn, at }, result: 'x'.repeat(200) } }));
    for (const entry of [...adds, { content: `answer ${turn} ${'word '.repeat(40)}` }]) await server.post(`/test-results/${result.id}/conversation`, entry, { Prefer: 'return=minimal' });
  }
  await server.post(`/test-results/${result.id}/next-message`);
  return result.id;
}

/** A scenario of `count` tests like those of `data`. */
async function scenarioOf(count, data) {
  const made = await server.post('/scenarios/', { name: `${count} tests`, agents: [data.agent.id] });
  for (let at = 0; at < count; ++at) {
    const { name, instruction, assertions } = data.tests[at % data.tests.length];
    await server.post('/tests/', { scenario: made.id, name: `${name} ${at}`, instruction, assertions });
  }
  return made.id;
}
const runOf = async (scenario, data, repetitions) => finished(server, await server.post('/runs/', { scenario, agent: data.agent.id, status: 'pending', repetitions }));

async function stored(count, data, scenario, tests) {
  for (let left = count; left > 0; left -= 1_000 * tests) await runOf(scenario, data, Math.min(1_000, Math.ceil(left / tests)));
}

/** Milliseconds from a click, or from the selection of a value, to the end of the next frame. */
const timed = (page, selector, value) => page.evaluate(([of, chosen]) => new Promise((resolve) => {
  const found = document.querySelector(of), start = performance.now();
  if (chosen === undefined) found.click();
  else { found.value = chosen; found.dispatchEvent(new Event('change', { bubbles: true })); }
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
}), [selector, value]);

async function measureRun(id, total) {
  const start = performance.now();
  const answer = await fetch(`${server.url}/runs/${id}/cells`, { headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'gzip' } });
  const bytes = gzipSync(Buffer.from(await answer.arrayBuffer()), { level: 6 }).length;
  note(`cells of ${total} results, gz`, 'KB', '250', bytes / 1024);
  note(`cells of ${total} results, whole call`, 'ms', '-', performance.now() - start);
  await loads(`run of ${total} results usable`, `/runs/${id}?fold=off`, '700 / 2000');
  const measured = [];
  for (const rate of [1, 4]) {
    const rounds = { recolor: [], filter: [], frames: [] };
    for (let round = 0; round < (isSmoke ? 1 : 3); ++round) {
      const page = await browser.open();
      const session = await page.context().newCDPSession(page);
      await page.goto(url(`/runs/${id}?fold=off`));
      await ready(page);
      await page.waitForSelector('[data-part=cell]');
      if (rate === 1 && round === 0) {
        note('cells in the document', '', '5000', await page.locator('[data-part=cell]').count());
        await session.send('HeapProfiler.collectGarbage');
        note('heap of the page', 'MB', '80', (await session.send('Runtime.getHeapUsage')).usedSize / 1e6);
      }
      // The browser is still busy with the page that it has just loaded, which is not measured here.
      await page.waitForTimeout(isSmoke ? 0 : 3_000);
      await session.send('Emulation.setCPUThrottlingRate', { rate });
      rounds.recolor.push(await timed(page, 'select:has(option[value=latency])', 'score'));
      rounds.filter.push(await timed(page, '[data-part=legend][data-state=f]'));
      rounds.frames.push(await page.evaluate(() => new Promise((resolve) => {
        const box = document.querySelector('.matrix-box'), times = [];
        let last = performance.now(), left = 60;
        const step = (now) => { times.push(now - last); last = now; box.scrollLeft += 120; if (--left) requestAnimationFrame(step); else resolve(times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]); };
        requestAnimationFrame(step);
      })));
      await page.context().close();
    }
    measured.push({ recolor: median(rounds.recolor), filter: median(rounds.filter), frames: median(rounds.frames) });
  }
  const [plain, slow] = measured;
  note('recolor the matrix', 'ms', '50 / 150', plain.recolor, slow.recolor);
  note('filter of the matrix', 'ms', '50 / 150', plain.filter, slow.filter);
  // One frame of 60 Hz, and two; the browser's clock has a resolution of 0.1 ms.
  note('frame while scrolling, p95', 'ms', '16.8 / 33.5', plain.frames, slow.frames);
}

/** The longest task of the page that shows a run of this size while the run ends. */
async function measureLive(data) {
  const page = await browser.open();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const taskSeconds = async () => (await session.send('Performance.getMetrics')).metrics.find((each) => each.name === 'TaskDuration').value;
  // The run begins when the page is open.
  const made = await server.post('/runs/', { scenario: data.scenario.id, agent: data.agent.id, status: 'new', repetitions: isSmoke ? 25 : 1_000 });
  await page.addInitScript(() => { globalThis.__longest = 0; new PerformanceObserver((list) => { for (const each of list.getEntries()) globalThis.__longest = Math.max(globalThis.__longest, each.duration); }).observe({ type: 'longtask' }); });
  await page.goto(url(`/runs/${made.id}`));
  await ready(page);
  await page.evaluate(() => { globalThis.__longest = 0; });
  const before = await taskSeconds(), start = performance.now();
  await server.call('PATCH', `/runs/${made.id}`, { status: 'pending' });
  const { result } = await finished(server, made);
  const seconds = (performance.now() - start) / 1000;
  const busy = (await taskSeconds()) - before;
  await page.waitForTimeout(1500);
  note('longest task while a run ends', 'ms', '100', await page.evaluate(() => globalThis.__longest));
  note('results a second that ended meanwhile', '1/s', '-', result.total / seconds);
  note('the same: share of a core of the page', '%', '33', (busy / seconds) * 100);
  await page.context().close();
}

/** A page with a separate session, as each member of a team has one. */
async function visitor() {
  const page = await browser.open({}, false);
  const session = await (await page.request.post(`${server.url}/session`, { data: { key }, headers: { Origin: server.url } })).json();
  await page.addInitScript((half) => localStorage.setItem('parley.page', half), session.page);
  return page;
}

/** The cost of pages that stay open: memory of the server, and the heap of one page. */
async function measureIdle(path, seconds) {
  const anonymous = () => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))[1]) / 1024;
  const before = anonymous();
  const first = await visitor();
  await first.goto(url(path));
  await first.waitForSelector('[data-part=matrix-row]');
  const session = await first.context().newCDPSession(first);
  const heap = async () => { await session.send('HeapProfiler.collectGarbage'); return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6; };
  const heapBefore = await heap();
  const contexts = [first.context()];
  for (let at = 1; at < sizes.pages; ++at) { const page = await visitor(); await page.goto(url(path)); await page.waitForSelector('[data-part=matrix-row]', { timeout: 60_000 }); contexts.push(page.context()); }
  await first.waitForTimeout(seconds * 1000);
  note(`${sizes.pages} open pages for ${seconds} s: memory of the server`, 'MB', '10', anonymous() - before);
  note('the same: heap of a page grows by', 'MB', '5', (await heap()) - heapBefore);
  for (const context of contexts) await context.close();
}

sizesOfFiles();
const data = await seed(server, 2);
const [plain, slow] = await loads('overview usable', '/', '400 / 1200');
note('overview painted, first visit', 'ms', '-', plain.firstPainted, slow.firstPainted);
note('overview painted, files cached', 'ms', '200 / 600', plain.painted, slow.painted);
const big = await runOf(await scenarioOf(sizes.tests, data), data, sizes.repetitions);
await measureRun(big.id, big.result.total);
await measureLive(data);
const small = await long(Math.min(200, sizes.entries));
await loads('result of 200 entries', `/results/${small}`, '150', 'inside');
const large = await long(sizes.entries);
await loads(`first screen of ${sizes.entries} entries`, `/results/${large}`, '300', 'inside');
const page = await browser.open();
await page.goto(url(`/results/${large}`));
await ready(page);
for (let scrolls = 0; scrolls < 30; ++scrolls) { await page.evaluate(() => scrollTo(0, document.body.scrollHeight)); await page.waitForTimeout(60); }
note('entries in the document after reading on', '', '2000', await page.locator('[data-part=entry]').count());
const wide = await scenarioOf(2 * sizes.tests, data);
const pair = [await runOf(wide, data, sizes.repetitions), await runOf(wide, data, sizes.repetitions)];
await loads(`compare of 2 x ${pair[0].result.total}`, `/runs/${pair[0].id}...${pair[1].id}`, '1000');
await measureIdle(`/runs/${data.runs[0].id}`, Number(option('--idle') ?? (isSmoke ? 1 : 60)));
if (sizes.stored) {
  const lists = { 'list of runs': '/runs', 'small run': `/runs/${data.runs[0].id}`, result: `/results/${small}`, scenario: `/scenarios/${data.scenario.id}`, overview: '/' };
  const few = {};
  for (const [name, path] of Object.entries(lists)) [few[name]] = await loads(`${name}, few results stored`, path, '-');
  await stored(sizes.stored, data, wide, 2 * sizes.tests);
  // As fast as with few results; these figures vary by a quarter between measurements.
  for (const [name, path] of Object.entries(lists)) await loads(`${name}, ${sizes.stored} more results stored`, path, String(Math.round(few[name].cached * 1.25)));
}
await browser.stop();
await server.stop();

const text = (value) => (value === null ? '' : String(value));
/** A budget is "-", one figure for the unthrottled measurement, or two: the second one is for the throttled CPU. */
function isWithin(row) {
  const [plain, throttled] = row.budget.split(' / ').map(Number);
  return !(row.plain > plain) && !(row.throttled > throttled);
}
console.log('| what | unit | budget | measured | CPU x 4 | within |\n|---|---|---|---|---|---|');
for (const row of rows) console.log(`| ${row.what} | ${row.unit} | ${row.budget} | ${text(row.plain)} | ${text(row.throttled)} | ${row.budget === '-' ? '' : isWithin(row) ? 'yes' : 'NO'} |`);
const file = option('--json');
if (file) writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`);
if (!isSmoke && !rows.every(isWithin)) process.exitCode = 1;
