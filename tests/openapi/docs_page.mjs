// node docs_page.mjs BASE KEY: the page /docs in a browser DOM, on the real server. It must list every operation; the test opens
// each operation and sends one request with a key and one without.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { JSDOM, VirtualConsole } from 'jsdom';

const [base, key] = process.argv.slice(2);
const answer = await fetch(`${base}/docs`);
assert.equal(answer.status, 200);
const page = await answer.text();

// The policy allows only the script and style of the page itself, and only calls to this server.
const policy = Object.fromEntries(answer.headers.get('content-security-policy').split(';').map((each) => {
  const [name, ...values] = each.trim().split(' ');
  return [name, values];
}));
const hash = (text) => `'sha256-${crypto.createHash('sha256').update(text).digest('base64')}'`;
const inside = (name) => page.match(new RegExp(`<${name}>([^]*?)</${name}>`))[1];
assert.deepEqual(policy['default-src'], ["'none'"]);
assert.deepEqual(policy['script-src'], [hash(inside('script'))]);
assert.deepEqual(policy['style-src'], [hash(inside('style'))]);
assert.deepEqual(policy['connect-src'], ["'self'"]);
assert.ok(!/(src|href)=["']?(https?:)?\/\//.test(page) && !/url\(|@import|\sstyle=/.test(page), 'nothing comes from outside');

const asked = [];
const errors = [];
const virtualConsole = new VirtualConsole();
virtualConsole.on('jsdomError', (error) => errors.push(error));
const { window } = new JSDOM(page, {
  url: `${base}/docs`, runScripts: 'dangerously', virtualConsole,
  beforeParse(made) {
    made.fetch = (url, options) => {
      const target = new URL(url, `${base}/docs`);
      asked.push(target.href);
      assert.equal(target.origin, base);
      return fetch(target, options);
    };
  },
});
const { document } = window;
async function until(condition, what) {
  for (let i = 0; i < 500; ++i) {
    if (condition()) return;
    await new Promise((resume) => setTimeout(resume, 10));
  }
  assert.fail(`${what}: ${errors}`);
}

const description = await (await fetch(`${base}/openapi.json`)).json();
const operations = Object.values(description.paths).flatMap((item) => Object.values(item).map((each) => each.operationId));
await until(() => document.querySelectorAll('details.operation').length > 0, 'nothing is listed');
const shown = [...document.querySelectorAll('details.operation')];
assert.deepEqual(shown.map((each) => each.id).sort(), [...operations].sort());
assert.deepEqual([...document.querySelectorAll('h2')].map((each) => each.textContent), description.tags.map((each) => each.name));
for (const details of shown) {
  details.open = true;
  details.dispatchEvent(new window.Event('toggle'));
  assert.ok(details.querySelector('button'), `${details.id} can be tried`);
}
for (const word of ['assertions', 'testConfigs', 'Idempotency-Key', 'sortBy']) {
  assert.ok(document.body.textContent.includes(word), `${word} is described`);
}

// An optional list or object still shows its fields and its limits.
const rowOf = (id, name) => [...document.querySelectorAll(`#${id} tr`)]
  .find((each) => each.querySelector('td code')?.textContent === name && each.children.length === 3);
for (const [id, name, field] of [['createTest', 'assertions', 'severity'], ['rescoreRun', 'assertions', 'weight'],
  ['createTestResult', 'assertionResults', 'config'], ['createRun', 'testConfigs', 'repetitions'],
  ['createTag', 'rule', 'conditions'], ['createTag', 'rule', 'pointer'], ['createScenarioConfiguration', 'testFields', 'options']]) {
  const names = [...rowOf(id, name).querySelectorAll('details td code')].map((each) => each.textContent);
  assert.ok(names.includes(field), `${id}: ${name} shows ${field}`);
}
assert.match(rowOf('createRun', 'maxConcurrentTests').textContent, /at least 0, at most 100000, default 0$/);
assert.match(rowOf('createScenario', 'name').textContent, /characters at most 1024/);

// The page shows the fields that a type needs.
const caseOf = (id, words) => [...document.querySelectorAll(`#${id} details.case`)].find((each) => each.firstChild.textContent === words);
assert.match(caseOf('createTest', 'type contains-any').textContent, /values \(required\)/);
assert.match(caseOf('createAgent', 'type HTTP').textContent, /url \(required\)/);
assert.match(caseOf('addConversationEntry', 'type message').textContent, /content \(required\)/);

// A proposed body changes no field that the user did not edit, and the server accepts it if no id has to be
// filled in.
const proposed = (id) => JSON.parse(document.getElementById(id).querySelector('textarea').value);
for (const operation of Object.values(description.paths).flatMap((item) => (item.patch ? [item.patch] : []))) {
  const needed = description.components.schemas[
    operation.requestBody.content['application/json'].schema.$ref.split('/').pop()].required || [];
  assert.deepEqual(Object.keys(proposed(operation.operationId)), needed, operation.operationId);
}
assert.deepEqual(proposed('createUser'), {});
assert.equal(proposed('rescoreTestResult').preview, true);

async function send(id, status) {
  const details = document.getElementById(id);
  details.querySelector('.answer').replaceChildren();
  details.querySelector('button').click();
  await until(() => details.querySelector('.status'), `${id} was not answered`);
  assert.match(details.querySelector('.status').textContent, new RegExp(`^${status} `));
  return details.querySelector('.body').textContent;
}
await send('listScenarios', 401);
document.getElementById('key').value = key;
await send('createAgent', 201);
await send('createUser', 201);
const creation = document.getElementById('createScenario');
creation.querySelector('textarea').value = '{"name": "<b>from the page</b>"}';
const made = JSON.parse(await send('createScenario', 201));
const input = document.getElementById('getScenario').querySelector('input[name=id]');
input.value = made.id;
assert.equal(JSON.parse(await send('getScenario', 200)).name, '<b>from the page</b>');
assert.equal(document.querySelectorAll('b').length, 0, 'text of an answer is no markup');

// The server accepts each example once its ids are filled in.
const agent = JSON.parse(await send('createAgent', 201)).id;
const filled = (operation) => {
  const area = document.getElementById(operation).querySelector('textarea');
  area.value = area.value.replace('id of a scenario', made.id).replace('id of an agent', agent);
  document.getElementById(operation).querySelector('input[name=Prefer]').value = 'handling=strict';
};
for (const operation of ['createTest', 'createScheduledRun', 'createTestResult', 'createRun']) {
  filled(operation);
  await send(operation, 201);
}

document.getElementById('find').value = 'next-message';
document.getElementById('find').dispatchEvent(new window.Event('input'));
assert.deepEqual(shown.filter((each) => !each.hidden).map((each) => each.id), ['nextMessage']);
assert.deepEqual(errors, []);
console.log(`the page shows ${shown.length} operations and sent ${asked.length} requests`);
window.close();
