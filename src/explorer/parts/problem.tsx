// Errors: what went wrong, and what to do about it.

import type { ReactNode } from 'react';
import { isPassing, Refused } from '../asking/operation.ts';
import { words } from '../words.ts';

interface ProblemProps {
  readonly error: unknown;
  readonly again?: () => void;
  /** Whether what was written outlives it: this tab keeps it, also over a reload. */
  readonly isKept?: boolean;
}

/** What went wrong, with the server's words, and a button that tries again. */
export function Problem({ error, again, isKept = false }: ProblemProps) {
  const isRefused = error instanceof Refused;
  const isForbidden = isRefused && error.code === 'FORBIDDEN';
  return (
    <div className="problem" role="alert">
      <p>
        <b>{isForbidden ? words.forbidden : words.failed}</b>{' '}
        {error instanceof Error ? error.message : String(error)}
      </p>
      {isPassing(error) && (
        <p>{again ? words.passing : isKept ? words.keptInTab : words.notSaved}</p>
      )}
      {again && !isForbidden && (
        <button type="button" onClick={again}>
          {words.tryAgain}
        </button>
      )}
    </div>
  );
}

interface OvertakenProps {
  /** What it is now. */
  readonly children: ReactNode;
  /** Give up what was written. */
  readonly take: () => void;
}

/** That somebody else changed what one is about to: both are seen before one of them is saved. */
export function Overtaken({ children, take }: OvertakenProps) {
  return (
    <div className="conflict" role="alert">
      <p>
        {words.overtaken} <b>{children}</b>
      </p>
      <button type="button" onClick={take}>
        {words.takeTheirs}
      </button>
    </div>
  );
}
