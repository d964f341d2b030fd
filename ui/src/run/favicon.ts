/** The favicon shows the outcome of the open run. */
const colours: Record<string, string> = { '✓': '#1a8460', '✗': '#a3242b', '●': '#0a5bd3', '?': '#6424b0', '–': '#59636e', '': '#0a5bd3' };
let current = '';
export function setFavicon(mark: string): void {
  if (mark === current) return;
  current = mark;
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="${colours[mark] ?? colours['']}"/><path d="${
    mark === '✗' ? 'M5 5l6 6M11 5l-6 6' : mark === '✓' ? 'M4 8.5 7 11.5 12 5' : 'M5 8h6'}" stroke="white" stroke-width="2" fill="none"/></svg>`;
  link.href = `data:image/svg+xml,${encodeURIComponent(picture)}`;
}
