// Choice of one of a few, which are always the same: the browser's own list.

import type { Choosable } from './choosable.ts';

interface ChoiceProps {
  readonly label: string;
  /** What no choice is called; null where there must be one. */
  readonly none: string | null;
  readonly value: string;
  readonly choose: (id: string) => void;
  readonly choices: readonly Choosable[];
  readonly isBusy?: boolean;
}

/** One of a few, or none. */
export function Choice({ label, none, value, choose, choices, isBusy = false }: ChoiceProps) {
  // What is chosen stays chosen while the choices are on their way.
  const isListed = value === '' || choices.some(({ id }) => id === value);
  return (
    <label className="choice">
      <span>{label}</span>
      <select
        value={value}
        disabled={isBusy}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {none !== null && <option value="">{none}</option>}
        {!isListed && <option value={value}>…</option>}
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
