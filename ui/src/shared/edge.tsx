/** Contains an error of one view, so that the rest of the page still works. A failed chunk means that the server has a new version. */
import { Component, ReactNode } from 'react';
import { Button } from './parts';
import { w } from './words';

export class ErrorEdge extends Component<{ children: ReactNode }, { error?: Error }> {
  state: { error?: Error } = {};
  static getDerivedStateFromError(error: Error): { error: Error } { return { error }; }
  componentDidCatch(): void { document.documentElement.dataset.ready = 'true'; }
  render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const isOldChunk = /import|module/i.test(error.message);
    return (
      <div className="problem" role="alert" data-part="problem" data-status="page">
        <strong>{isOldChunk ? w.newVersion : w.pageFailed}</strong>
        {!isOldChunk && <p><code>{error.message}</code></p>}
        <div className="row"><Button onClick={() => location.reload()}>{w.reload}</Button></div>
      </div>
    );
  }
}
