// Ticks: a few things of which any number can be chosen, each with a box.

interface TicksProps<Name extends string> {
  readonly legend: string;
  readonly names: readonly Name[];
  readonly says: (name: Name) => string;
  readonly chosen: readonly Name[];
  /** Called with what is chosen, in the order of the names. */
  readonly set: (chosen: readonly Name[]) => void;
}

/** The boxes under their legend. */
export function Ticks<Name extends string>({ legend, names, says, chosen, set }: TicksProps<Name>) {
  return (
    <fieldset className="plain-set">
      <legend>{legend}</legend>
      {names.map((name) => (
        <label key={name} className="radio">
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ currentTarget: { checked } }) =>
              set(names.filter((one) => (one === name ? checked : chosen.includes(one))))
            }
          />
          {says(name)}
        </label>
      ))}
    </fieldset>
  );
}
