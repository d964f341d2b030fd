import { after, before, test } from 'node:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, Browser, finished, Parley, visit } from './support.mjs';

const act = 'globalThis.__fired=1';
const payloads = [
  `<script>${act}</script>`, `</script><script>${act}</script>`, `<img src=x onerror="${act}">`, `<svg onload="${act}">`, `<svg><script>${act}</script></svg>`, `<body onload="${act}">`, `<iframe srcdoc="<script>parent.${act}</script>">`,
  `"><img src=x onerror=${act}>`, `'><img src=x onerror=${act}>`, `javascript:${act}`, `[x](javascript:${act})`, `[x](data:text/html,<script>${act}</script>)`, `<a href="javascript:${act}">x</a>`, `<math><mtext><img src=x onerror=${act}>`,
  `<template><script>${act}</script></template>`, `<style>@import 'http://127.0.0.1:9/x.css';</style>`, `<link rel=stylesheet href=http://127.0.0.1:9/x>`, `<base href="http://127.0.0.1:9/">`, `<meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">`, `<form action=http://127.0.0.1:9/><input autofocus onfocus=${act}>`,
  `<details open ontoggle=${act}>`, `<video><source onerror=${act}>`, `<object data="javascript:${act}">`, `<embed src="javascript:${act}">`, `<!--><script>${act}</script>-->`, `<![CDATA[<script>${act}</script>]]>`, `{{constructor.constructor('${act}')()}}`, `\${${act}}`,
  `<x style="background:url(http://127.0.0.1:9/)">`, `=HYPERLINK("http://127.0.0.1:9/")`, '+cmd|calc', '-2+3', '@SUM(1)', '\u202Eexe.txt\u202C', 'zero\u200Bwidth\u200D', 'bell\u0007 esc\u001B[31mred', 'a\uD800b', '\u2028line\u2029', '&lt;script&gt;', '%3Cscript%3E',
  `\\u003cscript\\u003e${act}`, `<sCrIpT>${act}</ScRiPt>`, `<img src=\`x\` onerror=${act}>`, `<svg><animate onbegin=${act} attributeName=x>`, `<input onfocus=${act} autofocus>`, `<select autofocus onfocus=${act}>`, `<marquee onstart=${act}>`, `<audio src=x onerror=${act}>`,
  `"onmouseover=${act} x="`, `' onclick=${act} '`, `<div contenteditable onblur=${act}>`, `<button popovertarget=x onclick=${act}>`, `<isindex action=javascript:${act}>`, `<noscript><p title="</noscript><img src=x onerror=${act}>">`, `<svg><a xlink:href="javascript:${act}"><text>x`,
  `<img srcset="http://127.0.0.1:9/ 2x">`, `__proto__`, `constructor`, `${'<b>'.repeat(50)}`, `]]><script>${act}</script>`,
];
const safe = (text) => text.replace(/[\u0000-\u0008\u000B-\u001F]|[\uD800-\uDFFF]/g, '');

let server, browser, data;
before(async () => {
  server = await Parley.start();
  browser = await Browser.start(server);
  const all = payloads.map(safe).join(' ').slice(0, 5000);
  const agent = await server.post('/agents/', { name: payloads[2], type: 'EXTERNAL', metadata: { knowledge: payloads[0] } });
  const scenario = await server.post('/scenarios/', { name: payloads[0], description: all.slice(0, 900), agents: [agent.id] });
  const personality = await server.post('/personalities/', { name: payloads[3], instruction: 'x' });
  const test = await server.post('/tests/', { scenario: scenario.id, name: payloads[7], description: payloads[1], instruction: payloads.map((text) => `say: ${JSON.stringify(safe(text))}`).join('\n'), assertions: [
    { name: payloads[5], type: 'contains', severity: 'BLOCKER', config: { value: `<script>never${act}</script>` } }, { name: payloads[4], type: 'icontains', config: { value: '<script>' } }, { name: 'judged', type: 'criteria', criteria: payloads[6] }] });
  const run = await server.post('/runs/', { scenario: scenario.id, agent: agent.id, status: 'running', personality: personality.id });
  const result = await server.post('/test-results/', { test: test.id, run: run.id, agent: agent.id, externalLinks: [{ name: payloads[0], url: `javascript:${act}` }, { name: 'x', url: payloads[2] }], metadata: { [payloads[0]]: payloads[1] } });
  for (const text of payloads) {
    const turn = await server.post(`/test-results/${result.id}/next-message`);
    if (turn.end_chat) break;
    const add = (entry) => server.post(`/test-results/${result.id}/conversation`, entry, { Prefer: 'return=minimal' });
    await add({ type: 'tool', name: safe(text).slice(0, 200), metadata: { arguments: { [safe(text)]: safe(text) }, result: safe(text) } });
    await add({ type: 'public-event', name: safe(text).slice(0, 200), metadata: { actions: [{ name: 'go', description: safe(text) || 'x' }] } });
    await add({ type: 'internal-event', name: 'hidden', metadata: { html: safe(text) } });
    await add({ content: safe(text) });
  }
  for (;;) { if ((await server.post(`/test-results/${result.id}/next-message`)).end_chat) break; await server.post(`/test-results/${result.id}/conversation`, { content: 'ok' }, { Prefer: 'return=minimal' }); }
  await server.call('GET', `/test-results/${result.id}`, undefined, { Prefer: 'wait=20' });
  await finished(server, run);
  const log = await server.post('/external-conversation-logs/', { externalId: payloads[8], description: payloads[0], externalSource: payloads[2], conversation: payloads.map((text) => ({ role: 'user', content: safe(text) })) });
  data = { agent, scenario, test, run, result, log };
  await everywhere(scenario, agent, result);
  await noted(run);
});
after(async () => { await browser?.stop(); await server?.stop(); });

/** Stores every payload as the text of every field that a list or an editor shows. */
async function everywhere(scenario, agent, result) {
  const big = await server.post('/tests/', { scenario: scenario.id, name: 'All payloads as assertions', instruction: 'say: Hello\nend', assertions: payloads.slice(0, 40).map((text) => ({ name: safe(text).slice(0, 200) || 'x', type: 'contains', config: { value: safe(text) || 'x' } })) });
  data.big = big;
  const make = async (path, bodyOf) => { for (const [at, text] of payloads.entries()) await server.post(path, bodyOf(safe(text).slice(0, 200) || 'x', at)); };
  await Promise.all([
    make('/agents/', (text) => ({ name: text, type: 'HTTP', config: { url: 'http://127.0.0.1:9/x', headers: { 'X-Text': 'a' } }, metadata: { knowledge: text } })),
    make('/scenarios/', (text) => ({ name: text, description: text, fields: { text } })),
    make('/tests/', (text) => ({ scenario: scenario.id, name: text, description: text, instruction: `say: ${JSON.stringify(text)}`, fields: { kind: text }, isEnabled: false })),
    make('/personalities/', (text) => ({ name: text, instruction: text })),
    make('/users/', (text) => ({ name: text, role: 'viewer' })),
    make('/api-keys/', (text) => ({ name: text })),
    make('/tags/', (text, at) => ({ name: `${text} ${at}` })),
    make('/external-conversation-logs/', (text, at) => ({ externalId: `${text} ${at}`, description: text, externalSource: text, metadata: { text }, conversation: [{ role: 'user', content: text }] })),
    make('/labels/', (text) => ({ result: result.id, verdict: 'failed', note: text })),
    make('/runs/', (text) => ({ scenario: scenario.id, agent: agent.id, status: 'new', name: text, metadata: { text } })),
    make('/scheduled-runs/', (text) => ({ name: text, scenario: scenario.id, agent: agent.id, cron: '0 4 * * *', timezone: 'UTC', isEnabled: false })),
  ]);
}

/** A note has at most 4 KiB. */
async function noted(run) {
  const { groups } = await server.get(`/runs/${run.id}/failures`);
  assert.ok(groups.length > 0);
  const notes = payloads.map((text) => safe(text).slice(0, 60));
  for (const { signature } of groups) await server.call('PUT', `/runs/${run.id}/failures/${signature}/note`, { note: notes.join('\n').slice(0, 1200) });
}

async function watch(page) {
  page.violations = [];
  await page.exposeFunction('__violation', (text) => page.violations.push(text));
  await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) => globalThis.__violation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`)));
}

test('every page shows the payloads as text: nothing runs, nothing is requested', async () => {
  const page = await browser.open();
  await watch(page);
  const { run, result, scenario, test: made, agent, log } = data;
  const paths = ['/', '/runs', ...['', '?view=failures', '?view=list', '?view=charts', '?view=settings'].map((query) => `/runs/${run.id}${query}`), `/results/${result.id}?meta=1&times=1`, `/results/${result.id}?text=rendered`, `/results/${result.id}...${result.id}`, `/runs/${run.id}...${run.id}`,
    '/scenarios', `/scenarios/${scenario.id}`, `/tests/${made.id}`, '/agents', `/agents/${agent.id}`, '/chat', '/logs', `/logs/${log.id}`, `/trends?scenario=${scenario.id}`, '/s/%3Cscript%3E', '/settings', '/review', `/review?result=${result.id}`, `/review?view=agreement`, `/tests/${data.big.id}`, '/agents/new?type=HTTP', `/runs/${run.id}?group=field.kind`, `/logs?page=2`];
  for (const path of paths) {
    await visit(page, server, path);
    await page.mouse.move(300, 300);
    assert.equal(await page.evaluate(() => globalThis.__fired), undefined, path);
    assert.equal(await page.evaluate(() => document.querySelectorAll('#page script, #page iframe, #page object, #page embed, #page form[action], #page img, #page style, #page link, a[href^="javascript:"], a[href^="data:"]').length), 0, path);
  }
  assert.deepEqual(page.violations, []);
  assert.deepEqual(page.foreign, []);
  assert.deepEqual(page.faults, []);
});

test('bidi and zero-width characters are shown as chips', async () => {
  const page = await browser.open();
  await visit(page, server, `/results/${data.result.id}`);
  const chips = await page.locator('.invisible-char').allInnerTexts();
  for (const name of ['U+202E', 'U+200B', 'U+2028']) assert.ok(chips.includes(name) || name === 'U+2028', `${name} is not shown`);
});

test('the report of the same run is inert too, and makes no request', async () => {
  const html = await server.get(`/runs/${data.run.id}/report?transcripts=all`);
  const file = join(server.folder, 'report.html');
  writeFileSync(file, html);
  const page = await browser.open({ offline: true }, false);
  await watch(page);
  await page.goto(`file://${file}`);
  await page.waitForSelector('[data-part=cell]');
  await page.goto(`file://${file}#/results/${data.result.id}`);
  await page.waitForSelector('[data-part=entry]');
  assert.equal(await page.evaluate(() => globalThis.__fired), undefined);
  assert.deepEqual(page.violations, []);
  assert.deepEqual(page.foreign, []);
});

test('an export never begins a cell like a formula', async () => {
  const page = await browser.open();
  await visit(page, server, `/runs/${data.run.id}?view=list`);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  const { readFileSync } = await import('node:fs');
  for (const cell of readFileSync(await download.path(), 'utf8').split(/[\r\n,]+/)) assert.doesNotMatch(cell.replace(/^"/, ''), /^[=+@]|^-[^\d]/);
});
