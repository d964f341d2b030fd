/** A run's results as one stacked bar, and the pass rates of the last runs as a line. */
import { useLayoutEffect, useRef } from 'react';
import { count } from './format';
import { barOrder, stateOf } from './states';
import { RunResult } from './types';
import { w } from './words';

/** Widths are set through the CSSOM because the policy of the page forbids style attributes in markup. */
export function Stack({ parts, label, className = '' }: { parts: { tone: string; value: number; name: string }[]; label: string; className?: string }): JSX.Element {
  const shown = parts.filter((part) => part.value > 0);
  return (
    <span className={`stackbar ${className}`} role="img" aria-label={label}>
      {shown.map((part) => <Piece key={part.name} tone={part.tone} share={part.value} />)}
    </span>
  );
}
function Piece({ tone, share }: { tone: string; share: number }): JSX.Element {
  const box = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => { box.current?.style.setProperty('flex-grow', String(share)); }, [share]);
  return <span ref={box} className={`piece ${tone}`} />;
}

export function StateBar({ result }: { result: Partial<RunResult> }): JSX.Element {
  const open = (result.pending ?? 0) + (result.running ?? 0);
  const parts = [
    { tone: 'passed', value: result.passed ?? 0, name: w.states.p }, { tone: 'undecided', value: result.undecided ?? 0, name: w.states.u },
    { tone: 'idle', value: open, name: w.states.w }, { tone: 'missing', value: result.canceled ?? 0, name: w.states.k },
    { tone: 'agent', value: result.failed ?? 0, name: w.faults }, { tone: 'failed', value: result.notPassed ?? 0, name: w.states.f },
  ];
  return <Stack parts={parts} label={parts.filter((part) => part.value).map((part) => `${count(part.value)} ${part.name}`).join(', ') || w.noRunsYet} />;
}

/** One bar for the letters of some cells. */
export function LetterBar({ letters, label }: { letters: string; label: string }): JSX.Element {
  const counts = new Map<string, number>();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const parts = barOrder.filter((letter) => counts.has(letter)).map((letter) => ({ tone: stateOf(letter).tone, value: counts.get(letter)!, name: letter }));
  return <Stack parts={parts} label={label} />;
}

export function Spark({ values, label }: { values: (number | null)[]; label: string }): JSX.Element | null {
  const known = values.map((value, at) => [at, value] as [number, number | null]).filter((point): point is [number, number] => point[1] !== null);
  if (known.length < 2) return null;
  const x = (at: number) => 3 + (90 * at) / (values.length - 1), y = (rate: number) => 21 - 18 * rate;
  const path = known.map(([at, rate], first) => `${first ? 'L' : 'M'}${x(at).toFixed(1)} ${y(rate).toFixed(1)}`).join('');
  const [lastAt, last] = known[known.length - 1];
  return <svg className="spark" viewBox="0 0 96 24" role="img" aria-label={label}><path d={path} /><circle cx={x(lastAt)} cy={y(last)} r="2.5" /></svg>;
}
