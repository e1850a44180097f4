// Keys of a combobox: what is typed, which row is marked, and whether the list is open.

import {
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Choosable } from './choosable.ts';

/** How long typing pauses before it is asked for. */
const pauseMs = 150;

interface ListKeys {
  readonly rowsOf: (text: string) => readonly Choosable[];
  /** What is marked when the list opens. */
  readonly chosenId: string | undefined;
  readonly search: ((text: string) => void) | undefined;
  readonly take: (row: Choosable, text: string) => void;
  /** Takes the last one of several away. */
  readonly takeBack: () => void;
  readonly isSeveral: boolean;
}

export interface ListState {
  /** What is typed; null where nothing is. */
  readonly text: string | null;
  readonly isOpen: boolean;
  readonly rows: readonly Choosable[];
  /** Place of the marked row; -1 where none is. */
  readonly at: number;
  readonly point: (at: number) => void;
  readonly press: (row: Choosable) => void;
  readonly handlers: {
    onChange(event: ChangeEvent<HTMLInputElement>): void;
    onClick(): void;
    onFocus(event: FocusEvent<HTMLInputElement>): void;
    onBlur(): void;
    onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
  };
}

/** The state of a field and its list, and what the field does with keys. */
export function useListKeys(keys: ListKeys): ListState {
  const { rowsOf, chosenId, search, take, takeBack, isSeveral } = keys;
  const [text, setText] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState(-1);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const rows = isOpen ? rowsOf(text ?? '') : [];
  const at = Math.min(marked, rows.length - 1);

  const ask = (wanted: string) => {
    clearTimeout(timer.current);
    if (wanted === '') search?.('');
    else timer.current = window.setTimeout(() => search?.(wanted), pauseMs);
  };
  const close = () => {
    if (text !== null) ask('');
    setText(null);
    setOpen(false);
    setMarked(-1);
  };
  const open = () => {
    if (isOpen) return;
    setOpen(true);
    setMarked(rowsOf(text ?? '').findIndex(({ id }) => id === chosenId));
  };
  const press = (row: Choosable) => {
    take(row, text ?? '');
    close();
    // Another one may follow.
    if (isSeveral) setOpen(true);
  };
  const move = (next: number) => {
    if (!isOpen) open();
    else if (rows.length > 0) setMarked((next + rows.length) % rows.length);
  };
  const actOn = (key: string): boolean => {
    if (key === 'ArrowDown') move(at + 1);
    else if (key === 'ArrowUp') move(at < 0 ? -1 : at - 1);
    else if (key === 'Home' && isOpen) move(0);
    else if (key === 'End' && isOpen) move(-1);
    else if (key === 'Escape' && (isOpen || text !== null)) close();
    else if (key === 'Enter' && isOpen) {
      const row = rows[at];
      if (row) press(row);
      else close();
    } else if (key === 'Backspace' && (text ?? '') === '' && isSeveral) takeBack();
    else return false;
    return true;
  };
  return {
    text,
    isOpen,
    rows,
    at,
    point: setMarked,
    press,
    handlers: {
      onChange: ({ currentTarget: { value } }) => {
        setText(value);
        setOpen(true);
        setMarked(value.trim() === '' ? -1 : 0);
        ask(value.trim());
      },
      onClick: open,
      onFocus: ({ currentTarget }) => currentTarget.select(),
      onBlur: close,
      onKeyDown: (event) => {
        if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
        // A list that scrolls would be the next stop, and take the focus along when it closes.
        if (event.key === 'Tab') return close();
        if (!actOn(event.key)) return;
        // It is meant for the list: a form is not sent, and a dialog stays open.
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
