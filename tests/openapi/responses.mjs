// node responses.mjs OPENAPI.json EXCHANGES.jsonl...: compares every recorded answer with the document.
// A line of EXCHANGES is {method, path, status, type, body, fields, sent}; `fields` are the names of the header fields of the
// answer, `sent` is the body of the request. Objects with listed properties count as complete: a field that the document does
// not define is a fault of the document. So is an undefined header field, an undefined parameter that a 400 names, a body that
// the server accepted and the document does not allow, and an operation without a successful answer.
import fs from 'node:fs';
import readline from 'node:readline';
import Ajv from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const [documentFile, ...exchangeFiles] = process.argv.slice(2);
const description = JSON.parse(fs.readFileSync(documentFile, 'utf8'));
const FAULTS_SHOWN = 40;

// A schema that other schemas extend stays open; the extending schema is closed as a whole.
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
ajv.addSchema({$id: 'answers', components: {schemas: closed(description.components.schemas)}});
ajv.addSchema({$id: 'bodies', components: {schemas: description.components.schemas}});
const validators = new Map();
function validatorOf(schema, base) {
  const text = base + JSON.stringify(schema);
  if (!validators.has(text)) {
    const own = JSON.stringify(base === 'answers' ? closed(schema) : schema);
    validators.set(text, ajv.compile(JSON.parse(own.replaceAll('"#/components/', `"${base}#/components/`))));
  }
  return validators.get(text);
}
function shown(error) {
  return `${error.instancePath.replace(/\/\d+/g, '/*')} ${error.message} ${JSON.stringify(error.params)}`;
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

function operationOf(method, path) {
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  const template = (templateOf(path) || []).find((each) => description.paths[each][name]);
  return template && description.paths[template][name];
}

function answerOf(method, path, status) {
  const found = operationOf(method, path);
  if (!found) return {operation: '-', answer: status >= 400 ? description.components.responses.Problem : undefined};
  const {operationId, responses} = found;
  return {operation: operationId, answer: resolved(responses[status] || (status >= 400 ? responses.default : undefined))};
}

// Header fields that are optional, and header fields that every answer must have if they are described.
const SOMETIMES = ['allow', 'idempotency-replayed', 'preference-applied', 'retry-after'];
const ALWAYS = ['etag', 'link', 'location', 'www-authenticate'];
function faultOfFields({status, fields}, answer) {
  const described = Object.keys(answer.headers || {}).map((name) => name.toLowerCase());
  const extra = [...SOMETIMES, ...ALWAYS].find((name) => fields.includes(name) && !described.includes(name));
  if (extra) return `status ${status} has the field ${extra}, which is not described`;
  const missing = ALWAYS.find((name) => described.includes(name) && !fields.includes(name));
  return missing ? `status ${status} lacks the field ${missing}` : null;
}

function faultOfSent({method, path, status, sent}) {
  const {requestBody} = operationOf(method, path) || {};
  if (status >= 300 || !requestBody || sent === null) return null;
  const media = requestBody.content['application/json'];
  if (!media) return null;  // JSON Lines: each line is parsed separately
  const validate = validatorOf(media.schema, 'bodies');
  return validate(JSON.parse(sent)) ? null : `took a body that is not described: ${shown(validate.errors.at(-1))}`;
}

function faultOfParameters({method, path, status, type, body}) {
  const found = operationOf(method, path);
  if (status !== 400 || !found || type !== 'application/problem+json') return null;
  const described = found.parameters.map((each) => resolved(each).name);
  // An unknown parameter of the client is not a parameter of the operation (D99).
  const isOwn = (each) => each.parameter !== undefined && !each.detail.startsWith('is not a parameter of this operation');
  const named = (JSON.parse(body).errors || []).filter(isOwn).map((each) => each.parameter);
  const unknown = named.find((name) => !described.includes(name));
  return unknown ? `status 400 names the parameter ${unknown}, which is not described` : null;
}

function faultOf(exchange) {
  const {method, path, status, type, body} = exchange;
  const {operation, answer} = answerOf(method, path, status);
  if (operation === '-' && status === 204 && method === 'OPTIONS') return [operation, null];
  if (!answer) return [operation, `status ${status} is not described`];
  const fault = operation === '-' ? null : faultOfFields(exchange, answer) || faultOfSent(exchange) || faultOfParameters(exchange);
  if (fault) return [operation, fault];
  const isEmpty = body === null || body === '';
  const content = Object.entries(answer.content || {});
  if (!content.length) return [operation, isEmpty ? null : `status ${status} is described without a body`];
  if (method === 'HEAD') return [operation, null];
  const media = content.find(([name]) => name === (type || '').split(';')[0]);
  if (!media) return [operation, `status ${status} came as ${type}`];
  if (!/json$/.test(media[0])) return [operation, null];
  const validate = validatorOf(media[1].schema, 'answers');
  if (validate(JSON.parse(body))) return [operation, null];
  return [operation, `status ${status} ${shown(validate.errors.at(-1))}`];
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
  if (!faults.has(text)) faults.set(text, {count: 0, example: `${exchange.method} ${exchange.path} ${exchange.sent} ${exchange.body}`.slice(0, 300)});
  faults.get(text).count += 1;
}
for (const file of exchangeFiles) {
  for await (const line of readline.createInterface({input: fs.createReadStream(file)})) check(JSON.parse(line));
}
const operations = Object.values(description.paths).flatMap((item) => Object.values(item).map((each) => each.operationId));
// The answer of getEvents does not end, and switchOver succeeds only in a cluster.
const without = ['getEvents', 'switchOver'];
const unseen = operations.filter((each) => !without.includes(each) && !seen.has(each));
for (const [text, {count, example}] of [...faults].slice(0, FAULTS_SHOWN)) console.log(`${count} x ${text}\n    ${example}`);
console.log(JSON.stringify({checked, operations: operations.length, unseen, faults: faults.size}));
process.exit(faults.size || unseen.length || !checked ? 1 : 0);
