/** Settings: me, appearance, keys, users, schedules, the server. */
import { useState } from 'react';
import { Problem, queryOf, readStored, send, writeStored } from '../shared/api';
import { ago, none, whenFull } from '../shared/format';
import { useCrumbs } from '../shared/frame';
import { shortcutsAreOn, switchShortcuts } from '../shared/keys';
import { Button, CopyLine, Loaded, ProblemView, useReady, useTitle } from '../shared/parts';
import { signOut, useRight, useSigned } from '../shared/session';
import { useGet } from '../shared/store';
import { chooseDensity, chooseTheme, densityOf, themeOf } from '../shared/theme';
import { Link as LinkTo, Page } from '../shared/types';
import { w } from '../shared/words';

interface ApiKey { id: string; name: string; user: LinkTo; scopes: string[]; expiresAt: string | null; prefix: string; lastUsedAt: string | null; createdAt: string }
interface User { id: string; name: string; email: string; role: string; isDisabled: boolean }
interface Schedule { id: string; name: string; scenario: LinkTo; agent: LinkTo; cron: string; timezone: string; isEnabled: boolean; nextRunAt: string | null; lastRunAt: string | null }

function useAct(done: () => void): [(action: () => Promise<unknown>) => void, Problem | undefined] {
  const [problem, setProblem] = useState<Problem>();
  return [(action) => { setProblem(undefined); action().then(done, (error) => { if (error instanceof Problem) setProblem(error); else throw error; }); }, problem];
}

function Choice({ name, label, options, value, choose }: { name: string; label: string; options: Record<string, string>; value: string; choose: (value: string) => void }): JSX.Element {
  return (
    <fieldset className="choice"><legend>{label}</legend><div className="row">{Object.entries(options).map(([id, text]) => (
      <label key={id} className="check"><input type="radio" name={name} checked={value === id} onChange={() => choose(id)} />{text}</label>))}</div></fieldset>
  );
}

function Appearance(): JSX.Element {
  const [, redraw] = useState(0);
  const after = (act: () => void) => { act(); redraw((n) => n + 1); };
  const zone = readStored('parley.zone') || 'local';
  return (
    <section className="panel stack tight"><h2>{w.appearance}</h2>
      <Choice name="theme" label={w.theme} options={w.themes} value={themeOf()} choose={(value) => after(() => chooseTheme(value))} />
      <Choice name="density" label={w.density} options={w.densities} value={densityOf()} choose={(value) => after(() => chooseDensity(value))} />
      <Choice name="zone" label={w.zone} options={w.zones} value={zone} choose={(value) => { writeStored('parley.zone', value === 'utc' ? 'utc' : ''); location.reload(); }} />
      <label className="check"><input type="checkbox" defaultChecked={shortcutsAreOn()} onChange={(event) => switchShortcuts(event.target.checked)} />{w.shortcutsOn}</label>
    </section>
  );
}

function Account(): JSX.Element {
  const { session } = useSigned();
  const [act, problem] = useAct(() => void signOut());
  if (!session) return <></>;
  return (
    <section className="panel stack tight"><h2>{w.account}</h2>
      <p><bdi>{session.user.name}</bdi> <span className="badge">{w.rights[session.right]}</span></p>
      {session.expiresAt && <p className="muted">{w.signedInUntil(whenFull(session.expiresAt))}</p>}
      <div className="row"><Button onClick={() => void signOut()}>{w.signOut}</Button><Button onClick={() => act(() => send('DELETE', `/sessions${queryOf({ user: session.user.id })}`))}>{w.signOutEverywhere}</Button></div>
      {problem && <ProblemView problem={problem} />}
    </section>
  );
}

const isPast = (at: string): boolean => Date.parse(at) <= Date.now();
function Keys(): JSX.Element {
  const keys = useGet<Page<ApiKey>>(`/api-keys/${queryOf({ limit: 200 })}`);
  const { canWrite } = useRight();
  const [name, setName] = useState('');
  const [made, setMade] = useState('');
  const [act, problem] = useAct(keys.reload);
  return (
    <section className="panel stack tight wide-panel"><h2>{w.apiKeys}</h2>
      <form className="row" onSubmit={(event) => { event.preventDefault(); act(async () => { setMade((await send<{ key: string }>('POST', '/api-keys/', { name })).key); setName(''); }); }}>
        <input value={name} required placeholder={w.keyName} aria-label={w.keyName} onChange={(event) => setName(event.target.value)} /><Button type="submit" disabled={!canWrite || !name}>{w.newKey}</Button></form>
      {made && <div className="note"><p>{w.keyOnce}</p><CopyLine text={made} /></div>}
      {problem && <ProblemView problem={problem} />}
      <Loaded of={keys}>{(page) => <div className="table-wrap"><table className="grid-table">
        <thead><tr>{[w.name, w.keyPrefix, w.user, w.scopes, w.lastUse, w.expires].map((name) => <th key={name} scope="col">{name}</th>)}<th><span className="offscreen">{w.actions}</span></th></tr></thead><tbody>{page.data.map((key) => (
        <tr key={key.id}><td><bdi>{key.name || w.unnamed}</bdi></td><td><code>{key.prefix}…</code></td><td><bdi>{key.user?.name}</bdi></td><td>{key.scopes.join(', ')}</td><td className="muted">{key.lastUsedAt ? ago(key.lastUsedAt) : w.neverUsed}</td>
          <td className="muted">{!key.expiresAt ? w.never : isPast(key.expiresAt) ? <span className="badge failed">{w.expired}</span> : whenFull(key.expiresAt)}</td>
          <td className="end"><Button kind="quiet" disabled={!canWrite} onClick={() => { if (confirm(w.revokeAsks(key.name))) act(() => send('DELETE', `/api-keys/${key.id}`)); }}>{w.revoke}</Button></td></tr>))}</tbody></table></div>}</Loaded>
    </section>
  );
}

function Users(): JSX.Element | null {
  const { isAdmin } = useRight();
  const users = useGet<Page<User>>(isAdmin ? `/users/${queryOf({ limit: 200 })}` : null);
  const [name, setName] = useState('');
  const [role, setRole] = useState('member');
  const [act, problem] = useAct(users.reload);
  if (!isAdmin) return null;
  return (
    <section className="panel stack tight wide-panel"><h2>{w.users}</h2>
      <form className="row" onSubmit={(event) => { event.preventDefault(); act(async () => { await send('POST', '/users/', { name, role }); setName(''); }); }}>
        <input value={name} required placeholder={w.userName} aria-label={w.userName} onChange={(event) => setName(event.target.value)} />
        <select value={role} aria-label={w.role} onChange={(event) => setRole(event.target.value)}>{['viewer', 'member', 'admin'].map((each) => <option key={each}>{each}</option>)}</select><Button type="submit" disabled={!name}>{w.add}</Button></form>
      {problem && <ProblemView problem={problem} />}
      <Loaded of={users}>{(page) => <div className="table-wrap"><table className="grid-table"><tbody>{page.data.map((user) => (
        <tr key={user.id}><td><bdi>{user.name || w.unnamed}</bdi></td><td><bdi>{user.email}</bdi></td><td>{user.role}</td><td className="end"><Button kind="quiet" onClick={() => act(() => send('PATCH', `/users/${user.id}`, { isDisabled: !user.isDisabled }))}>{user.isDisabled ? w.enable : w.disable}</Button></td></tr>))}</tbody></table></div>}</Loaded>
    </section>
  );
}

function Schedules(): JSX.Element {
  const schedules = useGet<Page<Schedule>>(`/scheduled-runs/${queryOf({ limit: 200 })}`);
  const { canWrite } = useRight();
  const [act, problem] = useAct(schedules.reload);
  return (
    <section className="panel stack tight wide-panel"><h2>{w.schedules}</h2>
      {problem && <ProblemView problem={problem} />}
      <Loaded of={schedules}>{(page) => (page.data.length === 0 ? <p className="muted">{w.noSchedules}</p> : <div className="table-wrap"><table className="grid-table"><tbody>{page.data.map((each) => (
        <tr key={each.id}><td><bdi>{each.name || w.unnamed}</bdi></td><td><bdi>{each.scenario?.name}</bdi> · <bdi>{each.agent?.name}</bdi></td><td><code>{each.cron}</code> {each.timezone}</td><td>{each.nextRunAt && each.isEnabled ? w.nextAt(whenFull(each.nextRunAt)) : none}</td>
          <td className="end"><Button kind="quiet" disabled={!canWrite} onClick={() => act(() => send('PATCH', `/scheduled-runs/${each.id}`, { isEnabled: !each.isEnabled }))}>{each.isEnabled ? w.disable : w.enable}</Button></td></tr>))}</tbody></table></div>)}</Loaded>
    </section>
  );
}

function Server(): JSX.Element {
  const version = useGet<{ version: string; models: { tester: boolean; judge: boolean } }>('/version');
  const word = (isThere?: boolean) => (isThere ? w.configured : w.notConfigured);
  return (
    <section className="panel stack tight"><h2>{w.server}</h2>
      <Loaded of={version}>{(data) => <dl className="facts"><dt>{w.version}</dt><dd>{data.version}</dd><dt>{w.testerModel}</dt><dd>{word(data.models.tester)}</dd><dt>{w.judgeModel}</dt><dd>{word(data.models.judge)}</dd></dl>}</Loaded>
    </section>
  );
}

export function Settings(): JSX.Element {
  useTitle(w.settings);
  useCrumbs([{ name: w.settings }]);
  useReady(true);
  return <div className="stack"><h1>{w.settings}</h1><div className="halves"><Appearance /><Account /><Server /><Keys /><Users /><Schedules /></div></div>;
}
