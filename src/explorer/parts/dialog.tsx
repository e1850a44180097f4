// Dialog over a page: for creating, for what is shown once, and for confirming what can't be undone.

import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { words } from '../words.ts';

interface DialogProps {
  readonly title: string;
  /** Called when it is left: by Escape, by its cross, or by what is in it. */
  readonly close: () => void;
  /** Whether something is written in it that would be lost. */
  readonly isWritten?: boolean;
  readonly children: ReactNode;
}

/** The dialog, open for as long as it is drawn; the keyboard goes back to where it was. */
export function Dialog({ title, close, isWritten = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isAsking, setAsking] = useState(false);
  const heading = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>('[data-first], input, select, textarea')?.focus();
    // Closed by hand: of one that only goes away the browser forgets where the keyboard was.
    return () => shown?.close();
  }, []);
  const leave = () => (isWritten ? setAsking(true) : close());
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={heading}
      // What it lies over does not hear of it.
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      // Where the browser closes it all the same, such as at a second Escape.
      onClose={({ currentTarget }) => !currentTarget.open && close()}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <button type="button" className="away" aria-label={words.dialog.close} onClick={leave}>
          ×
        </button>
      </header>
      {isAsking && (
        <p className="note" role="alert">
          {words.dialog.discard}{' '}
          <button type="button" onClick={close}>
            {words.dialog.discardIt}
          </button>{' '}
          <button type="button" onClick={() => setAsking(false)}>
            {words.dialog.keep}
          </button>
        </p>
      )}
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** What follows from it. */
  readonly means?: string | undefined;
  /** What the button is called that does it. */
  readonly label: string;
  /** The name that is to be typed first; absent where a press is enough. */
  readonly typed?: string | undefined;
  readonly isBusy: boolean;
  readonly act: () => void;
  readonly close: () => void;
}

/** Confirms what can't be undone: the keyboard begins at the way out of it, or where the name is typed. */
export function ConfirmDialog({ title, means, label, typed, isBusy, act, close }: ConfirmProps) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  return (
    <Dialog title={title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === undefined || text.trim() === typed.trim()) act();
          else setWrong(true);
        }}
      >
        {means && <p>{means}</p>}
        {typed !== undefined && (
          <label className="choice">
            <span>{words.dialog.type(typed)}</span>
            <input
              autoComplete="off"
              spellCheck={false}
              aria-invalid={isWrong}
              value={text}
              onChange={({ currentTarget }) => {
                setText(currentTarget.value);
                setWrong(false);
              }}
            />
            {isWrong && <small role="alert">{words.dialog.typedWrong}</small>}
          </label>
        )}
        <footer>
          <button type="submit" className="main alarm" disabled={isBusy}>
            {label}
          </button>
          <button type="button" data-first={typed === undefined || undefined} onClick={close}>
            {words.edit.cancel}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
