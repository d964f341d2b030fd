/** One option above a view of a run, which is kept in the query. */
import { setQuery } from '../shared/router';

export function ToolChoice({ name, label, options, value, usual }: { name: string; label: string; options: Record<string, string>; value: string; usual: string }): JSX.Element {
  return (
    <label className="inline-field"><span className="muted small">{label}</span>
      <select value={value} onChange={(event) => setQuery({ [name]: event.target.value === usual ? null : event.target.value })}>{Object.entries(options).map(([id, text]) => <option key={id} value={id}>{text}</option>)}</select></label>
  );
}
