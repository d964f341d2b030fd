/** The states of a cell, by the letter of the server: glyph, tone and name. The page never computes the state of a result. */
import { w } from './words';

export interface CellState { letter: string; glyph: string; tone: Tone; name: string }
export type Tone = 'passed' | 'partly' | 'failed' | 'undecided' | 'agent' | 'fault' | 'invalid' | 'live' | 'idle' | 'missing';
const rows: [string, string, Tone][] = [
  ['p', '✓', 'passed'], ['q', '✓', 'partly'], ['f', '✗', 'failed'], ['u', '?', 'undecided'], ['a', '!', 'agent'], ['t', '⚠', 'fault'],
  ['j', '⚠', 'fault'], ['i', '⚠', 'fault'], ['c', '⚠', 'fault'], ['e', '⚠', 'fault'], ['v', '⊘', 'invalid'], ['r', '●', 'live'],
  ['w', '·', 'idle'], ['h', '⏸', 'idle'], ['k', '–', 'idle'], ['-', '', 'missing'],
];
export const states: CellState[] = rows.map(([letter, glyph, tone]) => ({ letter, glyph, tone, name: w.states[letter] }));
const byLetter = new Map(states.map((state) => [state.letter, state]));
export const stateOf = (letter: string): CellState => byLetter.get(letter) ?? byLetter.get('-')!;
/** From the worst to the best, for sorting and for the order of a stacked bar. */
export const badness: Record<string, number> = { f: 9, a: 8, t: 7, j: 7, i: 7, c: 7, e: 7, u: 6, v: 5, k: 4, q: 3, h: 2, r: 2, w: 1, '-': 1, p: 0 };
export const barOrder = ['p', 'q', 'u', 'v', 'w', 'h', 'r', '-', 'k', 't', 'j', 'i', 'c', 'e', 'a', 'f'];
export const isPassed = (letter: string): boolean => letter === 'p' || letter === 'q';
export const isDecided = (letter: string): boolean => isPassed(letter) || letter === 'f';
export const isFault = (letter: string): boolean => 'atjice'.includes(letter);
/** The types of agents that the server calls itself, at any time. */
export const canTalk = (agentType: string): boolean => ['HTTP', 'OPENAI', 'DEMO'].includes(agentType);
/** The statuses of a run or a result that no longer changes by itself. */
export const isFinished = (status: string): boolean => ['completed', 'failed', 'canceled'].includes(status);
export const isLive = (letter: string): boolean => 'rwh'.includes(letter);
