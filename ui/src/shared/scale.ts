/** A linear scale with the ticks of d3. d3-scale itself includes colors and calendars, which no chart of the page uses. */
import { ticks } from 'd3-array';

export interface Scale { (value: number): number; ticks(count: number): number[] }
/** A domain of zero width maps to the middle of the range. */
export function scaleLinear([low, high]: [number, number], [start, end]: [number, number]): Scale {
  const scale = (value: number) => start + (end - start) * (high === low ? 0.5 : (value - low) / (high - low));
  return Object.assign(scale, { ticks: (count: number) => ticks(low, high, count) });
}
