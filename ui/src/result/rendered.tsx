/** A small subset of Markdown, made as elements and never as HTML: paragraphs, headings, lists, code, emphasis, links. */
import { ReactNode } from 'react';
import { OutLink, plainNodes } from '../shared/text';

const textMax = 65_536;
const inlineToken = /(`[^`\n]+`)|(\*\*[^*\n]+\*\*)|(\*[^*\n]+\*)|\[([^\]\n]{1,200})\]\((https?:\/\/[^\s)]{1,2000})\)|(https?:\/\/[^\s<>"')\]]{1,2000})/g;

function inlines(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const found of text.matchAll(inlineToken)) {
    const at = found.index ?? 0;
    if (at > from) parts.push(<span key={`t${at}`}>{plainNodes(text.slice(from, at))}</span>);
    const [whole, code, strong, weak, name, target, bare] = found;
    if (code) parts.push(<code key={at}>{plainNodes(code.slice(1, -1))}</code>);
    else if (strong) parts.push(<strong key={at}>{plainNodes(strong.slice(2, -2))}</strong>);
    else if (weak) parts.push(<em key={at}>{plainNodes(weak.slice(1, -1))}</em>);
    else parts.push(<OutLink key={at} url={target ?? bare} name={name} />);
    from = at + whole.length;
  }
  if (from < text.length) parts.push(<span key="end">{plainNodes(text.slice(from))}</span>);
  return parts;
}

export function Rendered({ text }: { text: string }): JSX.Element {
  const blocks: ReactNode[] = [];
  const lines = text.slice(0, textMax).split('\n');
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    if (/^\s*```/.test(line)) {
      const end = lines.findIndex((each, later) => later > at && /^\s*```/.test(each));
      const last = end < 0 ? lines.length : end;
      blocks.push(<pre key={at}>{plainNodes(lines.slice(at + 1, last).join('\n'))}</pre>);
      at = last + 1;
    } else if (/^\s*([-*]|\d+[.)])\s+/.test(line)) {
      const start = at;
      while (at < lines.length && /^\s*([-*]|\d+[.)])\s+/.test(lines[at])) ++at;
      const items = lines.slice(start, at).map((each, item) => <li key={item}>{inlines(each.replace(/^\s*([-*]|\d+[.)])\s+/, ''))}</li>);
      blocks.push(/^\s*\d/.test(line) ? <ol key={start}>{items}</ol> : <ul key={start}>{items}</ul>);
    } else if (!line.trim()) ++at;
    else {
      const start = at;
      while (at < lines.length && lines[at].trim() && !/^\s*(```|[-*]\s|\d+[.)]\s)/.test(lines[at])) ++at;
      if (at === start) ++at;
      const paragraph = lines.slice(start, at);
      blocks.push(/^#{1,4}\s/.test(line) && paragraph.length === 1 ? <p key={start}><strong>{inlines(line.replace(/^#+\s/, ''))}</strong></p>
        : <p key={start}>{paragraph.map((each, row) => <span key={row}>{row > 0 && <br />}{inlines(each)}</span>)}</p>);
    }
  }
  return <div className="rendered">{blocks}</div>;
}
