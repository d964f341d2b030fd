/** Contains an error of one view, so that the rest of the page still works. */
import { Component, ReactNode, useEffect, useState } from 'react';
import { base } from './api';
import { Button } from './parts';
import { w } from './words';

const askMs = 2000;
const isReachable = (): Promise<boolean> => fetch(`${base}/readyz`, { cache: 'no-store' }).then(() => true, () => false);

/** A chunk that cannot be fetched: the server is unreachable, or it has a new version. The page is loaded again when the server is back. */
function MissingChunk(): JSX.Element | null {
  const [isAway, setAway] = useState<boolean>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined, isGone = false, wasAway = false;
    const ask = async () => {
      const isBack = await isReachable();
      if (isGone) return;
      if (isBack && wasAway) { location.reload(); return; }
      wasAway = !isBack;
      setAway(wasAway);
      if (wasAway) timer = setTimeout(() => void ask(), askMs);
    };
    void ask();
    return () => { isGone = true; clearTimeout(timer); };
  }, []);
  if (isAway === undefined) return null;
  return (
    <div className="problem" role="alert" data-part="problem" data-status={isAway ? 0 : 'page'}>
      <strong>{isAway ? w.unreachable : w.newVersion}</strong>
      {isAway && <p>{w.loadsWhenBack}</p>}
      <div className="row"><Button onClick={() => location.reload()}>{w.reload}</Button></div>
    </div>
  );
}

export class ErrorEdge extends Component<{ children: ReactNode }, { error?: Error }> {
  state: { error?: Error } = {};
  static getDerivedStateFromError(error: Error): { error: Error } { return { error }; }
  componentDidCatch(): void { document.documentElement.dataset.ready = 'true'; }
  render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (/import|module/i.test(error.message)) return <MissingChunk />;
    return (
      <div className="problem" role="alert" data-part="problem" data-status="page">
        <strong>{w.pageFailed}</strong>
        <p><code>{error.message}</code></p>
        <div className="row"><Button onClick={() => location.reload()}>{w.reload}</Button></div>
      </div>
    );
  }
}
