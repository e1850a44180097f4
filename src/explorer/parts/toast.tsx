// Toasts: what was just done, at the bottom of the window, with the way to undo it.

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import {
  type Deed,
  dismiss,
  forgetDeeds,
  onDeeds,
  readDeeds,
  undoDeed,
  undoLast,
} from '../asking/undo.ts';
import { words } from '../words.ts';

const shownForMs = 10_000;

/** All of them. F6 leads to the last one, Ctrl+Z undoes it where no one writes. */
export function Toasts() {
  const deeds = useSyncExternalStore(onDeeds, readDeeds);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'F6') {
        const buttons = place.current?.querySelectorAll<HTMLElement>('button');
        if (!buttons?.length) return;
        event.preventDefault();
        [...buttons].at(-2)?.focus();
      }
      if (isUndo(event) && undoLast()) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
      forgetDeeds();
    };
  }, []);
  return (
    <section ref={place} className="toasts" aria-label={words.toast.name}>
      <div role="status">
        {deeds.map((deed) => (
          <Toast key={deed.id} deed={deed} />
        ))}
      </div>
    </section>
  );
}

/** Whether a key press means the page: in a field it is about what is written there. */
function isUndo({ key, ctrlKey, metaKey, shiftKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return false;
  const field = target instanceof HTMLElement ? target.closest('input, textarea') : null;
  const isText = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
  return !isText || (field instanceof HTMLInputElement && !isWritten(field));
}

function isWritten({ type, value }: HTMLInputElement): boolean {
  return !['checkbox', 'radio', 'button'].includes(type) && value !== '';
}

/** One of them: it goes by itself, but not while it is pointed at or focused. */
function Toast({ deed }: { deed: Deed }) {
  const { id, says, undo, isError } = deed;
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld || isError) return undefined;
    const timer = setTimeout(dismiss, shownForMs, id);
    return () => clearTimeout(timer);
  }, [id, isHeld, isError]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    <p
      className={isError ? 'toast alarm' : 'toast'}
      role={isError ? 'alert' : undefined}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <span dir="auto">{says}</span>
      {undo && (
        <button type="button" onClick={() => undoDeed(deed)}>
          {words.toast.undo}
        </button>
      )}
      <button type="button" aria-label={words.toast.dismiss} onClick={() => dismiss(id)}>
        ×
      </button>
    </p>
  );
}
