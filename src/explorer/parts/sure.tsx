// Confirmation of what can't be undone: by a second click.

import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useAct } from '../asking/use-answer.ts';
import { words } from '../words.ts';
import { Problem } from './problem.tsx';

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

interface RemovingProps extends Pick<SureProps, 'label' | 'of' | 'means'> {
  readonly remove: () => Promise<unknown>;
  /** The address of the list that it is gone from, and what asks for that. */
  readonly list: string;
  readonly asks: Parameters<typeof useAct>[1][number];
}

/** Deletes what a page is about, and goes to the list of its like; to be shown only to who may do it. */
export function Removing({ remove, list, asks, ...said }: RemovingProps) {
  const [, navigate] = useLocation();
  const removing = useAct(async () => {
    await remove();
    navigate(list);
  }, [asks]);
  return (
    <section>
      <Sure {...said} isBusy={removing.isPending} act={() => removing.mutate()} />
      {removing.error && <Problem error={removing.error} />}
    </section>
  );
}
