// In charge of what can't be taken back: a second click says that it is meant.

import { useEffect, useRef, useState } from 'react';
import { words } from '../words.ts';

interface SureProps {
  readonly label: string;
  /** What it is done to, for who listens. */
  readonly of?: string;
  /** What follows from it. */
  readonly means?: string;
  readonly isBusy: boolean;
  readonly act: () => void;
}

/** A button that asks once more; the keyboard goes to the way out of it, and back. */
export function Sure({ label, of, means, isBusy, act }: SureProps) {
  const [isAsking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (isAsking !== wasAsking.current) button.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (!isAsking) {
    return (
      <button ref={button} type="button" onClick={() => setAsking(true)}>
        {label}
        <span className="spoken"> {of}</span>
      </button>
    );
  }
  return (
    <span className="sure" role="alert">
      {words.sure} {means}{' '}
      <button
        type="button"
        className="alarm"
        disabled={isBusy}
        onClick={() => {
          setAsking(false);
          act();
        }}
      >
        {label}
      </button>{' '}
      <button ref={button} type="button" onClick={() => setAsking(false)}>
        {words.no}
      </button>
    </span>
  );
}
