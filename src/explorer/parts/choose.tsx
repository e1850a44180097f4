// Choice of a person or a source, for viewers who may list them.

import { type ReactNode, useState } from 'react';
import { PeopleToChoose, SourcesToChoose } from '../asking/choices.graphql';
import { useAnswer } from '../asking/use-answer.ts';
import { useMay, useViewer } from '../asking/viewer.ts';
import { words } from '../words.ts';
import { byName, type Choosable } from './pill.tsx';

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
  const { people, narrow } = usePeople(may);
  if (!may || !viewer) return null;
  const others = byName(people.filter(({ id }) => id !== viewer.id));
  return (
    <>
      {narrow}
      <Choice {...props} choices={[{ id: viewer.id, name: me }, ...others]} />
    </>
  );
}

/** Those who can be chosen, and, where there are too many for one list, the field that narrows it. */
export function usePeople(isWanted: boolean): {
  readonly people: readonly Choosable[];
  readonly narrow: ReactNode;
} {
  const [search, setSearch] = useState('');
  const { data } = useAnswer(
    PeopleToChoose,
    { search: search.trim() || null },
    { isKept: true, isWanted },
  );
  const isLong = search !== '' || (data?.users.pageInfo.hasNextPage ?? false);
  return {
    people: data?.users.nodes ?? [],
    narrow: isLong && (
      <label className="choice">
        <span>{words.findPerson}</span>
        <input
          type="search"
          value={search}
          maxLength={200}
          autoComplete="off"
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </label>
    ),
  };
}

/** A source, by its name. */
export function ChooseSource(props: ChooseProps) {
  const may = useMay('read_integrations');
  const { data } = useAnswer(SourcesToChoose, {}, { isWanted: may });
  if (!may) return null;
  return <Choice {...props} choices={byName(data?.integrations.nodes ?? [])} />;
}

interface ChoiceProps extends ChooseProps {
  readonly choices: readonly Choosable[];
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
