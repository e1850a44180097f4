// The field for a value of a custom property: one for each type of values.

import { useState } from 'react';
import { ResourcesToChoose, type ResourceToChoose } from '../../asking/choices.graphql';
import { Choice } from '../../parts/choosing/choice.tsx';
import { ChoosePerson, ChooseResource, ChooseSeveral } from '../../parts/choosing/choose.tsx';
import { words } from '../../words.ts';
import type { PropertyDefined } from './properties.graphql';

interface FieldProps {
  readonly property: PropertyDefined;
  readonly value: string;
  /** The name of the resource that it names; an empty text for other values. */
  readonly named: string;
  readonly set: (value: string) => void;
}

/** The field, under the name of the property. */
export function PropertyField(props: FieldProps) {
  const { property, value, set } = props;
  const { name, options } = property;
  const label = words.resource.valueOf(name);
  switch (property.valueType) {
    case 'select':
      return <Choice {...choice(label, value, set)} choices={options.map(asChoice)} />;
    case 'boolean':
      return (
        <Choice
          {...choice(label, value, set)}
          choices={(['true', 'false'] as const).map((id) => ({
            id,
            name: words.resource.booleans[id],
          }))}
        />
      );
    case 'multiselect':
      return (
        <ChooseSeveral
          label={label}
          choices={options.map(asChoice)}
          chosen={value.split(',').filter((one) => one !== '')}
          set={(chosen) => set(chosen.join(','))}
        />
      );
    case 'user':
      return <ChoosePerson {...choice(label, value, set)} me={words.resource.me} />;
    case 'resource':
      return <Named {...props} label={label} />;
    case 'text':
      return <WrittenAtLength {...props} label={label} />;
    default:
      return <Written {...props} label={label} />;
  }
}

const asChoice = (option: string) => ({ id: option, name: option });

const choice = (label: string, value: string, set: (value: string) => void) => ({
  label,
  none: words.resource.choose,
  value,
  choose: set,
});

interface LabelledProps extends FieldProps {
  readonly label: string;
}

const longest: Readonly<Record<string, number>> = { string: 255, number: 255, url: 2_000 };
const lines = 4;

/** What is written: what it may be is left to the server, which says what is wrong with it. */
function Written({ property: { valueType }, label, value, set }: LabelledProps) {
  return (
    <label className="choice">
      <span>{label}</span>
      <input
        type={valueType === 'date' ? 'date' : 'text'}
        inputMode={valueType === 'number' ? 'decimal' : valueType === 'url' ? 'url' : 'text'}
        maxLength={longest[valueType]}
        autoComplete="off"
        value={value}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}

/** The same in several lines. */
function WrittenAtLength({ label, value, set }: LabelledProps) {
  return (
    <label className="choice">
      <span>{label}</span>
      <textarea
        rows={lines}
        value={value}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}

/** A resource, found by its name. */
function Named({ label, value, named, set }: LabelledProps) {
  const [found, setFound] = useState<ResourceToChoose | null>(null);
  const name = found?.id === value ? found.titleFull : named;
  return (
    <ChooseResource
      operation={ResourcesToChoose}
      label={label}
      placeholder={words.resource.find}
      value={value === '' ? null : { id: value, name }}
      choose={(one) => {
        setFound(one);
        set(one?.id ?? '');
      }}
    />
  );
}
