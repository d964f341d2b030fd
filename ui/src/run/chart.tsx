/** The frame of a chart: a title that states the finding, and the same numbers as a table and as CSV. */
import { ReactNode, RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../shared/parts';
import { saveFile, toCsv } from '../shared/files';
import { Foreign } from '../shared/text';
import { w } from '../shared/words';

/** A plot is as wide as its container, so that its texts have the same size everywhere. */
export function usePlotWidth(): [RefObject<HTMLDivElement>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(560);
  useLayoutEffect(() => {
    const here = box.current;
    if (!here) return undefined;
    const measure = () => { if (here.clientWidth > 0) setWidth(here.clientWidth); };
    const observer = new ResizeObserver(measure);
    observer.observe(here);
    measure();
    return () => observer.disconnect();
  }, []);
  return [box, width];
}

export function Chart({ title, rows, head, children }: { title: string; head: string[]; rows: (string | number)[][]; children: ReactNode }): JSX.Element {
  const [isTable, showTable] = useState(false);
  return (
    <figure className="panel chart">
      <figcaption className="spread"><h2>{title}</h2><span className="row">
        <Button kind="quiet" aria-pressed={isTable} onClick={() => showTable(!isTable)}>{isTable ? w.asChart : w.asTable}</Button>
        <Button kind="quiet" onClick={() => saveFile('chart.csv', 'text/csv', toCsv([head, ...rows.map((row) => row.map(String))]))}>{w.downloadCsv}</Button></span></figcaption>
      {isTable ? <div className="table-wrap"><table className="grid-table"><thead><tr>{head.map((name) => <th key={name} scope="col">{name}</th>)}</tr></thead><tbody>{rows.slice(0, 200).map((row, at) => <tr key={at}>{row.map((value, column) => <td key={column}><Foreign text={String(value)} /></td>)}</tr>)}</tbody></table></div> : children}
    </figure>
  );
}
