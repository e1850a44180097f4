// Combobox: a field that finds, and the list of what can be chosen; one of it, or several.

import { type RefObject, useId, useRef } from 'react';
import { words } from '../../words.ts';
import { Pill } from '../pill.tsx';
import { useAnchor } from './anchor.ts';
import { type Choosable, matching, mostShown, partsOf } from './choosable.ts';
import { type ListState, useListKeys } from './use-list-keys.ts';

export interface ComboboxProps {
  readonly label: string;
  /** Whether the label is only spoken: what stands around it says what it is for. */
  readonly isBare?: boolean;
  readonly hint?: string | undefined;
  readonly placeholder?: string;
  readonly choices: readonly Choosable[];
  readonly chosen: readonly Choosable[];
  readonly set: (chosen: readonly Choosable[]) => void;
  /** Whether more than one can be chosen. */
  readonly isSeveral?: boolean;
  /** What no choice is called; null where there must be one. */
  readonly none?: string | null;
  /** Asks for what a text means; absent where the choices are all there are. */
  readonly search?: (text: string) => void;
  /** Whether the choices are answers to the text, so that all of them are shown. */
  readonly isFound?: boolean;
  readonly isLoading?: boolean;
  /** True where there are more than these. */
  readonly isCut?: boolean;
  /** Makes what does not exist yet, of the text that was typed. */
  readonly create?: { readonly says: (text: string) => string; make(text: string): void };
  readonly isBusy?: boolean;
}

const noChoice = '';
const newChoice = 'new';

/** The field and its list. */
export function Combobox(props: ComboboxProps) {
  const { label, isBare = false, hint, chosen, set, isSeveral = false, isBusy = false } = props;
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const state = useListKeys({
    rowsOf: (text) => rowsOf(props, text),
    chosenId: isSeveral ? undefined : chosen[0]?.id,
    search: props.search,
    take: (row, text) => take(props, row, text),
    takeBack: () => isSeveral && chosen.length > 0 && set(chosen.slice(0, -1)),
    isSeveral,
  });
  const { text, isOpen, rows } = state;
  const [first] = chosen;
  return (
    <div className="choice">
      <label htmlFor={id} className={isBare ? 'spoken' : undefined}>
        {label}
      </label>
      <div ref={field} className="combo">
        {isSeveral &&
          chosen.map((one) => (
            <Pill
              key={one.id}
              name={one.name}
              isBusy={isBusy}
              takeAway={() => {
                set(chosen.filter((other) => other.id !== one.id));
                input.current?.focus();
              }}
            />
          ))}
        {!isSeveral && text === null && first?.mark}
        <input
          ref={input}
          id={id}
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen && rows.length > 0}
          aria-controls={isOpen && rows.length > 0 ? `${id}-list` : undefined}
          aria-activedescendant={isOpen && state.at >= 0 ? `${id}-${state.at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          readOnly={isBusy}
          aria-disabled={isBusy}
          placeholder={props.placeholder ?? props.none ?? words.choose.any}
          value={text ?? (isSeveral ? '' : (first?.name ?? ''))}
          {...state.handlers}
        />
      </div>
      {hint && <small className="quiet">{hint}</small>}
      {isOpen && <List id={id} field={field} state={state} of={props} />}
      <span className="spoken" role="status">
        {isOpen ? saysOf(props, rows.length, text) : ''}
      </span>
    </div>
  );
}

/** What can be pressed for a text: the way back to no choice, those that match, and the one that is made. */
function rowsOf(props: ComboboxProps, text: string): readonly Choosable[] {
  const { choices, chosen, isSeveral = false, none = null, isFound = false, create } = props;
  const others = isSeveral
    ? choices.filter(({ id }) => !chosen.some((one) => one.id === id))
    : choices;
  const found = isFound ? others : matching(others, text);
  const shown = partsOf(found.slice(0, mostShown)).flatMap((part) => part.rows);
  const isNew = create && text.trim() !== '' && !found.some(({ name }) => isSame(name, text));
  return [
    ...(none !== null && chosen.length > 0 && text === '' ? [{ id: noChoice, name: none }] : []),
    ...shown,
    ...(isNew ? [{ id: newChoice, name: create.says(text.trim()) }] : []),
  ];
}

function isSame(name: string, text: string): boolean {
  return name.toLowerCase() === text.trim().toLowerCase();
}

function take({ chosen, set, isSeveral, create }: ComboboxProps, row: Choosable, text: string) {
  if (row.id === newChoice) create?.make(text.trim());
  else if (row.id === noChoice) set([]);
  else set(isSeveral ? [...chosen, row] : [row]);
}

/** How many there are, for those who listen; what helps where there are none, or too many. */
function saysOf({ isLoading, isCut }: ComboboxProps, count: number, text: string | null): string {
  if (isLoading && count === 0) return words.loading;
  if (count === 0) return text ? words.choose.noMatches : words.choose.type;
  return isCut || count >= mostShown ? words.choose.cut(count) : words.choose.count(count);
}

interface ListProps {
  readonly id: string;
  readonly field: RefObject<HTMLDivElement | null>;
  readonly state: ListState;
  readonly of: ComboboxProps;
}

function List({ id, field, state: { rows, at, text, point, press }, of }: ListProps) {
  const pop = useRef<HTMLDivElement>(null);
  useAnchor(pop, field, true);
  const said = saysOf(of, rows.length, text);
  return (
    // Of a press the focus stays in the field.
    <div
      ref={pop}
      popover="manual"
      className="pop picks"
      onPointerDown={(event) => event.preventDefault()}
    >
      {rows.length > 0 && (
        <div id={`${id}-list`} role="listbox" aria-label={words.choose.options}>
          {partsOf(rows).map((part) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be in a listbox
            <div key={part.under} role="group" aria-label={part.under || undefined}>
              {part.under !== '' && <p aria-hidden="true">{part.under}</p>}
              {part.rows.map((row) => {
                const place = rows.indexOf(row);
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: keys are pressed in the field
                  <div
                    key={row.id}
                    id={`${id}-${place}`}
                    role="option"
                    tabIndex={-1}
                    className={row.id === newChoice ? 'new' : undefined}
                    aria-selected={place === at}
                    onPointerMove={() => point(place)}
                    onClick={() => press(row)}
                  >
                    {row.mark}
                    <span dir="auto">{row.name}</span>
                    {row.state}
                    {row.says && <small>{row.says}</small>}
                  </div>
                );
              })}
            </div>
          ))}
        </div>
      )}
      {(rows.length === 0 || of.isCut || rows.length >= mostShown) && (
        <p aria-hidden="true">{said}</p>
      )}
    </div>
  );
}
