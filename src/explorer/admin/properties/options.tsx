// The options of a property that is chosen: their names, in their order, and how often each is used.

import { useRef } from 'react';
import { propertyWords as words } from '../../words/properties.ts';
import { words as common } from '../../words.ts';

interface OptionsProps {
  readonly options: readonly string[];
  readonly uses: ReadonlyMap<string, number>;
  readonly set: (options: readonly string[]) => void;
}

/** The fields: Enter adds another one below, and an option that is used says so. */
export function Options({ options, uses, set }: OptionsProps) {
  const place = useRef<HTMLFieldSetElement>(null);
  const shown = options.length === 0 ? [''] : options;
  const focus = (at: number) =>
    requestAnimationFrame(() => place.current?.querySelectorAll('input')[at]?.focus());
  const add = (at: number) => {
    set(shown.toSpliced(at, 0, ''));
    focus(at);
  };
  return (
    <fieldset ref={place} className="plain-set options">
      <legend>{words.options}</legend>
      {shown.map((option, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be called the same while they are written
        <p key={at}>
          <input
            aria-label={words.option(at + 1)}
            value={option}
            required={shown.every((one) => one.trim() === '')}
            maxLength={255}
            onChange={({ currentTarget }) => set(shown.with(at, currentTarget.value))}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              event.preventDefault();
              add(at + 1);
            }}
          />
          <small className="quiet">{words.uses(uses.get(option) ?? 0)}</small>
          <button
            type="button"
            className="away"
            aria-label={common.takeAway(option)}
            onClick={() => {
              set(shown.toSpliced(at, 1));
              focus(Math.max(0, at - 1));
            }}
          >
            ×
          </button>
        </p>
      ))}
      <button type="button" onClick={() => add(shown.length)}>
        {words.addOption}
      </button>
    </fieldset>
  );
}
