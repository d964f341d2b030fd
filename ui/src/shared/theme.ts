/** Theme and density, kept in this browser. */
import { readStored, writeStored } from './api';

const dark = matchMedia('(prefers-color-scheme: dark)');
export const themeOf = (): string => readStored('parley.theme') || 'system';
export const densityOf = (): string => readStored('parley.density') || 'comfortable';

export function applyTheme(): void {
  const root = document.documentElement;
  const theme = themeOf();
  root.dataset.theme = theme;
  root.dataset.dark = String(theme === 'dark' || (theme === 'system' && dark.matches));
  root.dataset.density = densityOf();
}
export function chooseTheme(theme: string): void { writeStored('parley.theme', theme === 'system' ? '' : theme); applyTheme(); }
export function chooseDensity(density: string): void { writeStored('parley.density', density === 'comfortable' ? '' : density); applyTheme(); }
dark.addEventListener('change', applyTheme);
