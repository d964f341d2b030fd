/** The demo: a scenario with four tests for the built-in shop assistant; one fails on purpose. */
import { send } from '../shared/api';
import { Agent, Run, Scenario } from '../shared/types';

const tests = [
  { name: 'Asks for an order', instruction: 'say: Hello\nsay: Where is order 42?\nsay: bye',
    assertions: [{ name: 'looks the order up', type: 'tool-called', severity: 'BLOCKER', config: { name: 'lookup_order', arguments: { order: '42' } } },
      { name: 'answers quickly', type: 'response-time', severity: 'MINOR', config: { max: 2000 } }] },
  { name: 'Asks for an unknown order', instruction: 'say: Hello\nsay: Where is order 20?\nsay: bye',
    assertions: [{ name: 'promises nothing', type: 'contains', severity: 'MAJOR', config: { value: 'on its way', negate: true } }] },
  { name: 'Wants a refund', instruction: 'say: Hello\nsay: I want my money back for order 42.\nsay: bye',
    assertions: [{ name: 'gives the money back', type: 'contains', severity: 'BLOCKER', config: { value: 'has been refunded' } }] },
  { name: 'Is polite', instruction: 'say: Hello\nsay: Thank you, bye',
    assertions: [{ name: 'greets', type: 'icontains', severity: 'MAJOR', config: { value: 'hello' } }] },
];

/** Returns the id of the run. */
export async function playDemo(): Promise<string> {
  const agent = await send<Agent>('POST', '/agents/', { name: 'Demo shop', type: 'DEMO' });
  const scenario = await send<Scenario>('POST', '/scenarios/', { name: 'Demo shop', description: 'One test fails on purpose.', agents: [agent.id] });
  for (const test of tests) await send('POST', '/tests/', { ...test, scenario: scenario.id });
  const run = await send<Run>('POST', '/runs/', { scenario: scenario.id, agent: agent.id, status: 'pending', repetitions: 3 });
  return run.id;
}
