// node responses.mjs OPENAPI.json EXCHANGES.jsonl...: every recorded answer against what the document says of its operation.
// A line of EXCHANGES is {method, path, status, type, body}. Objects whose properties are listed are taken as complete: a
// field that the document does not know is a fault of the document. So is an operation that nobody saw succeed.
import fs from 'node:fs';
import readline from 'node:readline';
import Ajv from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const [documentFile, ...exchangeFiles] = process.argv.slice(2);
const description = JSON.parse(fs.readFileSync(documentFile, 'utf8'));
const FAULTS_SHOWN = 40;

// A schema that other schemas build on stays open; the one that builds on it is closed as a whole.
function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== 'object') return schema;
  const made = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') made[key] = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, closed(each)]));
    else if (key === 'allOf') made[key] = value.map((each) => opened(each));
    else if (['examples', 'enum', 'const', 'default', 'required'].includes(key)) made[key] = value;
    else made[key] = closed(value);
  }
  const isListed = made.properties || made.allOf;
  if (isListed && made.additionalProperties === undefined) made.unevaluatedProperties = false;
  return made;
}
function opened(schema) {
  if (!schema.$ref) return closed(schema);
  const own = closed(description.components.schemas[schema.$ref.split('/').pop()]);
  delete own.unevaluatedProperties;
  return own;
}

const ajv = new Ajv({strict: false, allErrors: false, validateFormats: true});
formats(ajv);
ajv.addSchema({$id: 'api', components: {schemas: closed(description.components.schemas)}});
const validators = new Map();
function validatorOf(schema) {
  const text = JSON.stringify(schema);
  if (!validators.has(text)) {
    validators.set(text, ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/components/', '"api#/components/'))));
  }
  return validators.get(text);
}

const root = description.servers[0].url.replace(/\/$/, '');
const templates = Object.keys(description.paths).map((path) => ({path, parts: path.split('/').slice(1)}));
function templateOf(path) {
  const bare = path.split('?')[0];
  if (!bare.startsWith(root)) return undefined;
  const parts = bare.slice(root.length).replace(/\/$/, '').split('/').slice(1).map(decodeURIComponent);
  const fits = templates.filter((each) => each.parts.length === parts.length &&
    each.parts.every((part, i) => (part.startsWith('{') ? parts[i] !== '' : part === parts[i])));
  fits.sort((a, b) => (a.path.match(/{/g) || []).length - (b.path.match(/{/g) || []).length);
  return fits.map((each) => each.path);
}

const resolved = (part) => (part && part.$ref ? part.$ref.split('/').slice(1).reduce((at, key) => at[key], description) : part);

function answerOf(method, path, status) {
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  const template = (templateOf(path) || []).find((each) => description.paths[each][name]);
  if (!template) return {operation: '-', answer: status >= 400 ? description.components.responses.Problem : undefined};
  const {operationId, responses} = description.paths[template][name];
  return {operation: operationId, answer: resolved(responses[status] || (status >= 400 ? responses.default : undefined))};
}

function faultOf(exchange) {
  const {method, path, status, type, body} = exchange;
  const {operation, answer} = answerOf(method, path, status);
  if (operation === '-' && status === 204 && method === 'OPTIONS') return [operation, null];
  if (!answer) return [operation, `status ${status} is not described`];
  const isEmpty = body === null || body === '';
  const content = Object.entries(answer.content || {});
  if (!content.length) return [operation, isEmpty ? null : `status ${status} is described without a body`];
  if (method === 'HEAD') return [operation, null];
  const media = content.find(([name]) => name === (type || '').split(';')[0]);
  if (!media) return [operation, `status ${status} came as ${type}`];
  if (!/json$/.test(media[0])) return [operation, null];
  const validate = validatorOf(media[1].schema);
  if (validate(JSON.parse(body))) return [operation, null];
  const {instancePath, message, params} = validate.errors.at(-1);
  return [operation, `status ${status} ${instancePath.replace(/\/\d+/g, '/*')} ${message} ${JSON.stringify(params)}`];
}

const faults = new Map();
const seen = new Map();
let checked = 0;
function check(exchange) {
  const [operation, fault] = faultOf(exchange);
  checked += 1;
  if (exchange.status < 300) seen.set(operation, (seen.get(operation) || 0) + 1);
  if (!fault) return;
  const text = `${operation}: ${fault}`;
  if (!faults.has(text)) faults.set(text, {count: 0, example: `${exchange.method} ${exchange.path} ${exchange.body}`.slice(0, 300)});
  faults.get(text).count += 1;
}
for (const file of exchangeFiles) {
  for await (const line of readline.createInterface({input: fs.createReadStream(file)})) check(JSON.parse(line));
}
const operations = Object.values(description.paths).flatMap((item) => Object.values(item).map((each) => each.operationId));
const unseen = operations.filter((each) => !seen.has(each));
for (const [text, {count, example}] of [...faults].slice(0, FAULTS_SHOWN)) console.log(`${count} x ${text}\n    ${example}`);
console.log(JSON.stringify({checked, operations: operations.length, unseen, faults: faults.size}));
process.exit(faults.size || unseen.length || !checked ? 1 : 0);
