// Buttons for what can't be undone: a dialog asks first.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAct } from '../asking/use-answer.ts';
import { words } from '../words.ts';
import { ConfirmDialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

interface SureProps {
  readonly label: string;
  /** What it is done to, for who listens and in the title of the dialog. */
  readonly of?: string;
  /** What follows from it. */
  readonly means?: string;
  /** The name that is to be typed first; absent where a press is enough. */
  readonly typed?: string;
  readonly isBusy: boolean;
  readonly act: () => void;
}

/** The button and its dialog; the keyboard goes to the way out of it, and back. */
export function Sure({ label, of, means, typed, isBusy, act }: SureProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => setAsking(true)}>
        {label}
        <span className="spoken"> {of}</span>
      </button>
      {isAsking && (
        <ConfirmDialog
          title={words.dialog.sure(label, of ?? '')}
          label={label}
          means={means}
          typed={typed}
          isBusy={isBusy}
          act={() => {
            setAsking(false);
            act();
          }}
          close={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface RemovingProps extends Pick<SureProps, 'label' | 'of' | 'means' | 'typed'> {
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
