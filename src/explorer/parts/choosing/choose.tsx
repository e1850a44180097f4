// Choice of a person, a source and a resource, for viewers who may list them; of one value, or of several.

import { useState } from 'react';
import { PeopleToChoose, SourcesToChoose } from '../../asking/choices.graphql';
import type { Operation } from '../../asking/operation.ts';
import { useAnswer } from '../../asking/use-answer.ts';
import { useMay, useViewer } from '../../asking/viewer.ts';
import { words } from '../../words.ts';
import { Avatar } from '../avatar.tsx';
import { type Deprecated, DeprecatedMark } from '../badges.tsx';
import { Chip } from '../icon.tsx';
import { type Located, placeOf } from '../link.tsx';
import { Problem } from '../problem.tsx';
import { byName, type Choosable } from './choosable.ts';
import { Combobox, type ComboboxProps } from './combobox.tsx';

interface ChooseProps {
  readonly label: string;
  /** What no choice is called; null where there must be one. */
  readonly none: string | null;
  readonly value: string;
  readonly choose: (id: string) => void;
  readonly isBusy?: boolean;
}

/** A person: the viewer first. */
export function ChoosePerson({ me, value, ...props }: ChooseProps & { readonly me: string }) {
  const viewer = useViewer();
  const may = useMay('read_people');
  const { people, ...found } = usePeople(may);
  if (!may || !viewer) return null;
  const others = people.filter(({ id }) => id !== viewer.id);
  const own = { ...asPerson(viewer), name: me, says: viewer.name };
  return <ChooseOne {...props} {...found} value={value} choices={[own, ...others]} />;
}

/** People as choices, and what asks for others by a part of their name. */
export function usePeople(isWanted: boolean) {
  const [text, search] = useState('');
  const { data, isFetching: isLoading } = useAnswer(
    PeopleToChoose,
    { search: text || null },
    { isKept: true, isWanted },
  );
  const people: readonly Choosable[] = byName(data?.users.nodes ?? []).map(asPerson);
  return { people, search, isLoading, isCut: data?.users.pageInfo.hasNextPage ?? false };
}

function asPerson({ id, name, email }: { id: string; name: string; email: string }): Choosable {
  return { id, name, says: email, mark: <Avatar name={name} /> };
}

/** A source, by its name. */
export function ChooseSource(props: ChooseProps) {
  const may = useMay('read_integrations');
  const { data } = useAnswer(SourcesToChoose, {}, { isWanted: may });
  if (!may) return null;
  return <ChooseOne {...props} choices={byName(data?.integrations.nodes ?? [])} />;
}

type Offered = Pick<ComboboxProps, 'choices' | 'search' | 'isLoading' | 'isCut'>;

/** One by its id. What is chosen stays chosen while its name is on its way. */
function ChooseOne({ value, choose, choices, ...props }: ChooseProps & Offered) {
  const [last, setLast] = useState<Choosable>();
  const known = choices.find(({ id }) => id === value);
  const now = known ?? (last?.id === value ? last : { id: value, name: '…' });
  return (
    <Combobox
      {...props}
      choices={choices}
      chosen={value === '' ? [] : [now]}
      set={([one]) => {
        setLast(one);
        choose(one?.id ?? '');
      }}
    />
  );
}

interface ChooseSeveralProps extends Offered {
  readonly label: string;
  readonly chosen: readonly string[];
  readonly set: (ids: readonly string[]) => void;
  readonly placeholder?: string;
}

/** Several by their ids; nothing where there is nothing to choose from. */
export function ChooseSeveral({ chosen, set, choices, ...props }: ChooseSeveralProps) {
  // What was chosen keeps its name when the list is narrowed to others.
  const [taken, setTaken] = useState<readonly Choosable[]>([]);
  if (choices.length + chosen.length === 0) return null;
  const nameOf = new Map([...taken, ...choices].map((one) => [one.id, one]));
  return (
    <Combobox
      {...props}
      isSeveral
      choices={choices}
      chosen={chosen.map((id) => nameOf.get(id) ?? { id, name: '…' })}
      set={(next) => {
        setTaken(next);
        set(next.map(({ id }) => id));
      }}
    />
  );
}

interface Findable extends Located {
  readonly id: string;
  readonly deprecation: Deprecated | null;
}

interface ChooseResourceProps<Found extends Findable> {
  /** Searches what may be chosen. */
  readonly operation: Operation<
    { readonly search: { readonly nodes: readonly { readonly resource: Found }[] } },
    { query: string }
  >;
  readonly label: string;
  /** Whether the label is only spoken. */
  readonly isBare?: boolean;
  readonly placeholder: string;
  /** What else is to be known of the field. */
  readonly hint?: string;
  /** What is chosen; nothing where the field is for adding one after the other. */
  readonly value?: Choosable | null;
  readonly choose: (found: Found | null) => void;
  /** Ids of what is never offered. */
  readonly without?: readonly string[];
  /** What is said of one in place of where it lies. */
  readonly says?: (found: Found) => string;
}

/** A resource, found by its name. */
export function ChooseResource<Found extends Findable>(props: ChooseResourceProps<Found>) {
  const { operation, choose, without = [], says = placeOf, value = null, ...field } = props;
  const [query, search] = useState('');
  const isWanted = query !== '';
  const { data, error, isFetching } = useAnswer(operation, { query }, { isKept: true, isWanted });
  const nodes = isWanted ? (data?.search.nodes ?? []) : [];
  const found = nodes.map(({ resource }) => resource).filter(({ id }) => !without.includes(id));
  return (
    <>
      <Combobox
        {...field}
        none={value === null ? null : words.choose.none}
        choices={found.map((one) => ({
          id: one.id,
          name: one.title,
          says: says(one),
          mark: <Chip kind={one.kind} />,
          state: <DeprecatedMark of={one.deprecation} />,
        }))}
        isFound
        isLoading={isFetching}
        chosen={value === null ? [] : [value]}
        search={search}
        set={([one]) => choose(found.find(({ id }) => id === one?.id) ?? null)}
      />
      {error && <Problem error={error} />}
    </>
  );
}
