// The end of a form: what went wrong, what sends it, and the way back without it.

import type { ReactNode } from 'react';
import { words } from '../words.ts';
import { Problem } from './problem.tsx';

interface FormActsProps {
  /** What the button that sends the form says. */
  readonly says: string;
  /** Whether it can't be sent now. */
  readonly isOff?: boolean;
  /** Why it was not taken, where that is so. */
  readonly error?: unknown;
  readonly close: () => void;
  /** Further buttons, between the two. */
  readonly children?: ReactNode;
}

/** The last line of a form, with the problem above it. */
export function FormActs({ says, isOff = false, error, close, children }: FormActsProps) {
  return (
    <>
      {error ? <Problem error={error} /> : null}
      <footer className="form-acts">
        <button type="submit" className="main" disabled={isOff}>
          {says}
        </button>
        {children}
        <button type="button" onClick={close}>
          {words.edit.cancel}
        </button>
      </footer>
    </>
  );
}
