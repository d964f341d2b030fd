/** The settings of the run, and the command that repeats it. */
import { asCurl } from '../shared/api';
import { linkId, linkName, none, whenFull } from '../shared/format';
import { CopyButton, CopyLine } from '../shared/parts';
import { inReport, Link } from '../shared/router';
import { useGet } from '../shared/store';
import { Foreign } from '../shared/text';
import { JsonTree } from '../shared/tree';
import { Agent, JsonObject, Run } from '../shared/types';
import { launchOf } from '../runs/run_menu';
import { w } from '../shared/words';

export function RunSettings({ run }: { run: Run }): JSX.Element {
  const agent = useGet<Agent>(run.agent ? `/agents/${run.agent.id}` : null);
  const launch = (run as unknown as { launch?: JsonObject }).launch;
  const facts: [string, React.ReactNode][] = [
    ...(run.name ? [[w.name, <Foreign text={run.name} />] as [string, React.ReactNode]] : []), [w.ids, <code>{run.id}</code>], [w.createdAt, whenFull(run.createdAt)], [w.startedBy, run.createdBy ? <bdi>{run.createdBy.name}</bdi> : none],
    [w.schedule, run.scheduledRun ? <Foreign text={run.scheduledRun.name} /> : none], [w.repetitions, run.repetitions], [w.limit, run.maxConcurrentTests || w.serverDefault],
    [w.personality, run.personality ? <Foreign text={run.personality.name} /> : none], [w.seed, run.seed ?? none], [w.runGroup, run.runGroup ? <Link to={`/runs?runGroup=${run.runGroup.id}`}><bdi>{run.runGroup.name || linkId(run.runGroup)}</bdi></Link> : none],
  ];
  return (
    <div className="halves">
      <section className="panel stack tight"><h2>{w.whatWasRun}</h2><dl className="facts">{facts.map(([name, value]) => [<dt key={`t${name}`}>{name}</dt>, <dd key={`d${name}`}>{value}</dd>])}</dl>
        {run.testConfigs.length > 0 && <table className="grid-table"><tbody>{run.testConfigs.map((config, at) => <tr key={at}><td><Link to={`/tests/${linkId(config.test)}`}><bdi>{linkName(config.test)}</bdi></Link></td><td>{linkName(config.personality)}</td><td className="end">× {config.repetitions ?? run.repetitions}</td></tr>)}</tbody></table>}
      </section>
      {!inReport && <section className="panel stack tight"><h2>{w.agentConfig}</h2>
        {agent.data && <><p><Link to={`/agents/${agent.data.id}`}><bdi>{agent.data.name || w.unnamed}</bdi></Link> <span className="badge">{agent.data.type || 'EXTERNAL'}</span></p><JsonTree value={(launch?.agent as JsonObject | undefined) ?? agent.data.config} /></>}
      </section>}
      <section className="panel stack tight"><h2>{inReport ? w.copyJson : w.repeatIt}</h2>{!inReport && <CopyLine text={asCurl('POST', '/runs/', launchOf(run))} />}<div className="row"><CopyButton text={JSON.stringify(run, null, 2)}>{w.copyJson}</CopyButton></div></section>
    </div>
  );
}
