// Error boundary: the rest of the page stays, and says what can be done.

import { Component, type ReactNode } from 'react';
import { readIsOld } from '../asking/version.ts';
import { words } from '../words.ts';

interface BoundaryProps {
  /** What is shown in its place, around what went wrong. */
  readonly frame: (said: ReactNode) => ReactNode;
  readonly children: ReactNode;
}

/** Keeps what breaks within it from breaking what is around. */
export class Boundary extends Component<BoundaryProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.frame(<Broken />) : this.props.children;
  }
}

function Broken() {
  return (
    <div className="problem" role="alert">
      <p>{readIsOld() ? words.version.partGone : words.version.broken}</p>
      <LoadAnew />
    </div>
  );
}

/** The button that loads the page with the newest version. */
export function LoadAnew() {
  return (
    <button type="button" onClick={() => location.reload()}>
      {words.version.load}
    </button>
  );
}
