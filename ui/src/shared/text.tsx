/** Foreign text. It is always a text node; control, bidi and zero-width characters are shown as chips. */
import { Fragment, ReactNode } from 'react';
import { w } from './words';

// Controls except tab and line feed; soft hyphen, joiners, bidi marks, overrides and isolates, BOM; lone surrogates; tags.
const invisible = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function nameOf(char: string): string { return `U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`; }

export function plainNodes(text: string): ReactNode {
  if (text.search(invisible) < 0) return text;
  const parts: ReactNode[] = [];
  let from = 0;
  for (const found of text.matchAll(invisible)) {
    const at = found.index ?? 0;
    if (found[0] === '\r' && text[at + 1] === '\n') continue;
    if (at > from) parts.push(text.slice(from, at));
    parts.push(<span key={at} className="invisible-char" title={w.invisibleNamed(nameOf(found[0]))}>{nameOf(found[0])}</span>);
    from = at + found[0].length;
  }
  if (parts.length === 0) return text;
  if (from < text.length) parts.push(text.slice(from));
  return <>{parts.map((part, at) => <Fragment key={at}>{part}</Fragment>)}</>;
}

export function Foreign({ text }: { text: string }): JSX.Element { return <bdi>{plainNodes(text)}</bdi>; }

/** An external link: only http and https, shown with its host, never followed automatically. */
export function OutLink({ url, name }: { url: string; name?: string }): JSX.Element {
  let host = '';
  try { const parsed = new URL(url); if (parsed.protocol === 'http:' || parsed.protocol === 'https:') host = parsed.host; } catch { /* not a URL */ }
  if (!host) return <Foreign text={name ? `${name} (${url})` : url} />;
  return <a href={url} rel="noopener noreferrer nofollow" target="_blank" title={w.opensSite(host)}><Foreign text={name || url} /> <span className="muted small">({host})</span></a>;
}
/** Text as it is, in Markdown. */
export const inMarkdown = (text: string): string => text.replace(/([\\`*_[\]<>#|])/g, '\\$1');
