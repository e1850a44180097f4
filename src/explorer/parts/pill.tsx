// Pill of a chosen value.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { words } from '../words.ts';

interface PillProps {
  readonly name: string;
  /** What stands before its name, such as its colour. */
  readonly mark?: ReactNode;
  /** Where its page is, for what has one. */
  readonly href?: string;
  /** What it is, where that is not what most are. */
  readonly kind?: string | undefined;
  /** What it is called in the name of the button, where that is another. */
  readonly spoken?: string;
  /** Absent where it stays. */
  readonly takeAway?: (() => void) | undefined;
  readonly isBusy?: boolean;
}

/** What was chosen, with the button that takes it away. */
export function Pill(props: PillProps) {
  const { name, mark, href, kind, spoken = name, takeAway, isBusy = false } = props;
  return (
    <span className="pill">
      {mark}
      {href ? <Link href={href}>{name}</Link> : name}
      {kind && <small className="quiet"> {kind}</small>}
      {takeAway && (
        <button
          type="button"
          className="away"
          disabled={isBusy}
          aria-label={words.takeAway(spoken)}
          onClick={takeAway}
        >
          ×
        </button>
      )}
    </span>
  );
}
