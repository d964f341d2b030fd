/** A linear scale with d3's ticks. d3-scale itself brings colors and calendars along, which no chart of the page has. */
import { ticks } from 'd3-array';

export interface Scale { (value: number): number; ticks(count: number): number[] }
/** A domain without width is in the middle of the range. */
export function scaleLinear([low, high]: [number, number], [start, end]: [number, number]): Scale {
  const scale = (value: number) => start + (end - start) * (high === low ? 0.5 : (value - low) / (high - low));
  return Object.assign(scale, { ticks: (count: number) => ticks(low, high, count) });
}
