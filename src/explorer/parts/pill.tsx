// Chosen values: a pill each, and one to add another.

import { words } from '../words.ts';

interface PillProps {
  readonly name: string;
  /** What it is, where that is not what most are. */
  readonly kind?: string | undefined;
  /** What it is called in the name of the button, where that is another. */
  readonly spoken?: string;
  /** Absent where it stays. */
  readonly takeAway?: (() => void) | undefined;
  readonly isBusy?: boolean;
}

/** What was chosen, with the button that takes it away. */
export function Pill({ name, kind, spoken = name, takeAway, isBusy = false }: PillProps) {
  return (
    <span className="pill">
      {name}
      {kind && <small className="quiet"> {kind}</small>}
      {takeAway && (
        <button
          type="button"
          className="away"
          disabled={isBusy}
          aria-label={words.takeAway(spoken)}
          onClick={takeAway}
        >
          ×
        </button>
      )}
    </span>
  );
}

/** Something that can be chosen. */
export interface Choosable {
  readonly id: string;
  readonly name: string;
  /** The part of the list that it is in; absent where the list has no parts. */
  readonly under?: string;
}

interface AddFromProps {
  readonly label: string;
  /** What the list says before one is chosen. */
  readonly says: string;
  readonly choices: readonly Choosable[];
  /** Ids of those that are not offered again. */
  readonly chosen: readonly string[];
  readonly add: (id: string) => void;
  readonly isBusy?: boolean;
  /** True where there are more than these. */
  readonly isCut?: boolean;
}

/** The list to add from, by name; nothing where all of it is chosen. */
export function AddFrom(props: AddFromProps) {
  const { label, says, choices, chosen, add, isBusy = false, isCut = false } = props;
  const others = byName(choices.filter(({ id }) => !chosen.includes(id)));
  if (others.length === 0) return null;
  return (
    <select
      className="add"
      aria-label={label}
      value=""
      disabled={isBusy}
      onChange={({ currentTarget }) => add(currentTarget.value)}
    >
      <option value="">{says}</option>
      {[...new Set(others.map(({ under }) => under))].map((under) => (
        <Options key={under ?? ''} under={under} all={others} />
      ))}
      {isCut && <option disabled>{words.choicesCut(choices.length)}</option>}
    </select>
  );
}

/** One part of the list, under its name where it has one. */
function Options({ under, all }: { under: string | undefined; all: readonly Choosable[] }) {
  const options = all
    .filter((one) => one.under === under)
    .map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ));
  return under === undefined ? options : <optgroup label={under}>{options}</optgroup>;
}

/** The same in the order of their names. */
export function byName<One extends Choosable>(list: readonly One[]): One[] {
  return list.toSorted((a, b) => a.name.localeCompare(b.name));
}
