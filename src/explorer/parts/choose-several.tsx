// Multiple choice: chosen values that can be removed, and others to add.

import { useState } from 'react';
import { words } from '../words.ts';
import { AddFrom, type Choosable, Pill } from './pill.tsx';

interface ChooseSeveralProps {
  readonly label: string;
  readonly choices: readonly Choosable[];
  readonly chosen: readonly string[];
  readonly set: (ids: readonly string[]) => void;
  /** True where there are more than these. */
  readonly isCut?: boolean;
}

/** The field; nothing where there is nothing to choose from. */
export function ChooseSeveral({ label, choices, chosen, set, isCut = false }: ChooseSeveralProps) {
  // What was chosen keeps its name when the list is narrowed to others.
  const [added, setAdded] = useState<readonly Choosable[]>([]);
  if (choices.length + chosen.length === 0) return null;
  const nameOf = new Map([...added, ...choices].map(({ id: one, name }) => [one, name]));
  return (
    <div className="choice">
      <span>{label}</span>
      <span>
        {chosen.map((id) => (
          <Pill
            key={id}
            name={nameOf.get(id) ?? '…'}
            takeAway={() => set(chosen.filter((one) => one !== id))}
          />
        ))}
        <AddFrom
          label={label}
          says={words.add}
          choices={choices}
          chosen={chosen}
          add={(id) => {
            setAdded([...added, ...choices.filter((one) => one.id === id)]);
            set([...chosen, id]);
          }}
          isCut={isCut}
        />
      </span>
    </div>
  );
}
