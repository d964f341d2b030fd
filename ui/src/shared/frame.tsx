/** The frame: skip link, rail, head with breadcrumb and search, live mark, user menu. */
import { createContext, FormEvent, ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { when } from './format';
import { Icon } from './icons';
import { useKeys } from './keys';
import { holdUpdates, useLive, useLiveState } from './live';
import { Dialog, Menu } from './parts';
import { Link, navigate, searchedText, usePlace } from './router';
import { rowKeys } from './row_keys';
import { signOut, useSigned } from './session';
import { w } from './words';

const rail: [string, string, string][] = [
  ['/', 'overview', w.overview], ['/runs', 'runs', w.runs], ['/scenarios', 'scenarios', w.scenarios], ['/agents', 'agents', w.agents],
  ['/chat', 'chat', w.chat], ['/review', 'review', w.review], ['/trends', 'trends', w.trends], ['/logs', 'logs', w.logs], ['/settings', 'settings', w.settings],
];
const sections: Record<string, string> = { results: '/runs', tests: '/scenarios' };

export interface Crumb { name: string; to?: string }
const CrumbContext = createContext<(crumbs: Crumb[]) => void>(() => undefined);
/** With null, a part of the page sets the breadcrumb. */
export function useCrumbs(crumbs: Crumb[] | null): void {
  const set = useContext(CrumbContext);
  const text = JSON.stringify(crumbs);
  useEffect(() => { if (crumbs) set(crumbs); }, [text]);
}

function Rail({ isOpen, close }: { isOpen: boolean; close: () => void }): JSX.Element {
  const { path } = usePlace();
  const box = useRef<HTMLElement>(null);
  // Over a narrow page, the open rail is closed by Escape and by a click outside.
  useEffect(() => {
    if (!isOpen) return undefined;
    const button = () => document.querySelector<HTMLElement>('.rail-button');
    const onPointer = (event: Event) => { const target = event.target as Node; if (!box.current?.contains(target) && !button()?.contains(target)) close(); };
    const onKey = (event: KeyboardEvent) => { if (event.key === 'Escape') { event.preventDefault(); close(); button()?.focus(); } };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('keydown', onKey);
    return () => { document.removeEventListener('pointerdown', onPointer); document.removeEventListener('keydown', onKey); };
  }, [isOpen]);
  const first = path.split('/')[1];
  const section = sections[first] ?? `/${first}`;
  return (
    <nav ref={box} className={`rail${isOpen ? ' open' : ''}`} aria-label={w.mainNavigation}>
      <Link to="/" className="brand" onClick={close}><span className="logo" aria-hidden="true" />parley</Link>
      <ul>
        {rail.map(([to, icon, name]) => (
          <li key={to}><Link to={to} onClick={close} aria-current={section === to ? 'page' : undefined}><Icon name={icon} />{name}</Link></li>
        ))}
      </ul>
    </nav>
  );
}

function LiveMark(): JSX.Element {
  const { mode, lastAt, isHeld } = useLiveState();
  const text = mode === 'offline' ? w.offlineSince(lastAt ? when(lastAt) : '') : isHeld ? w.held : mode === 'live' ? w.live : w.polling;
  return (
    <button type="button" className={`live ${mode}`} data-part="live" data-state={mode} aria-pressed={isHeld} title={w.holdUpdates} onClick={() => holdUpdates(!isHeld)}>
      <span className="dot" aria-hidden="true" /><span className="live-text">{text}</span>
    </button>
  );
}

function SearchBox(): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const place = usePlace();
  const [text, setText] = useState('');
  const searched = searchedText(place);
  useEffect(() => { if (searched) setText(searched); }, [searched]);
  useKeys({ '/': () => field.current?.focus() });
  const submit = (event: FormEvent) => { event.preventDefault(); if (text.trim()) navigate(`/s?q=${encodeURIComponent(text.trim())}`); };
  return (
    <form role="search" className="search" onSubmit={submit}>
      <Icon name="search" />
      <input ref={field} type="search" value={text} aria-label={w.search} placeholder={w.searchHint} onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => { if (event.key === 'Escape') field.current?.blur(); }} />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

function UserMenu({ help }: { help: () => void }): JSX.Element {
  const { session } = useSigned();
  return (
    <Menu kind="quiet" label={<span className="user"><bdi>{session?.user.name || w.me}</bdi> <span className="muted">{session ? w.rights[session.right] : ''}</span></span>}
      items={[
        { label: w.settings, act: () => navigate('/settings') },
        { label: w.shortcuts, act: help },
        { label: w.signOut, act: () => void signOut() },
      ]} />
  );
}

function Help({ close }: { close: () => void }): JSX.Element {
  return (
    <Dialog title={w.shortcuts} onClose={close}>
      <table className="keys"><tbody>
        {w.shortcutRows.map(([keys, does]) => <tr key={keys}><th scope="row">{keys.split(' ').map((key) => <kbd key={key}>{key}</kbd>)}</th><td>{does}</td></tr>)}
      </tbody></table>
    </Dialog>
  );
}

export function Frame({ children }: { children: ReactNode }): JSX.Element {
  const [crumbs, setCrumbs] = useState<Crumb[]>([]);
  const [isRailOpen, openRail] = useState(false);
  const [isHelp, showHelp] = useState(false);
  const { mode, lastAt } = useLiveState();
  useKeys({
    '?': () => showHelp(true), 'g o': () => navigate('/'), 'g r': () => navigate('/runs'), 'g s': () => navigate('/scenarios'), 'g a': () => navigate('/agents'),
    'g t': () => navigate('/trends'), 'g v': () => navigate('/review'), p: () => holdUpdates(),
  });
  useKeys(rowKeys, true);
  useLive([]);
  return (
    <CrumbContext.Provider value={setCrumbs}>
      <a className="skip" href="#content" onClick={(event) => { event.preventDefault(); document.getElementById('content')?.focus(); }}>{w.skip}</a>
      <Rail isOpen={isRailOpen} close={() => openRail(false)} />
      <div className="page">
        <header className="top">
          <button type="button" className="button quiet rail-button" aria-label={w.menu} aria-expanded={isRailOpen} onClick={() => openRail(!isRailOpen)}><Icon name="menu" /></button>
          <nav className="crumbs" aria-label={w.breadcrumb}>
            <ol>{crumbs.map((crumb, at) => (
              <li key={at}>{crumb.to ? <Link to={crumb.to}><bdi>{crumb.name}</bdi></Link> : <span aria-current="page"><bdi>{crumb.name}</bdi></span>}</li>
            ))}</ol>
          </nav>
          <SearchBox />
          <LiveMark />
          <UserMenu help={() => showHelp(true)} />
        </header>
        {mode === 'offline' && <p className="banner" role="status"><Icon name="warning" />{w.offlineBanner(lastAt ? when(lastAt) : '–')}</p>}
        <main id="content" tabIndex={-1}>{children}</main>
      </div>
      {isHelp && <Help close={() => showHelp(false)} />}
    </CrumbContext.Provider>
  );
}
