/** Small parts that every page uses. */
import { ButtonHTMLAttributes, createContext, ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Problem } from './api';
import { duration, none } from './format';
import { inReport } from './router';
import { Resource } from './store';
import { w } from './words';

/** False while the session is looked up: controls that depend on the right are not drawn yet. */
export const RightsKnown = createContext(true);
/** Tells tests and scripts that a page has drawn its data. */
export function useReady(hasData: boolean): void {
  const isReady = useContext(RightsKnown) && hasData;
  useEffect(() => { document.documentElement.dataset.ready = String(isReady); }, [isReady]);
}
/** True once each resource has data or a problem. */
export const areSettled = (...all: Resource<unknown>[]): boolean => all.every((each) => each.data !== undefined || each.problem !== undefined);
/** With null, a part of the page sets the title. */
export function useTitle(title: string | null): void {
  useEffect(() => { if (title !== null) document.title = title ? `${title} · parley` : 'parley'; }, [title]);
}

export function Button(props: ButtonHTMLAttributes<HTMLButtonElement> & { kind?: 'main' | 'plain' | 'danger' | 'quiet' }): JSX.Element {
  const { kind = 'plain', className = '', ...rest } = props;
  return <button type="button" className={`button ${kind} ${className}`} {...rest} />;
}

/** A skeleton that appears after 150 ms, so that fast answers do not flicker. */
export function Skeleton({ rows = 6 }: { rows?: number }): JSX.Element | null {
  const [isShown, show] = useState(false);
  useEffect(() => { const timer = setTimeout(() => show(true), 150); return () => clearTimeout(timer); }, []);
  return (
    <div className="skeleton" role="status" aria-label={w.loading}>
      {isShown && Array.from({ length: rows }, (_, at) => <span key={at} className="bone" />)}
    </div>
  );
}

export function Empty({ says, command, children }: { says: string; command?: string; children?: ReactNode }): JSX.Element {
  return (
    <div className="empty" data-part="empty">
      <p>{says}</p>
      {command && <CopyLine text={command} />}
      {children && <div className="row">{children}</div>}
    </div>
  );
}

function titleOf(problem: Problem): string {
  if (problem.status === 0) return problem.title || w.unreachable;
  if (problem.status === 404) return inReport ? problem.title : w.goneOrNever;
  return problem.title || `HTTP ${problem.status}`;
}

export function ProblemView({ problem, retry, back }: { problem: Problem; retry?: () => void; back?: ReactNode }): JSX.Element {
  const [left, setLeft] = useState(problem.retryAfterS);
  useReady(true);
  useEffect(() => {
    setLeft(problem.retryAfterS);
    if (!problem.retryAfterS) return undefined;
    const timer = setInterval(() => setLeft((now) => { if (now === 1) retry?.(); return Math.max(0, now - 1); }), 1000);
    return () => clearInterval(timer);
  }, [problem]);
  return (
    <div className="problem" role="alert" data-part="problem" data-status={problem.status}>
      <strong>{titleOf(problem)}</strong>
      {problem.detail && <p><bdi>{problem.detail}</bdi></p>}
      {problem.errors.length > 0 && (
        <ul>{problem.errors.map((each, at) => <li key={at}>{each.pointer && <code>{each.pointer}</code>} <bdi>{each.detail}</bdi></li>)}</ul>
      )}
      <div className="row">
        {retry && !inReport && <Button onClick={retry}>{left > 0 ? w.retryIn(left) : w.retry}</Button>}
        {back}
        {problem.requestId && <span className="muted small">{w.requestId} <code>{problem.requestId}</code></span>}
      </div>
    </div>
  );
}

/** What a resource shows while it has no data; the old data stay while it is refreshed. The banner says that the server is away. */
export function Loaded<T>({ of, children, rows, back }: { of: Resource<T>; children: (data: T) => ReactNode; rows?: number; back?: ReactNode }): JSX.Element {
  const isSaid = of.problem?.status === 401 || (of.problem?.status === 0 && of.data !== undefined);
  const failed = of.problem && !isSaid ? <ProblemView problem={of.problem} retry={of.reload} back={back} /> : null;
  if (of.data === undefined) return failed ?? <Skeleton rows={rows} />;
  return <>{failed}{children(of.data)}</>;
}

export async function copyText(text: string): Promise<boolean> {
  try { await navigator.clipboard.writeText(text); return true; } catch { /* no secure context */ }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'offscreen';
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
}
export function CopyButton({ text, children }: { text: string | (() => string | Promise<string>); children: ReactNode }): JSX.Element {
  const [says, say] = useState('');
  const copy = async () => {
    try { say(await copyText(typeof text === 'string' ? text : await text()) ? w.copied : w.notCopied); } catch (error) { if (!(error instanceof Problem)) throw error; say(w.notCopied); }
    setTimeout(() => say(''), 1500);
  };
  return <Button onClick={() => void copy()}>{says || children}</Button>;
}
export function CopyLine({ text }: { text: string }): JSX.Element {
  return <div className="copy-line"><pre tabIndex={0} aria-label={w.command}>{text}</pre><CopyButton text={text}>{w.copy}</CopyButton></div>;
}

export function Dialog({ title, onClose, children, isWide }: { title: string; onClose: () => void; children: ReactNode; isWide?: boolean }): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  // A dialog that is closed while it is still in the document returns the focus to where it was.
  useLayoutEffect(() => { const here = box.current; if (here && !here.open) here.showModal(); return () => here?.close(); }, []);
  return (
    <dialog ref={box} className={isWide ? 'wide' : ''} aria-label={title} onCancel={(event) => { event.preventDefault(); onClose(); }}>
      <header className="dialog-head"><h2>{title}</h2><Button kind="quiet" aria-label={w.close} onClick={onClose}>×</Button></header>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}

export interface MenuItem { label: string; act: () => void; isDisabled?: boolean; why?: string; isDanger?: boolean }
export function Menu({ label, items, kind }: { label: ReactNode; items: (MenuItem | null)[]; kind?: 'plain' | 'quiet' | 'main' }): JSX.Element {
  const [isOpen, open] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    box.current?.querySelector<HTMLElement>('[role=menuitem]:not([aria-disabled=true])')?.focus();
    const leave = (event: Event) => { if (!box.current?.contains(event.target as Node)) open(false); };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, [isOpen]);
  const move = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) { event.preventDefault(); event.stopPropagation(); open(false); box.current?.querySelector('button')?.focus(); }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const all = [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[(at + (event.key === 'ArrowDown' ? 1 : all.length - 1)) % all.length]?.focus();
  };
  // The item is gone when a dialog that it opens asks where the focus was.
  const choose = (item: MenuItem) => {
    if (item.isDisabled) return;
    box.current?.querySelector('button')?.focus();
    open(false);
    item.act();
  };
  return (
    <div className="menu" ref={box} onKeyDown={move}>
      <Button kind={kind} aria-haspopup="menu" aria-expanded={isOpen} onClick={() => open(!isOpen)}>{label}</Button>
      {isOpen && (
        <div role="menu" className="menu-items">
          {items.map((item, at) => item && (
            <button key={at} type="button" role="menuitem" aria-disabled={item.isDisabled} title={item.isDisabled ? item.why : undefined}
              className={item.isDanger ? 'danger' : ''} onClick={() => choose(item)}>
              {item.label}{item.isDisabled && item.why && <span className="muted small"> {item.why}</span>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Tabs whose state is in the query. */
export function Tabs({ label, tabs, current, choose }: { label: string; tabs: [string, string, number?][]; current: string; choose: (id: string) => void }): JSX.Element {
  const move = (event: React.KeyboardEvent, at: number) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? tabs.length - 1 : 0;
    if (!step) return;
    event.preventDefault();
    const next = (at + step) % tabs.length;
    choose(tabs[next][0]);
    (event.currentTarget.parentElement?.children[next] as HTMLElement)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label}>
      {tabs.map(([id, name, count], at) => (
        <button key={id} type="button" role="tab" id={`tab-${id}`} aria-selected={id === current} tabIndex={id === current ? 0 : -1}
          onClick={() => choose(id)} onKeyDown={(event) => move(event, at)}>
          {name}{count !== undefined && <span className="count">{count}</span>}
        </button>
      ))}
    </div>
  );
}

/** The text of a chip for an assertion whose verdict changed. It is one element, so that the gap of a chip does not split it. */
export function flipText(name: string | undefined, before: string | null | undefined, after: string | null | undefined): JSX.Element {
  return <span><bdi>{name}</bdi>: {before ?? none} → {after ?? none}</span>;
}
export function Waited({ since }: { since: number }): JSX.Element {
  const [, tick] = useState(0);
  useEffect(() => { const timer = setInterval(() => tick((n) => n + 1), 1000); return () => clearInterval(timer); }, []);
  return <span className="muted">{duration(Date.now() - since)}</span>;
}
export function Field({ label, hint, children }: { label: string; hint?: string; children: ReactNode }): JSX.Element {
  return <label className="field"><span>{label}</span>{children}{hint && <small className="muted">{hint}</small>}</label>;
}
