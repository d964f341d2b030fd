/** How a runner, a client or a workflow is connected that drives the conversations of an agent. */
import { serverUrl } from '../shared/api';
import { ago } from '../shared/format';
import { CopyLine } from '../shared/parts';
import { Agent } from '../shared/types';
import { w } from '../shared/words';

export function RunnerHelp({ agent }: { agent: Agent }): JSX.Element | null {
  const url = serverUrl();
  if (agent.type === 'LOCAL') return <section className="panel stack tight"><h2>{w.connectRunner}</h2><p className="muted">{w.runnerSays}</p><CopyLine text={agent.project
    ? `PARLEY_KEY=… parley agent serve ${JSON.stringify(agent.name)} --server ${url}`
    : `PARLEY_KEY=… python3 contrib/local_runner.py --url ${url} --name ${JSON.stringify(agent.name)} --chatbot http://127.0.0.1:8000/turn`} />
    <p role="status">{agent.lastSeenAt ? w.lastSeen(ago(agent.lastSeenAt)) : w.waitsForHeartbeat}</p></section>;
  if (agent.type === '' || agent.type === 'EXTERNAL') return <section className="panel stack tight"><h2>{w.connectClient}</h2><p className="muted">{w.clientSays}</p>
    <CopyLine text={[`alias call='curl -sS -H "Authorization: Bearer '$PARLEY_KEY'" -H "Content-Type: application/json"'`, `result=$(call ${url}/test-results/ -d '{"agent": "${agent.id}", "test": "…"}' | jq -r .id)`, `call -X POST ${url}/test-results/$result/next-message`, `call ${url}/test-results/$result/conversation -d '{"content": "…"}'`].join('\n')} /></section>;
  if (agent.type === 'GITHUB') return <section className="panel stack tight"><h2>{w.connectWorkflow}</h2><p className="muted">{w.workflowSays}</p></section>;
  return null;
}
