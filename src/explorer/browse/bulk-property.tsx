// Custom property of many rows: chosen in the bar, with its value in a dialog.

import { useState } from 'react';
import { useAnswer } from '../asking/use-answer.ts';
import { byName } from '../parts/choosing/choosable.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormActs } from '../parts/form-acts.tsx';
import { covers } from '../resource/properties/coverage.ts';
import { PropertiesToSet, type PropertyDefined } from '../resource/properties/properties.graphql';
import { PropertyField } from '../resource/properties/property-field.tsx';
import { browseWords as words } from '../words/browse.ts';
import { words as common } from '../words.ts';
import { setPropertyOfAll } from './edits.ts';
import { OneOf, type PickProps } from './one-of.tsx';

/** The field; it offers the properties that all of the rows may have. */
export function PickProperty({ rows, run }: PickProps) {
  const { data } = useAnswer(PropertiesToSet, {});
  const [chosen, setChosen] = useState<PropertyDefined | null>(null);
  const properties = (data?.customProperties.nodes ?? []).filter((property) =>
    rows.every(({ kind }) => covers(property, kind)),
  );
  return (
    <OneOf
      label={words.property}
      choices={byName(properties)}
      pick={(one) => setChosen(properties.find(({ id }) => id === one.id) ?? null)}
    >
      {chosen && (
        <ValueDialog
          property={chosen}
          count={rows.length}
          save={(value) => {
            const { id, name } = chosen;
            const says = value === '' ? common.toast.cleared(name) : common.toast.set(name);
            setChosen(null);
            run(says, () => setPropertyOfAll(rows, id, value));
          }}
          close={() => setChosen(null)}
        />
      )}
    </OneOf>
  );
}

interface ValueDialogProps {
  readonly property: PropertyDefined;
  readonly count: number;
  /** Saves a value; an empty text clears it. */
  readonly save: (value: string) => void;
  readonly close: () => void;
}

function ValueDialog({ property, count, save, close }: ValueDialogProps) {
  const [value, setValue] = useState('');
  return (
    <Dialog title={words.propertyOf(property.name, count)} isWritten={value !== ''} close={close}>
      <form
        className="form wide"
        onSubmit={(event) => {
          event.preventDefault();
          save(value);
        }}
      >
        {property.description !== '' && <p className="quiet">{property.description}</p>}
        <PropertyField property={property} value={value} named="" set={setValue} />
        <FormActs says={words.setProperty} isOff={value === ''} close={close}>
          <button type="button" onClick={() => save('')}>
            {words.clearProperty}
          </button>
        </FormActs>
      </form>
    </Dialog>
  );
}
