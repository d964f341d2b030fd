/** The few functions of d3-scale that the page uses: Debian has no types for it. */
export interface Scale { (value: number): number; ticks(count?: number): number[]; invert(value: number): number; nice(): Scale }
export function scaleLinear(domain: [number, number], range: [number, number]): Scale;
