'use strict';
// Renders the OpenAPI document of the service that served this page. Everything is built from text nodes, so that
// nothing in the document or in an answer can become markup.
(() => {
  const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
  const DEPTH_MAX = 6;
  const TABLES_MAX = 3;  // levels of nested tables of fields
  const root = location.pathname.replace(/\/docs\/?$/, '');
  const byId = (id) => document.getElementById(id);

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === 'onclick' || key === 'oninput' || key === 'ontoggle') made[key] = value;
      else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
    }
    for (const child of children.flat()) if (child !== null && child !== undefined) made.append(child);
    return made;
  }

  function reader(description) {
    const named = (reference) => reference.split('/').slice(1).reduce((at, key) => at[key], description);
    const nameOf = (reference) => reference.split('/').pop();
    // Members next to a $ref are merged into the schema that it names.
    const resolved = (schema) => (schema && schema.$ref ? {...named(schema.$ref), ...schema, $ref: undefined} : schema || {});
    // The non-null types of a value: the alternatives of the schema, including nested ones, or the schema itself.
    function choicesOf(schema) {
      const own = resolved(schema);
      const alternatives = own.anyOf || own.oneOf;
      return alternatives && !own.properties ? alternatives.flatMap(choicesOf) : own.type === 'null' ? [] : [own];
    }

    function typeOf(schema) {
      if (!schema || schema === true) return 'any';
      if (schema.$ref) return named(schema.$ref).enum ? typeOf(named(schema.$ref)) : nameOf(schema.$ref);
      const alternatives = schema.anyOf || schema.oneOf;
      if (alternatives) return alternatives.map(typeOf).join(' or ');
      if (schema.const !== undefined) return JSON.stringify(schema.const);
      if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
      const type = Array.isArray(schema.type) ? schema.type.join(' or ') : schema.type || (schema.properties ? 'object' : 'any');
      if (type === 'array') return `array of ${typeOf(schema.items)}`;
      return schema.format ? `${type} (${schema.format})` : type;
    }

    const BOUNDS = {minimum: 'at least', maximum: 'at most', minLength: 'characters at least', maxLength: 'characters at most',
      minItems: 'items at least', maxItems: 'items at most', maxProperties: 'keys at most', default: 'default', pattern: 'pattern'};
    function boundsOf(schema) {
      const described = choicesOf(schema).flatMap((each) => [
        ...Object.entries(BOUNDS).filter(([key]) => each[key] !== undefined).map(([key, word]) => `${word} ${JSON.stringify(each[key])}`),
        ...(each.items && boundsOf(each.items) ? [`each ${boundsOf(each.items)}`] : [])]);
      return [...new Set(described)].join(', ');
    }

    // The properties of a schema, including those that it inherits through allOf.
    function membersOf(schema) {
      const own = resolved(schema);
      const members = {properties: {}, required: new Set(own.required || [])};
      for (const part of own.allOf || []) {
        const from = membersOf(part);
        Object.assign(members.properties, from.properties);
        from.required.forEach((each) => members.required.add(each));
      }
      Object.assign(members.properties, own.properties || {});
      return members;
    }

    function exampleOf(schema, depth = 0) {
      const own = resolved(schema);
      if (own.examples && own.examples.length) return own.examples[0];
      if (own.example !== undefined) return own.example;
      if (own.const !== undefined) return own.const;
      if (own.default !== undefined) return own.default;
      if (own.enum) return own.enum[0];
      if (depth > DEPTH_MAX) return null;
      const alternatives = own.anyOf || own.oneOf;
      if (alternatives) return exampleOf(alternatives[0], depth + 1);
      const type = Array.isArray(own.type) ? own.type[0] : own.type;
      const members = membersOf(own);
      if (type === 'object' || Object.keys(members.properties).length) {
        const made = {};
        for (const [key, value] of Object.entries(members.properties)) {
          if (depth < 2 || members.required.has(key)) made[key] = exampleOf(value, depth + 1);
        }
        return made;
      }
      if (type === 'array') return own.items && depth < 3 ? [exampleOf(own.items, depth + 1)] : [];
      if (type === 'integer' || type === 'number') return own.minimum || 0;
      if (type === 'boolean') return false;
      if (type === 'null') return null;
      if (own.format === 'date-time') return '2026-01-31T12:00:00.000Z';
      return type === 'string' ? 'text' : null;
    }

    // An example body with the required fields only, because optional fields could change the meaning.
    function bodyExampleOf(media) {
      if (media.example !== undefined) return media.example;
      const {properties, required} = membersOf(media.schema);
      return Object.fromEntries([...required].map((key) => [key, exampleOf(properties[key], 1)]));
    }

    // The fields of a property's value, or of the items of its list; undefined if it has no fields.
    function fieldsOf(property) {
      return choicesOf(property).map((each) => (each.items ? fieldsOf(each.items) : each))
        .find((each) => each && Object.keys(membersOf(each).properties).length);
    }

    // Conditional constraints: each condition in words, and the schema that applies then.
    function casesOf(schema) {
      return (resolved(schema).allOf || []).filter((each) => each.if && each.then).map(({if: condition, then}) => ({
        when: Object.entries(condition.properties).map(([name, {enum: values}]) =>
          `${name} ${values.filter((each) => each !== null).join(', ')}`).join('; '),
        then}));
    }
    return {resolved, typeOf, boundsOf, membersOf, exampleOf, bodyExampleOf, fieldsOf, casesOf};
  }

  function schemaTable(read, schema, depth = 0) {
    const {properties, required} = read.membersOf(schema);
    const rows = Object.entries(properties).map(([name, property]) => {
      const inner = depth < TABLES_MAX && read.fieldsOf(property);
      const about = [property.description, read.boundsOf(property)].filter(Boolean).join(' ');
      return element('tr', {},
        element('td', {}, element('code', {}, name), required.has(name) ? ' (required)' : null),
        element('td', {}, read.typeOf(property)),
        element('td', {}, about,
          inner ? element('details', {}, element('summary', {}, 'fields'), schemaTable(read, inner, depth + 1)) : null));
    });
    if (!rows.length) return element('p', {class: 'quiet'}, read.typeOf(schema));
    const table = element('table', {}, element('thead', {}, element('tr', {}, ['field', 'type', 'what it is'].map((word) => element('th', {}, word)))),
      element('tbody', {}, rows));
    const cases = read.casesOf(schema).map(({when, then}) => element('details', {class: 'case'}, element('summary', {}, when),
      then.description ? element('p', {}, then.description) : null, schemaTable(read, then, depth)));
    return cases.length ? element('div', {}, table, cases) : table;
  }

  const pretty = (value) => JSON.stringify(value, null, 2);
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

  function contentSection(read, title, content) {
    return Object.entries(content || {}).map(([mediaType, media]) => {
      const schema = media.schema;
      const parts = [element('h3', {}, `${title}: ${mediaType}${schema ? `, ${read.typeOf(schema)}` : ''}`)];
      if (schema) {
        parts.push(schemaTable(read, schema));
        parts.push(element('details', {}, element('summary', {}, 'example'),
          element('pre', {}, pretty(media.example !== undefined ? media.example : read.exampleOf(schema)))));
      }
      return element('section', {}, parts);
    });
  }

  function parametersSection(read, parameters) {
    if (!parameters.length) return null;
    return element('section', {}, element('h3', {}, 'Parameters'), element('table', {}, element('tbody', {},
      parameters.map((each) => element('tr', {},
        element('td', {}, element('code', {}, each.name), each.required ? ' (required)' : null),
        element('td', {}, each.in), element('td', {}, read.typeOf(each.schema)),
        element('td', {}, [each.description, read.boundsOf(each.schema || {})].filter(Boolean).join(' ')))))));
  }

  // The form that sends one request and shows the answer.
  function tryOut(read, base, method, path, operation, parameters) {
    const inputs = parameters.map((each) => {
      const choices = each.schema && each.schema.enum;
      const input = choices
        ? element('select', {name: each.name}, element('option', {value: ''}, ''), choices.map((one) => element('option', {value: one}, one)))
        : element('input', {name: each.name, placeholder: each.in});
      return {parameter: each, input, label: element('label', {}, each.name, input)};
    });
    const media = ((operation.requestBody || {}).content || {})['application/json'];
    const body = media ? element('textarea', {name: 'body', spellcheck: 'false'}) : null;
    if (body) body.value = pretty(read.bodyExampleOf(media));
    const output = element('div', {class: 'answer'});

    function request() {
      let target = path;
      const query = new URLSearchParams();
      const headers = {};
      for (const {parameter, input} of inputs) {
        if (parameter.in === 'path') target = target.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
        else if (input.value === '') continue;
        else if (parameter.in === 'query') query.append(parameter.name, input.value);
        else if (parameter.in === 'header') headers[parameter.name] = input.value;
      }
      const key = byId('key').value.trim().replace(/^Bearer\s+/i, '');  // pasted from a header
      if (key) headers.Authorization = `Bearer ${key}`;
      if (body) headers['Content-Type'] = 'application/json';
      const text = query.toString();
      return {url: base + target + (text ? `?${text}` : ''), options: {method: method.toUpperCase(), headers, body: body ? body.value : undefined}};
    }

    function curlOf({url, options}) {
      const words = ['curl', '-sS', '-X', options.method];
      for (const [name, value] of Object.entries(options.headers)) {
        words.push('-H', name === 'Authorization' ? '"Authorization: Bearer $KEY"' : quoted(`${name}: ${value}`));
      }
      if (options.body) words.push('-d', quoted(options.body));
      return [...words, quoted(new URL(url, location.href).href)].join(' ');
    }

    async function send() {
      const asked = request();
      output.replaceChildren(element('p', {class: 'quiet'}, 'Waiting ...'));
      const parts = [element('pre', {class: 'curl'}, curlOf(asked))];
      try {
        const answer = await fetch(asked.url, asked.options);
        const text = await answer.text();
        let shown = text;
        try { shown = pretty(JSON.parse(text)); } catch { /* not JSON: shown unchanged */ }
        const fields = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
        parts.push(element('p', {class: 'status'}, `${answer.status} ${answer.statusText}`),
          element('details', {}, element('summary', {}, 'header fields'), element('pre', {}, fields)),
          element('pre', {class: 'body'}, shown));
      } catch (error) {
        parts.push(element('p', {class: 'status'}, `No answer: ${error.message}`));
      }
      output.replaceChildren(...parts);
    }
    return element('section', {class: 'try'}, element('h3', {}, 'Try it'),
      element('div', {class: 'inputs'}, inputs.map((each) => each.label)), body,
      element('p', {}, element('button', {type: 'button', onclick: send}, 'Send')), output);
  }

  function operationDetails(read, description, base, method, path, operation) {
    const parameters = (operation.parameters || []).map(read.resolved);
    const inside = element('div', {});
    const details = element('details', {class: 'operation', id: operation.operationId, ontoggle: fill},
      element('summary', {}, element('span', {class: `method ${method}`}, method.toUpperCase()),
        element('span', {class: 'path'}, path), element('span', {class: 'summary'}, operation.summary || '')), inside);
    details.dataset.words = `${method} ${path} ${operation.operationId} ${operation.summary || ''}`.toLowerCase();
    // The content is created when the operation is first opened, because rendering a hundred operations would be
    // slow.
    function fill() {
      if (!details.open || inside.childElementCount) return;
      const isOpen = Array.isArray(operation.security) && operation.security.length === 0;
      inside.append(element('p', {class: 'quiet'}, isOpen ? 'Needs no key.' : 'Needs a key.'));
      if (operation.description) inside.append(element('p', {}, operation.description));
      const sections = [parametersSection(read, parameters)];
      if (operation.requestBody) sections.push(...contentSection(read, 'Body', read.resolved(operation.requestBody).content));
      for (const [status, answer] of Object.entries(operation.responses || {})) {
        const own = read.resolved(answer);
        const content = contentSection(read, `Answer ${status}`, own.content);
        sections.push(...(content.length ? content : [element('h3', {}, `Answer ${status}: ${own.description}`)]));
      }
      sections.push(tryOut(read, base, method, path, operation, parameters));
      inside.append(...sections.filter(Boolean));
    }
    return details;
  }

  function render(description) {
    const read = reader(description);
    const base = ((description.servers || [])[0] || {url: '/'}).url.replace(/\/$/, '');
    byId('title').textContent = `${description.info.title} ${description.info.version}`;
    byId('description').textContent = description.info.description || '';
    const groups = new Map();
    for (const [path, item] of Object.entries(description.paths)) {
      for (const method of METHODS.filter((each) => item[each])) {
        const tag = (item[method].tags || ['other'])[0];
        if (!groups.has(tag)) groups.set(tag, []);
        groups.get(tag).push(operationDetails(read, description, base, method, path, item[method]));
      }
    }
    const order = (description.tags || []).map((each) => each.name).filter((name) => groups.has(name));
    const names = [...order, ...[...groups.keys()].filter((name) => !order.includes(name))];
    const about = Object.fromEntries((description.tags || []).map((each) => [each.name, each.description]));
    byId('operations').replaceChildren(...names.map((name) => element('section', {class: 'group'},
      element('h2', {id: `tag-${name}`}, name), about[name] ? element('p', {class: 'quiet'}, about[name]) : null, groups.get(name))));
    byId('contents').replaceChildren(...names.map((name) => element('ul', {}, element('li', {}, element('strong', {}, name)),
      groups.get(name).map((details) => element('li', {}, element('a', {href: `#${details.id}`, onclick: () => { details.open = true; }},
        details.querySelector('.summary').textContent || details.id))))));
    const chosen = byId(decodeURIComponent(location.hash.slice(1)));
    if (chosen && chosen.matches('details')) { chosen.open = true; chosen.scrollIntoView(); }
  }

  function find() {
    const words = byId('find').value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const group of document.querySelectorAll('.group')) {
      const all = [...group.querySelectorAll('details.operation')];
      for (const details of all) details.hidden = !words.every((word) => details.dataset.words.includes(word));
      group.hidden = all.every((details) => details.hidden);
    }
  }

  async function start() {
    byId('document').setAttribute('href', `${root}/openapi.json`);
    byId('find').oninput = find;
    try {
      const answer = await fetch(`${root}/openapi.json`);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      render(await answer.json());
    } catch (error) {
      byId('operations').replaceChildren(element('p', {}, `The description could not be read: ${error.message}`));
    }
  }
  start();
})();
