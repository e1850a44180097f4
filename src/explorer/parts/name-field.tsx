// The field in which a thing is given its name.

/** As long as names may be. */
const longest = 255;

interface NameFieldProps {
  readonly label: string;
  readonly value: string;
  readonly set: (name: string) => void;
}

/** The field; a form without a name is not sent. */
export function NameField({ label, value, set }: NameFieldProps) {
  return (
    <label className="choice">
      <span>{label}</span>
      <input
        required
        maxLength={longest}
        value={value}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}
