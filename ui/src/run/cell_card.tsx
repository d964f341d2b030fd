/** The card of a cell that has the pointer or the focus. */
import { useLayoutEffect, useRef } from 'react';
import { duration, money } from '../shared/format';
import { stateOf } from '../shared/states';
import { FailureGroup } from '../shared/types';
import { w } from '../shared/words';
import { RunCell } from './cells';
import { reasonOf } from './grouping';

export function CellCard({ cell, anchor, groups, name }: { cell: RunCell; anchor: HTMLElement; groups: FailureGroup[]; name: string }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = anchor.getBoundingClientRect(), own = box.current!.getBoundingClientRect();
    const below = place.bottom + 6 + own.height < innerHeight;
    box.current!.style.left = `${Math.max(8, Math.min(innerWidth - own.width - 8, place.left - 8))}px`;
    box.current!.style.top = `${below ? place.bottom + 6 : place.top - own.height - 6}px`;
  }, [cell, anchor]);
  const group = groups.find((each) => each.signature === cell.group) ?? groups.find((each) => cell.id && each.results.includes(cell.id));
  const state = stateOf(cell.state);
  return (
    <div ref={box} className="cell-card" role="presentation">
      <strong><span className={`state-dot ${state.tone}`} />{state.name}{cell.score !== null && cell.state !== '-' ? ` · ${w.scoreOf(cell.score)}` : ''}</strong>
      <span className="muted small"><bdi>{name}</bdi> · {w.repetition(cell.n)}{cell.attempt > 1 ? ` · ${w.attemptColumn} ${cell.attempt}` : ''}</span>
      {group && <p>{group.assertion && <><strong><bdi>{group.assertion.name || group.assertion.type}</bdi></strong> </>}<bdi>{reasonOf(group)}</bdi></p>}
      <span className="muted small">{[cell.turns !== null && w.turns(cell.turns), cell.time !== null && duration(cell.time), cell.usd ? money(cell.usd) : ''].filter(Boolean).join(' · ')}</span>
    </div>
  );
}
