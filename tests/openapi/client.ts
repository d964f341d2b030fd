// The client loop of the README with a client that is generated from the document. If it compiles, the document is complete
// enough; if it ends with a score of 100, the document is correct.
//   node client.js BASE KEY
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

// The parts of Node that are used, so that its type definitions are not needed.
declare const process: { argv: string[]; exit(code: number): never };

const [base, key] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: base, headers: { Authorization: `Bearer ${key}` } });

function got<T>(answer: { data?: T; error?: components['schemas']['Problem']; response: Response }): T {
  if (answer.data === undefined) throw new Error(`${answer.response.status}: ${answer.error?.detail}`);
  return answer.data;
}

async function converse(id: string): Promise<string[]> {
  const heard: string[] = [];
  for (;;) {
    const turn: components['schemas']['TesterReply'] = got(
      await api.POST('/test-results/{id}/next-message', { params: { path: { id } } }));
    if (turn.end_chat) return heard;
    if (!turn.ready) continue;
    heard.push(turn.message ?? '');
    got(await api.POST('/test-results/{id}/conversation', {
      params: { path: { id }, header: { Prefer: 'return=minimal' } },
      body: { type: 'message', content: 'A latte is 4.50 Euro.', metadata: { responseTime: 12 } },
    }));
  }
}

async function settled(id: string): Promise<components['schemas']['TestResult']> {
  for (let i = 0; i < 500; ++i) {
    const result = got(await api.GET('/test-results/{id}', { params: { path: { id } } }));
    if (result.status === 'completed') return result;
    await new Promise((resume) => setTimeout(resume, 20));
  }
  throw new Error('the result was not scored');
}

async function main(): Promise<void> {
  const agent = got(await api.POST('/agents', { body: { name: 'generated client', type: 'EXTERNAL' } }));
  const scenario = got(await api.POST('/scenarios', { body: { name: 'Coffee shop' } }));
  const test = got(await api.POST('/tests', {
    body: {
      scenario: scenario.id,
      name: 'Asks for the price',
      instruction: 'say: What does a latte cost?\nsay: Thank you.',
      assertions: [{ type: 'contains', config: { value: '4.50' } }],
    },
  }));
  const run = got(await api.POST('/runs', { body: { scenario: scenario.id, agent: agent.id, status: 'running' } }));
  const made = got(await api.POST('/test-results', { body: { agent: agent.id, run: run.id, test: test.id } }));
  const heard = await converse(made.id);
  const result = await settled(made.id);
  if (heard.length !== 2 || result.score !== 100 || result.assertionResults?.[0]?.status !== 'passed') {
    throw new Error(`heard ${heard.length}, scored ${result.score}`);
  }
  const page = got(await api.GET('/runs/{id}/test-results', {
    params: { path: { id: run.id }, query: { status: 'completed', limit: 10, sortOrder: 'asc' } },
  }));
  if (page.total !== 1 || page.data[0]?.id !== made.id) throw new Error(`${page.total} results are listed`);
  const unknown = await api.GET('/runs/{id}', { params: { path: { id: 'nobody' } } });
  if (unknown.error?.status !== 404) throw new Error('an unknown run is no problem of status 404');
  console.log('the client loop ended with a score of 100');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
