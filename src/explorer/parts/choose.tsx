// In charge of choosing a person or a source: who may not list them is not asked to choose.

import { PeopleToChoose, SourcesToChoose } from '../asking/choices.graphql';
import { useAnswer } from '../asking/use-answer.ts';
import { useMay, useViewer } from '../asking/use-viewer.ts';

interface ChooseProps {
  readonly label: string;
  /** What no choice is called; null where there must be one. */
  readonly none: string | null;
  readonly value: string;
  readonly choose: (id: string) => void;
  readonly isBusy?: boolean;
}

/** A person: the viewer first. */
export function ChoosePerson({ me, ...props }: ChooseProps & { readonly me: string }) {
  const viewer = useViewer();
  const may = useMay('read_people');
  const { data } = useAnswer(PeopleToChoose, {}, { isWanted: may });
  if (!may || !viewer) return null;
  const others = (data?.users.nodes ?? [])
    .filter(({ id }) => id !== viewer.id)
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return <Choice {...props} choices={[{ id: viewer.id, name: me }, ...others]} />;
}

/** A source, by its name. */
export function ChooseSource(props: ChooseProps) {
  const may = useMay('read_integrations');
  const { data } = useAnswer(SourcesToChoose, {}, { isWanted: may });
  if (!may) return null;
  const sources = (data?.integrations.nodes ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  return <Choice {...props} choices={sources} />;
}

interface ChoiceProps extends ChooseProps {
  readonly choices: readonly { readonly id: string; readonly name: string }[];
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
