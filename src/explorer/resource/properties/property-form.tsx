// Setting one custom property of a resource: choosing or writing a value, and clearing it.

import { type ReactNode, useId } from 'react';
import { useForm } from '../../asking/form.ts';
import { useAct } from '../../asking/use-answer.ts';
import { Overtaken, Problem } from '../../parts/problem.tsx';
import { Sure } from '../../parts/sure.tsx';
import { words } from '../../words.ts';
import { ResourcePage } from '../page.graphql';
import type { PropertyDefined } from './properties.graphql';
import { PropertyField } from './property-field.tsx';
import { saveProperty } from './property-saving.ts';

interface PropertyFormProps {
  readonly resource: { readonly id: string; readonly version: number };
  readonly property: PropertyDefined;
  /** What it is now; an empty text where it is not set. */
  readonly now: string;
  /** The same, as people read it. */
  readonly nowSaid: ReactNode;
  readonly close: () => void;
}

/** The form; what is written stays until it is saved or given up, whatever others do. */
export function PropertyForm({ resource, property, now, nowSaid, close }: PropertyFormProps) {
  const form = useForm(now);
  const hint = useId();
  const save = useAct(
    (value: string) => saveProperty({ resource, propertyId: property.id, from: now, value }),
    [ResourcePage],
  );
  const done = { onSuccess: close };
  return (
    <form
      className="doing property"
      aria-label={property.name}
      aria-describedby={hint}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(form.value, done);
      }}
    >
      {property.description !== '' && (
        <small className="quiet" id={hint}>
          {property.description}
        </small>
      )}
      <PropertyField property={property} value={form.value} said={nowSaid} set={form.write} />
      {form.isOvertaken ? (
        <Overtaken take={form.drop}>{nowSaid}</Overtaken>
      ) : (
        save.error && <Problem error={save.error} />
      )}
      <div className="acts">
        <button type="submit" disabled={save.isPending || !form.isWritten || form.value === ''}>
          {form.isOvertaken ? words.edit.saveAnyway : words.edit.save}
        </button>
        {now !== '' && (
          <Sure
            label={words.resource.clear}
            of={property.name}
            isBusy={save.isPending}
            act={() => save.mutate('', done)}
          />
        )}
        <button type="button" disabled={save.isPending} onClick={close}>
          {words.edit.cancel}
        </button>
      </div>
    </form>
  );
}
