/** The assertions of a result: failed first, each with its sentence and the way to its evidence. */
import { money } from '../shared/format';
import { Foreign } from '../shared/text';
import { AssertionResult, Entry } from '../shared/types';
import { w } from '../shared/words';

const order: Record<string, number> = { failed: 0, error: 1, skipped: 2, pending: 3, passed: 4 };
const glyphs: Record<string, [string, string]> = { failed: ['✗', 'failed'], error: ['!', 'agent'], skipped: ['?', 'undecided'], pending: ['·', 'idle'], passed: ['✓', 'passed'] };

export function sorted(assertions: AssertionResult[]): AssertionResult[] {
  return assertions.map((each, at) => [each, at] as const).sort(([a, x], [b, y]) => order[a.status] - order[b.status] || severityOrder[a.severity] - severityOrder[b.severity] || x - y).map(([each]) => each);
}
const severityOrder: Record<string, number> = { BLOCKER: 0, MAJOR: 1, MINOR: 2 };

/** The entries that an assertion refers to, each once, in the order of the conversation. */
export function evidenceOf(assertion: AssertionResult): string[] {
  return [...new Set([...(assertion.quotes ?? []).map((quote) => quote.entry), ...(assertion.evidence ?? [])])];
}

/** The entries of one turn share a chip. An entry that is not loaded has its own chip, because its turn is not known yet. */
function byTurn(evidence: string[], turnOf: Map<string, number>): [string, string[]][] {
  const chips = new Map<string, [string, string[]]>();
  for (const entry of evidence) {
    const turn = turnOf.get(entry), key = turn === undefined ? entry : String(turn);
    const chip = chips.get(key);
    if (chip) chip[1].push(entry); else chips.set(key, [turn === undefined ? w.entryChip : w.turnChip(turn), [entry]]);
  }
  return [...chips.values()];
}

export function Assertions({ assertions, numbers, entries, isOver, active, hover, open }: {
  assertions: AssertionResult[]; isOver: boolean; numbers: Map<string, number>; entries: Entry[]; active: string; hover: (id: string) => void; open: (id: string, entry?: string) => void;
}): JSX.Element {
  const turnOf = new Map(entries.map((entry) => [entry.id, entry.turn]));
  if (assertions.length === 0) return <p className="muted">{w.noAssertions}</p>;
  return (
    <ul className="assertions">
      {sorted(assertions).map((assertion) => {
        const [glyph, tone] = glyphs[assertion.status] ?? glyphs.pending;
        const evidence = evidenceOf(assertion);
        const chips = byTurn(evidence, turnOf);
        const showsNothing = evidence.length === 0 && (assertion.status === 'failed' || assertion.status === 'passed');
        return (
          <li key={assertion.id} data-part="assertion" data-id={assertion.id} data-state={assertion.status} className={active === assertion.id ? 'active' : ''}
            onMouseEnter={() => hover(assertion.id)} onMouseLeave={() => hover('')}>
            <button type="button" className="assertion-head" aria-pressed={active === assertion.id} onClick={() => open(assertion.id)}>
              <span className={`cell ${tone}`} aria-hidden="true">{glyph}</span>
              <span className="assertion-name"><bdi>{assertion.name || assertion.criteria || assertion.type}</bdi><span className="evidence-number" aria-hidden="true" data-number={numbers.get(assertion.id)} /></span>
              <span className="offscreen">{w.assertionStates[assertion.status]}</span>
            </button>
            <div className="assertion-body">
              <span className={`small severity ${assertion.severity}`}>{w.severities[assertion.severity] ?? assertion.severity} · {assertion.type}</span>
              {assertion.reason && <p className="reason"><Foreign text={assertion.reason} /></p>}
              {assertion.status === 'pending' && isOver && <p className="muted small">{w.notScored}</p>}
              {showsNothing && <p className="muted small">{w.noEvidence}</p>}
              {chips.length > 0 && <span className="row tight-row">{chips.slice(0, 8).map(([name, [entry, ...more]]) => (
                <button key={entry} type="button" className="chip" onClick={() => open(assertion.id, entry)}>{w.chipOf(name, 1 + more.length)}</button>
              ))}{chips.length > 8 && <span className="muted small">+{chips.length - 8}</span>}</span>}
              {assertion.judge && <span className="muted small">{w.judged(assertion.judge.model)}{typeof assertion.judge.cost === 'number' && ` · ${money(assertion.judge.cost)}`}</span>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
