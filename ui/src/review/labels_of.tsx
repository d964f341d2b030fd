/** The labels of one result, next to its verdict. */
import { queryOf } from '../shared/api';
import { ago } from '../shared/format';
import { Link } from '../shared/router';
import { useGet } from '../shared/store';
import { Foreign } from '../shared/text';
import { Page, ResultHead } from '../shared/types';
import { w } from '../shared/words';
import { Label } from './queue';

export function LabelsOf({ result }: { result: ResultHead }): JSX.Element {
  const labels = useGet<Page<Label>>(`/labels/${queryOf({ result: result.id, limit: 100 })}`);
  const nameOf = (id: string | null) => { const of = result.assertionResults.find((each) => each.id === id); return of ? of.name || of.criteria || of.type : w.wholeResult; };
  return (
    <details open={!!labels.data?.data.length}><summary>{w.labels}{labels.data?.total ? ` (${labels.data.total})` : ''}</summary>
      {labels.data && labels.data.data.length === 0 && <p className="muted small">{w.noLabelYet}</p>}
      <ul className="lines tall">{labels.data?.data.map((label) => <li key={label.id} data-part="label" data-id={label.assertion ?? ''} data-state={label.verdict}><span><bdi>{w.labelBy(label.user?.name ?? '', w.labelWords[label.verdict])}</bdi> <span className="muted small"><bdi>{nameOf(label.assertion)}</bdi> · {ago(label.createdAt)}</span></span>{label.note && <span className="small"><Foreign text={label.note} /></span>}</li>)}</ul>
      <div className="row"><Link className="button" to={`/review?result=${result.id}`}>{w.labelThis}</Link></div></details>
  );
}
