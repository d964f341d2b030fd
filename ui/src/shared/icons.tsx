/** The pictures of the rail, drawn with the color of the text. */
const paths: Record<string, string> = {
  overview: 'M2.5 8 8 3l5.5 5M4 7v6h8V7', runs: 'M3 4h10M3 8h10M3 12h6', scenarios: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z',
  agents: 'M8 2v2M4 5h8v7H4zM6.3 8h.1M9.6 8h.1M6 10.3h4', chat: 'M3 4h10v7H8l-3 2.5V11H3z', review: 'M3 8.5 6.2 12 13 4.5',
  trends: 'M3 12l3.5-4 2.5 2L13 4.5', logs: 'M4 2.5h8v11H4zM6 6h4M6 8.5h4', settings: 'M3 5h5M11 5h2M3 11h2M8 11h5M9.5 3.5v3M6.5 9.5v3',
  search: 'M7 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM10 10l3 3', menu: 'M3 4.5h10M3 8h10M3 11.5h10', warning: 'M8 3l5.5 10h-11zM8 6.5v3M8 11.2h.1',
};
export function Icon({ name }: { name: string }): JSX.Element {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" strokeWidth="1.4"
      strokeLinecap="round" strokeLinejoin="round"><path d={paths[name]} /></svg>
  );
}
