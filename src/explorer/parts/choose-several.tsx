// In charge of choosing several of a list: what is chosen, each to be taken away again, and the others to add from.

import { words } from '../words.ts';

interface Choosable {
  readonly id: string;
  readonly name: string;
}

interface ChooseSeveralProps {
  readonly label: string;
  readonly choices: readonly Choosable[];
  readonly chosen: readonly string[];
  readonly set: (ids: readonly string[]) => void;
}

/** The field; nothing where there is nothing to choose from. */
export function ChooseSeveral({ label, choices, chosen, set }: ChooseSeveralProps) {
  if (choices.length === 0) return null;
  const named = chosen.flatMap((id) => choices.filter((one) => one.id === id));
  const others = choices
    .filter(({ id }) => !chosen.includes(id))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <div className="choice">
      <span>{label}</span>
      <span>
        {named.map(({ id, name }) => (
          <span key={id} className="pill">
            {name}
            <button
              type="button"
              className="away"
              aria-label={words.resource.takeAway(name)}
              onClick={() => set(chosen.filter((one) => one !== id))}
            >
              ×
            </button>
          </span>
        ))}
        {others.length > 0 && (
          <select
            className="add"
            aria-label={label}
            value=""
            onChange={({ currentTarget }) => set([...chosen, currentTarget.value])}
          >
            <option value="">{words.add}</option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </span>
    </div>
  );
}
