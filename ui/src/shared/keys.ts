/** Keyboard shortcuts: single letters act only while no field has the focus, never with modifiers, and can be switched off. */
import { useEffect, useRef } from 'react';
import { readStored, writeStored } from './api';

export type Keys = Record<string, (event: KeyboardEvent) => void>;
const layers: { current: Keys }[] = [];
let areOn = readStored('parley.shortcuts') !== 'off';
let prefix = '';
let prefixAt = 0;

export const shortcutsAreOn = (): boolean => areOn;
export function switchShortcuts(on: boolean): void { areOn = on; writeStored('parley.shortcuts', on ? '' : 'off'); }

function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return !!element && (element.isContentEditable || /^(input|textarea|select)$/i.test(element.tagName));
}

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const isSingle = event.key.length === 1;
  if (isSingle && !areOn) return;
  // A dialog handles the keyboard itself, including Escape.
  if (document.querySelector('dialog[open]')) return;
  const name = prefix && Date.now() - prefixAt < 1500 ? `${prefix} ${event.key}` : event.key;
  prefix = '';
  for (let at = layers.length - 1; at >= 0; --at) {
    const action = layers[at].current[name];
    if (!action) continue;
    event.preventDefault();
    action(event);
    return;
  }
  if (event.key === 'g' && areOn) { prefix = 'g'; prefixAt = Date.now(); }
});

/** The newest layer handles a key first; a fallback is asked last, no matter when it was added. */
export function useKeys(keys: Keys, isFallback = false): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    if (isFallback) layers.unshift(current); else layers.push(current);
    return () => void layers.splice(layers.indexOf(current), 1);
  }, []);
}
