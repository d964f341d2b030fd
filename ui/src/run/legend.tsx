/** The states of a run with their counts. The legend is the filter of matrix and list. */
import { memo, useMemo } from 'react';
import { count } from '../shared/format';
import { setQuery } from '../shared/router';
import { states } from '../shared/states';
import { Cells } from '../shared/types';
import { w } from '../shared/words';
import { countLetters } from './cells';

export const Legend = memo(function Legend({ cells, chosen }: { cells: Cells; chosen: string }): JSX.Element {
  const counts = useMemo(() => countLetters(cells.state), [cells]);
  return (
    <div className="legend" role="group" aria-label={w.legend}>
      {states.map((state) => {
        const number = counts.get(state.letter) ?? 0;
        if (number === 0 && !'pqfua'.includes(state.letter)) return null;
        return (
          <button key={state.letter} type="button" className="legend-item" data-part="legend" data-state={state.letter} aria-pressed={chosen.includes(state.letter)}
            onClick={() => setQuery({ state: chosen.includes(state.letter) ? chosen.replace(state.letter, '') : chosen + state.letter })} title={state.name}>
            <span className={`cell ${state.tone}`} aria-hidden="true">{state.glyph}{'tjice'.includes(state.letter) && <sub>{state.letter}</sub>}</span>
            <span className="number">{count(number)}</span><span className="legend-name">{state.name}</span>
          </button>
        );
      })}
    </div>
  );
});
